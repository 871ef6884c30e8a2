package cli

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/internal/bisect"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

func TestEveryFieldOfTheJSONIsListed(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "findings.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(doc), "`gnaw findings -json` prints one object on each line")
	list, _, _ = strings.Cut(list, "\n\n")
	corpusDoc, err := os.ReadFile(filepath.Join("..", "..", "docs", "corpus.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, ofCorpus, _ := strings.Cut(string(corpusDoc), "## JSON")
	for _, tt := range []struct {
		name, text string
		value      any
	}{
		{"docs/corpus.md", ofCorpus, statJSON{}},
		{"docs/corpus.md", ofCorpus, folderJSON{}},
		{"docs/corpus.md", ofCorpus, tupleJSON{}},
		{"docs/corpus.md", ofCorpus, distillJSON{}},
		{"docs/corpus.md", ofCorpus, takenJSON{}},
		{"docs/corpus.md", ofCorpus, sourceJSON{}},
		{"docs/corpus.md", ofCorpus, exportJSON{}},
		{"docs/corpus.md", ofCorpus, migrationJSON{}},
		{"docs/corpus.md", ofCorpus, groupJSON{}},
		{"docs/corpus.md", ofCorpus, sharedJSON{}},
		{"docs/corpus.md", ofCorpus, corpus.Skipped{}},
		{"help init", pageOf("init"), initJSON{}},
		{"help list", pageOf("list"), targetJSON{}},
		{"help findings", pageOf("findings"), event.Finding{}},
		{"docs/findings.md", list, event.Finding{}},
		{"help build", pageOf("build"), builtJSON{}},
		{"help minimize", pageOf("minimize"), minimizedJSON{}},
		{"help bisect", pageOf("bisect"), bisect.Commit{}},
		{"help known", pageOf("known"), entryJSON{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, field := range fieldsOf(reflect.TypeOf(tt.value)) {
				if !regexp.MustCompile(`\b` + field + `\b`).MatchString(tt.text) {
					t.Errorf("%s does not list %s", tt.name, field)
				}
			}
		})
	}
}

// fieldsOf returns the names that the fields of a struct have in JSON, with those of embedded ones.
func fieldsOf(typ reflect.Type) (names []string) {
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Anonymous {
			names = append(names, fieldsOf(f.Type)...)
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "-" {
			names = append(names, name)
		}
	}
	return names
}

// pageOf is the page of help about a command.
func pageOf(name string) string {
	for _, c := range commands() {
		if c.name == name {
			return c.page()
		}
	}
	return ""
}

func TestEveryFlagIsDescribed(t *testing.T) {
	hidden := []string{"without"} // for experiments
	for _, c := range commands() {
		if c.flags == nil {
			continue
		}
		fs := c.flags()
		var described []string
		for _, text := range fs.texts {
			described = append(described, text.names...)
			for _, name := range text.names {
				if fs.Lookup(name) == nil && name != "args" { // which is cut off before
					t.Errorf("help %s describes the flag %s, which does not exist", c.name, name)
				}
			}
		}
		fs.VisitAll(func(f *flag.Flag) {
			if !slices.Contains(described, f.Name) && !slices.Contains(hidden, f.Name) {
				t.Errorf("help %s does not describe the flag %s", c.name, f.Name)
			}
		})
		if page := c.page(); strings.Contains(page, "{flags}") || !strings.Contains(page, "\t-") {
			t.Errorf("help %s is\n%s\nwithout its flags", c.name, page)
		}
	}
}

func TestFlagsAreDescribedInColumns(t *testing.T) {
	fs := newFlags("x")
	fs.describe("json", "", "print one object")
	fs.describe("target", "name", strings.Repeat("word ", 30))
	fs.describe("tags mod gcflags ldflags", "", "as in go build")
	want := "\t-json         print one object\n" +
		"\t-target name  " + strings.TrimSpace(strings.Repeat("word ", 19)) + "\n" +
		"\t              " + strings.TrimSpace(strings.Repeat("word ", 11)) + "\n" +
		"\t-tags, -mod, -gcflags, -ldflags\n\t              as in go build\n"
	if got := fs.String(); got != want {
		t.Errorf("the descriptions are\n%s\nwant\n%s", got, want)
	}
}
