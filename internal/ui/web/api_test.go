package web

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/frontier"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

func TestTheCampaignsOfTheHistory(t *testing.T) {
	s := newSite(t, nil)
	if got := s.object(t, "/api/info"); got["mode"] != "ui" || got["control"] != false || got["version"] != "v1" || got["live"] != 0.0 {
		t.Errorf("the info is %v", got)
	}
	c := at(t, s.object(t, "/api/campaigns"), "campaigns", 0)
	for name, want := range map[string]any{
		"id": float64(s.number), "module": module, "state": "ended", "seconds": 120.0, "targets": 1.0, "execs": 700.0, "edges": 9.0, "entries": 3.0,
		"findings": 1.0, "started": "2026-03-01T12:00:00.000Z", "ended": "2026-03-01T12:03:00.000Z",
	} {
		if got := at(t, c, name); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	d := s.object(t, "/api/campaigns/1")
	row := at(t, d, "targets", 0)
	for name, want := range map[string]any{
		"package": pkg, "target": fuzzX, "execs": 700.0, "edges": 9.0, "state": "ended", "turns": 2.0, "share": 1.0, "bugs": 1.0, "result": "bug",
		"key": keyOf(fuzz.Name{Package: pkg, Func: fuzzX}),
	} {
		if got := at(t, row, name); got != want {
			t.Errorf("%s of the target is %v, want %v", name, got, want)
		}
	}
	lines := at(t, s.object(t, "/api/campaigns/1/sparks"), "sparks")
	if got := at(t, lines, keyOf(fuzz.Name{Package: pkg, Func: fuzzX})); got == nil || at(t, d, "findings", 0, "id") != idOfBug || at(t, d, "end") != nil {
		t.Errorf("the campaign is %v", d)
	}
}

func TestTargetsThatWereNotExecutedAreInTheHistory(t *testing.T) {
	s := newSite(t, nil)
	rows := at(t, s.object(t, "/api/campaigns/1"), "targets").([]any)
	if len(rows) != 3 {
		t.Fatalf("there are %d targets, want 3: %v", len(rows), rows)
	}
	for i, want := range []map[string]any{
		{"target": "FuzzAside", "state": "set aside", "result": "unusable", "begun": false, "execs": 0.0},
		{"target": "FuzzLate", "state": "unreached", "result": "unreached", "reason": "the campaign ended before its first turn"},
	} {
		for name, value := range want {
			if got := at(t, rows[i+1], name); got != value {
				t.Errorf("%s of the target is %v, want %v", name, got, value)
			}
		}
	}
	page := s.object(t, "/api/campaigns/1/targets/"+keyOf(fuzz.Name{Package: pkg, Func: "FuzzLate"}))
	if at(t, page, "target", "state") != "unreached" || len(at(t, page, "points").([]any)) != 0 {
		t.Errorf("the page of the target is %v", page)
	}
}

func TestTheTargetOfACampaign(t *testing.T) {
	s := newSite(t, nil)
	path := "/api/campaigns/1/targets/" + keyOf(fuzz.Name{Package: pkg, Func: fuzzX})
	page := s.object(t, path)
	if got := at(t, page, "points", 1, "rate"); got != 10.0 {
		t.Errorf("the rate is %v, want 10", got)
	}
	if got := at(t, page, "target", "rate").(float64); got < 233 || got > 234 {
		t.Errorf("the mean rate is %v, want 700 executions in turns of 3 s", got)
	}
	if got := at(t, page, "points", 1, "seconds"); got != 120.0 {
		t.Errorf("the second point is after %v s, want 120", got)
	}
	low, next, high := at(t, page, "target", "next_edge_low").(float64), at(t, page, "target", "next_edge_seconds").(float64), at(t, page, "target", "next_edge_high").(float64)
	if low <= 0 || low >= next || next >= high {
		t.Errorf("the estimate is %v, %v, %v", low, next, high)
	}
	entries := at(t, page, "entries").([]any)
	if len(entries) != 2 || at(t, entries[0], "edges") != nil || at(t, entries[1], "name") != nameOfIn || at(t, entries[1], "edges") != 4.0 || at(t, entries[1], "literals", 0) != `string("<b>")` {
		t.Errorf("the entries are %v: want two, without the link and the hidden file", entries)
	}
	if at(t, entries[1], "technique") != "solve" || at(t, page, "techniques", 0, "edges") != 4.0 || at(t, page, "target", "rerun_entries") != 8.0 || at(t, page, "target", "repeated_entries") != 6.0 {
		t.Errorf("the techniques are %v, the target is %v", page["techniques"], page["target"])
	}
	corpus := s.object(t, path+"/corpus?offset=1&limit=1")
	if at(t, corpus, "total") != 2.0 || len(at(t, corpus, "entries").([]any)) != 1 {
		t.Errorf("a part of the corpus is %v", corpus)
	}
	if corpus := s.object(t, path+"/corpus?q=5825&offset=7"); at(t, corpus, "total") != 1.0 || len(at(t, corpus, "entries").([]any)) != 0 {
		t.Errorf("behind the end of the corpus there is %v", corpus)
	}
	entry := s.object(t, "/api/entries/"+keyOf(fuzz.Name{Package: pkg, Func: fuzzX})+"/"+nameOfIn+"?campaign=1")
	if at(t, entry, "args", 0, "hex") != "3c623e" || at(t, entry, "lines", 0, "line") != 3.0 || at(t, entry, "path") == "" {
		t.Errorf("the entry is %v", entry)
	}
	seed := s.object(t, "/api/entries/"+keyOf(fuzz.Name{Package: pkg, Func: fuzzX})+"/seed%230?campaign=1")
	if at(t, seed, "args", 0, "literal") != `string("added")` || at(t, seed, "lines", 0, "line") != 7.0 || at(t, seed, "path") != "" {
		t.Errorf("the input of F.Add is %v", seed)
	}
}

func TestTheFindings(t *testing.T) {
	s := newSite(t, nil)
	for _, path := range []string{"/api/findings", "/api/findings?module=" + module} {
		if got := at(t, s.object(t, path), "findings", 0, "short_id"); got != idOfBug[:4] {
			t.Errorf("%s has the finding %v", path, got)
		}
	}
	if got := at(t, s.object(t, "/api/findings?module=other"), "findings"); len(got.([]any)) != 0 {
		t.Errorf("another module has the findings %v", got)
	}
	f := s.object(t, "/api/findings/"+idOfBug)
	if at(t, f, "source", 0, "first_line") != 1.0 || at(t, f, "args", 0, "kind") != "string" || at(t, f, "args", 1, "literal") != "int(7)" || at(t, f, "counts") != true {
		t.Errorf("the finding is %v", f)
	}
	if at(t, f, "matter", 0, "bytes", 0, 1) != 3.0 || at(t, f, "matter", 0, "untested", 0, 0) != 5.0 || at(t, f, "matter", 1, "bytes") != nil {
		t.Errorf("the bytes that matter are %v", f["matter"])
	}
	if at(t, f, "minimised", "from") != 30.0 || !strings.HasPrefix(at(t, f, "commands", "regress").(string), "gnaw regress 0123") {
		t.Errorf("the finding is %v", f)
	}
	if err := os.MkdirAll(filepath.Join(s.root, ".gnaw"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(s.root, ".gnaw", "known.toml"), []byte("[[known]]\nid = \"01234567\"\nreason = \"old\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if f := s.object(t, "/api/findings/"+idOfBug); at(t, f, "known", "reason") != "old" || at(t, f, "counts") != false {
		t.Errorf("the known finding is %v, counts %v", f["known"], f["counts"])
	}
}

func TestTheSources(t *testing.T) {
	s := newSite(t, nil)
	files := at(t, s.object(t, "/api/sources?campaign=1"), "files").([]any)
	if len(files) != 2 {
		t.Fatalf("the files are %v", files)
	}
	lines := at(t, s.object(t, "/api/sources/file?campaign=1&file="+pkg+"/p.go"), "lines").([]any)
	want := []string{"", "", "covered", "covered", "uncovered", "uncovered", "covered"}
	for i, state := range want {
		if got := at(t, lines[i], "state"); got != state {
			t.Errorf("line %d is %q, want %q", i+1, got, state)
		}
	}
	if at(t, lines[2], "entry", "name") != nameOfIn || at(t, lines[2], "entry", "literals", 0) != `string("<b>")` || at(t, lines[4], "text") != "\t\tpanic(s)" {
		t.Errorf("the lines are %v", lines)
	}
	if got := s.object(t, "/api/sources?campaign=1&target="+keyOf(fuzz.Name{Package: pkg, Func: fuzzX})); len(at(t, got, "files").([]any)) != 2 {
		t.Errorf("the files of the target are %v", got)
	}
	if code, body := s.get(t, "/api/sources?campaign=1&target="+keyOf(fuzz.Name{Package: pkg, Func: "FuzzY"})); code != http.StatusNotFound || !strings.Contains(body, "gnaw cover") {
		t.Errorf("without coverage it answers %d %s", code, body)
	}
}

func TestTheBranchesOfWhichNoInputTakesASide(t *testing.T) {
	s := newSite(t, nil)
	const sentence, command = `s == "</script>": never true`, "gnaw frontier FuzzX " + pkg
	for _, query := range []string{"campaign=1", "campaign=1&target=" + keyOf(fuzz.Name{Package: pkg, Func: fuzzX})} {
		got := s.object(t, "/api/frontier?"+query)
		if len(at(t, got, "branches").([]any)) != 1 || at(t, got, "total") != 1.0 || at(t, got, "changed_total") != 0.0 {
			t.Fatalf("with %s the branches are %v", query, got)
		}
		for name, want := range map[string]any{
			"file": pkg + "/p.go", "line": 4.0, "column": 5.0, "sentence": sentence,
			"behind": 1.0, "inputs": 2.0, "command": command, "function": "F",
		} {
			if got := at(t, got, "branches", 0, name); got != want {
				t.Errorf("with %s, %s is %v, want %v", query, name, got, want)
			}
		}
		if details := at(t, got, "branches", 0, "details").([]any); len(details) != 1 || details[0] != "1 statement behind it; 2 inputs of FuzzX reach the condition" || at(t, got, "kept") != nil {
			t.Errorf("with %s, the details are %v, found %v", query, details, at(t, got, "kept"))
		}
	}
	page := s.object(t, "/api/sources/file?campaign=1&file="+pkg+"/p.go")
	if at(t, page, "lines", 3, "branches", 0, "sentence") != sentence || at(t, page, "changed") != false || at(t, page, "lines", 2).(map[string]any)["branches"] != nil {
		t.Errorf("the lines are %v", page["lines"])
	}
	for _, f := range at(t, s.object(t, "/api/sources?campaign=1"), "files").([]any) {
		want := 0.0
		if at(t, f, "file") == pkg+"/p.go" {
			want = 1
		}
		if got := at(t, f, "branches"); got != want {
			t.Errorf("%v has %v branches, want %v", at(t, f, "file"), got, want)
		}
	}
	if code, body := s.get(t, "/api/frontier?campaign=1&target="+keyOf(fuzz.Name{Package: pkg, Func: "FuzzY"})); code != http.StatusNotFound || !strings.Contains(body, "gnaw cover") {
		t.Errorf("without coverage it answers %d %s", code, body)
	}
}

func TestAFileThatChangedHasNoBranches(t *testing.T) {
	s := newSite(t, nil)
	text := "package p\n\nfunc F(s string) {\n\tif s == \"longer</script>\" {\n\t\tpanic(s)\n\t}\n\t_ = s\n}\n"
	if err := os.WriteFile(filepath.Join(s.root, "p", "p.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	got := s.object(t, "/api/frontier?campaign=1")
	if len(at(t, got, "branches").([]any)) != 0 || at(t, got, "changed", 0) != pkg+"/p.go" || at(t, got, "changed_total") != 1.0 {
		t.Errorf("the branches are %v", got)
	}
	page := s.object(t, "/api/sources/file?campaign=1&file="+pkg+"/p.go")
	if at(t, page, "changed") != true || at(t, page, "lines", 3).(map[string]any)["branches"] != nil {
		t.Errorf("the page of the file is %v", page)
	}
}

func TestAComparisonOfTwoCampaigns(t *testing.T) {
	s := newSite(t, nil)
	c := s.object(t, "/api/compare?a=1&b=1")
	if at(t, c, "targets", 0, "a", "edges") != 9.0 || at(t, c, "findings", "both", 0, "id") != idOfBug || len(at(t, c, "findings", "only_a").([]any)) != 0 {
		t.Errorf("the comparison is %v", c)
	}
	rows := pairs([]targetRow{{Target: "FuzzA"}}, []targetRow{{Target: "FuzzB"}})
	if len(rows) != 2 || rows[0].A == nil || rows[0].B != nil || rows[1].A != nil || rows[1].B == nil {
		t.Errorf("the targets are %+v", rows)
	}
}

func TestNoAddressLeadsOutOfTheFolders(t *testing.T) {
	s := newSite(t, nil)
	key := keyOf(fuzz.Name{Package: pkg, Func: fuzzX})
	for _, path := range []string{
		"/api/entries/" + key + "/..%2F..%2F..%2F..%2Fsecret.txt?campaign=1",
		"/api/entries/" + key + "/..bad?campaign=1",
		"/api/entries/" + key + "/bbbbbbbbbbbbbbbb?campaign=1", // a link
		"/api/entries/" + key + "/%2Fetc%2Fpasswd?campaign=1",
		"/api/entries/" + key + "/..?campaign=1",
		"/api/entries/" + keyOf(fuzz.Name{Package: "../..", Func: fuzzX}) + "/secret.txt?campaign=1",
		"/api/entries/" + keyOf(fuzz.Name{Package: "/etc", Func: fuzzX}) + "/passwd?campaign=1",
		"/api/entries/" + keyOf(fuzz.Name{Package: module, Func: ".."}) + "/secret.txt?campaign=1",
		"/api/entries/" + keyOf(fuzz.Name{Package: module, Func: "Fuzz/../.."}) + "/secret.txt?campaign=1",
		"/api/entries/%FF/secret.txt?campaign=1",
		"/api/campaigns/1/targets/" + keyOf(fuzz.Name{Package: "../..", Func: fuzzX}) + "/corpus",
		"/api/sources/file?campaign=1&file=" + pkg + "/../../secret.txt",
		"/api/sources/file?campaign=1&file=../secret.txt",
		"/api/sources/file?campaign=1&file=/etc/passwd",
		"/api/sources/file?campaign=1&file=" + module + "/secret.txt",
		"/api/sources/file?campaign=..%2F1&file=x",
		"/api/frontier?campaign=..%2F1",
		"/api/frontier?campaign=1&target=..%2F1",
		"/api/campaigns/..%2F..%2Finfo",
		"/api/campaigns/99",
		"/api/campaigns/x",
		"/api/campaigns/live",
		"/api/findings/ffff",
		"/api/findings/%25",
		"/api/campaigns/1/targets/" + key + "/corpus?offset=-1",
	} {
		if code, body := s.get(t, path); code < 400 || strings.Contains(body, "secret") && strings.Contains(body, `"text"`) || strings.Contains(body, "root:") {
			t.Errorf("%s answers %d: %s", path, code, body)
		}
	}
	for _, path := range []string{"/../../web.go", "/..%2f..%2fweb.go", "/assets/..%2F..%2F..%2Fweb.go", "/campaigns/1/../../..%2f..%2fgo.mod"} {
		if code, body := s.get(t, path); code == http.StatusOK && !strings.Contains(body, "<!doctype html>") {
			t.Errorf("%s answers %d: %s", path, code, body)
		}
	}
}

// Answers have the text of targets only as JSON, with the media type of JSON and in valid UTF-8.
func TestHostileTextIsData(t *testing.T) {
	var live *Live
	s := newSite(t, withLive(&live))
	live.Event(event.Stamped{At: time.Now(), Event: event.Notice{What: event.Warning, Text: hostile}})
	live.Event(event.Stamped{At: time.Now(), Event: event.Finding{Record: bug(""), Short: "0123", Literals: []string{hostile}, Rerun: hostile}})
	key := keyOf(fuzz.Name{Package: pkg, Func: fuzzX})
	for _, path := range []string{
		"/api/info", "/api/campaigns", "/api/campaigns/live", "/api/campaigns/1", "/api/campaigns/1/targets/" + key, "/api/campaigns/live/targets/" + key,
		"/api/campaigns/1/targets/" + key + "/corpus", "/api/entries/" + key + "/" + nameOfIn + "?campaign=1", "/api/findings", "/api/findings/" + idOfBug,
		"/api/sources?campaign=1", "/api/sources/file?campaign=1&file=" + pkg + "/p.go", "/api/frontier?campaign=1", "/api/compare?a=1&b=live",
		"/api/findings/" + "%3Cscript%3E", "/api/%3Cscript%3E", "/api/campaigns/%3Cscript%3E",
	} {
		answer, err := s.client.Get(s.base + path)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		d := json.NewDecoder(answer.Body)
		err = d.Decode(&v)
		text, _ := json.Marshal(v)
		if err != nil || answer.Header.Get("Content-Type") != "application/json" || !utf8.Valid(text) || d.More() {
			t.Errorf("%s answers %v with %v", path, answer.Header, err)
		}
		_ = answer.Body.Close()
		if _, body := s.get(t, path); strings.ContainsAny(body, "<>\x00\x1b") {
			t.Errorf("%s has bytes in its answer that JSON escapes here: %.300q", path, body)
		}
	}
}

func TestTheCampaignOfTheProcess(t *testing.T) {
	var live *Live
	s := newSite(t, withLive(&live))
	live.Event(event.Stamped{At: time.Now(), Event: event.Start{Targets: 1, Workers: 2}})
	if got := s.object(t, "/api/info"); got["mode"] != "fuzz" {
		t.Errorf("the info is %v", got)
	}
	list := at(t, s.object(t, "/api/campaigns"), "campaigns").([]any)
	if len(list) != 2 || at(t, list[0], "id") != "live" || at(t, list[0], "state") != "running" || at(t, list[0], "ended") != nil || at(t, list[0], "targets") != 1.0 {
		t.Errorf("the campaigns are %v", list)
	}
	d := s.object(t, "/api/campaigns/live")
	if at(t, d, "totals", "execs_per_second") != 5.0 || at(t, d, "targets", 0, "state") != "fuzzing" || at(t, d, "log", 0, "text") != "fuzzes 1 target with 2 workers" {
		t.Errorf("the campaign is %v", d)
	}
	page := s.object(t, "/api/campaigns/live/targets/"+keyOf(fuzz.Name{Package: pkg, Func: fuzzX}))
	if at(t, page, "target", "next_edge_high") != 9.0 || at(t, page, "target", "rerun_entries") != 4.0 || at(t, page, "target", "repeated_entries") != 3.0 || len(at(t, page, "points").([]any)) != 1 {
		t.Errorf("the target is %v", page)
	}
}

func TestAHistoryThatCannotBeOpenedIsAnErrorOfItsPages(t *testing.T) {
	var live *Live
	s := newSite(t, func(o *Options) {
		withLive(&live)(o)
		o.Open = func(context.Context) (*store.Store, error) { return nil, errors.New("the disk is full") }
	})
	for path, want := range map[string]int{"/api/campaigns": 200, "/api/campaigns/live": 200, "/api/findings": 503, "/api/campaigns/1": 503} {
		if code, body := s.get(t, path); code != want || want == 503 && body != `{"error":"the disk is full"}` {
			t.Errorf("%s answers %d %s, want %d", path, code, body, want)
		}
	}
}

func TestLongListsAreThinned(t *testing.T) {
	list := make([]int, 5000)
	for i := range list {
		list[i] = i
	}
	if got := thin(list, 1000); len(got) != 1000 || got[0] != 0 || got[999] != 4999 {
		t.Errorf("%d elements are left, from %d to %d", len(got), got[0], got[len(got)-1])
	}
	if got := thin(list[:7], 1000); len(got) != 7 {
		t.Errorf("of 7 elements %d are left", len(got))
	}
}

func TestTheBranchesHaveWhatGnawFrontierFound(t *testing.T) {
	s := newSite(t, nil)
	text, err := os.ReadFile(filepath.Join(s.root, "p", "p.go"))
	if err != nil {
		t.Fatal(err)
	}
	kept := frontier.Kept{At: someTime, State: "another", Files: coverage.Files{pkg + "/p.go": sha256.Sum256(text)}, Rows: []*frontier.Row{{
		File: pkg + "/p.go", Line: 4, Column: 5, Condition: `s == "</script>"`, Missing: "true", Help: frontier.Help{Kind: frontier.Word, Text: "the word"},
	}}}
	data, err := kept.Encode()
	if err != nil {
		t.Fatal(err)
	}
	db, err := s.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(db.SaveFrontier(t.Context(), module, kept.State, data), db.Close()); err != nil {
		t.Fatal(err)
	}
	got := s.object(t, "/api/frontier?campaign=1")
	if at(t, got, "branches", 0, "details", 1) != "-> the word" || at(t, got, "kept", "at") != stamp(someTime) || at(t, got, "kept", "same") != false {
		t.Errorf("the branches are %v, found %v", got["branches"], got["kept"])
	}
}
