// Package archtest tests rules for the source code: which package may import which, the size of files, functions and types, and style.
package archtest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/gnaw-fuzz/gnaw/"

// root is the folder of the module.
const root = "../.."

// allowed lists, for each package, what it may import of this module, in the order in which an input travels. A new
// line or a longer one needs a reason: stages do not know each other, and only engine joins them.
var allowed = map[string][]string{
	"input":                    {},
	"corpus":                   {"input", "internal/disk"},
	"finding":                  {"input", "internal/probe/oracle"}, // whose names are kinds
	"internal/dictionary":      {"internal/disk"},                  // reads files of the user's
	"internal/disk":            {},
	"internal/disk/faulty":     {"internal/disk"},                  // for tests
	"internal/minimize":        {"input", "internal/probe/mutate"}, // which knows checksums
	"internal/known":           {"internal/disk"},
	"internal/report":          {"input", "finding", "internal/disk", "internal/probe/oracle"}, // shows findings and their inputs
	"internal/store":           {"finding"},                                                    // keeps them
	"internal/probe":           {},
	"internal/probe/technique": {},
	"internal/probe/blocks":    {},
	"internal/probe/chance":    {"internal/probe/hook"},
	"internal/probe/compare":   {"internal/probe/hook"},
	"internal/probe/cover":     {},
	"internal/probe/hook":      {},
	"internal/probe/host":      {"input"},
	"internal/probe/invoke":    {"input"},
	"internal/probe/mutate":    {"input", "internal/probe/technique"},
	"internal/probe/oracle":    {"input"},
	"internal/probe/shm":       {},
	"internal/probe/solve":     {"input", "internal/probe/compare", "internal/probe/mutate", "internal/probe/technique"},
	"internal/probe/wire":      {"input", "internal/probe/blocks", "internal/probe/compare", "internal/probe/cover", "internal/probe/oracle", "internal/probe/technique"},
	"internal/probe/worker": {
		"input", "internal/minimize", "internal/probe/blocks", "internal/probe/chance", "internal/probe/compare", "internal/probe/cover", "internal/probe/hook", "internal/probe/invoke",
		"internal/probe/mutate", "internal/probe/oracle", "internal/probe/solve",
		"internal/probe/shm", "internal/probe/technique", "internal/probe/wire",
	},
	"internal/group":    {},
	"internal/build":    {"input", "internal/disk", "internal/group", "internal/minimize", "internal/probe", "internal/probe/technique"},
	"internal/executor": {"input", "internal/group", "internal/probe/shm", "internal/probe/wire"},
	"internal/schedule": {"input", "internal/probe/cover"},
	"internal/triage":   {"input", "finding", "internal/executor", "internal/probe/shm"}, // reads how a process died
	"internal/engine": {
		"input", "corpus", "finding", "internal/disk", "internal/event", "internal/executor", "internal/minimize", "internal/probe/cover", "internal/probe/oracle", "internal/probe/shm",
		"internal/probe/technique", "internal/probe/wire", "internal/schedule", "internal/triage",
	},
	"internal/replay":   {"internal/executor", "internal/group"}, // watches processes as the former does
	"internal/project":  {"internal/disk", "internal/group", "internal/report"},
	"internal/event":    {"finding"},
	"internal/exitcode": {},
	"internal/wrap":     {},
	"internal/bandit":   {},
	"internal/session": { // one target
		"input", "finding", "internal/build", "internal/deps", "internal/dictionary", "internal/engine", "internal/event", "internal/executor", "internal/minimize", "internal/probe/wire",
		"internal/replay", "internal/report", "internal/triage",
	},
	"internal/coverage": { // executes the inputs of targets in test binaries with counters for statements
		"input", "corpus", "finding", "internal/build", "internal/executor", "internal/probe/blocks", "internal/probe/wire", "internal/session",
		"internal/usage",
	},
	"internal/coverage/page": {"input", "internal/coverage"},
	"internal/frontier": { // branches with a side that no input takes
		"input", "internal/coverage", "internal/dictionary", "internal/disk", "internal/probe/compare", "internal/probe/wire",
		"internal/report", // quotes arguments of commands
		"internal/store",  // keeps blocks
	},
	"internal/focus": {"input", "internal/probe/cover", "internal/report", "internal/usage"}, // how near an input comes to code, by its features
	"internal/campaign": { // many of them
		"input", "corpus", "finding", "internal/bandit", "internal/build", "internal/coverage", "internal/deps", "internal/dictionary", "internal/disk", "internal/engine", "internal/event",
		"internal/executor", "internal/exitcode", "internal/focus", "internal/known", "internal/probe/oracle", "internal/probe/technique", "internal/probe/wire",
		"internal/project", "internal/report", "internal/session", "internal/store", "internal/triage",
	},
	"internal/deps":  {"internal/build", "internal/disk", "internal/store"}, // the last knows what was fuzzed
	"internal/usage": {},
	"internal/coordinator": { // one target, for a test process
		"input", "corpus", "finding", "internal/build", "internal/coverage", "internal/dictionary", "internal/disk", "internal/engine", "internal/event",
		"internal/executor", "internal/probe/host", "internal/probe/technique", "internal/report", "internal/session",
	},
	"internal/repro": {
		"input", "corpus", "finding", "internal/build", "internal/disk", "internal/executor", "internal/group", "internal/probe/oracle",
		"internal/probe/wire", "internal/project", "internal/report", "internal/session", "internal/usage", "internal/wrap",
	},
	"internal/minimizer": {
		"input", "corpus", "finding", "internal/engine", "internal/minimize", "internal/project", "internal/session", "internal/triage", "internal/usage",
		"internal/repro", // puts the input of a finding where go test runs it
	},
	"internal/bisect": {
		"corpus", "finding", "internal/build", "internal/disk", "internal/group", "internal/project", "internal/report", "internal/session", "internal/usage",
		"internal/repro", // has the arguments of go test for a finding
	},
	"internal/regress": {
		"input", "finding", "internal/build", "internal/disk", "internal/group", "internal/report", "internal/session", "internal/usage",
	},
	"internal/scaffold/survey": {},
	"internal/scaffold/plan":   {"internal/scaffold/survey"},
	"internal/scaffold/write":  {"internal/scaffold/plan", "internal/wrap"},
	"internal/scaffold/check":  {"internal/disk", "internal/group", "internal/scaffold/plan"},
	"internal/scaffold": {
		"internal/disk", "internal/scaffold/check", "internal/scaffold/plan", "internal/scaffold/survey", "internal/scaffold/write",
	},
	"internal/metrics":   {"finding", "internal/event"},
	"internal/notify":    {"finding", "internal/event", "internal/report"},
	"internal/summary":   {"finding", "internal/event", "internal/frontier", "internal/report", "internal/store"}, // a campaign of the history
	"internal/ui/gotest": {"finding", "internal/event"},
	"internal/ui/jsonl":  {"internal/event"},
	"internal/ui/tui":    {"internal/disk", "internal/event", "internal/report", "internal/ui/text"}, // the last writes the plain output at the end
	"internal/ui/web": { // campaigns and findings in a browser; it knows neither campaigns nor the engine
		"input", "finding", "internal/bandit", "internal/coverage", "internal/disk", "internal/event", "internal/frontier", "internal/known",
		"internal/project", "internal/report", "internal/store",
	},
	"internal/ui/text": {"internal/deps", "internal/event", "internal/known", "internal/project", "internal/report"},
	"internal/cli": {
		"input", "corpus", "finding", "internal/build", "internal/campaign", "internal/coverage", "internal/coverage/page", "internal/deps", "internal/disk", "internal/event",
		"internal/executor", "internal/exitcode", "internal/focus", "internal/frontier", "internal/group", "internal/probe/host", "internal/probe/oracle", "internal/probe/technique", "internal/probe/wire", "internal/project", "internal/session", "internal/usage", "internal/wrap",
		"internal/ui/gotest", "internal/ui/jsonl", "internal/ui/text", "internal/ui/tui", "internal/ui/web",
		"internal/bisect", "internal/coordinator", "internal/known", "internal/metrics", "internal/minimizer", "internal/notify", "internal/regress", "internal/report", "internal/repro",
		"internal/scaffold", "internal/scaffold/check", "internal/scaffold/plan", "internal/store", "internal/summary", // each behind commands of its own
	},
	"cmd/gnaw": {"internal/cli", "internal/exitcode"},
}

// injected are the packages that are linked into test binaries: the standard library is all that they may use.
var injected = []string{"input", "internal/minimize", "internal/probe/"}

// free are folders without rules: programs and tests beside the tool.
var free = []string{"bench", "examples", "internal/archtest", "internal/conform", "internal/e2e", "internal/testkit", "puzzles", "testdata"}

func TestImportsFollowTheTable(t *testing.T) {
	for path, imports := range packages(t) {
		rule, ok := allowed[path]
		if !ok {
			t.Errorf("package %s is not in the table of allowed imports", path)
		}
		for _, imp := range imports {
			own, isOwn := strings.CutPrefix(imp, module)
			if isOwn && !slices.Contains(rule, own) {
				t.Errorf("package %s imports %s, which the table does not allow", path, own)
			}
			if !isOwn && strings.Contains(strings.SplitN(imp, "/", 2)[0], ".") && isInjected(path) {
				t.Errorf("package %s is linked into test binaries and must not import %s", path, imp)
			}
		}
	}
}

func isInjected(path string) bool {
	return slices.ContainsFunc(injected, func(p string) bool { return path == p || strings.HasPrefix(path, p) })
}

// packages returns the imports of each package of the module, tests left out.
func packages(t *testing.T) map[string][]string {
	t.Helper()
	imports := map[string][]string{}
	for path := range goFiles(t) {
		if strings.HasSuffix(path, "_test.go") || isFree(path) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		pkg := filepath.ToSlash(filepath.Dir(path))
		imports[pkg] = append(imports[pkg], []string{}...)
		for _, spec := range file.Imports {
			imp, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			imports[pkg] = append(imports[pkg], imp)
		}
	}
	return imports
}

func isFree(path string) bool {
	return slices.ContainsFunc(free, func(p string) bool { return strings.HasPrefix(path, p+"/") })
}

// goFiles yields the Go files of the module, relative to its root.
func goFiles(t *testing.T) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() && (d.Name() == ".git" || d.Name() == "testdata") {
				return fs.SkipDir
			}
			if d.IsDir() && path != root {
				if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
					return fs.SkipDir // a module of its own
				}
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			if !d.IsDir() && strings.HasSuffix(path, ".go") && !yield(rel) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
