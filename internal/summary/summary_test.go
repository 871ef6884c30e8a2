package summary

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/frontier"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// after returns the time some seconds after the start.
func after(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }

// aBug returns a finding that counts.
func aBug(id string) event.Finding {
	return event.Finding{
		Record: finding.Record{
			ID: id, Kind: finding.Panic, Message: "runtime error: index out of range [4]", Package: "example.com/m/p", Folder: "p", Target: "FuzzF",
			Calls:   []finding.Call{{Func: "example.com/m/p.F", File: "p/p.go", Line: 3}, {Func: "example.com/m/p.FuzzF.func1", File: "p/p_test.go", Line: 9}},
			Replays: 3, Repeats: 3, First: after(30), Last: after(30), Times: 1, Size: 3, Original: 20, Minimize: 0.008,
			Path: "p/testdata/fuzz/FuzzF/1", Go: "go1.26.1", Commit: "abc123", Output: "panic: index out of range [4]\n",
		},
		Short: id[:4], Literals: []string{`string("x")`, "int(1)"}, Rerun: "go test -run=FuzzF/1 ./p",
	}
}

// options are those of a campaign with two targets and a bug.
func options() Options {
	return Options{
		Campaign: store.Summary{
			Past: store.Past{
				ID: 7, Ended: after(100), Seen: after(90), Spent: 80 * time.Second,
				Campaign: store.Campaign{Module: "example.com/m", Packages: "./...", Start: start, Go: "go1.26.1", Commit: "abc123", Args: "-fuzztime=80s ./...", Dir: "/src/m"},
			},
			Totals: store.Totals{Targets: 2, Covered: 5, Statements: 9},
		},
		State: Ended, At: after(200), Version: "v1.2.3", Root: "/src/m",
		Points: []store.Point{
			{Target: fuzz.Name{Package: "example.com/m/p", Func: "FuzzF"}, At: after(30), Execs: 1000, Edges: 10, Entries: 5, Covered: 3, Statements: 8},
			{Target: fuzz.Name{Package: "example.com/m/p", Func: "FuzzF"}, At: after(40), Execs: 2000, Edges: 12, Entries: 6, Covered: 4, Statements: 8},
			{Target: fuzz.Name{Package: "example.com/m/p", Func: "FuzzF"}, At: after(50), Execs: 30000, Edges: 12, Entries: 7, Covered: 4, Statements: 8},
			{Target: fuzz.Name{Package: "example.com/m/q", Func: "FuzzG"}, At: after(50), Execs: 500, Edges: 3, Entries: 1},
		},
		Results: []store.Result{
			{Target: fuzz.Name{Package: "example.com/m/p", Func: "FuzzF"}, Result: "bug", Rerun: 200, Repeated: 199},
			{Target: fuzz.Name{Package: "example.com/m/q", Func: "FuzzG"}, Result: "clean"},
		},
		Findings: []event.Finding{aBug("1234a")},
	}
}

// html returns the page.
func html(t *testing.T, o Options) string {
	t.Helper()
	var b strings.Builder
	if err := HTML(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// markdown returns the report in Markdown.
func markdown(t *testing.T, o Options) string {
	t.Helper()
	var b strings.Builder
	if err := Markdown(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// contains checks that a text has all parts, in this order.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		_, after, ok := strings.Cut(rest, part)
		if !ok {
			t.Errorf("%q is not there, or not behind the parts before it, in\n%s", part, text)
			continue
		}
		rest = after
	}
}

func TestThePageShowsTheCampaign(t *testing.T) {
	contains(t, html(t, options()),
		"<title>gnaw report: example.com/m</title>",
		"<dt>Campaign</dt><dd>7, ended 2026-03-01 12:01:40 UTC</dd>", "<dt>Began</dt><dd>2026-03-01 12:00:00 UTC</dd>",
		"<dt>Command</dt><dd>gnaw fuzz -fuzztime=80s ./...</dd>", "<dt>Go</dt><dd>go1.26.1</dd>", "<dt>Commit</dt><dd>abc123</dd>",
		"<dt>bugs</dt><dd>1</dd>", "<dt>targets</dt><dd>2</dd>", "<dt>executions</dt><dd>30k</dd>", "<dt>edges</dt><dd>15</dd>", "<dt>entries</dt><dd>8</dd>",
		"<dt>of fuzzing</dt><dd>1m20s</dd>", "<dt>of 9 statements</dt><dd>5</dd>",
		`<b class="badge bug">bug</b> <code>1234</code> <span>FuzzF</span>: index out of range [4]`, "p/p.go:3", "panic: the code panics",
		"<code>p.F</code> <small>p/p.go:3</small>", "<code>p.FuzzF.func1</code> <small>p/p_test.go:9</small>",
		"<small>3 bytes, minimized from 20 bytes in 8 ms</small>", "string(&#34;x&#34;)\nint(1)\n", "go test -run=FuzzF/1 ./p",
		"<dt>proof</dt><dd>3 of 3 replays in a fresh process</dd>", "<dt>file</dt><dd>p/testdata/fuzz/FuzzF/1</dd>",
		"<pre>panic: index out of range [4]\n</pre>",
		"<figcaption>Edges</figcaption>", "<title>p.FuzzF: 12</title>", "<figcaption>Entries</figcaption>", "<figcaption>Executions</figcaption>",
		"<figcaption>Covered statements</figcaption>",
		"Where it is stuck", "The history does not have the statements that inputs reach: <code>gnaw fuzz -cover</code>",
		`<th scope="row">FuzzF</th><td>example.com/m/p</td><td class="n">30k</td><td class="n">12</td><td class="n">20s</td><td class="n">7</td>`, "4/8", `<td class="n">99 %</td><td class="n"><b>1</b>`,
		`<th scope="row">FuzzG</th>`, `<td class="n">-</td><td class="n">-</td><td class="n">0</td>`, "The stability is the share",
		"git checkout abc123", "gnaw fuzz -fuzztime=80s ./...", "gnaw cover -html=cover.html ./...", "gnaw frontier ./...",
		"Written 2026-03-01 12:03:20 UTC by gnaw v1.2.3.")
}

func TestTheMarkdownHasTheFindingsFirst(t *testing.T) {
	const want = "## gnaw: 1 bug in `example.com/m`\n\n" +
		"Campaign 7, ended 2026-03-01 12:01:40 UTC: 2 targets, 30k executions, 15 edges, 8 entries, 5 of 9 statements reached, 1m20s of fuzzing.\n" +
		"Go: `go1.26.1`. Commit: `abc123`. Command: `gnaw fuzz -fuzztime=80s ./...`.\n\n" +
		"### Bug `1234`: panic, `index out of range [4]`\n\n" +
		"`FuzzF` of `example.com/m/p`, at `p/p.go:3`. Proof: `3 of 3 replays in a fresh process`.\n\n" +
		"```\nstring(\"x\")\nint(1)\n```\n\n```\ngo test -run=FuzzF/1 ./p\n```\n\n" +
		"### Where it is stuck\n\nThe history does not have the statements that inputs reach: `gnaw fuzz -cover` or `gnaw cover` counts them.\n\n" +
		"<details><summary>Targets</summary>\n\n" +
		"| target | package | executions | edges | entries | statements | stability | bugs |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n" +
		"| `FuzzF` | `example.com/m/p` | 30k | 12 | 7 | 4/8 | 99 % | 1 |\n| `FuzzG` | `example.com/m/q` | 500 | 3 | 1 | - | - | 0 |\n\n</details>\n"
	if got := markdown(t, options()); got != want {
		t.Errorf("the report is\n%s\nwant\n%s", got, want)
	}
}

func TestAReportDescribesTheStateOfTheCampaign(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(o *Options)
		want   string
	}{
		{"it ended", func(*Options) {}, "ended 2026-03-01 12:01:40 UTC"},
		{"it runs", func(o *Options) { o.State = Running }, "running at 2026-03-01 12:03:20 UTC"},
		{"it was killed", func(o *Options) { o.State = Killed }, "killed after 2026-03-01 12:01:30 UTC"},
		{"it was killed while it was built", func(o *Options) { o.State, o.Campaign.Seen = Killed, time.Time{} }, "killed before it fuzzed"},
		{"it has no points", func(o *Options) { o.Points = nil }, "0 targets, 0 executions"},
		{"its statements were not counted", func(o *Options) { o.Campaign.Totals = store.Totals{} }, "8 entries, 1m20s of fuzzing"},
		{"it has no findings", func(o *Options) { o.Findings = nil }, "gnaw: 0 bugs in"},
		{"another folder", func(o *Options) { o.Campaign.Args, o.Campaign.Dir = "./...", "/src/m/sub dir" }, "what would help, in the folder sub dir"},
		{"no arguments", func(o *Options) { o.Campaign.Args = "" }, "<dd>gnaw fuzz</dd>"},
	} {
		o := options()
		tt.change(&o)
		if text := html(t, o) + markdown(t, o); !strings.Contains(text, tt.want) {
			t.Errorf("%s: the reports do not say %q:\n%s", tt.name, tt.want, text)
		}
	}
}

func TestAReportWithoutBugsNamesWhatWasNotFuzzed(t *testing.T) {
	unbuilt := store.Result{Target: fuzz.Name{Package: "example.com/m/r", Func: "FuzzR"}, Result: string(event.Unusable), Reason: "p.go:3:1: syntax error"}
	skipped := store.Result{Target: fuzz.Name{Package: "example.com/m/r", Func: "FuzzS"}, Result: string(event.Skip), Reason: "it calls f.Skip"}
	nothing := func(o *Options) { o.Points, o.Results = nil, nil }
	for _, tt := range []struct {
		name           string
		change         func(o *Options)
		more           []store.Result
		head, sentence string
	}{
		{"a target does not build", func(*Options) {}, []store.Result{unbuilt}, "0 bugs in `example.com/m`, and 1 target not fuzzed\n", "The campaign has no findings, and did not fuzz 1 target. The reasons are below."},
		{"the only target does not build", nothing, []store.Result{unbuilt}, "nothing was fuzzed in `example.com/m`\n", "Nothing was fuzzed. The reasons are below."},
		{"a target skips itself", func(*Options) {}, []store.Result{skipped}, "0 bugs in `example.com/m`\n", "The campaign has no findings."},
		{"all were fuzzed", func(*Options) {}, nil, "0 bugs in `example.com/m`\n", "The campaign has no findings."},
	} {
		o := options()
		o.Findings = nil
		tt.change(&o)
		o.Results = append(o.Results, tt.more...)
		if text := markdown(t, o); !strings.HasPrefix(text, "## gnaw: "+tt.head) {
			t.Errorf("%s: the Markdown is\n%s", tt.name, text)
		}
		if text := html(t, o); !strings.Contains(text, "<p>"+tt.sentence+"</p>") {
			t.Errorf("%s: the page does not say %q", tt.name, tt.sentence)
		}
	}
}

func TestFindingsThatCountComeFirst(t *testing.T) {
	known, flaky, unproven, expired := aBug("aaaa1"), aBug("bbbb1"), aBug("cccc1"), aBug("dddd1")
	known.Known, flaky.Flaky, unproven.Replays = &event.Known{Reason: "old"}, true, 0
	expired.Known = &event.Known{Reason: "old", Until: "2026-01-01", Expired: true}
	o := options()
	o.Findings = []event.Finding{known, flaky, unproven, expired, aBug("1234a")}
	order := func(text, pattern string) (list []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			list = append(list, strings.ToLower(m[1])+" "+m[2])
		}
		return list
	}
	want := []string{"bug dddd", "bug 1234", "flaky bbbb", "unproven cccc", "known aaaa"}
	if got := order(html(t, o), `<b class="badge \w+">(\w+)</b> <code>(\w+)</code>`); !slices.Equal(got, want) {
		t.Errorf("the page has %q, want %q", got, want)
	}
	text := markdown(t, o)
	if got := order(text, "### (\\w+) `(\\w+)`"); !slices.Equal(got, want) {
		t.Errorf("the Markdown has %q, want %q", got, want)
	}
	contains(t, text, "## gnaw: 2 bugs in", "Known: `old`.", "| `FuzzF` | `example.com/m/p` | 30k | 12 | 7 | 4/8 | 99 % | 2 |")
}

// branchesOf returns branches with a side that no input takes.
func branchesOf(n int) *frontier.Frontier {
	f := &frontier.Frontier{}
	for i := range n {
		f.Rows = append(f.Rows, &frontier.Row{
			File: "example.com/m/p/p.go", Line: i + 1, Condition: fmt.Sprintf("a < %d", i), Missing: "true", Behind: n - i, Inputs: 3, Targets: []string{"FuzzF"},
		})
	}
	return f
}

func TestAReportSaysWhereTheCampaignIsStuck(t *testing.T) {
	o := options()
	o.Frontier, o.Changed = branchesOf(12), []string{"example.com/m/q.go", "example.com/m/r.go"}
	page, text := html(t, o), markdown(t, o)
	contains(t, page, `href="#stuck"`, `<h2 id="stuck">Where it is stuck</h2>`, "12 branches have a side that no input takes. The first 10:",
		"<code>p/p.go:1</code>", "<code>a &lt; 0: never true</code>", "12 statements behind it; 3 inputs of FuzzF reach the condition", "<code>p/p.go:10</code>",
		"<code>gnaw frontier ./...</code> shows all of them", "2 files were changed after their statements were counted", `<h2 id="targets">`)
	contains(t, text, "### Bug", "### Where it is stuck\n\n12 branches have a side that no input takes. The first 5:\n\n",
		"- `p/p.go:1`: `a < 0: never true`, `12 statements behind it; 3 inputs of FuzzF reach the condition`\n", "- `p/p.go:5`:",
		"2 files were changed", "`gnaw frontier ./...` shows what would help.", "<details><summary>Targets")
	if strings.Contains(page, "p/p.go:11") || strings.Contains(text, "p/p.go:6") {
		t.Errorf("there are too many branches:\n%s\n%s", page, text)
	}
	o.Frontier, o.Changed = branchesOf(0), nil
	for _, text := range []string{html(t, o), markdown(t, o)} {
		contains(t, text, "Where it is stuck", "No branch has a side that no input takes.")
	}
}

// hostile is text with markup and control characters.
const hostile = "</pre></script><script>alert(1)</script>\"'` onclick=alert(2) &lt; ``` \n```\n# h\n| @all <!channel> [x](javascript:alert(3)) \x1b[31m\u202e\x00\xff"

func TestMarkupIsText(t *testing.T) {
	o := options()
	e := aBug("1234a")
	e.Message, e.Place, e.Package, e.Target, e.Path, e.Output, e.NotRun, e.Commit = hostile, hostile, hostile, hostile, hostile, hostile, hostile, hostile
	e.Literals, e.Rerun, e.Short, e.Seed = []string{hostile}, hostile, hostile, hostile
	e.Calls = []finding.Call{{Func: hostile, File: hostile, Line: 1, Module: hostile}}
	e.Others, e.Known = e.Calls, &event.Known{Reason: hostile, Expired: true}
	e.Dependency = &finding.Dependency{Module: hostile, Version: hostile, Folder: hostile}
	known := e
	known.Known = &event.Known{Reason: hostile}
	o.Findings = []event.Finding{e, known}
	o.Version, o.Campaign.Module, o.Campaign.Packages, o.Campaign.Args, o.Campaign.Go, o.Campaign.Commit = hostile, hostile, hostile, hostile, hostile, hostile
	for i := range o.Points {
		o.Points[i].Target.Package, o.Points[i].Target.Func = hostile, hostile
	}
	o.Frontier = branchesOf(1)
	o.Frontier.Rows[0].File, o.Frontier.Rows[0].Condition, o.Frontier.Rows[0].Missing, o.Frontier.Rows[0].Targets = hostile, hostile, hostile, []string{hostile}
	o.Results = []store.Result{{Target: fuzz.Name{Package: hostile, Func: hostile}, Result: "unusable", Reason: hostile}}
	page := html(t, o)
	body := page[strings.Index(page, "<body>"):]
	for _, bad := range []string{"<script", "<!channel", "\x1b", "\u202e", "\x00", "\xff"} {
		if strings.Contains(body, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	for _, tag := range regexp.MustCompile(`<[a-z][^>]*>`).FindAllString(body, -1) {
		if strings.Contains(tag, "alert") || strings.Count(tag, `"`)%2 != 0 {
			t.Errorf("the page has the tag %s", tag)
		}
	}
	text := outsideOfCode(t, markdown(t, o))
	for _, bad := range []string{"alert", "<script", "@all", "<!", "# h", "[x]", "\x1b", "\u202e", "\x00", "\xff"} {
		if strings.Contains(text, bad) {
			t.Errorf("the Markdown has %q outside of code:\n%s", bad, text)
		}
	}
}

// outsideOfCode returns Markdown without its code: blocks between fences, and then spans between equal numbers of back quotes.
func outsideOfCode(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\n")
		switch {
		case fence == "" && strings.HasPrefix(bare, "```") && strings.Trim(bare, "`") == "":
			fence = bare
		case fence != "" && strings.Trim(bare, "`") == "" && len(bare) >= len(fence):
			fence = ""
		case fence == "":
			b.WriteString(line)
		}
	}
	if fence != "" {
		t.Errorf("a block of code does not end:\n%s", text)
	}
	rest, outside := b.String(), ""
	for {
		from := strings.IndexByte(rest, '`')
		if from < 0 {
			return outside + rest
		}
		outside += rest[:from]
		n := len(rest[from:]) - len(strings.TrimLeft(rest[from:], "`"))
		to, ok := closing(rest[from+n:], n)
		if !ok {
			t.Errorf("code does not end: %q", rest[from:])
			return outside
		}
		rest = rest[from+n+to:]
	}
}

// closing returns the end of the first sequence of n back quotes.
func closing(text string, n int) (end int, ok bool) {
	for i := 0; i < len(text); i++ {
		if text[i] != '`' {
			continue
		}
		run := len(text[i:]) - len(strings.TrimLeft(text[i:], "`"))
		if run == n {
			return i + n, true
		}
		i += run
	}
	return 0, false
}

func TestTheSourceOfAFindingIsShown(t *testing.T) {
	o := options()
	o.Root = t.TempDir()
	file := filepath.Join(o.Root, "p", "p.go")
	if err := errors.Join(os.Mkdir(filepath.Dir(file), 0o777), os.WriteFile(file, []byte("package p\n\nfunc F() { panic(\"<b>\") }\n"), 0o666), os.Chtimes(file, start, start)); err != nil {
		t.Fatal(err)
	}
	contains(t, html(t, o), "<details open><summary><code>p.F</code> <small>p/p.go:3</small></summary><pre>",
		`<span class="line"><i>1</i>package p</span>`, `<span class="here"><i>3</i>func F() { panic(&#34;&lt;b&gt;&#34;) }</span>`)
}

func TestALargeCampaignHasAReportOfLimitedSize(t *testing.T) {
	o := options()
	o.Points, o.Findings = nil, nil
	for i := range 300 {
		name := fmt.Sprintf("Fuzz%d", i)
		for j := range 10 {
			o.Points = append(o.Points, store.Point{Target: fuzz.Name{Package: "example.com/m/p", Func: name}, At: after(10 * j), Execs: uint64(j), Edges: i + j})
		}
		e := aBug("1234a")
		e.Target, e.Output, e.Literals = name, strings.Repeat("x", 10*maxOutput), []string{strings.Repeat("y", 10*maxLiteral)}
		o.Findings = append(o.Findings, e)
	}
	page := html(t, o)
	if n := len(page); n > 20<<20 {
		t.Errorf("the page has %d bytes", n)
	}
	text := markdown(t, o)
	if n := len(text); n > 64<<10 {
		t.Errorf("the Markdown has %d bytes; a comment of GitHub has at most 64 KiB", n)
	}
	contains(t, text, "280 findings more", "250 targets more")
	contains(t, page, "100 more: ", "Lines that are not drawn: 100.")
}

func TestTheMarkdownOfHostileTargetsFitsIntoAComment(t *testing.T) {
	o := options()
	o.Points, o.Findings = nil, nil
	long := strings.Repeat("\x1b", 2*maxTextInput)
	for i := range 60 {
		e := aBug("1234a")
		e.Message, e.Target, e.Package, e.Literals = long, long, long, []string{long}
		o.Findings = append(o.Findings, e)
		o.Points = append(o.Points, store.Point{Target: fuzz.Name{Package: long, Func: fmt.Sprint(i, long)}, At: after(10), Execs: 1})
		o.Results = append(o.Results, store.Result{Target: fuzz.Name{Package: long, Func: fmt.Sprint("Fuzz", i)}, Result: "unusable", Reason: long})
	}
	o.Frontier = branchesOf(2 * maxTextBranches)
	for _, r := range o.Frontier.Rows {
		r.File, r.Missing, r.Targets = long, long, []string{long}
	}
	text := markdown(t, o)
	if n := len(text); n > 64<<10 {
		t.Errorf("the Markdown has %d bytes; a comment of GitHub has at most 64 KiB", n)
	}
	contains(t, text, "### Bug", "findings more: ", "10 branches have", "| 0 |\n", "targets more.\n\n</details>\n", "Not fuzzed: 60 targets", "targets more.\n\n</details>\n")
}

func TestTargetsThatWereNotFuzzedAreListedWithTheReason(t *testing.T) {
	result := func(target string, what event.Result, reason string) store.Result {
		return store.Result{Target: fuzz.Name{Package: "example.com/m/r", Func: target}, Result: string(what), Reason: reason}
	}
	never := store.Point{Target: fuzz.Name{Package: "example.com/m/r", Func: "FuzzR"}, At: after(90)}
	ran := never
	ran.Execs = 7
	for _, tt := range []struct {
		name    string
		state   State
		point   *store.Point // of FuzzR
		result  *store.Result
		want    string // a row of the Markdown; empty: no target is missed
		targets int    // in the table of targets
		fails   bool   // in go test
	}{
		{"nothing is missed", Ended, nil, nil, "", 2, false},
		{"its package does not build", Ended, nil, new(result("FuzzR", event.Unusable, "p.go:3:1: syntax | error\nmore")), "| `FuzzR` | `example.com/m/r` | unusable | `p.go:3:1: syntax ¦ error more` |", 2, false},
		{"the package cannot be loaded", Ended, nil, new(result("", event.Unusable, "no Go files")), "| - | `example.com/m/r` | unusable | `no Go files` |", 2, false},
		{"it skips", Ended, nil, new(result("FuzzR", event.Skip, "it calls f.Skip")), "| skipped | `it calls f.Skip` |", 2, false},
		{"the time was over", Ended, nil, new(result("FuzzR", event.Unreached, "the campaign ended before its first turn")), "| unreached | `the campaign ended before its first turn` |", 2, false},
		{"some seeds were not executed", Ended, &ran, new(result("FuzzR", event.Unreached, "2 seeds were not executed")), "| unreached | `2 seeds were not executed` |", 3, false},
		{"an older gnaw recorded a point without executions", Ended, &never, nil, "| unreached | `the campaign did not record why` |", 2, false},
		{"the campaign runs", Running, nil, new(result("FuzzR", "", "")), "| unreached | `the history has no execution of it yet` |", 2, false},
		{"the campaign was killed", Killed, nil, new(result("FuzzR", "", "")), "| unreached | `the campaign was killed before it recorded an execution` |", 2, false},
		{"it runs, and was executed", Running, &ran, new(result("FuzzR", "", "")), "", 3, false},
		{"it was fuzzed", Ended, &ran, new(result("FuzzR", event.Clean, "")), "", 3, false},
		{"it fails in go test", Ended, &ran, new(result("FuzzR", event.Fails, "plain go test fails")), "| fails | `plain go test fails` |", 3, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := options()
			o.State = tt.state
			if tt.point != nil {
				o.Points = append(o.Points, *tt.point)
			}
			if tt.result != nil {
				o.Results = append(o.Results, *tt.result)
			}
			text, page := markdown(t, o), html(t, o)
			if got := strings.Contains(text, ">Fails in go test: 1 target<"); got != tt.fails || strings.Contains(page, ">Fails in go test</h3>") != got {
				t.Errorf("a target fails in go test: %v\n%s", got, text)
			}
			if got := strings.Contains(text, "Not fuzzed: 1 target<"); got != (tt.want != "" && !tt.fails) || strings.Contains(page, ">Not fuzzed</h3>") != got {
				t.Errorf("a target is missed: %v\n%s", got, text)
			}
			contains(t, text, fmt.Sprintf("%d targets", tt.targets), tt.want)
			contains(t, page, fmt.Sprintf("<dt>targets</dt><dd>%d</dd>", tt.targets))
		})
	}
	o := options()
	for i := range maxMissed + 3 {
		o.Results = append(o.Results, result(fmt.Sprintf("FuzzR%d", i), event.Unusable, strings.Repeat("x", 10*maxReason)))
	}
	contains(t, html(t, o), "<dt>targets not fuzzed</dt><dd>203</dd>", ">Not fuzzed</h3>", `<td class="reason">xxx`, "<p>3 more.</p>")
}

// full is a file on a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAReportThatIsNotWrittenIsAnError(t *testing.T) {
	for name, write := range map[string]error{"HTML": HTML(full{}, options()), "Markdown": Markdown(full{}, options())} {
		if write == nil || !strings.Contains(write.Error(), "no space left") {
			t.Errorf("%s = %v, want the error of the file", name, write)
		}
	}
}

func TestAxesHaveRoundNumbers(t *testing.T) {
	for v, want := range map[float64]float64{1: 4, 3: 4, 5: 8, 9: 12, 10: 10, 12: 20, 85: 120, 100: 100, 309: 400, 1999: 2000, 2.04e6: 4e6} {
		if got := ceiling(v); got != want {
			t.Errorf("ceiling(%v) = %v, want %v", v, got, want)
		}
	}
	for _, longest := range []float64{1, 7, 59, 61, 1000, 5000, 90000, 1e6, 1e7} {
		if n := longest / timeStep(longest); n > 5 || n < 1 {
			t.Errorf("an axis of %v seconds has %.1f steps", longest, n)
		}
	}
	for seconds, want := range map[float64]string{0: "0s", 59: "59s", 60: "1m", 90: "1m30s", 3600: "1h", 5400: "1h30m", 200000: "2.3d"} {
		if got := short(seconds); got != want {
			t.Errorf("short(%v) = %q, want %q", seconds, got, want)
		}
	}
}

func FuzzCode(f *testing.F) {
	for _, s := range []string{"", "plain", "`", "a `b` ``c", "``", " x ", "one\ntwo\t", "\\`", "\x00\x1b\u2028\xff", hostile} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, got := range []string{code(text), cell(text)} {
			if outside := outsideOfCode(t, got); outside != "" && got != "-" {
				t.Errorf("%q of %q is not code", outside, text)
			}
			if strings.ContainsAny(got, "\n\r\x00\x1b\u2028\u2029") {
				t.Errorf("the code %q of %q has more than one line", got, text)
			}
		}
		if strings.Contains(cell(text), "|") {
			t.Errorf("the cell of %q ends early: %q", text, cell(text))
		}
	})
}

func FuzzFence(f *testing.F) {
	for _, s := range []string{"", "plain", "```", "a\n````\nb", "~~~\n", "\r```\r", "\n\n`", hostile} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if outside := outsideOfCode(t, fence(text)+"outside\n"); outside != "outside\n" {
			t.Errorf("%q of %q is not code", outside, text)
		}
	})
}

// A finding that two targets show counts for both, and once for the campaign.
func TestATargetCountsEachFindingThatItShows(t *testing.T) {
	o := options()
	o.Progress = []store.Progress{{Target: fuzz.Name{Package: "example.com/m/q", Func: "FuzzG"}, State: `{"findings":{"1234a":"bug"}}`}}
	contains(t, markdown(t, o), "gnaw: 1 bug in", "| `FuzzF` | `example.com/m/p` | 30k | 12 | 7 | 4/8 | 99 % | 1 |", "| `FuzzG` | `example.com/m/q` | 500 | 3 | 1 | - | - | 1 |")
}
