package dictionary

import (
	"encoding/hex"
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// wordsOf returns the words of a file with these declarations, as strings.
func wordsOf(t *testing.T, decls string, isTest bool) (words []string) {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+decls, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	r := &reader{words: newRanking()}
	r.take(sources{{tree, isTest}}, 0, "FuzzX")
	for _, w := range r.words.words() {
		words = append(words, string(w))
	}
	return words
}

func TestWordsThatAreTakenFromSources(t *testing.T) {
	tests := []struct {
		name, decls string
		want        string // all of them, in order, each quoted
	}{
		{"a string", `var x = "word"`, `"word"`},
		{"imports give none", `import "os/exec"`, ``},
		{"a constant comes before other strings", `var x = "plain"; const k = "key"`, `"key" "plain"`},
		{"a constant made of others", `const a = "ab"; const b = a + "cd"`, `"ab" "abcd"`},
		{"a constant that is defined later", `const b = a + "cd"; const a = "ab"`, `"abcd" "ab"`},
		{"constants that are defined by each other", `const a, b = b, a + "xy"`, `"xy"`},
		{"a label of a case comes before other strings", `func f() { g("plain"); switch x { case "key": } }`, `"key" "plain"`},
		{"the key of a map", `var m = map[string]string{"key": "value"}`, `"key" "value"`},
		{"the keys of a map in a list", `var m = []M{{"key": 1}}`, `"key"`},
		{"a comparison", `var x, y = "plain", s == "key"`, `"key" "plain"`},
		{"what package strings looks for", `var x = strings.HasPrefix(s, "key:")`, `"key:"`},
		{"a separator of one character comes late", `var a = strings.Split(s, ";"); var b = "ab"`, `"ab" ";"`},
		{"one character elsewhere is of no use", `var x = "x"`, ``},
		{"strings that are added up", `var x = "ab" + "cd"`, `"abcd"`},
		{"a rune that is not ASCII", `var x = 'ß'`, `"ß"`},
		{"a rune that is a constant", `const x = 'ß'`, `"ß"`},
		{"a rune of one byte", `var x = 'b'`, `"b"`},
		{"a line end that is looked for", `var x = strings.Split(s, "\r\n")`, `"\r\n"`},
		{"a blank text elsewhere", `var x = "\n\n"`, ``},
		{"bytes in a list", `var x = []byte{'G', '0' + 1, 0x9}`, `"G1\t"`},
		{"bytes in a list with a name", `const c = 'Z'; var x = [...]uint8{'P', c}`, `"PZ" "Z"`},
		{"one byte in a list", `var x = []byte{'G'}`, `"G"`},
		{"bytes that are computed in a list", `var x = []byte{'G', y}`, `"G"`},
		{"bytes in a list by their indexes", `var x = []byte{1: 'G', 0: 'F'}`, `"G" "F"`},
		{"small numbers in a list that are no bytes", `var x = []int{1, 2}`, ``},
		{"a tag without a name", "import \"encoding/json\"; type t struct { Name string `json:\",omitempty\"` }", `"Name"`},
		{"a tag for something else", "import \"encoding/json\"; type t struct { Name string `check:\"required\"` }", `"Name"`},
		{"a tag that hides a field", "import \"encoding/json\"; type t struct { Name string `json:\"-\"` }", ``},
		{"tags of a struct", "type t struct { A int `json:\"id,omitempty\" xml:\"node>name,attr\"` }", `"id" "node" "name"`},
		{"a tag with parts", "type t struct { A int `protobuf:\"varint,1,opt,name=size,json=Size\"` }", `"size" "Size"`},
		{"names of fields where something is decoded", `import "encoding/json"; type t struct { Name, other string }`, `"Name"`},
		{"names of fields elsewhere", `type t struct { Name string }`, ``},
		{"a regular expression", "var re = regexp.MustCompile(`^id=(\\d+)$`)", `"id=0" "id=00" "id=000"`},
		{"alternatives of a regular expression", `var re = regexp.MustCompile("GET|PUT|DELETE")`, `"GET" "PUT" "DELETE"`},
		{"a regular expression that is wrong", `var re = regexp.MustCompile("(")`, ``},
		{"a sentence comes last", `var x = "this is for people"; var y = "ab"`, `"ab" "this is for people"`},
		{"the text of an error comes last", `var e = errors.New("bad key"); var y = "ab"`, `"ab" "bad key"`},
		{"a format with verbs only", `var e = fmt.Sprintf("%d %s", 1, x)`, ``},
		{"what is between verbs", `func f() { fmt.Sscanf(s, "size=%dx%d", &a, &b) }`, `"size="`},
		{"texts of errors in method Error", `func (e *E) Error() string { return "ab" + e.x }`, ``},
		{"what is logged", `func f() { log.Fatal("ab") }`, ``},
		{"a path of test data", `var x = "testdata/a.txt"`, ``},
		{"the words of a long text", `var x = "` + strings.Repeat("alpha beta ", 10) + `"`, `"alpha" "beta"`},
		{"a small number is of no use", `var x = 7; const c = -1`, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, w := range wordsOf(t, tt.decls, false) {
				got = append(got, strconv.Quote(w))
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("the words of\n%s\nare  %s\nwant %s", tt.decls, s, tt.want)
			}
		})
	}
}

func TestWordsThatAreTakenFromTests(t *testing.T) {
	got := wordsOf(t, `
func FuzzX(f *testing.F) {
	f.Add("seed")
	f.Fuzz(func(t *testing.T, s string) { t.Errorf("got %s", s); t.Log("note") })
}
func TestY(t *testing.T) {
	for _, tt := range []T{{name: "a name", in: "input"}} {
		t.Run("sub", func(t *testing.T) { f("arg") })
	}
}`, true)
	if want := []string{"seed", "input", "arg"}; !slices.Equal(got, want) {
		t.Errorf("words are %q, want %q", got, want)
	}
}

func TestNumbersComeInTheirEncodings(t *testing.T) {
	tests := []struct{ name, expr, want string }{
		{"two bytes", "0x1234", "3412 1234 34120000 00001234 3412000000000000 0000000000001234 b424 '4660' '1234'"},
		{"three bytes", "100_000", "a0860100 000186a0 a086010000000000 00000000000186a0 a08d06 '100000' '186a0'"},
		{"the largest", "1<<64 - 1", "ffffffffffffffff ffffffffffffffffff01 '18446744073709551615' 'ffffffffffffffff'"},
		{"more than 64 bits", "1 << 64", ""},
		{"a negative one", "-300", "d4fe fed4 d4feffff fffffed4 d4feffffffffffff fffffffffffffed4 '-300'"},
		{
			"a whole number with an exponent", "2e6",
			"80841e00 001e8480 80841e0000000000 00000000001e8480 80897a '2000000' '1e8480' " +
				"0000000080843e41 413e848000000000 0024f449 49f42400 '2e+06'",
		},
		{"a float", "2.5", "0000000000000440 4004000000000000 00002040 40200000 '2.5'"},
		{"computed", "1<<10 | 3", "0304 0403 03040000 00000403 0304000000000000 0000000000000403 8308 '1027' '403'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var want []string
			for w := range strings.FieldsSeq(tt.want) {
				if text, ok := strings.CutPrefix(w, "'"); ok {
					w = hex.EncodeToString([]byte(strings.TrimSuffix(text, "'")))
				}
				want = append(want, w)
			}
			var got []string
			for _, w := range wordsOf(t, "const x = "+tt.expr, false) {
				got = append(got, hex.EncodeToString([]byte(w)))
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("%s has the words %q, want %q", tt.expr, got, want)
			}
		})
	}
}

func TestNumbersThatFitIntoAByteComeLate(t *testing.T) {
	got := wordsOf(t, `const a = 200; var b = 'ß'`, false)
	if want := "ß"; got[0] != want || !slices.Contains(got, "\xc8") || !slices.Contains(got, "200") {
		t.Errorf("words are %q, want %q first, and 200 as a byte and as text", got, want)
	}
}

func TestTablesOfNumbersGiveNoWords(t *testing.T) {
	list := strings.Repeat("1000, -2000, ", maxTable)
	if got := wordsOf(t, "var x = []int{"+list+`}; var y = map[string]int{"key": 1}`, false); !slices.Equal(got, []string{"key"}) {
		t.Errorf("words are %q, want only key", got)
	}
}

func TestConstantsOfAnEnumerationAreComputed(t *testing.T) {
	got := wordsOf(t, "const (\n_ = iota + 0x1000\nA\nB Kind = Kind(iota) << 12\nC = len(\"four\") * 1e3\n)", false)
	for _, want := range []string{"4097", "8192", "4000"} {
		if !slices.Contains(got, want) {
			t.Errorf("%s is not among the words %q", want, got)
		}
	}
}

func TestHostileSourcesEndSoon(t *testing.T) {
	var b strings.Builder
	b.WriteString("const (\nc0 = 3 << 60\ns0 = \"0123456789\"\n")
	for i := range 60 {
		fmt.Fprintf(&b, "c%d = c%d * c%d\ns%d = s%d + s%d\n", i+1, i, i, i+1, i, i)
	}
	b.WriteString(")\nvar _, _ = 1 << 1000000000, 1 / 0\nvar _ = regexp.MustCompile(`" + strings.Repeat("(", 200) + strings.Repeat(")+", 200) + "`)")
	wordsOf(t, b.String(), false)
}

func FuzzExtract(f *testing.F) {
	f.Add("var x = []T{{name: \"a\", 1: 'b'}, 2: {}}\nfunc f() { switch { case \"x\" == y, 1<<3 < 2: panic(-\"a\") } }")
	f.Add("const (a = 1 / 0.0; b = \"x\"[0]; c = ^a % 2; d = !true; e, f = iota; g)\nvar _ = f()()(1)")
	f.Add("type t struct { a int `json:\"a,b=c\" x:\"`; T \"s:\\\"y\\\"\" }\nvar _ = regexp.MatchString(`[^a]{2,}|\\b.(?i:z)*$`, s)")
	f.Fuzz(func(t *testing.T, decls string) {
		tree, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+decls, parser.SkipObjectResolution)
		if err != nil {
			return
		}
		r := &reader{words: newRanking()}
		r.take(sources{{tree, len(tree.Decls)%2 == 0}}, 0, "FuzzX")
		words := r.words.words()
		for _, w := range words {
			if len(w) == 0 || len(w) > maxWord {
				t.Errorf("%q is a word", w)
			}
		}
		if joined := Join(words); len(joined) != len(words) || len(words) > MaxWords {
			t.Errorf("%d words, %d of them different", len(words), len(joined))
		}
	})
}
