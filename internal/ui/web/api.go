package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
)

// liveID is the ID of the campaign of this process in addresses. The campaign also has a number when it is in the history.
const liveID = "live"

// apiError is an error of a request. The answer has its code and its text.
type apiError struct {
	code int // status code of HTTP
	text string
}

func (e *apiError) Error() string { return e.text }

// notFound returns the error of a request for something that does not exist.
func notFound(format string, args ...any) error {
	return &apiError{http.StatusNotFound, fmt.Sprintf(format, args...)}
}

// badRequest returns the error of a request that is not valid.
func badRequest(format string, args ...any) error {
	return &apiError{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

// api returns the handler of all paths below /api/. If c is nil, the API is read-only.
func (s *Server) api(c Control) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/info", answering(func(*http.Request) (info, error) { return s.info(c), nil }))
	mux.HandleFunc("GET /api/campaigns", answering(s.listCampaigns))
	mux.HandleFunc("GET /api/campaigns/{id}", s.ofPeer(answering(s.showCampaign)))
	mux.HandleFunc("GET /api/campaigns/{id}/events", s.ofPeer(s.events))
	mux.HandleFunc("GET /api/campaigns/{id}/sparks", s.ofPeer(answering(func(r *http.Request) (sparksPage, error) { return s.sparks.show(&s.data, r) })))
	mux.HandleFunc("GET /api/campaigns/{id}/targets/{key}", s.ofPeer(answering(s.showTarget)))
	mux.HandleFunc("GET /api/campaigns/{id}/targets/{key}/corpus", s.ofPeer(answering(s.listCorpus)))
	mux.HandleFunc("GET /api/entries/{key}/{name}", answering(s.showEntry))
	mux.HandleFunc("GET /api/findings", answering(s.listFindings))
	mux.HandleFunc("GET /api/findings/{id}", answering(s.showFinding))
	mux.HandleFunc("GET /api/sources", answering(s.listSources))
	mux.HandleFunc("GET /api/sources/file", answering(s.showSource))
	mux.HandleFunc("GET /api/frontier", answering(func(r *http.Request) (frontierPage, error) { return s.frontiers.list(&s.data, r) }))
	mux.HandleFunc("GET /api/compare", answering(s.compare))
	mux.HandleFunc("/api/control", s.change(c, s.control))
	mux.HandleFunc("/api/known", s.change(c, s.markKnown))
	mux.HandleFunc("/api/", func(w http.ResponseWriter, _ *http.Request) {
		fail(w, http.StatusNotFound, "the API does not have this address")
	})
	return mux
}

// answering returns the handler of an address whose answers have one type. The types of all answers are written for TypeScript by the test in
// answers_test.go.
func answering[T any](f func(*http.Request) (T, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer, err := f(r)
		reply(w, r, answer, err)
	}
}

// info is the answer about the server itself.
type info struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	Control bool   `json:"control"`
	Mode    mode   `json:"mode"`
	Live    int64  `json:"live"` // number of the campaign of this process; 0: there is none, or the history does not have it
	Module  string `json:"module"`
	CSRF    string `json:"csrf"`
}

// mode is the command that serves.
type mode string

const (
	modeFuzz mode = "fuzz"
	modeUI   mode = "ui"
)

func (s *Server) info(c Control) info {
	i := info{Version: s.Version, Go: s.Go, Control: c != nil, Mode: modeUI, Module: s.Module.Path, CSRF: s.csrf}
	if s.Live != nil {
		i.Mode, i.Live = modeFuzz, s.Live.snapshot().Number
	}
	return i
}

// reply answers with a value as JSON, or with an error.
func reply(w http.ResponseWriter, r *http.Request, answer any, err error) {
	var known *apiError
	switch {
	case errors.As(err, &known):
		fail(w, known.code, known.text)
		return
	case err != nil: // an error of the history or of a file
		fail(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	data, err := json.Marshal(answer)
	if err != nil {
		fail(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	write(w, r, data)
}

// failure is the answer to a request that fails.
type failure struct {
	Error string `json:"error"`
}

// fail answers with an error as JSON.
func fail(w http.ResponseWriter, code int, text string) {
	data, err := json.Marshal(failure{text})
	if err != nil {
		data = []byte(`{"error": ""}`) // a string can always be encoded
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(data) // there is nobody to report an error to
}

// number returns a parameter of a request as a number from 0 to limit. missing is the result if the request does not have the parameter.
func number(r *http.Request, name string, missing, limit int) (int, error) {
	text := r.FormValue(name)
	if text == "" {
		return missing, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, badRequest("%s is a number that is not negative", name)
	}
	return min(n, limit), nil
}

// isLocal reports whether the name of a package is a path below a folder, with slashes.
func isLocal(pkg string) bool { return filepath.IsLocal(filepath.FromSlash(pkg)) }

var (
	nameOfTarget = regexp.MustCompile(`^Fuzz[\p{L}\p{N}_]*$`)
	nameOfFile   = regexp.MustCompile(`^[\w#=+@~-][\w.#=+@~-]*$`)
)

// isName reports whether a text can be the name of a fuzz target.
func isName(target string) bool { return nameOfTarget.MatchString(target) }

// isFile reports whether a text can be the name of a file of the corpus: it has no separator and does not begin with a dot.
func isFile(name string) bool { return len(name) <= 200 && nameOfFile.MatchString(name) }
