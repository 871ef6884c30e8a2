package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// head is what every object begins with.
type head struct {
	Event string    `json:"event"`
	At    time.Time `json:"at"`
}

// Encode returns an event as one line of JSON, with the time at which it happened.
func Encode(e Event, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(head{e.Name(), at}); err != nil {
		return nil, fmt.Errorf("encode the event %s: %w", e.Name(), err)
	}
	b.Truncate(b.Len() - len("}\n"))
	body := b.Len()
	if err := enc.Encode(e); err != nil {
		return nil, fmt.Errorf("encode the event %s: %w", e.Name(), err)
	}
	line := b.Bytes()
	if line[body+1] == '}' { // it has no fields
		return append(line[:body], "}\n"...), nil
	}
	line[body] = ','
	return line, nil
}

// Decode reads an event from one line of JSON. Fields that this version does not know are left out; an event that it does not know is
// an error.
func Decode(line []byte) (e Event, at time.Time, err error) {
	var h head
	if err := json.Unmarshal(line, &h); err != nil {
		return nil, at, fmt.Errorf("decode an event: %w", err)
	}
	switch h.Event {
	case Build{}.Name():
		e, err = decode[Build](line)
	case Start{}.Name():
		e, err = decode[Start](line)
	case string(Warning), string(Aside), string(Skipped), string(Quiet), string(Smaller), string(Resume):
		var n Notice
		n, err = decode[Notice](line)
		n.What = NoticeKind(h.Event)
		e = n
	case Entry{}.Name():
		e, err = decode[Entry](line)
	case Status{}.Name():
		e, err = decode[Status](line)
	case Finding{}.Name():
		e, err = decode[Finding](line)
	case TargetEnd{}.Name():
		e, err = decode[TargetEnd](line)
	case End{}.Name():
		e, err = decode[End](line)
	default:
		return nil, at, fmt.Errorf("%q is no event that this version knows", h.Event)
	}
	if err != nil {
		return nil, at, fmt.Errorf("decode the event %s: %w", h.Event, err)
	}
	return e, h.At, nil
}

func decode[E Event](line []byte) (e E, err error) {
	err = json.Unmarshal(line, &e)
	return e, err
}
