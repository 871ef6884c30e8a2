package mutate

import (
	"strings"
	"testing"
)

var jsonRows = []reach{
	{"delete an element, a member, a value, a key", "json-delete", `{"a":1,"b":[2,3]}`, []string{
		`{"b":[2,3]}`, `{"a":1}`, `{"a":1,"b":[3]}`, `{"a":1,"b":[2]}`, `{"a":,"b":[2,3]}`, `{1,"b":[2,3]}`,
	}, 1000, nil, ""},
	{"delete the rest of a list", "json-delete", `[1,{"b":2},3,4]`, []string{`[]`, `[1]`, `[1,{"b":2}]`, `[1,{"b":2},3]`}, 1000, nil, ""},
	{"delete the rest of an object", "json-delete", `{"a":1,"b":[2],"c":3}`, []string{`{}`, `{"a":1}`}, 1000, nil, ""},
	{"duplicate a member, an element", "json-duplicate", `{"a":[1]}`, []string{`{"a":[1],"a":[1]}`, `{"a":[1,1]}`, `{"a":[1,1,1,1]}`}, 1000, nil, ""},
	{"an element in the place of one as long", "json-duplicate", `[1,2,3]`, []string{`[1,1,1]`, `[1,2,2]`, `[1,1]`}, 2000, nil, ""},
	{"an element in the place of those behind it", "json-duplicate", `{"a":[{"b":1},2,3],"c":4}`, []string{`{"a":[{"b":1},{"b":1},{"b":1}],"c":4}`}, 2000, nil, ""},
	{"swap members, values, keys", "json-swap", `{"a":1,"b":[2]}`, []string{`{"b":[2],"a":1}`, `{"a":[2],"b":1}`, `{"b":1,"a":[2]}`}, 2000, nil, ""},
	{"replace by another type", "json-value", `{"a": "x"}`, []string{`{"a": null}`, `{"a": []}`, `{"a": 1e400}`, `{"a": -1}`, `{"a": x}`, `{"a": ["x"]}`, `[]`}, 5000, nil, ""},
	{"an object with members of all types", "json-value", `[1]`, []string{
		`[{"a":null,"b":true,"c":-1,"d":"a"}]`, `[{"a":0}]`, `[["a",null]]`, `[{"a":"1","b":"","c":null}]`,
	}, 200000, nil, ""},
	{"quote a number", "json-value", `[12]`, []string{`["12"]`, `[{"a":12}]`, `[9007199254740993]`}, 5000, nil, ""},
	{"a value of the partner", "json-splice", `{"a":1}`, []string{`{"a":[2]}`, `{"a":1,"k":[2]}`, `{"k":[2]}`, `{"a":1,2}`}, 2000, nil, `{"k":[2]}`},
	{"another value of the document", "json-splice", `[1,{"b":2}]`, []string{`[{"b":2},{"b":2}]`, `[1,{"b":1}]`, `[1,{"b":2,1}]`}, 2000, nil, ""},
	{"a token as a key", "json-key", `{"a":1}`, []string{`{"tok":1}`, `{"a":1,"tok":1}`, `{"A":1}`, `{"__proto__":1}`}, 2000, []string{"tok"}, ""},
	{"a key of the document or the partner", "json-key", `{"a":{"b":1}}`, []string{`{"b":{"b":1}}`, `{"a":{"k":1}}`}, 2000, nil, `{"k":0}`},
	{"nest arrays, objects, the same key", "json-nest", `{"k":1}`, []string{`{"k":[1]}`, `{"k":{"a":1}}`, `{"k":{"k":1}}`, `{"k":{"k":{"k":1}}}`, `[[{"k":1}]]`}, 3000, nil, ""},
	{"nest deeply", "json-nest", `[]`, []string{strings.Repeat("[", 61) + strings.Repeat("]", 61)}, 100000, nil, ""},
	{"escapes", "json-escape", `["a"]`, []string{`["\u0061"]`, `["\ud800a"]`, `["a\"]`, `["a\u0000"]`}, 3000, nil, ""},
	{"trailing commas, comments", "json-lax", `[1]`, []string{`[1,]`, `[/**/1]`, "[1//\n]", `[1]x`}, 5000, nil, ""},
}

func TestJSONOperators(t *testing.T) { checkReach(t, jsonRows) }

func TestLooksJSON(t *testing.T) {
	tests := []struct {
		in   string
		want bool
	}{
		{"", false},
		{"{}", true},
		{" [1]\n", true},
		{"[", false},
		{"{\"a\": [1, 2, 3", true},
		{"\"a\"", true},
		{"\"", false},
		{"\"a\" b", false},
		{"12", false},
		{"{\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c", false},
		{"some text, [1]", false},
		{"[{\"a\":1}]", true},
		{"[[[1]]]", true},
		{"{{.Name}}", false},
		{"[{[]}]", false},
		{"[()]", false},
	}
	for _, tt := range tests {
		if got := looksJSON([]byte(tt.in)); got != tt.want {
			t.Errorf("looksJSON(%q) = %v, want %v", tt.in, got, tt.want)
		}
	}
}

func TestValueEnd(t *testing.T) {
	tests := []struct{ in, want string }{
		{`[1,{"a":"]"}],2`, `[1,{"a":"]"}]`},
		{`"a\"b",`, `"a\"b"`},
		{"-1.5e3,", "-1.5e3"},
		{"true}", "true"},
		{"[1,", ""},
		{`"abc`, ""},
		{"}", ""},
		{"", ""},
	}
	for _, tt := range tests {
		if got := tt.in[:valueEnd([]byte(tt.in), 0)]; got != tt.want {
			t.Errorf("valueEnd(%q) finds %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestSeparatorAround(t *testing.T) {
	for _, tt := range []struct {
		in       string // with a stroke at the separator
		from, to string // what comes behind: of the separator, and of the one around it
	}{
		{`[1,{"a":2¦,"b":3}]`, `,"b":3}]`, `,{"a":2,"b":3}]`},
		{`[¦1]`, `[1]`, `[1]`},
		{`{"k" : [1, {}¦,[2]]}`, `,[2]]}`, `{"k" : [1, {},[2]]}`},
		{`{"a":1, "k":¦{"b":[]}}`, `{"b":[]}}`, `, "k":{"b":[]}}`},
		{`[[1,2],¦[3]]`, `[3]]`, `,[3]]`},
		{`x{¦"a":1}`, `{"a":1}`, `{"a":1}`},
		{`1:{¦"a":1}`, `{"a":1}`, `{"a":1}`},
		{`[]¦,1`, `,1`, `,1`},
	} {
		before, behind, _ := strings.Cut(tt.in, "¦")
		b := []byte(before + behind)
		sep := len(before)
		if c := b[sep]; c != ',' && c != '[' && c != '{' {
			sep--
		}
		if got := separatorAround(b, sep); string(b[sep:]) != tt.from || string(b[got:]) != tt.to {
			t.Errorf("around %q in %q is %q, want %q", b[sep:], b, b[got:], tt.to)
		}
	}
}
