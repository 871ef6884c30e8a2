package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// hostile is text that would run in a page that does not escape it.
const hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)> \x00\x1b[31m \xff \u2028 \" ' & data:\n\nevent: end\n\n"

const (
	module   = "example.com/m"
	pkg      = module + "/p"
	fuzzX    = "FuzzX"
	idOfBug  = "0123456789abcdef"
	nameOfIn = "582528ddfad69eb5"
)

var someTime = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// site is a server with a history and a module.
type site struct {
	*Server
	at      Address
	base    string // URL
	client  *http.Client
	root    string // of the module
	cache   string
	number  int64 // of a campaign that has ended
	orders  []string
	knownAs []known.Entry
}

// Pause implements [Control].
func (s *site) Pause(on bool) {
	s.orders = append(s.orders, map[bool]string{true: "pause", false: "resume"}[on])
}

// Stop implements [Control].
func (s *site) Stop() { s.orders = append(s.orders, "stop") }

// newSite returns a server that listens, and a client with its cookie. The test fails if a goroutine is left behind.
func newSite(t *testing.T, change func(*Options)) *site {
	t.Helper()
	before := runtime.NumGoroutine()
	s := &site{root: t.TempDir(), cache: t.TempDir()}
	file := filepath.Join(t.TempDir(), store.FileName)
	s.fill(t, file)
	o := Options{
		Version: "v1", Go: "go1.26", Module: project.Module{Path: module, Root: s.root}, Dir: s.root, Describe: describeRecord,
		Open: openFile(file),
		MarkKnown: func(_ project.Module, _ finding.Record, e known.Entry) error {
			s.knownAs = append(s.knownAs, e)
			return nil
		},
		Alive: func(run string) bool { return run == "alive" },
	}
	if change != nil {
		change(&o)
	}
	s.Server = New(o)
	l, at, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.at = at
	s.Serve(l, at)
	u, err := url.Parse(s.URL(at))
	if err != nil {
		t.Fatal(err)
	}
	s.base = "http://" + u.Host
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	s.client = &http.Client{Jar: jar, Transport: &http.Transport{}}
	t.Cleanup(func() {
		s.client.CloseIdleConnections()
		if err := s.Close(); err != nil {
			t.Errorf("the server does not close: %v", err)
		}
		for end := time.Now().Add(30 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(end); {
			runtime.Gosched()
		}
		if n := runtime.NumGoroutine(); n > before {
			stacks := make([]byte, 1<<20)
			t.Errorf("%d goroutines are left behind:\n%s", n-before, stacks[:runtime.Stack(stacks, true)])
		}
	})
	answer, err := s.client.Get(s.URL(at))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Request.URL.RawQuery != "" {
		t.Fatalf("with the token the page answers %d at %v", answer.StatusCode, answer.Request.URL)
	}
	return s
}

// openFile returns a function that opens a history.
func openFile(file string) func(context.Context) (*store.Store, error) {
	return func(ctx context.Context) (*store.Store, error) { return store.Open(ctx, file) }
}

// describeRecord replaces campaign.Describe.
func describeRecord(r finding.Record, short string, o report.Options, list known.List) event.Finding {
	e := event.Finding{Record: r, Short: short, Rerun: o.Rerun(r), Literals: report.Literals(r.Input)}
	if k, ok := list.Match(r.ID, "", "", time.Now()); ok {
		e.Known = &event.Known{Reason: k.Reason}
	}
	return e
}

// bug is a finding with hostile text in each field.
func bug(root string) finding.Record {
	return finding.Record{
		ID: idOfBug, Kind: finding.Panic, Message: hostile, Place: "p.F", Package: pkg, Folder: "p", Target: fuzzX, Path: "p/testdata/fuzz/FuzzX/" + nameOfIn,
		Calls: []finding.Call{
			{Func: pkg + ".F" + hostile, File: "p/p.go", Line: 2},
			{Func: "x", File: "../../../../etc/passwd", Line: 1},
		},
		Input: "go test fuzz v1\nstring(\"<script>\\x00\")\nint(7)\n", Size: 9, Original: 30, Minimize: 1.5, Matter: []finding.Matter{{Bytes: [][2]int{{1, 3}}, Untested: [][2]int{{5, 9}}}, {}}, Output: hostile, Replays: 3, Repeats: 3,
		First: someTime, Last: time.Now().Add(time.Hour), Times: 1, Go: hostile, Flags: []string{hostile}, Args: []string{hostile}, Environ: []string{"A=" + hostile},
		Kept: root,
	}
}

// fill writes a history and the files of a module.
func (s *site) fill(t *testing.T, file string) {
	t.Helper()
	ctx := t.Context()
	corpus := filepath.Join(s.cache, "fuzz", filepath.FromSlash(pkg), fuzzX)
	for name, text := range map[string]string{
		filepath.Join(s.root, "go.mod"):              "module " + module + "\n",
		filepath.Join(s.root, "p", "p.go"):           "package p\n\nfunc F(s string) {\n\tif s == \"</script>\" {\n\t\tpanic(s)\n\t}\n\t_ = s\n}\n",
		filepath.Join(s.root, "secret.txt"):          "secret",
		filepath.Join(corpus, nameOfIn):              "go test fuzz v1\nstring(\"<b>\")\n",
		filepath.Join(corpus, "aaaaaaaaaaaaaaaa"):    "no corpus file" + hostile,
		filepath.Join(corpus, "..bad"):               "x",
		filepath.Join(s.cache, "fuzz", "secret.txt"): "secret",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(filepath.Join(s.root, "p", "p.go"), someTime, someTime); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(s.root, "secret.txt"), filepath.Join(corpus, "bbbbbbbbbbbbbbbb")); err != nil {
		t.Fatal(err)
	}
	db, err := store.Open(ctx, file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s.number, err = db.Begin(ctx, store.Campaign{Module: module, Packages: hostile, Start: someTime, Go: hostile, Commit: hostile, Args: hostile, Run: "gone", Root: s.root, Cache: s.cache})
	if err != nil {
		t.Fatal(err)
	}
	data, err := coverage.Sources{
		{Block: coverage.Block{Package: pkg, File: pkg + "/p.go", Function: "F", Start: coverage.Position{Line: 3, Column: 18}, End: coverage.Position{Line: 4, Column: 22}, Statements: 1}, Count: 2, Entry: nameOfIn},
		{Block: coverage.Block{Package: pkg, File: pkg + "/p.go", Function: "F", Start: coverage.Position{Line: 4, Column: 22}, End: coverage.Position{Line: 6, Column: 3}, Statements: 1}},
		{Block: coverage.Block{Package: pkg, File: pkg + "/p.go", Function: "F", Start: coverage.Position{Line: 7, Column: 2}, End: coverage.Position{Line: 7, Column: 7}, Statements: 1}, Count: 1, Entry: "seed#0", Input: "go test fuzz v1\nstring(\"added\")\n"},
		{Block: coverage.Block{Package: pkg, File: pkg + "/../../secret.txt", Function: "F", Start: coverage.Position{Line: 1, Column: 1}, End: coverage.Position{Line: 1, Column: 2}, Statements: 1}},
	}.Encode(nil)
	state := `{"turns":2,"time":3000000000,"worker":6000000000,"samples":[{"w":1000000000,"e":5}],"findings":{"` + idOfBug + `":"bug"}}`
	_, saved := db.Save(ctx, s.number, module, bug(s.root))
	if err := errors.Join(err, saved,
		db.SaveSources(ctx, s.number, module, store.Sources{Target: fuzz.Name{Package: pkg, Func: fuzzX}, Data: data}),
		db.Cover(ctx, s.number, module, store.Point{Target: fuzz.Name{Package: pkg, Func: fuzzX}, At: someTime.Add(time.Minute), Execs: 100, Edges: 5, Buckets: 6, Entries: 2}),
		db.Cover(ctx, s.number, module, store.Point{Target: fuzz.Name{Package: pkg, Func: fuzzX}, At: someTime.Add(2 * time.Minute), Execs: 700, Edges: 9, Buckets: 9, Entries: 3}),
		db.Book(ctx, s.number, module, 2*time.Minute, someTime.Add(2*time.Minute), []store.Progress{{Target: fuzz.Name{Package: pkg, Func: fuzzX}, State: state}}),
		db.SaveTotals(ctx, s.number, store.Totals{Targets: 1, Execs: 700, Edges: 9, Entries: 3}),
		db.AddEntries(ctx, s.number, module, []store.Entry{{Target: fuzz.Name{Package: pkg, Func: fuzzX}, File: nameOfIn, At: someTime.Add(time.Minute), Size: 29, Edges: 4, Buckets: 1, Technique: "solve"}}),
		db.SaveResults(ctx, s.number, module, someTime, []store.Result{
			{Target: fuzz.Name{Package: pkg, Func: fuzzX}, Result: "bug", Rerun: 8, Repeated: 6},
			{Target: fuzz.Name{Package: pkg, Func: "FuzzAside"}, Result: "unusable", Reason: hostile},
			{Target: fuzz.Name{Package: pkg, Func: "FuzzLate"}, Result: "unreached", Reason: "the campaign ended before its first turn"},
			{Target: fuzz.Name{Package: module + "/bad"}, Result: "unusable", Reason: "no Go files"},
		}),
		db.End(ctx, s.number, someTime.Add(3*time.Minute)),
	); err != nil {
		t.Fatal(err)
	}
}

// get returns the answer to a request, and its body.
func (s *site) get(t *testing.T, path string) (int, string) {
	t.Helper()
	answer, err := s.client.Get(s.base + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// object returns the JSON object in the answer to a request, which must be a success.
func (s *site) object(t *testing.T, path string) map[string]any {
	t.Helper()
	code, body := s.get(t, path)
	var m map[string]any
	if err := json.Unmarshal([]byte(body), &m); err != nil || code != http.StatusOK {
		t.Fatalf("%s answers %d: %s (%v)", path, code, body, err)
	}
	return m
}

// at returns the value that a path of names and indexes leads to in a JSON value.
func at(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, ok := v.(map[string]any)
			if !ok {
				t.Fatalf("%v: %v is no object", path, v)
			}
			v = m[p]
		case int:
			l, ok := v.([]any)
			if !ok || p >= len(l) {
				t.Fatalf("%v: %v is no list with an element %d", path, v, p)
			}
			v = l[p]
		}
	}
	return v
}

// campaignOfProcess is a campaign that runs, without an engine.
type campaignOfProcess struct {
	mu  sync.Mutex
	now event.Snapshot
}

func newCampaign() *campaignOfProcess {
	target := event.Subject{Package: pkg, Folder: "p", Func: fuzzX}
	return &campaignOfProcess{now: event.Snapshot{
		Module: module, Totals: event.Status{Seconds: 3, Targets: 2, Begun: 1, Execs: 1000, Rate: 5, Edges: 7, Entries: 2},
		Targets: []event.TargetState{{Subject: target, Run: event.Run{Execs: 1000, Edges: 7, Rerun: 4, Repeated: 3}, Result: event.Clean, State: "fuzzing", Begun: true, Next: 3, NextLow: 1, NextHigh: 9, Reason: hostile}},
		Workers: []event.WorkerState{{Doing: event.Fuzzing, Target: target}},
	}}
}

func (c *campaignOfProcess) snapshot() event.Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now.At = time.Now()
	return c.now
}

// withLive makes a server that shows a campaign that runs.
func withLive(live **Live) func(*Options) {
	return func(o *Options) {
		*live = NewLive("./...", hostile, "", newCampaign().snapshot)
		o.Live = *live
	}
}

// follow connects to the events of the campaign that runs. The caller closes the body.
func (s *site) follow(t *testing.T, lastID string) (*bufio.Reader, io.Closer) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+"/api/campaigns/live/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	if lastID != "" {
		r.Header.Set("Last-Event-ID", lastID)
	}
	answer, err := s.client.Do(r)
	if err != nil || answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("the events answer %+v, %v", answer, err)
	}
	return bufio.NewReader(answer.Body), answer.Body
}

// next returns the next event of a kind; nil: there is none.
func next(t *testing.T, r *bufio.Reader, kind string) map[string]any {
	t.Helper()
	for name := ""; ; {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Errorf("there is no event %s: %v", kind, err)
			return nil
		}
		if rest, ok := strings.CutPrefix(line, "event: "); ok {
			name = strings.TrimSpace(rest)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok && name == kind {
			var m map[string]any
			if err := json.Unmarshal([]byte(data), &m); err != nil {
				t.Errorf("the event %s is %s: %v", kind, data, err)
			}
			return m
		}
	}
}
