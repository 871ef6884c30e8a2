package web

import (
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/known"
)

// order is the body of a request that changes something.
type order struct {
	CSRF   string `json:"csrf"`
	Action action `json:"action,omitempty"` // of /api/control
	ID     string `json:"id,omitempty"`     // this and the fields below: of /api/known
	Reason string `json:"reason,omitempty"`
	Until  string `json:"until,omitempty"`
}

// action changes the campaign.
type action string

const (
	pause  action = "pause"
	resume action = "resume"
	stop   action = "stop"
)

// accepted is the answer to a request that has changed something.
type accepted struct {
	OK bool `json:"ok"` // true
}

// change returns the handler of a request that changes something. The request must be a POST of JSON with the secret that only pages of this
// server can read. If c is nil, the handler refuses all requests.
func (s *Server) change(c Control, f func(*http.Request, Control, order) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		var o order
		var long *http.MaxBytesError
		switch {
		case r.Method != http.MethodPost:
			w.Header().Set("Allow", http.MethodPost)
			fail(w, http.StatusMethodNotAllowed, "this address takes POST only")
			return
		case c == nil:
			fail(w, http.StatusForbidden, "the dashboard is read-only; start gnaw fuzz with -http-control to change something here")
			return
		case kind != "application/json":
			fail(w, http.StatusUnsupportedMediaType, "the body has to be JSON")
			return
		}
		d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
		switch err := d.Decode(&o); {
		case errors.As(err, &long):
			fail(w, http.StatusRequestEntityTooLarge, "the body is too large")
			return
		case err != nil:
			fail(w, http.StatusBadRequest, "the body is not the JSON that this address takes")
			return
		case !equal(o.CSRF, s.csrf):
			fail(w, http.StatusForbidden, "the request does not come from a page of this server; load the page again")
			return
		}
		reply(w, r, accepted{true}, f(r, c, o))
	}
}

// control pauses, resumes or stops the campaign.
func (s *Server) control(_ *http.Request, c Control, o order) error {
	switch o.Action {
	case pause:
		c.Pause(true)
	case resume:
		c.Pause(false)
	case stop:
		c.Stop()
	default:
		return badRequest("the action is pause, resume or stop")
	}
	return nil
}

// maxReason limits the bytes of the reason of a known finding.
const maxReason = 1000

// markKnown adds a finding to the list of known findings of its module. It does not change a campaign that runs, which has read the list at its
// start.
func (s *Server) markKnown(r *http.Request, _ Control, o order) error {
	reason := strings.TrimSpace(o.Reason)
	if reason == "" || len(reason) > maxReason {
		return badRequest("the reason is missing, or longer than %d bytes", maxReason)
	}
	one, d, err := s.finding(r.Context(), o.ID)
	if err != nil {
		return err
	}
	e := known.Entry{ID: one.ID, Reason: reason, What: one.Title()}
	if o.Until != "" {
		if e.Until, err = known.ParseDate(o.Until); err != nil {
			return badRequest("%v", err)
		}
		if e.Expired(time.Now()) {
			return badRequest("the last day %s is over", o.Until)
		}
	}
	if one.Dependency != nil {
		e.Module, e.Version = one.Dependency.Module, one.Dependency.Version
	}
	if d.module.Root == "" {
		return notFound("the folder of the module %s is not known", d.module.Path)
	}
	if err := s.MarkKnown(d.module, one, e); err != nil {
		return &apiError{http.StatusConflict, err.Error()}
	}
	return nil
}
