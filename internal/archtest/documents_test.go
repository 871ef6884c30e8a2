package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// describing are the documents that name files, folders and tests of the repository.
var describing = []string{"ARCHITECTURE.md", "CONTRIBUTING.md", "docs/DEPENDENCIES.md", "docs/lessons.md", "docs/puzzles.md"}

// elsewhere are folders of the standard library and of modules under test that documents name.
var elsewhere = []string{"internal/coverage/rtcov", "internal/fuzz", "internal/fuzz/gnaw/probe/worker", "internal/poll", "testdata/fuzz"}

var (
	codeSpan = regexp.MustCompile("`([^`\n]+)`")
	// ownPath is a path of the repository. A part in capitals, as in internal/cli/NAME.go, stands for any name.
	ownPath  = regexp.MustCompile(`^(bench|cmd|corpus|docs|examples|finding|input|internal|puzzles|testdata|tools)/[\w./-]+$`)
	template = regexp.MustCompile(`/[A-Z]+(\.|/|$)`)
	testName = regexp.MustCompile(`^Test[A-Z]\w+$`)
	link     = regexp.MustCompile(`\]\(([^)#]+)`)
)

// TestDocumentsNameWhatExists checks the paths and tests that documents name.
func TestDocumentsNameWhatExists(t *testing.T) {
	tests := testNames(t)
	for _, document := range describing {
		for _, span := range codeSpans(t, document) {
			switch {
			case testName.MatchString(span) && !slices.Contains(tests, span):
				t.Errorf("%s names the test %s, which does not exist", document, span)
			case ownPath.MatchString(span) && !template.MatchString(span) && !slices.Contains(elsewhere, span) && !exists(span):
				t.Errorf("%s names %s, which does not exist", document, span)
			}
		}
	}
}

// TestArchitectureDescribesEveryPackage wants a row for each package of the table of allowed imports.
func TestArchitectureDescribesEveryPackage(t *testing.T) {
	described := codeSpans(t, "ARCHITECTURE.md")
	for path := range allowed {
		if !slices.Contains(described, path) {
			t.Errorf("ARCHITECTURE.md does not name the package %s", path)
		}
	}
}

// TestLinksOfDocumentsLeadSomewhere checks the links to other documents of the repository.
func TestLinksOfDocumentsLeadSomewhere(t *testing.T) {
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/experiments/*.md"} {
		documents, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(documents) == 0 {
			t.Fatalf("Glob(%q) = %d documents, %v, want some", pattern, len(documents), err)
		}
		for _, document := range documents {
			for _, m := range link.FindAllStringSubmatch(read(t, document), -1) {
				if strings.Contains(m[1], "://") {
					continue
				}
				if _, err := os.Stat(filepath.Join(filepath.Dir(document), m[1])); err != nil {
					t.Errorf("%s has a link to %s, which does not exist", document, m[1])
				}
			}
		}
	}
}

// codeSpans returns the texts in backquotes of a document.
func codeSpans(t *testing.T, document string) (spans []string) {
	t.Helper()
	for _, m := range codeSpan.FindAllStringSubmatch(read(t, filepath.Join(root, document)), -1) {
		spans = append(spans, m[1])
	}
	return spans
}

// testNames returns the names of all tests.
func testNames(t *testing.T) (names []string) {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	for path := range goFiles(t) {
		if !strings.HasSuffix(path, "_test.go") {
			continue
		}
		for _, m := range declared.FindAllStringSubmatch(read(t, filepath.Join(root, path)), -1) {
			names = append(names, m[1])
		}
	}
	return names
}

func exists(path string) bool {
	_, err := os.Stat(filepath.Join(root, path))
	return err == nil
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
