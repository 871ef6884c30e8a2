package frontier

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/dictionary"
)

func TestWordsAreAddedOnce(t *testing.T) {
	const mine = "# mine\n\"one\"\nname=\"t\\x77o\"" // without a newline at the end
	for _, tt := range []struct {
		name, before string
		words        []string
		added        string // with spaces between them
		after        string
	}{
		{"to a file that does not exist", "", []string{"a", "b"}, "a b", "\"a\"\n\"b\"\n"},
		{"behind what is there", mine, []string{"one", "three"}, "three", mine + "\n\"three\"\n"},
		{"not if it has them in another form", mine, []string{"two"}, "", mine},
		{"with escapes", mine, []string{"\"\\\x00\xff\n"}, "\"\\\x00\xff\n", mine + "\n" + `"\"\\\x00\xff\x0a"` + "\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "fuzz", "FuzzP.dict")
			if tt.before != "" {
				if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(tt.before), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			var words [][]byte
			for _, w := range tt.words {
				words = append(words, []byte(w))
			}
			added, err := AddWords(file, words)
			if err != nil {
				t.Fatal(err)
			}
			var list []string
			for _, w := range added {
				list = append(list, string(w))
			}
			if got := strings.Join(list, " "); got != tt.added {
				t.Errorf("added %q, want %q", got, tt.added)
			}
			text, err := os.ReadFile(file)
			if err != nil || string(text) != tt.after {
				t.Errorf("the file has %q (%v), want %q", text, err, tt.after)
			}
			known, err := dictionary.Read(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range tt.words {
				found := 0
				for _, k := range known {
					if string(k) == w {
						found++
					}
				}
				if found != 1 {
					t.Errorf("the file has %q %d times, want once", w, found)
				}
			}
		})
	}
}

func TestADictionaryThatCannotBeReadStaysAsItIs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "FuzzP.dict")
	if err := os.WriteFile(file, []byte("no word\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := AddWords(file, [][]byte{[]byte("word")}); err == nil || !strings.Contains(err.Error(), "FuzzP.dict:1:") {
		t.Errorf("the error is %v, want one about line 1", err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "no word\n" {
		t.Errorf("the file has %q (%v), want what it had", text, err)
	}
}
