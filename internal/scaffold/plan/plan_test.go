package plan

import (
	"slices"
	"strings"
	"testing"
)

func TestNamesAreSplitIntoWords(t *testing.T) {
	for name, want := range map[string]string{
		"Parse": "Parse", "ParseHTTPHeader": "Parse HTTP Header", "UnmarshalJSON": "Unmarshal JSON", "toLower": "to Lower", "ID": "ID", "X509Name": "X509 Name", "": "",
	} {
		if got := strings.Join(Words(name), " "); got != want {
			t.Errorf("Words(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestAWordIsReplaced(t *testing.T) {
	for _, tt := range []struct {
		name, old, with, want string
		ok                    bool
	}{
		{"EncodeText", "Encode", "Decode", "DecodeText", true},
		{"ToASCII", "To", "From", "FromASCII", true},
		{"Token", "To", "From", "", false},
	} {
		if got, ok := replaceWord(tt.name, tt.old, tt.with); got != tt.want || ok != tt.ok {
			t.Errorf("replaceWord(%q, %q, %q) = %q, %v, want %q, %v", tt.name, tt.old, tt.with, got, ok, tt.want, tt.ok)
		}
	}
}

func TestLiteralsAreReadable(t *testing.T) {
	for _, tt := range []struct{ text, typ, want string }{
		{"plain", text, `"plain"`},
		{"plain", bytes, `[]byte("plain")`},
		{`a "b"`, text, "`a \"b\"`"},
		{"two\nlines", text, `"two\nlines"`},
		{"three\nshort\nlines", text, "`three\nshort\nlines`"},
		{"a`b\"", text, "\"a`b\\\"\""},
		{"\xff\"", text, `"\xff\""`},
		{"tab\t\"x\"", text, "`tab\t\"x\"`"},
		{"return\r\n", text, `"return\r\n"`},
	} {
		if got := literal(tt.text, tt.typ); got != tt.want {
			t.Errorf("literal(%q, %s) = %s, want %s", tt.text, tt.typ, got, tt.want)
		}
	}
}

func TestTriplesAreSeedsOfThreeNeighbors(t *testing.T) {
	for _, tt := range []struct{ texts, want string }{
		{"", ""},
		{"a", `"a" "a" "a"`},
		{"a b", `"a" "b" "a"`},
		{"a b c d", `"a" "b" "c";"b" "c" "d"`},
		{"a b c d e f", `"a" "b" "c";"d" "e" "f"`},
	} {
		var rows []string
		for _, row := range triples(strings.Fields(tt.texts)) {
			rows = append(rows, strings.Join(row, " "))
		}
		if got := strings.Join(rows, ";"); got != tt.want {
			t.Errorf("triples(%q) = %s, want %s", tt.texts, got, tt.want)
		}
	}
}

func TestVariablesDoNotHideWhatTargetsUse(t *testing.T) {
	for typ, want := range map[string]string{
		"Version": "v", "Tree": "tree", "Stack": "stack", "Func": "v", "String": "v", "T": "v", "Bytes": "b", "Error": "e", "FileInfo": "fileInfo",
	} {
		got := varName(typ)
		if got != want || slices.Contains(locals, got) {
			t.Errorf("varName(%q) = %q, want %q", typ, got, want)
		}
	}
}
