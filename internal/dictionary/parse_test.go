package dictionary

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParseReadsWhatAFLAndLibFuzzerRead(t *testing.T) {
	tests := []struct{ name, file, want string }{
		{"an empty file", "", ""},
		{"comments and blank lines", "# one\n\n  \t\n  # two", ""},
		{"a word alone", `"word"`, "word"},
		{"a word with a name", `kw1="word"`, "word"},
		{"a name with a level", `kw1@2="word"`, "word"},
		{"blanks around everything", "  kw1 = \"word\" \t", "word"},
		{"a comment behind the word", `"word" # of wisdom`, "word"},
		{"escapes", `"\x89PNG\x0d\x0A \\ \""`, "\x89PNG\r\n \\ \""},
		{"a hash in a word", `"a#b"`, "a#b"},
		{"lines that end as on Windows, and a byte order mark", "\ufeff\"a\"\r\n\"b\"\r\n", "a|b"},
		{"the order of the file, with repetitions", "\"b\"\n\"a\"\n\"b\"", "b|a|b"},
		{"text that is not ASCII", `"größe"`, "größe"},
		{"bytes that are no text", "\"\xff\"", "\xff"},
		{"a tab", "\"a\tb\"", "a\tb"},
		{"the longest word", `"` + strings.Repeat("x", maxGiven) + `"`, strings.Repeat("x", maxGiven)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			words, err := Parse("f.dict", []byte(tt.file))
			if got := string(bytes.Join(words, []byte("|"))); err != nil || got != tt.want {
				t.Errorf("Parse(%q) = %q, %v, want %q", tt.file, got, err, tt.want)
			}
		})
	}
}

func TestParseNamesTheLineThatIsWrong(t *testing.T) {
	tests := []struct{ name, line, reason string }{
		{"no quotes", `word`, "no word in quotes"},
		{"no closing quote", `"word`, "closing quote is missing"},
		{"an escaped closing quote", `"word\"`, "closing quote is missing"},
		{"an empty word", `""`, "empty"},
		{"a word that is too long", `"` + strings.Repeat("x", maxGiven+1) + `"`, "129 bytes; there may be 128"},
		{"a name without =", `kw "word"`, "no = between"},
		{"= without a name", `="word"`, "no name"},
		{"a level that is no number", `kw@high="word"`, "level \"high\""},
		{"a level without a number", `kw@="word"`, "level"},
		{"an escape of C", `"a\n"`, `\n has no meaning`},
		{"a hexadecimal escape that is too short", `"\x4"`, `write \x`},
		{"a hexadecimal escape with a sign", `"\x+4"`, `write \x`},
		{"a backslash at the end", `"a\`, `has no meaning`},
		{"a quote within a word", `"a"b"`, `follows the word`},
		{"two words", `"a" "b"`, `follows the word`},
		{"a control character", "\"a\x01\"", `written \x01`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("f.dict", []byte("# comment\n\"fine\"\n"+tt.line+"\n\"fine\""))
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || syntax.Line != 3 || !strings.HasPrefix(err.Error(), "f.dict:3: ") || !strings.Contains(err.Error(), tt.reason) {
				t.Errorf("Parse with the line %s: %v, want an error with %q in line 3", tt.line, err, tt.reason)
			}
		})
	}
}

func TestReadSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.dict")
	if err := os.WriteFile(file, []byte(`"word"`), 0o666); err != nil {
		t.Fatal(err)
	}
	if words, err := Read(file); err != nil || len(words) != 1 {
		t.Errorf("Read = %q, %v", words, err)
	}
	if _, err := Read(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "correct the path") {
		t.Errorf("a file that does not exist: %v", err)
	}
	for _, read := range []func(string) ([][]byte, error){Read, ReadNamed} {
		if _, err := read(dir); err == nil || !strings.Contains(err.Error(), "is a directory") {
			t.Errorf("a directory: %v", err)
		}
	}
	if err := os.Truncate(file, MaxFile+1); err != nil {
		t.Fatal(err)
	}
	for _, read := range []func(string) ([][]byte, error){Read, ReadNamed} {
		if _, err := read(file); err == nil || !strings.Contains(err.Error(), "smaller") {
			t.Errorf("a huge file: %v", err)
		}
	}
}

func TestJoinKeepsTheFirstOfEachWordUpToTheLimit(t *testing.T) {
	list := func(words ...string) (list [][]byte) {
		for _, w := range words {
			list = append(list, []byte(w))
		}
		return list
	}
	if got := string(bytes.Join(Join(list("b", "a", ""), nil, list("a", "c", "b")), []byte("|"))); got != "b|a|c" {
		t.Errorf("Join = %s, want b|a|c", got)
	}
	var many [][]byte
	for i := range MaxWords + 10 {
		many = append(many, []byte{byte(i), byte(i >> 8)})
	}
	if got := len(Join(list("first"), many)); got != MaxWords {
		t.Errorf("Join of %d words has %d", len(many)+1, got)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("# a\nkw@1=\"\\x00\\\\\\\"\" # b\r\n\"b\""))
	f.Add([]byte("\ufeff\"a\x01\""))
	f.Add([]byte("\"\\x4\"\n=\"\""))
	f.Fuzz(func(t *testing.T, data []byte) {
		words, err := Parse("f", data)
		var syntax *SyntaxError
		if err != nil {
			if lines := 1 + bytes.Count(data, []byte("\n")); !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Line > lines || words != nil {
				t.Fatalf("Parse = %q, %v, with %d lines", words, err, lines)
			}
			return
		}
		var again []byte
		for _, w := range words {
			if len(w) == 0 || len(w) > maxGiven {
				t.Fatalf("a word of %d bytes", len(w))
			}
			again = append(again, quote(w)...)
		}
		back, err := Parse("f", again)
		if err != nil || !bytes.Equal(bytes.Join(back, []byte{0}), bytes.Join(words, []byte{0})) {
			t.Fatalf("the words %q are written as %s and come back as %q, %v", words, again, back, err)
		}
	})
}

// quote writes a word as a line of a dictionary file.
func quote(w []byte) []byte {
	const digits = "0123456789abcdef"
	line := []byte{'"'}
	for _, c := range w {
		line = append(line, '\\', 'x', digits[c>>4], digits[c&15])
	}
	return append(line, '"', '\n')
}
