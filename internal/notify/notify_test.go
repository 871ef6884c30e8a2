package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

var began = time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC)

// found returns a new finding that counts.
func found(id string) event.Finding {
	return event.Finding{
		Record: finding.Record{
			ID: id, Kind: finding.Panic, Message: "runtime error: index out of range [4]", Package: "example.com/m/p", Target: "FuzzF",
			Calls:   []finding.Call{{Func: "example.com/m/p.F", File: "p/p.go", Line: 3}},
			Replays: 3, Repeats: 3, First: began.Add(time.Second), Size: 1, Path: "p/testdata/fuzz/FuzzF/1", Go: "go1.26.1",
		},
		Short: id[:4], Literals: []string{`string("secret<")`, "int(1)"}, Rerun: "go test -run=FuzzF/1 ./p",
	}
}

// server is a webhook that answers with the codes in their order, and with 200 when there are no more.
type server struct {
	mu     sync.Mutex
	codes  []int
	header http.Header
	answer string // body of the answers that are not 200
	bodies []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
		body = fmt.Appendf(nil, "%s with %s, %v", r.Method, r.Header.Get("Content-Type"), err)
	}
	s.bodies = append(s.bodies, string(body))
	for name, values := range s.header {
		w.Header()[name] = values
	}
	if len(s.codes) > 0 {
		w.WriteHeader(s.codes[0])
		_, _ = io.WriteString(w, s.answer)
		s.codes = s.codes[1:]
	}
}

// outcome has the warnings, and the pauses between tries.
type outcome struct {
	warnings []string
	pauses   []time.Duration
}

// run sends the messages about events to a URL.
func run(t *testing.T, o Options, events ...event.Event) outcome {
	t.Helper()
	var got outcome
	o.Module, o.Began = "example.com/m", began
	o.Warn = func(text string) { got.warnings = append(got.warnings, text) }
	o.Sleep = func(_ context.Context, d time.Duration) error {
		got.pauses = append(got.pauses, d)
		return nil
	}
	n := New(o)
	for _, e := range events {
		n.Event(event.Stamped{At: began, Event: e})
	}
	n.Close()
	return got
}

// serve starts a server and returns its URL with a secret.
func serve(t *testing.T, h http.Handler) *url.URL {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	u, err := Parse(s.URL + "/services/S3CRET")
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestNewBugsAndTheEndAreSent(t *testing.T) {
	known, flaky, old, unproven, expired := found("aaaa1"), found("bbbb1"), found("cccc1"), found("dddd1"), found("eeee1")
	known.Known, flaky.Flaky, old.First, unproven.Replays = &event.Known{Reason: "old"}, true, began.Add(-time.Hour), 0
	expired.Known = &event.Known{Expired: true}
	for _, tt := range []struct {
		name   string
		events []event.Event
		want   []string // parts of the texts
	}{
		{"a campaign without bugs", []event.Event{event.Status{}, event.End{}}, nil},
		{"a bug", []event.Event{found("1234a"), event.End{Findings: 1, Targets: 3, Buggy: 1, Seconds: 61}}, []string{
			"gnaw found a bug in `FuzzF` of `example.com/m/p`: `panic` `index out of range [4]` at `p/p.go:3`\n`go test -run=FuzzF/1 ./p`",
			"gnaw has fuzzed 3 targets of `example.com/m` for 1m1s: 1 bug, in 1 target",
		}},
		{"a bug that is reported twice", []event.Event{found("1234a"), found("1234a")}, []string{"FuzzF"}},
		{"findings that do not count", []event.Event{known, flaky, unproven, event.End{}}, nil},
		{"a known finding whose entry has expired", []event.Event{expired}, []string{"FuzzF"}},
		{"a finding of an earlier campaign", []event.Event{old, event.End{Findings: 1}}, []string{"; earlier campaigns found 1 of them"}},
	} {
		s := &server{}
		got := run(t, Options{URL: serve(t, s)}, tt.events...)
		if len(got.warnings) > 0 || len(s.bodies) != len(tt.want) {
			t.Errorf("%s: the messages are %q with the warnings %q, want %d", tt.name, s.bodies, got.warnings, len(tt.want))
			continue
		}
		for i, body := range s.bodies {
			var m message
			if err := json.Unmarshal([]byte(body), &m); err != nil || !strings.Contains(m.Text, tt.want[i]) {
				t.Errorf("%s: the text is %q (%v), want %q", tt.name, m.Text, err, tt.want[i])
			}
		}
	}
}

func TestAMessageHasFieldsForPrograms(t *testing.T) {
	e := found("1234a")
	e.Dependency = &finding.Dependency{Module: "example.com/dep", Version: "v1.2.0"}
	for _, tt := range []struct {
		name string
		e    event.Event
		want string
	}{
		{"a finding", e, `{"event":"finding","module":"example.com/m","finding":{"id":"1234a","short_id":"1234","kind":"panic",` +
			`"message":"runtime error: index out of range [4]","place":"p/p.go:3","package":"example.com/m/p","target":"FuzzF",` +
			`"path":"p/testdata/fuzz/FuzzF/1","rerun":"go test -run=FuzzF/1 ./p","first_seen":"2026-03-01T12:30:01Z","go":"go1.26.1",` +
			`"dependency":"example.com/dep@v1.2.0","size":1}}`},
		{"the end", event.End{Findings: 1, Exit: 1}, `{"event":"end","module":"example.com/m","end":{"seconds":0,"targets":0,"with_bug":0,` +
			`"with_flaky":0,"clean":0,"skipped":0,"unusable":0,"with_known_only":0,"unreached":0,"findings":1,"busy":0,"exit_code":1}}`},
	} {
		s := &server{}
		run(t, Options{URL: serve(t, s)}, tt.e)
		var m struct{ Gnaw json.RawMessage }
		if len(s.bodies) != 1 || json.Unmarshal([]byte(s.bodies[0]), &m) != nil || string(m.Gnaw) != tt.want {
			t.Errorf("%s: the fields are\n%s\nwant\n%s", tt.name, m.Gnaw, tt.want)
		}
	}
}

func TestTheInputIsSentOnlyIfTheUserAsksForIt(t *testing.T) {
	for _, asked := range []bool{false, true} {
		e := found("1234a")
		e.Literals = append(e.Literals, "[]byte(\""+strings.Repeat("x", maxInput)+"\")")
		s := &server{}
		run(t, Options{URL: serve(t, s), Input: asked}, e)
		if has := strings.Contains(s.bodies[0], "secret"); has != asked {
			t.Errorf("asked for: %v; the message has it: %v: %s", asked, has, s.bodies[0])
		}
		if n := len(s.bodies[0]); n > 4*maxInput {
			t.Errorf("the message has %d bytes", n)
		}
	}
}

func TestAMessageThatIsNotAcceptedIsSentAgain(t *testing.T) {
	for _, tt := range []struct {
		name   string
		codes  []int
		header http.Header
		tries  int
		pauses []time.Duration
		want   string // warning; empty: none
	}{
		{"a server that is busy once", []int{503}, nil, 2, []time.Duration{time.Second}, ""},
		{"a server that is broken", []int{500, 502, 503}, nil, 4, []time.Duration{time.Second, 5 * time.Second}, "about the finding 1234 is not sent: the server answers 503 Service Unavailable (3 tries); gnaw tries again later"},
		{"a server that asks for a pause", []int{429}, http.Header{"Retry-After": {"7"}}, 2, []time.Duration{7 * time.Second}, ""},
		{"a server that asks for a long pause", []int{429}, http.Header{"Retry-After": {"9999999999"}}, 2, []time.Duration{30 * time.Second}, ""},
		{"a pause that is no number", []int{429}, http.Header{"Retry-After": {"soon"}}, 2, []time.Duration{time.Second}, ""},
		{"a webhook that does not exist", []int{404}, nil, 1, nil, "the server answers 404 Not Found"},
		{"a redirect without a place", []int{304}, nil, 1, nil, "the server answers 304 Not Modified"},
	} {
		s := &server{codes: tt.codes, header: tt.header}
		got := run(t, Options{URL: serve(t, s)}, found("1234a"))
		warning := strings.Join(got.warnings, "\n")
		if len(s.bodies) != tt.tries || !slices.Equal(got.pauses, tt.pauses) || (warning == "") != (tt.want == "") || !strings.HasSuffix(warning, tt.want) {
			t.Errorf("%s: %d tries with the pauses %v and the warning %q, want %d with %v and %q", tt.name, len(s.bodies), got.pauses, warning, tt.tries, tt.pauses, tt.want)
		}
		for _, body := range s.bodies {
			if body != s.bodies[0] {
				t.Errorf("%s: another try sends %s, the first one sent %s", tt.name, body, s.bodies[0])
			}
		}
		if strings.Contains(warning, "S3CRET") {
			t.Errorf("%s: the warning %q has the path of the URL", tt.name, warning)
		}
	}
}

// broken is a connection that fails.
type broken struct{ err error }

func (b broken) RoundTrip(*http.Request) (*http.Response, error) { return nil, b.err }

// late is an error of a server that does not answer in time.
type late struct{}

func (late) Error() string   { return "deadline exceeded" }
func (late) Timeout() bool   { return true }
func (late) Temporary() bool { return true }

func TestAConnectionThatFailsIsReportedWithoutTheURL(t *testing.T) {
	u, err := Parse("https://user:S3CRET@hooks.example.com:8443/services/S3CRET?token=S3CRET#S3CRET")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{errors.New("connection refused"), "the message to hooks.example.com:8443 about the finding 1234 is not sent: connection refused (3 tries); gnaw tries again later\n" +
			"at the end too, 1 message to hooks.example.com:8443 cannot be sent: connection refused"},
		{late{}, "the message to hooks.example.com:8443 about the finding 1234 is not sent: there was no answer within 10s (3 tries); gnaw tries again later\n" +
			"at the end too, 1 message to hooks.example.com:8443 cannot be sent: there was no answer within 10s"},
	} {
		if got := run(t, Options{URL: u, Transport: broken{tt.err}}, found("1234a")); strings.Join(got.warnings, "\n") != tt.want {
			t.Errorf("the warnings are %q, want %q", got.warnings, tt.want)
		}
	}
}

func TestMessagesThatAServerDidNotAcceptComeFirstLater(t *testing.T) {
	s := &server{codes: []int{500, 500, 500, 500, 400}, answer: "busy"}
	got := run(t, Options{URL: serve(t, s)}, found("aaaa1"), found("bbbb1"), found("cccc1"))
	var order []string
	for _, body := range s.bodies {
		var m message
		if err := json.Unmarshal([]byte(body), &m); err != nil {
			t.Fatal(err)
		}
		order = append(order, m.Gnaw.Bug.Short)
	}
	// The first message fails three times and waits. The second one has the first one sent again, which is refused for good at its second try.
	if want := []string{"aaaa", "aaaa", "aaaa", "aaaa", "aaaa", "bbbb", "cccc"}; !slices.Equal(order, want) || len(got.warnings) != 2 {
		t.Errorf("the messages are %q with the warnings %q, want %q", order, got.warnings, want)
	}
}

func TestTheReasonOfAServerIsInTheWarningWithoutTheURL(t *testing.T) {
	u, err := Parse("https://user:PASSWORD@h.example/api/v1/S3CRET%2F9?token=T0KEN")
	if err != nil {
		t.Fatal(err)
	}
	for answer, want := range map[string]string{
		`{"message": "Cannot send an empty message", "code": 50006}`: "Cannot send an empty message",
		`{"error": {"code": 1, "message": "no such team"}}`:          "no such team",
		`{"ok": false}`:                       "",
		"invalid_payload\n":                   "invalid_payload",
		"one\ntwo":                            "one",
		"\x1b[31mred":                         `\x1b[31mred`,
		"<html><body>Not Found</body></html>": "",
		"":                                    "",
		"Cannot POST /api/v1/S3CRET%2F9":      "",
		`{"message": "no hook s3cret/9"}`:     "",
		"the token t0ken is wrong":            "",
		"user:PASSWORD":                       "",
		strings.Repeat("x", 2*maxReason):      strings.Repeat("x", maxReason),
	} {
		if got := reasonOf([]byte(answer), u); got != want && !(len(answer) > maxReason && strings.HasPrefix(got, "xxx") && len(got) < 2*maxReason) {
			t.Errorf("the reason of %q is %q, want %q", answer, got, want)
		}
	}
	s := &server{codes: []int{400}, answer: `{"message": "Cannot send an empty message", "code": 50006}`}
	got := run(t, Options{URL: serve(t, s)}, found("1234a"))
	if want := "is not sent: the server answers 400 Bad Request: Cannot send an empty message"; len(got.warnings) != 1 || !strings.HasSuffix(got.warnings[0], want) {
		t.Errorf("the warnings are %q, want %q", got.warnings, want)
	}
}

func TestATestMessageIsSentOnce(t *testing.T) {
	s := &server{}
	if err := Test(t.Context(), Options{URL: serve(t, s), Module: "example.com/m"}); err != nil {
		t.Error(err)
	}
	s.codes = []int{503}
	if err := Test(t.Context(), Options{URL: serve(t, s), Module: "example.com/m"}); err == nil || err.Error() != "the server answers 503 Service Unavailable" {
		t.Errorf("the error is %v", err)
	}
	want := `{"text":"gnaw fuzz sends messages about bugs in ` + "`example.com/m`" + ` here","gnaw":{"event":"test","module":"example.com/m"}}`
	if len(s.bodies) != 2 || s.bodies[0] != want {
		t.Errorf("the messages are %q, want %q", s.bodies, want)
	}
}

func TestARedirectKeepsTheHostAndTheRequest(t *testing.T) {
	elsewhere := &server{}
	foreign := serve(t, elsewhere)
	for _, tt := range []struct {
		name string
		code int
		to   string
		sent bool
	}{
		{"another path", http.StatusPermanentRedirect, "/other", true},
		{"another host", http.StatusTemporaryRedirect, foreign.String(), false},
		{"a redirect that changes the request", http.StatusFound, "/other", false},
		{"a redirect to what is no URL", http.StatusTemporaryRedirect, "/services/S3CRET%zz", false},
		{"a circle", http.StatusTemporaryRedirect, "/services/S3CRET", false},
	} {
		target := &server{}
		mux := http.NewServeMux()
		mux.Handle("/other", target)
		asked := 0
		mux.HandleFunc("/services/", func(w http.ResponseWriter, r *http.Request) {
			asked++
			http.Redirect(w, r, tt.to, tt.code)
		})
		got := run(t, Options{URL: serve(t, mux)}, found("1234a"))
		if sent := len(target.bodies) == 1 && strings.HasPrefix(target.bodies[0], `{"text"`); sent != tt.sent || tt.sent != (len(got.warnings) == 0) {
			t.Errorf("%s: sent is %v with the warnings %q, want %v", tt.name, sent, got.warnings, tt.sent)
		}
		if asked > 4 || strings.Contains(strings.Join(got.warnings, ""), "S3CRET") {
			t.Errorf("%s: the server got %d requests, and the warnings are %q", tt.name, asked, got.warnings)
		}
	}
	if len(elsewhere.bodies) > 0 {
		t.Errorf("another host got %q", elsewhere.bodies)
	}
}

// stuck is a server that does not answer. A request ends with its context.
type stuck struct{ asked chan struct{} }

func (s stuck) RoundTrip(r *http.Request) (*http.Response, error) {
	s.asked <- struct{}{}
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestASlowServerDelaysNobody(t *testing.T) {
	u, err := Parse("https://hooks.example.com/S3CRET")
	if err != nil {
		t.Fatal(err)
	}
	var warnings []string
	s := stuck{make(chan struct{}, 1)}
	n := New(Options{URL: u, Began: began, Transport: s, Warn: func(text string) { warnings = append(warnings, text) }})
	n.Event(event.Stamped{Event: found("00000")})
	<-s.asked // the first message is no longer in the queue
	for i := range maxQueue + 9 {
		n.Event(event.Stamped{Event: found(fmt.Sprintf("1%04d", i))})
	}
	n.close(0)
	want := []string{
		"64 messages to hooks.example.com are waiting; gnaw drops the next ones until there is room",
		"the message to hooks.example.com about the finding 0000 is not sent: the campaign is over and there was no time left",
		"64 further messages to hooks.example.com are not sent: the campaign is over and there was no time left",
	}
	if !slices.Equal(warnings, want) {
		t.Errorf("the warnings are\n%s\nwant\n%s", strings.Join(warnings, "\n"), strings.Join(want, "\n"))
	}
}

func TestAPauseEndsWithTheCampaign(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("sleep = %v, want that of the context", err)
	}
	if err := sleep(t.Context(), time.Nanosecond); err != nil {
		t.Errorf("sleep = %v, want nil", err)
	}
}

func TestAURLThatCannotBeUsedIsAnErrorWithoutIt(t *testing.T) {
	for _, text := range []string{"S3CRET", "ftp://h.example/S3CRET", "https:///S3CRET", "http://S3CRET%zz", "file:///S3CRET", "//h.example/S3CRET", "https://:80/S3CRET"} {
		if u, err := Parse(text); err == nil || strings.Contains(err.Error(), "S3CRET") {
			t.Errorf("Parse(%q) = %v, %v, want an error without the URL", text, u, err)
		}
	}
	if u, err := Parse(" http://h.example/x \n"); err != nil || u.String() != "http://h.example/x" {
		t.Errorf("a URL with white space around it is %v, %v", u, err)
	}
}

func TestCode(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                         "`plain`",
		"<!channel> & <http://x|click>": "`&lt;!channel&gt; &amp; &lt;http://x|click&gt;`",
		"a `b` c":                       "`a ˋbˋ c`",
		"@all :tada: *b* _i_ ~s~":       "`@all :tada: *b* _i_ ~s~`",
		"one\ntwo\x1b[31m\u202e":        "`one two\\x1b[31m\\u202e`",
		" \n\t ":                        "",
		"":                              "",
	} {
		if got := Code(in); got != want {
			t.Errorf("Code(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzCode checks that nothing in the text has a meaning, and that a reader sees the text.
func FuzzCode(f *testing.F) {
	for _, s := range []string{"", "plain", "<!channel> & <http://x|y>", "a `b` ``` c", "&lt;", "one\ntwo\t", "\x00\x1b\u2028\u202e\xff", " \u00a0`"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Code(text)
		if got == "" {
			return
		}
		inner, ok := strings.CutPrefix(got, "`")
		inner, closed := strings.CutSuffix(inner, "`")
		if !ok || !closed || inner == "" || strings.ContainsAny(inner, "`<>\n\r\t\x00\x1b\u2028\u2029\u202e") || strings.TrimSpace(inner) != inner {
			t.Errorf("Code(%q) = %q", text, got)
		}
		for rest := inner; ; {
			_, after, ok := strings.Cut(rest, "&")
			if !ok {
				break
			}
			if !strings.HasPrefix(after, "amp;") && !strings.HasPrefix(after, "lt;") && !strings.HasPrefix(after, "gt;") {
				t.Errorf("Code(%q) = %q has a bare &", text, got)
			}
			rest = after
		}
		if shown := html.UnescapeString(inner); !strings.ContainsAny(text, "`\n\t\\&") && strings.TrimSpace(text) == text && strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0 && shown != text {
			t.Errorf("Code(%q) shows %q", text, shown)
		}
	})
}

// docs/notify.md has each field of a message about a finding.
func TestTheFieldsOfAMessageAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/notify.md")
	if err != nil {
		t.Fatal(err)
	}
	for i := range reflect.TypeFor[bug]().NumField() {
		name, _, _ := strings.Cut(reflect.TypeFor[bug]().Field(i).Tag.Get("json"), ",")
		if !strings.Contains(string(text), `"`+name+`"`) && !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/notify.md does not have the field %s", name)
		}
	}
}
