package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

const (
	maxStreams    = 64               // streams of events at the same time
	stateInterval = time.Second      // between two states
	sayInterval   = 15 * time.Second // between two comments, which show a client that the server lives
	// streamTime limits how long one write to a client takes. The server closes the connection of a client that reads more slowly. When the
	// client connects again, it gets the newest state.
	streamTime = 10 * time.Second
)

// events answers with the events of the campaign of this process, as server-sent events. No event waits for a reader: when the client has read
// the previous event, its stream sends the newest state and the lines of the log since then.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	if !s.isLive(r.PathValue("id")) {
		w.WriteHeader(http.StatusNoContent) // tells a browser not to connect again
		return
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		fail(w, http.StatusServiceUnavailable, fmt.Sprintf("%d pages read the events of this campaign already; close some of them", maxStreams))
		return
	}
	last, _ := strconv.Atoi(r.Header.Get("Last-Event-ID"))         // 0 if there is none
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // the limit for reading a request must not end the stream
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	s.stream(r, &stream{w: w, control: http.NewResponseController(w), last: last})
}

// stream is a stream of events to one client.
type stream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	last    int // number of the last line of the log that the stream has sent
}

// stream sends events until the campaign is over, the client is gone or the server closes.
func (s *Server) stream(r *http.Request, to *stream) {
	state, say := time.NewTicker(stateInterval), time.NewTicker(sayInterval)
	defer state.Stop()
	defer say.Stop()
	due := true // a state
	for {
		lines, over, changed := s.Live.logSince(to.last)
		for _, line := range lines {
			if to.send("log", line.number, line) != nil {
				return
			}
			to.last = line.number
		}
		if due || over {
			if to.send("state", to.last, s.liveDetail(r.Context())) != nil {
				return
			}
			due = false
		}
		if over {
			_ = to.send("end", to.last, s.Live.over()) // the stream ends in any case
			return
		}
		select {
		case <-changed:
		case <-state.C:
			due = true
		case <-say.C:
			if to.write(": gnaw\n\n") != nil {
				return
			}
		case <-r.Context().Done():
			return
		case <-s.ctx.Done():
			return
		}
	}
}

// send sends an event.
func (t *stream) send(name string, id int, value any) error {
	data, err := json.Marshal(value) // has no line breaks
	if err != nil {
		return err
	}
	return t.write(fmt.Sprintf("event: %s\nid: %d\ndata: %s\n\n", name, id, data))
}

func (t *stream) write(text string) error {
	_ = t.control.SetWriteDeadline(time.Now().Add(streamTime)) // the recorder of a test has no deadline
	if _, err := t.w.Write([]byte(text)); err != nil {
		return err
	}
	return t.control.Flush()
}
