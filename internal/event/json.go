package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
)

// head has the first fields of each object.
type head struct {
	Event string    `json:"event"`
	At    time.Time `json:"at"`
}

// Encode returns an event and its time as one line of JSON. It fails for numbers that JSON does not have, such as NaN.
func Encode(e Event, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(head{e.Name(), at.UTC()}); err != nil {
		return nil, fmt.Errorf("encode the event %s: %w", e.Name(), err)
	}
	b.Truncate(b.Len() - len("}\n"))
	body := b.Len()
	if err := enc.Encode(e); err != nil {
		return nil, fmt.Errorf("encode the event %s: %w", e.Name(), err)
	}
	line := b.Bytes()
	if line[body+1] == '}' { // an event without fields
		return append(line[:body], "}\n"...), nil
	}
	line[body] = ','
	return line, nil
}

// Decode is the inverse of [Encode], for programs that read what another gnaw writes. It ignores fields that this version does not know;
// an event that this version does not know is an error.
func Decode(line []byte) (e Event, at time.Time, err error) {
	var h head
	if err := json.Unmarshal(line, &h); err != nil {
		return nil, at, fmt.Errorf("decode an event: %w", err)
	}
	read, ok := decoders[h.Event]
	if !ok {
		return nil, at, fmt.Errorf("%q is no event that this version knows", h.Event)
	}
	if e, err = read(line); err != nil {
		return nil, at, fmt.Errorf("decode the event %s: %w", h.Event, err)
	}
	return e, h.At, nil
}

// decoders reads an event of each name.
var decoders = addNotices(map[string]func(line []byte) (Event, error){
	Plan{}.Name():        decode[Plan],
	Build{}.Name():       decode[Build],
	Building{}.Name():    decode[Building],
	Start{}.Name():       decode[Start],
	Entry{}.Name():       decode[Entry],
	Cover{}.Name():       decode[Cover],
	SpotReached{}.Name(): decode[SpotReached],
	SpotEnd{}.Name():     decode[SpotEnd],
	Status{}.Name():      decode[Status],
	Finding{}.Name():     decode[Finding],
	TargetEnd{}.Name():   decode[TargetEnd],
	End{}.Name():         decode[End],
	Loading{}.Name():     decode[Loading],
	WarmUp{}.Name():      decode[WarmUp],
	WarmedUp{}.Name():    decode[WarmedUp],
	Progress{}.Name():    decode[Progress],
	Turn{}.Name():        decode[Turn],
	Again{}.Name():       decode[Again],
	SeedFailed{}.Name():  decode[SeedFailed],
	Minimize{}.Name():    decode[Minimize],
	Grace{}.Name():       decode[Grace],
	OverLimit{}.Name():   decode[OverLimit],
	Failure{}.Name():     decode[Failure],
})

func decode[E Event](line []byte) (Event, error) {
	var e E
	err := json.Unmarshal(line, &e)
	return e, err
}

func addNotices(to map[string]func(line []byte) (Event, error)) map[string]func(line []byte) (Event, error) {
	for _, what := range NoticeKinds() {
		to[string(what)] = decodeNotice(what)
	}
	return to
}

func decodeNotice(what NoticeKind) func(line []byte) (Event, error) {
	return func(line []byte) (Event, error) {
		n := Notice{What: what}
		err := json.Unmarshal(line, &n)
		return n, err
	}
}
