package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

func TestEveryFieldOfTheJSONIsListed(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "findings.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(doc), "`gnaw findings -json` prints one object on each line")
	list, _, _ = strings.Cut(list, "\n\n")
	for _, tt := range []struct {
		name, text string
		value      any
	}{
		{"help list", helpList, targetJSON{}},
		{"help findings", helpFindings, event.Finding{}},
		{"docs/findings.md", list, event.Finding{}},
		{"help minimize", helpMinimize, minimizedJSON{}},
		{"help bisect", helpBisect, commitJSON{}},
		{"help known", helpKnown, entryJSON{}},
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

func TestEveryFieldOfACampaignIsListed(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "campaigns.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(doc), "With `-json`, each line of the output is one JSON object")
	all, _, _ := strings.Cut(text, "\n| `event` |") // fields that all lines may have
	for name, value := range map[string]any{
		"build": event.Build{}, "start": event.Start{}, "status": event.Status{}, "entry": event.Entry{}, "target": event.TargetEnd{}, "end": event.End{},
	} {
		t.Run(name, func(t *testing.T) {
			_, row, _ := strings.Cut(text, "\n| `"+name+"` |")
			row, _, _ = strings.Cut(row, "\n")
			for _, field := range fieldsOf(reflect.TypeOf(value)) {
				if !regexp.MustCompile(`\b` + field + `\b`).MatchString(all + row) {
					t.Errorf("docs/campaigns.md does not list %s", field)
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
