package write

import (
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
)

// parses returns a target that calls a function with one parameter.
func parses(name string, seeds ...string) *plan.FuzzFunc {
	t := &plan.FuzzFunc{
		Name: "Fuzz" + name, Kind: plan.Parse, Covers: []string{name}, Params: []plan.Param{{Name: "s", Type: "string"}}, Input: "string",
		Fn: plan.Callee{Name: name, Expr: name + "($)", Results: []plan.Result{plan.Value, plan.Err}},
	}
	for _, s := range seeds {
		t.Seeds = append(t.Seeds, []string{s})
	}
	return t
}

func TestImportsAreThoseOfTheCode(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"none", "Parse(s)", "testing"},
		{"one", "Parse(bytes.NewReader(data))", "bytes testing"},
		{"in a literal", `Parse("bytes.NewReader")` + " + `io.EOF`", "testing"},
		{"in a comment", "// json.Marshal\nx()", "testing"},
		{"behind a selector", "x.bytes.Y()", "testing"},
		{"a path", "filepath.Glob(p)", "path/filepath testing"},
	} {
		if got := strings.Join(Imports(tt.text, nil), " "); got != tt.want {
			t.Errorf("%s: the imports are %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestATargetIsAddedAtTheEnd(t *testing.T) {
	old := "package p\n\nimport (\n\t\"testing\"\n)\n\n// TestA is mine.\nfunc TestA(t *testing.T) {} // indeed\n"
	reader := parses("Read")
	reader.Input = "io.Reader"
	got, err := Update([]byte(old), []*plan.FuzzFunc{parses("Parse", `"a"`), reader})
	if err != nil {
		t.Fatal(err)
	}
	text := string(got)
	for _, want := range []string{
		"import (\n\t\"strings\"\n\t\"testing\"\n)\n", "// TestA is mine.\nfunc TestA(t *testing.T) {} // indeed\n", "\tf.Add(\"a\")\n", "_, _ = Read(strings.NewReader(s))",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}

func TestUpdateDoesNotChangeTheRestOfAFile(t *testing.T) {
	reader := parses("Read")
	reader.Input = "io.Reader"
	body, err := Target(reader)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, old, want string }{
		{"no imports", "package p\n", "package p\n\nimport (\n\t\"strings\"\n\t\"testing\"\n)\n"},
		{
			"one import", "package p // p\n\nimport \"testing\"\n\nvar x testing.T // x\n",
			"package p // p\n\nimport (\n\t\"strings\"\n\t\"testing\"\n)\n\nvar x testing.T // x\n",
		},
		{
			"groups", "package p\n\nimport (\n\t\"os\" // args\n\t\"testing\"\n\n\t\"x.org/y\"\n)\n",
			"package p\n\nimport (\n\t\"os\" // args\n\t\"strings\"\n\t\"testing\"\n\n\t\"x.org/y\"\n)\n",
		},
		{
			"another name", "package p\n\nimport (\n\tstr \"strings\"\n\t\"testing\"\n)\n",
			"package p\n\nimport (\n\t\"strings\"\n\tstr \"strings\"\n\t\"testing\"\n)\n",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Update([]byte(tt.old), []*plan.FuzzFunc{reader})
			if want := tt.want + "\n" + body; err != nil || string(got) != want {
				t.Errorf("the file is\n%s%v\nwant\n%s", got, err, want)
			}
		})
	}
}

func TestAFileThatIsNotFormattedIsAnError(t *testing.T) {
	for _, old := range []string{"package p\nvar  x int\n", "package p\r\n\r\nvar x = `a\r\nb`\r\n"} {
		if _, err := Update([]byte(old), []*plan.FuzzFunc{parses("Parse")}); err == nil || !strings.Contains(err.Error(), "run gofmt -w") {
			t.Errorf("with %q the error is %v", old, err)
		}
	}
}

func TestAFileThatIsNotGoIsAnError(t *testing.T) {
	if _, err := Update([]byte("pakage p\n"), []*plan.FuzzFunc{parses("Parse")}); err == nil || !strings.Contains(err.Error(), "added to") {
		t.Errorf("the error is %v", err)
	}
}

func TestShortSeedsAreOnOneLine(t *testing.T) {
	short, err := Target(parses("Parse", `"a"`, `"b"`))
	if err != nil || !strings.Contains(short, "for _, s := range []string{\"a\", \"b\"} {\n\t\tf.Add(s)\n\t}\n") {
		t.Errorf("the target is\n%s%v", short, err)
	}
	word := `"` + strings.Repeat("x", 60) + `"`
	long, err := Target(parses("Parse", word, word))
	if err != nil || !strings.Contains(long, "[]string{\n\t\t"+word+",\n\t\t"+word+",\n\t} {\n") {
		t.Errorf("the target is\n%s%v", long, err)
	}
}

func TestAFileBeginsWithTheHeader(t *testing.T) {
	target := parses("Parse")
	target.Imports = []string{"example.com/x", "bytes"}
	got, err := File("// Copyright 2026 A. B.", "p", []*plan.FuzzFunc{target})
	want := "// Copyright 2026 A. B.\n\npackage p\n\nimport (\n\t\"bytes\"\n\t\"testing\"\n\n\t\"example.com/x\"\n)\n"
	if err != nil || !strings.HasPrefix(string(got), want) {
		t.Errorf("the file is\n%s%v\nwant\n%s", got, err, want)
	}
}

func TestSeedsThatDifferInTheInputAreAddedInALoop(t *testing.T) {
	target := parses("Parse")
	target.Params = append(target.Params, plan.Param{Name: "n", Type: "uint8"})
	target.Seeds = [][]string{{`"a"`, "uint8(1)"}, {`"b"`, "uint8(1)"}}
	if got, err := Target(target); err != nil || !strings.Contains(got, "for _, s := range []string{\"a\", \"b\"} {\n\t\tf.Add(s, uint8(1))\n") {
		t.Errorf("the target is\n%s%v", got, err)
	}
	target.Seeds[1][1] = "uint8(2)"
	if got, err := Target(target); err != nil || !strings.Contains(got, "\tf.Add(\"a\", uint8(1))\n\tf.Add(\"b\", uint8(2))\n") {
		t.Errorf("the target is\n%s%v", got, err)
	}
}

func TestTargetsOfJSONSkipNullAndInvalidUTF8(t *testing.T) {
	target := parses("V")
	target.Kind, target.Setup, target.Var, target.Output = plan.Marshal, "var v V", "v", "[]byte"
	target.Fn.Expr, target.Inverse = "json.Unmarshal($, &v)", plan.Callee{Name: "json.Marshal", Expr: "json.Marshal($)", Results: []plan.Result{plan.Value, plan.Err}}
	target.Params[0], target.Input = plan.Param{Name: "data", Type: "[]byte"}, "[]byte"
	got, err := Target(target)
	if err != nil || !strings.Contains(got, `err != nil || !utf8.Valid(data) || string(bytes.TrimSpace(data)) == "null" {`) || !strings.Contains(got, "accepts what MarshalJSON writes") {
		t.Errorf("the target is\n%s%v", got, err)
	}
}

func TestADecoderIsReadUntilItFails(t *testing.T) {
	for _, tt := range []struct{ name, expr, output, want string }{
		{"a method that returns a value", "$.Decode()", "", "for i := 0; i < 1000; i++ {\n\t\t\tif _, err := d.Decode(); err != nil {\n"},
		{"a method that stores a value", "$.Decode(&v)", "any", "for i := 0; i < 1000; i++ {\n\t\t\tvar v any\n\t\t\tif err := d.Decode(&v); err != nil {\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			target := parses("NewDecoder")
			target.Kind, target.Input, target.Var, target.Output = plan.Read, "io.Reader", "d", tt.output
			target.Inverse = plan.Callee{Name: "Decode", Expr: tt.expr, Results: []plan.Result{plan.Value, plan.Err}}
			if tt.output != "" {
				target.Inverse.Results = target.Inverse.Results[1:]
			}
			if got, err := Target(target); err != nil || !strings.Contains(got, tt.want) {
				t.Errorf("the target is\n%s%v", got, err)
			}
		})
	}
}
