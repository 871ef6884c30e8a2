package summary

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

var update = flag.Bool("update", false, "write the golden files")

// recorded is a campaign of a module in the folder sub of a repository, with a finding of each outcome and a target with each result.
func recorded() Options {
	o := options()
	o.Prefix = "sub/"
	race, known, flaky, outside, seed := aBug("aaaa000000000001"), aBug("bbbb000000000001"), aBug("cccc000000000001"), aBug("dddd000000000001"), aBug("eeee000000000001")
	race.Kind, race.Message = finding.Race, "data race"
	race.Others = []finding.Call{{Func: "example.com/m/p.G", File: "p/g h.go", Line: 7}}
	known.Known = &event.Known{Reason: "not now", Until: "2027-01-01"}
	flaky.Flaky, flaky.Repeats, flaky.Record.Target = true, 1, "FuzzFlaky"
	outside.Package, outside.Record.Target, outside.Rerun = "example.com/dep", "FuzzDep", "gnaw repro dddd"
	outside.Dependency, outside.Path = &finding.Dependency{Module: "example.com/dep", Version: "v1.2.0", Line: 5}, ""
	outside.Calls = []finding.Call{{Func: "example.com/dep.F", File: "/cache/example.com/dep@v1.2.0/d.go", Line: 4, Foreign: true, Module: "example.com/dep@v1.2.0"}}
	seed.Kind, seed.Message, seed.Calls, seed.Record.Target = finding.Exit, "exit status 3", nil, "FuzzG"
	seed.Package, seed.Path = "example.com/m/q", "q/testdata/fuzz/FuzzG/1"
	o.Findings = append(o.Findings, race, known, flaky, outside, seed)
	name := func(pkg, target string) fuzz.Name {
		return fuzz.Name{Package: "example.com/m/" + pkg, Func: target}
	}
	o.Results = append(o.Results,
		store.Result{Target: name("r", "FuzzR"), Result: string(event.Unusable), Reason: "build the test binary:\nr/r.go:3:1: undefined: x"},
		store.Result{Target: name("r", "FuzzS"), Result: string(event.Skip), Reason: "it calls f.Skip"},
		store.Result{Target: name("r", "FuzzT"), Result: string(event.Unreached), Reason: "3 seeds were not executed"},
		store.Result{Target: name("r", "FuzzU"), Result: string(event.Fails), Reason: "plain go test fails outside of the fuzz function"},
		store.Result{Target: name("s", ""), Result: string(event.Unusable), Reason: "s.go:1:1: expected 'package'"},
		store.Result{Target: fuzz.Name{Package: "example.com/dep/far", Func: "FuzzFar"}, Result: string(event.Unreached), Reason: "it had no turn"},
	)
	o.Progress = []store.Progress{{Target: fuzz.Name{Package: "example.com/m/p", Func: "FuzzF"}, State: `{"Turns":1,"Time":1500000000}`}}
	return o
}

// formats are the formats for other programs, by the names of their golden files.
var formats = map[string]func(io.Writer, Options) error{
	"campaign.sarif": SARIF, "junit.xml": JUnit, "codequality.json": CodeQuality,
	"annotations.txt": func(w io.Writer, o Options) error {
		_, err := io.WriteString(w, strings.Join(Annotations(o), "\n")+"\n")
		return err
	},
}

// inFormat returns a campaign in a format.
func inFormat(t *testing.T, name string, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := formats[name](&b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestARecordedCampaignInEachFormat(t *testing.T) {
	for name := range formats {
		t.Run(name, func(t *testing.T) {
			got, path := inFormat(t, name, recorded()), filepath.Join("testdata", name)
			if *update {
				if err := errors.Join(os.MkdirAll("testdata", 0o777), os.WriteFile(path, []byte(got), 0o666)); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if text := strings.ReplaceAll(string(want), "\r\n", "\n"); got != text {
				t.Errorf("it differs from %s, which -update writes; it is\n%s", path, got)
			}
		})
	}
}

func TestSARIFFollowsItsSchema(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program")
	}
	dir := t.TempDir()
	nothing := options()
	nothing.Findings, nothing.Points, nothing.Results, nothing.State, nothing.Campaign.Module = nil, nil, nil, Killed, dir
	wrong := strings.Replace(inFormat(t, "campaign.sarif", recorded()), `"ruleId"`, `"rule"`, 1)
	for _, tt := range []struct {
		name, text string
		valid      bool
	}{
		{"a campaign", inFormat(t, "campaign.sarif", recorded()), true},
		{"a campaign whose messages are hostile", inFormat(t, "campaign.sarif", hostileCampaign()), true},
		{"a campaign that was killed before it fuzzed", inFormat(t, "campaign.sarif", nothing), true},
		{"a file with another property", wrong, false},
	} {
		file := filepath.Join(dir, "campaign.sarif")
		if err := os.WriteFile(file, []byte(tt.text), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", "run", "./sarif", file)
		cmd.Dir, cmd.Env = filepath.Join("..", "..", "tools"), append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		if out, err := cmd.CombinedOutput(); (err == nil) != tt.valid {
			t.Errorf("%s: %v\n%s", tt.name, err, out)
		}
	}
}

// attack is text of a target that does something to a careless program.
const attack = "a\n::error file=x::y\r\n##[error]z\n]]></failure><b>&\x00\x1b[2J\ufffe\uffff\u202e\xff [link](https://example.com) %0A"

// hostileCampaign is a campaign in which all that comes from a target is an attack.
func hostileCampaign() Options {
	o := recorded()
	for i := range o.Findings {
		f := &o.Findings[i]
		f.Message, f.Output, f.Rerun, f.Literals, f.Record.Target, f.Place = attack, attack, attack, []string{attack, strings.Repeat("x", 1<<20)}, attack, attack
		f.Calls = append(f.Calls, finding.Call{Func: attack, File: attack, Line: 1})
		if f.Known != nil {
			f.Known.Reason = attack
		}
	}
	for i := range o.Results {
		o.Results[i].Reason, o.Results[i].Target.Func = attack, fmt.Sprint(attack, i)
	}
	return o
}

// eachText calls f with each text in a JSON value, and with the name of the property that has it.
func eachText(name string, v any, f func(name, text string)) {
	switch v := v.(type) {
	case map[string]any:
		for name, one := range v {
			eachText(name, one, f)
		}
	case []any:
		for _, one := range v {
			eachText(name, one, f)
		}
	case string:
		f(name, v)
	}
}

func TestHostileTextIsOnlyText(t *testing.T) {
	o := hostileCampaign()
	for _, name := range []string{"campaign.sarif", "codequality.json"} {
		var v any
		if err := json.Unmarshal([]byte(inFormat(t, name, o)), &v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		eachText("", v, func(property, text string) {
			if strings.ContainsFunc(text, unicode.IsControl) || strings.ContainsAny(text, "\u202e\ufffd") {
				t.Errorf("%s has the text %q", name, text)
			}
			if property == "text" && strings.Contains(text, "](") {
				t.Errorf("%s has a link: %q", name, text)
			}
			if len(text) > 10000 {
				t.Errorf("%s has a text of %d bytes", name, len(text))
			}
		})
	}
	x := inFormat(t, "junit.xml", o)
	for d := xml.NewDecoder(strings.NewReader(x)); ; {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("the XML: %v\n%s", err, x)
		}
	}
	if strings.ContainsAny(x, "\x00\x1b\ufffe\uffff\ufffd\u202e") || strings.Contains(x, "<b>&\n") {
		t.Errorf("the XML has characters of the target:\n%q", x)
	}
	for _, line := range Annotations(o) {
		head, _, _ := strings.Cut(strings.TrimPrefix(line, "::"), "::")
		level, values, _ := strings.Cut(head, " ")
		var names []string
		for value := range strings.SplitSeq(values, ",") {
			name, _, _ := strings.Cut(value, "=")
			names = append(names, name)
		}
		if got := strings.Join(names, " "); strings.ContainsFunc(line, unicode.IsControl) || !slices.Contains([]string{"error", "warning", "notice"}, level) ||
			got != "title" && got != "file line title" {
			t.Errorf("the annotation is %.300q", line)
		}
	}
}

func TestAStepHasTenAnnotations(t *testing.T) {
	for _, tt := range []struct {
		bugs, want int
		last       string
	}{
		{0, 0, ""},
		{10, 10, "::error file=p/p.go,line=3,"},
		{11, 10, "There would be 2 annotations more;"},
		{200, 10, "There would be 191 annotations more;"},
	} {
		o := options()
		o.Findings = nil
		for i := range tt.bugs {
			o.Findings = append(o.Findings, aBug(fmt.Sprintf("%016x", i)))
		}
		got := Annotations(o)
		if len(got) != tt.want || tt.want > 0 && !strings.Contains(got[tt.want-1], tt.last) {
			t.Errorf("%d bugs make the annotations %q", tt.bugs, got)
		}
	}
}

func TestTheValuesOfACommandAreEscaped(t *testing.T) {
	got := annotation("error", site{"a,b:c%.go", 3}, "x, y: z", "100%\r\nof it: a, b")
	if want := "::error file=a%2Cb%3Ac%25.go,line=3,title=x%2C y%3A z::100%25%0D%0Aof it: a, b"; got != want {
		t.Errorf("the command is %q, want %q", got, want)
	}
}

func TestTheLineOfAFindingIsInTheWorkTree(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(f *event.Finding)
		want   site
	}{
		{"a file of the module", func(*event.Finding) {}, site{"sub/p/p.go", 3}},
		{"a file of another module of the repository", func(f *event.Finding) { f.Calls[0].File = "/src/other/o.go" }, site{"other/o.go", 3}},
		{"the caller of a function of the standard library", func(f *event.Finding) { f.Calls[0].File = "/go/src/strings/x.go" }, site{"sub/p/p_test.go", 9}},
		{"the caller of a function of another module, with -trimpath", func(f *event.Finding) { f.Calls[0].File, f.Calls[0].Foreign = "example.com/d@v1.0.0/x.go", true }, site{"sub/p/p_test.go", 9}},
		{"a vendored file", func(f *event.Finding) { f.Calls[0].File, f.Calls[0].Foreign = "vendor/example.com/d/x.go", true }, site{"sub/vendor/example.com/d/x.go", 3}},
		{"a path that leaves the work tree", func(f *event.Finding) { f.Calls[0].File = "../../etc/x.go" }, site{"sub/p/p_test.go", 9}},
		{"no frame", func(f *event.Finding) { f.Calls = nil }, site{"sub/p/testdata/fuzz/FuzzF/1", 1}},
		{"no frame and no file", func(f *event.Finding) { f.Calls, f.Path = nil, "" }, site{"sub/go.mod", 1}},
		{"no frame of a dependency", func(f *event.Finding) { f.Calls, f.Path, f.Dependency = nil, "", &finding.Dependency{Line: 12} }, site{"sub/go.mod", 12}},
	} {
		o := options()
		o.Root, o.Prefix = "/src/sub", "sub/"
		f := aBug("1234a")
		tt.change(&f)
		if got := newSummary(o).siteOf(f); got != tt.want {
			t.Errorf("%s: the line is %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestATargetWhoseBugAnotherTargetHasShownFails(t *testing.T) {
	o := options()
	o.Progress = []store.Progress{{Target: fuzz.Name{Package: "example.com/m/q", Func: "FuzzG"}, State: `{"findings":{"1234a":"bug"}}`}}
	contains(t, inFormat(t, "junit.xml", o), `name="FuzzG"`, `<failure message="the target shows 1 bug that another target has shown first" type="bug">`)
}
