package known

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func day(t *testing.T, s string) time.Time {
	t.Helper()
	d, err := ParseDate(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// root makes a module with this list.
func root(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, filepath.FromSlash(File))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAMissingFileIsAnEmptyList(t *testing.T) {
	if l, err := Load(t.TempDir()); err != nil || len(l.Entries) != 0 {
		t.Errorf("Load = %v, %v", l, err)
	}
}

func TestWhatIsAddedIsRead(t *testing.T) {
	dir := root(t, "# ours\n[[known]]\nid = 'AAAA' # capital\nreason = 'old'\n")
	e := Entry{ID: "0123456789abcdef", Reason: "a \"quoted\"\n\x00 reason \\ ü", Until: day(t, "2027-03-01"), What: "FuzzX: panic"}
	path, err := Add(dir, e)
	if err != nil {
		t.Fatal(err)
	}
	e.ID = "0123456789ab"
	l, err := Load(dir)
	if want := []Entry{{ID: "AAAA", Reason: "old"}, e}; err != nil || !reflect.DeepEqual(l.Entries, want) {
		t.Errorf("Load = %+v, %v, want %+v", l.Entries, err, want)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(text), "# ours\n") || !strings.Contains(string(text), "# capital\n") {
		t.Errorf("the file is %q, %v, want it to begin as before", text, err)
	}
}

func TestAddMakesTheFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := Add(dir, Entry{ID: "abcd", Reason: "r"}); err != nil {
		t.Fatal(err)
	}
	if l, err := Load(dir); err != nil || !reflect.DeepEqual(l.Entries, []Entry{{ID: "abcd", Reason: "r"}}) {
		t.Errorf("Load = %+v, %v", l, err)
	}
}

func TestABrokenFileIsOneSentence(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"no TOML", "[[known]]\nid = \n", "line 2"},
		{"short ID", "[[known]]\nid = 'abc'\nreason = 'r'", `entry 1: the id is "abc", it must be at least 4 hex digits`},
		{"no ID", "[[known]]\nreason = 'r'", `entry 1: the id is ""`},
		{"words for an ID", "[[known]]\nid = 'FuzzX'\nreason = 'r'", `the id is "FuzzX"`},
		{"no reason", "[[known]]\nid = 'abcd'", "entry 1 (abcd): there is no reason"},
		{"no date", "[[known]]\nid = 'abcd'\nreason = 'r'\nuntil = 'soon'", "entry 1 (abcd): until must be a date such as 2027-03-01"},
		{"a number for a date", "[[known]]\nid = 'abcd'\nreason = 'r'\nuntil = 2027", "until must be a date"},
		{"unknown key", "[[known]]\nid = 'abcd'\nreason = 'r'\nexpires = 2027-01-01", "there is no key known.expires"},
		{"unknown table", "[[knwon]]\nid = 'abcd'", "there is no key knwon"},
		{"a version of no module", "[[known]]\nid = 'abcd'\nreason = 'r'\nversion = 'v1.0.0'", "entry 1 (abcd): there is a version without a module"},
		{"one table instead of a list", "[known]\nid = 'abcd'", "known"},
		{"a key of many parts", "\n" + strings.Repeat("a.", 30_000) + "a = 1", "line 2: a key has more than 8 parts"},
		{"a key of many parts with blanks", strings.Repeat("a . ", 20_000) + "a = 1", "line 1: a key has more than 8 parts"},
		{"a table of many parts", "[" + strings.Repeat("a.", 30_000) + "a]", "line 1: a key has more than 8 parts"},
		{"a key of many parts in quotes", strings.Repeat(`"a".`, 20_000) + "a = 1", "a key has more than 8 parts"},
		{"many brackets", "a = [\n" + strings.Repeat("[", 2<<20/8), "line 2: values are nested more than 8 levels deep"},
		{"many braces", "a = " + strings.Repeat("{a = ", 10_000), "line 1: values are nested more than 8 levels deep"},
		{"a long key", strings.Repeat("k", 10_000) + " = 1", "there is no key " + strings.Repeat("k", 100) + ";"},
		{"a file that is too large", "#" + strings.Repeat("x", 600<<10), "the file has more than 524288 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Load(root(t, tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "known.toml: ") {
				t.Fatalf("Load: %v, want it to have %q and the name of the file", err, tt.want)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error %q is no sentence", err)
			}
		})
	}
	dir := root(t, "[[known]]\n")
	if _, err := Add(dir, Entry{ID: "abcd", Reason: "r"}); err == nil {
		t.Error("Add appends to a broken file")
	}
}

func TestAListThatCannotBeAppendedToStaysAsItIs(t *testing.T) {
	const text = "known = [ {id = 'abcd1234', reason = 'x'} ]\n"
	dir := root(t, text)
	path, err := Add(dir, Entry{ID: "0123456789ab", Reason: "r"})
	for _, want := range []string{path, "line 3: Key 'known' was already created", "write each entry as a [[known]] table"} {
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("Add: %v, want one sentence with %q", err, want)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("the file is %q, %v, want it as it was", got, err)
	}
	if l, err := Load(dir); err != nil || len(l.Entries) != 1 {
		t.Errorf("Load = %v, %v, want the old entry", l, err)
	}
}

func TestMatch(t *testing.T) {
	now := day(t, "2026-05-05").Add(20 * time.Hour)
	l := List{[]Entry{
		{ID: "aaaa", Reason: "for ever"},
		{ID: "BBBB", Reason: "today is the last day", Until: day(t, "2026-05-05")},
		{ID: "cccc", Reason: "over", Until: day(t, "2026-05-04")},
		{ID: "dddd", Reason: "over", Until: day(t, "2026-05-04")},
		{ID: "dddd1111", Reason: "longer", Until: day(t, "2026-05-06")},
	}}
	tests := []struct {
		id, reason  string
		ok, expired bool
	}{
		{"aaaa1111", "for ever", true, false},
		{"bbbb1111", "today is the last day", true, false},
		{"cccc1111", "over", true, true},
		{"dddd1111", "longer", true, false},
		{"dddd2222", "over", true, true},
		{"eeee1111", "", false, false},
	}
	for _, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			e, ok := l.Match(tt.id, "", "", now)
			if e.Reason != tt.reason || ok != tt.ok || ok && e.Expired(now) != tt.expired {
				t.Errorf("Match = %+v, %v, expired %v, want %q, %v, %v", e, ok, e.Expired(now), tt.reason, tt.ok, tt.expired)
			}
		})
	}
}

func TestAnEntryHoldsForItsModuleAndVersion(t *testing.T) {
	l := List{[]Entry{
		{ID: "aaaa", Reason: "one version", Module: "d", Version: "v1.0.0"},
		{ID: "bbbb", Reason: "all versions", Module: "d"},
		{ID: "cccc", Reason: "anywhere"},
	}}
	for _, tt := range []struct {
		name, id, module, version, want string
	}{
		{"its version", "aaaa1111", "d", "v1.0.0", "one version"},
		{"another version", "aaaa1111", "d", "v1.1.0", ""},
		{"another module", "aaaa1111", "e", "v1.0.0", ""},
		{"the main module", "aaaa1111", "", "", ""},
		{"any version of its module", "bbbb1111", "d", "v1.1.0", "all versions"},
		{"another module than that of all versions", "bbbb1111", "e", "v1.1.0", ""},
		{"no module, in a dependency", "cccc1111", "d", "v1.0.0", "anywhere"},
		{"no module, in the main module", "cccc1111", "", "", "anywhere"},
	} {
		if e, _ := l.Match(tt.id, tt.module, tt.version, time.Now()); e.Reason != tt.want {
			t.Errorf("%s: the entry is %q, want %q", tt.name, e.Reason, tt.want)
		}
	}
}

func TestAnEntryOfADependencyIsReadAsItIsWritten(t *testing.T) {
	dir := t.TempDir()
	want := Entry{ID: "0123456789ab", Reason: "r", Module: "example.com/d", Version: "v1.0.0"}
	if _, err := Add(dir, want); err != nil {
		t.Fatal(err)
	}
	if l, err := Load(dir); err != nil || !reflect.DeepEqual(l.Entries, []Entry{want}) {
		t.Errorf("Load = %+v, %v", l, err)
	}
}

func TestTextsAndCommentsMayHaveAnyCharacters(t *testing.T) {
	many := strings.Repeat(".[{", 20)
	l, err := Load(root(t, "# "+many+" \"\n[[known]] # '\nid = 'abcd'\nreason = \"\"\"\n\\\""+many+"\n\"\"\"\nwhat = '"+many+"\\'\n"+
		"until = \"2027-03-01\" # "+many+"\nmodule = \"a\\\\\"\n"))
	if err != nil || len(l.Entries) != 1 || l.Entries[0].What != many+`\` || l.Entries[0].Reason != `"`+many+"\n" || l.Entries[0].Module != `a\` {
		t.Errorf("Load = %+v, %v", l, err)
	}
}
