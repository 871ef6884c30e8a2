package page

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

const program = `package p

func P(s string) {
	if s == "</pre><script>alert(1)</script>" {
		a()
	}
	f := func() { b() }
}
`

// at is a position.
func at(line, column int) coverage.Position { return coverage.Position{Line: line, Column: column} }

func reach(file string, from, to coverage.Position, statements int, smallest *coverage.Entry) coverage.Reach {
	r := coverage.Reach{
		Block: coverage.Block{Package: "m/p", File: "m/p/" + file, Start: from, End: to, Statements: statements}, Smallest: smallest,
		Target: fuzz.Name{Func: "FuzzP"},
	}
	if smallest != nil {
		r.Inputs = 1
	}
	return r
}

func entryOf(s string) *coverage.Entry {
	return &coverage.Entry{Name: "0123", Size: len(s), Args: input.Args{{Kind: input.String, Data: []byte(s)}}}
}

func write(t *testing.T, blocks []coverage.Reach, sources Sources) string {
	t.Helper()
	var out strings.Builder
	if err := Write(&out, "<b>title</b>", blocks, nil, sources); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func programOf(string, string) ([]byte, error) { return []byte(program), nil }

func blocksOf(small, large *coverage.Entry) []coverage.Reach {
	return []coverage.Reach{
		reach("p.go", at(3, 18), at(4, 44), 1, small),
		reach("p.go", at(4, 44), at(6, 3), 1, nil),
		reach("p.go", at(7, 2), at(7, 14), 1, large),
		reach("p.go", at(7, 14), at(7, 21), 1, nil),
	}
}

func TestThePageShowsWhatIsCovered(t *testing.T) {
	got := write(t, blocksOf(entryOf("x"), entryOf("longer")), programOf)
	for _, want := range []string{
		"2 of 4 statements are covered, 50.0 %",
		`<i>1</i>package p`,
		`<a href="#e1">4</a>` + "\t" + `<b class="c">`,
		`<i>5</i>` + "\t\t" + `<b class="u">a()</b>`,
		`<a href="#e2">7</a>`,
		`<b class="u">{ b() }</b>`,
		`<li id="e1">FuzzP: 0123, 1 bytes<code>string(&#34;x&#34;)</code></li>`,
		`<li id="e2">FuzzP: 0123, 6 bytes<code>string(&#34;longer&#34;)</code></li>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q:\n%s", want, got)
		}
	}
}

func TestMarkupInSourcesAndInputsIsText(t *testing.T) {
	got := write(t, blocksOf(entryOf("</li><script>alert(2)</script>"), entryOf(`" onclick="alert(3)`)), programOf)
	body := regexp.MustCompile(`(?s)<script>\nconst panel.*</script>`).ReplaceAllString(got, "")
	if strings.Contains(body, "<script") || strings.Contains(body, "<b>title") || strings.Contains(body, `" onclick`) {
		t.Errorf("markup is left:\n%s", body)
	}
	if !strings.Contains(body, "&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;") {
		t.Errorf("the source is not there:\n%s", body)
	}
}

func TestFilesWithTheMostUncoveredStatementsComeFirst(t *testing.T) {
	got := write(t, []coverage.Reach{
		reach("a.go", at(3, 1), at(3, 5), 2, nil), reach("b.go", at(3, 1), at(3, 5), 9, entryOf("")), reach("c.go", at(3, 1), at(3, 5), 3, nil),
	}, func(_, file string) ([]byte, error) { return nil, fmt.Errorf("no %s: %w", file, errors.ErrUnsupported) })
	order := regexp.MustCompile(`<code>m/p/(.)\.go`).FindAllStringSubmatch(got, -1)
	if len(order) != 3 || order[0][1]+order[1][1]+order[2][1] != "cab" {
		t.Errorf("the order is %v, want c, a, b", order)
	}
	if !strings.Contains(got, "The source is not there: no m/p/a.go") {
		t.Errorf("the reason is not there:\n%s", got)
	}
}

func TestBlocksBehindTheEndOfASourceAreLeftOut(t *testing.T) {
	got := write(t, []coverage.Reach{reach("p.go", at(99, 1), at(120, 5), 2, entryOf("x")), reach("p.go", at(0, 0), at(3, 500), 2, nil)}, programOf)
	if !strings.Contains(got, "0 uncovered") && !strings.Contains(got, "2 uncovered") {
		t.Errorf("the file is not there:\n%s", got)
	}
}

func TestALongInputIsCut(t *testing.T) {
	got := write(t, blocksOf(entryOf(strings.Repeat("x", 3000)), nil), programOf)
	if !strings.Contains(got, `xx&#34;) and 1000 more bytes</code>`) {
		t.Error("the page does not say how much is left out")
	}
}

func TestALongFileHasParts(t *testing.T) {
	const lines = 2*partLines + 1
	got := write(t, blocksOf(nil, nil), func(string, string) ([]byte, error) { return []byte(strings.Repeat("x\n", lines)), nil })
	parts := regexp.MustCompile(`<div style="contain-intrinsic-height: calc\((\d+) \* 1.5em\)"><i>(\d+)</i>`).FindAllStringSubmatch(got, -1)
	var list []string
	for _, p := range parts {
		list = append(list, p[1]+" from "+p[2])
	}
	if want := "[200 from 1 200 from 201 1 from 401]"; fmt.Sprint(list) != want {
		t.Errorf("the parts are %v, want %s", list, want)
	}
	if n := strings.Count(got, "\n</div><div"); n != 2 {
		t.Errorf("%d parts follow each other without white space between, want 2", n)
	}
}

func TestALineWithBranchesLeadsToThem(t *testing.T) {
	var out strings.Builder
	branches := []Branch{
		{File: "m/p/p.go", Line: 4, Sentence: "s == <x>: never true", Details: []string{"a </li> word"}, Command: "gnaw fuzz -focus=p.go:4"},
		{File: "m/p/p.go", Line: 7, Sentence: "b: never false", Hopeless: true},
		{File: "m/p/p.go", Line: 4, Sentence: "c: never true"},
		{File: "m/p/other.go", Line: 1, Sentence: "d: never true"},
	}
	if err := Write(&out, "", blocksOf(entryOf("x"), nil), branches, programOf); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	for _, want := range []string{
		`<a href="#e1">4</a><a class="f" href="#f1" aria-label="branch in line 4">&#9670;</a><span id="l1">` + "\t" + `<b class="c">`,
		`<a class="f h" href="#f2" aria-label="branch in line 7">&#9671;</a><span id="l2" class="h">`,
		`<li id="f1"><a class="to" href="#l1">m/p/p.go:4</a><code>s == &lt;x&gt;: never true</code><p>a &lt;/li&gt; word</p><code>gnaw fuzz -focus=p.go:4</code><code>c: never true</code></li>`,
		`<li id="f3">m/p/other.go:1<code>d: never true</code></li>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q:\n%s", want, got)
		}
	}
}
