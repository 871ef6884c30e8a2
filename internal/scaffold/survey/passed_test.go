package survey

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// argsOf formats the constants that tests pass to the parameters of a function, with a ! before those that are refused.
func argsOf(f *Func) string {
	params := make([]string, len(f.Args))
	for i, args := range f.Args {
		for _, a := range args {
			if a.Refused {
				params[i] += "!"
			}
			if a.Expr != "" {
				params[i] += a.Expr + " "
			} else {
				params[i] += fmt.Sprintf("%q ", a.Text)
			}
		}
	}
	return strings.Join(params, "| ")
}

func TestArgumentsAreTracedToConstants(t *testing.T) {
	table := []struct{ name, body, want string }{
		{"a constant", `F("a", 1)`, `"a" | 1 `},
		{"a variable", `s := "a"; n := 2; F(s, n)`, `"a" | 2 `},
		{"a conversion", `G([]byte("a")); G([]byte{1, 255})`, `"a" "\x01\xff" `},
		{"a reader", `R(strings.NewReader("a"))`, `"a" `},
		{"hexadecimal digits", `data, _ := hex.DecodeString("00ff"); G(data)`, `"\x00\xff" `},
		{"a list", `for _, s := range []string{"a", "b"} { F(s, 0) }`, `"a" "b" | 0 `},
		{"a map by its keys", `for s, n := range map[string]int{"a": 1} { F(s, n) }`, `"a" | 1 `},
		{"a table by its fields", `for _, tt := range []struct{ name, in string; n int }{{"name", "a", 1}, {in: "b", name: "x", n: 2}} { F(tt.in, tt.n) }`, `"a" "b" | 1 2 `},
		{"a table of pointers", `for _, tt := range []*struct{ in string }{{"a"}} { F(tt.in, 0) }`, `"a" | 0 `},
		{"a table of the package", `for _, tt := range table { F(tt.in, 0) }`, `"table" | 0 `},
		{"an element that expects an error", `for _, tt := range []struct{ in string; err bool }{{"a", false}, {"b", true}} { F(tt.in, 0) }`, `"a" !"b" | 0 `},
		{"an element that says what the error is", `for _, tt := range []struct{ in, wantErr string }{{"a", ""}, {"b", "no b"}} { F(tt.in, 0) }`, `"a" !"b" | 0 `},
		{"an element whose field ok is false", `for _, tt := range []struct{ in string; ok bool }{{"a", true}, {"b", false}} { F(tt.in, 0) }`, `"a" !"b" | 0 `},
		{"a list with the name invalid", `invalid := []string{"a"}; for _, s := range invalid { F(s, 0) }`, `!"a" | 0 `},
		{"a function literal of the test", `check := func(in string) { F(in, 0) }; check("a")`, `"a" | 0 `},
		{"a helper of the tests", `helper(t, "a")`, `"a" | `},
		{"a message", `t.Log("message"); F(strings.Repeat("a", 3), 0)`, `0 `},
		{"a variable that is set to itself", `s := "a"; s = s[1:]; F(s, 0)`, `"a" | 0 `},
	}
	var code, tests strings.Builder
	for i, tt := range table {
		fmt.Fprintf(&code, "func F%d(s string, n int) {}\nfunc G%[1]d(data []byte) {}\nfunc R%[1]d(r io.Reader) {}\n", i)
		body := regexp.MustCompile(`\b([FGR]|helper)\(`).ReplaceAllString(tt.body, fmt.Sprintf("${1}%d(", i))
		fmt.Fprintf(&tests, "func helper%d(t *testing.T, in string) { F%[1]d(in, 7) }\nfunc Test%[1]d(t *testing.T) {\n%s\n}\n", i, body)
	}
	p := load(t, map[string]string{
		"p.go": "package p\n\nimport \"io\"\n\n" + code.String(),
		"p_test.go": "package p\n\nimport (\n\"encoding/hex\"\n\"strings\"\n\"testing\"\n)\n\nvar _, _ = hex.EncodeToString, strings.ToUpper\n" +
			"var table = []struct{ in, out string }{{\"table\", \"out\"}}\n" + tests.String(),
	})
	for i, tt := range table {
		got := ""
		for _, letter := range "FGR" {
			got += argsOf(p.Func(fmt.Sprintf("%c%d", letter, i)))
		}
		if got = strings.TrimPrefix(strings.Replace(got, "| 7 ", "| ", 1), "| "); got != tt.want {
			t.Errorf("%s: the arguments are %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestTextsInATestOfErrorsAreRefused(t *testing.T) {
	p := load(t, map[string]string{
		"p.go":      "package p\n\nfunc F(s string) error { return nil }\n",
		"p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestFInvalid(t *testing.T) { F(`a`) }\n",
	})
	if got := argsOf(p.Func("F")); got != `!"a" ` {
		t.Errorf("the arguments of F are %s", got)
	}
}

func TestJSONUnmarshalPassesItsTextToTheMethodOfTheValue(t *testing.T) {
	p := load(t, map[string]string{
		"p.go": "package p\n\ntype Time struct{}\n\nfunc (t *Time) UnmarshalJSON(data []byte) error { return nil }\n",
		"p_test.go": "package p\n\nimport (\n\"encoding/json\"\n\"testing\"\n\"time\"\n)\n\nfunc TestTime(t *testing.T) {\nvar x Time\njson.Unmarshal([]byte(`1`), &x)\n" +
			"var other time.Time\njson.Unmarshal([]byte(`2`), &other)\n}\n",
	})
	if got := argsOf(p.Func("Time.UnmarshalJSON")); got != `"1" ` {
		t.Errorf("the arguments of Time.UnmarshalJSON are %s", got)
	}
}

func TestTheNumberOfPathsToAConstantDoesNotMatter(t *testing.T) {
	var body strings.Builder
	body.WriteString("s0 := `a`\n")
	for i := range 100 {
		fmt.Fprintf(&body, "s%[2]d := s%[1]d\ns%[2]d = s%[1]d\n", i, i+1)
	}
	p := load(t, map[string]string{
		"p.go":      "package p\n\nfunc F(s string) error { return nil }\n",
		"p_test.go": "package p\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) {\n" + body.String() + "F(s100)\nF(`b`)\n}\n",
	})
	if got := argsOf(p.Func("F")); got != `"a" "b" ` {
		t.Errorf("the arguments of F are %s", got)
	}
}
