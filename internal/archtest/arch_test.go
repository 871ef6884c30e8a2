// Package archtest tests rules for the source code: which package may import which, the size of files, functions and types, and style.
package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
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
	"internal/fuzz":            {},
	"internal/disk/faulty":     {"internal/disk"},                  // for tests
	"internal/minimize":        {"input", "internal/probe/mutate"}, // which knows checksums
	"internal/known":           {"internal/disk"},
	"internal/report":          {"input", "finding", "internal/disk", "internal/probe/oracle"}, // shows findings and their inputs
	"internal/store":           {"finding", "internal/disk", "internal/fuzz"},                  // keeps them
	"internal/probe":           {},
	"internal/probe/technique": {},
	"internal/probe/blocks":    {},
	"internal/probe/chance":    {"internal/probe/hook"},
	"internal/probe/compare":   {"internal/probe/hook"},
	"internal/probe/cover":     {},
	"internal/probe/hook":      {},
	"internal/probe/refusal":   {"internal/probe/hook"},
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
		"internal/probe/refusal", "internal/probe/shm", "internal/probe/technique", "internal/probe/wire",
	},
	"internal/group":     {},
	"internal/landlock":  {},
	"internal/code":      {"internal/disk", "internal/group"}, // reads Go code for all others
	"internal/cache":     {"internal/disk"},
	"internal/bundle":    {"internal/disk"},
	"internal/gocommand": {"internal/cache", "internal/code", "internal/disk", "internal/group", "internal/probe/technique"}, // the last are values of a flag
	"internal/overlay": { // edits the standard library
		"input", "internal/cache", "internal/code", "internal/disk", "internal/gocommand", "internal/minimize", "internal/probe",
	},
	"internal/build":    {"internal/cache", "internal/code", "internal/disk", "internal/fuzz", "internal/gocommand", "internal/overlay", "internal/probe/technique"},
	"internal/executor": {"input", "internal/group", "internal/probe/shm", "internal/probe/wire"},
	"internal/schedule": {"input", "internal/probe/cover"},
	"internal/proof": { // what an input does in a fresh process
		"input", "finding", "internal/executor", "internal/group", "internal/probe/oracle", "internal/probe/refusal", "internal/probe/shm", "internal/probe/wire",
		"internal/report",
	},
	"internal/engine": {
		"input", "corpus", "finding", "internal/disk", "internal/event", "internal/executor", "internal/minimize", "internal/probe/cover", "internal/probe/oracle", "internal/probe/shm",
		"internal/probe/technique", "internal/probe/wire", "internal/proof", "internal/schedule",
	},
	"internal/project":  {"internal/disk", "internal/group", "internal/report"},
	"internal/event":    {"finding", "internal/fuzz"},
	"internal/board":    {"internal/bandit", "internal/event", "internal/fuzz", "internal/store"}, // the state of a campaign, for all that show it
	"internal/exitcode": {},
	"internal/wrap":     {},
	"internal/bandit":   {},
	"internal/session": { // one target
		"input", "finding", "internal/build", "internal/gocommand", "internal/overlay", "internal/deps", "internal/dictionary", "internal/engine", "internal/event", "internal/executor", "internal/minimize", "internal/probe/cover", "internal/probe/wire",
		"internal/proof",
	},
	"internal/coverage": { // executes the inputs of targets in test binaries with counters for statements
		"input", "corpus", "finding", "internal/build", "internal/gocommand", "internal/executor", "internal/fuzz", "internal/probe/blocks", "internal/probe/wire", "internal/session",
		"internal/usage",
	},
	"internal/coverage/page": {"input", "internal/coverage"},
	"internal/frontier": { // branches with a side that no input takes
		"input", "internal/code", "internal/coverage", "internal/dictionary", "internal/disk", "internal/fuzz", "internal/probe/compare", "internal/probe/wire",
		"internal/report", // quotes arguments of commands
		"internal/store",  // keeps blocks
	},
	"internal/focus": {"input", "internal/code", "internal/fuzz", "internal/probe/cover", "internal/report", "internal/usage"}, // how near an input comes to code, by its features
	"internal/campaign": { // many of them
		"input", "corpus", "finding", "internal/bandit", "internal/board", "internal/build", "internal/cache", "internal/gocommand", "internal/coverage", "internal/deps", "internal/dictionary", "internal/disk", "internal/distill", "internal/engine", "internal/event",
		"internal/executor", "internal/exitcode", "internal/focus", "internal/fuzz", "internal/known", "internal/probe/wire",
		"internal/project", "internal/proof", "internal/report", "internal/session", "internal/store",
	},
	"internal/deps":  {"internal/build", "internal/cache", "internal/gocommand", "internal/disk", "internal/fuzz", "internal/store"}, // the last knows what was fuzzed
	"internal/usage": {},
	"internal/coordinator": { // one target, for a test process
		"input", "corpus", "finding", "internal/build", "internal/gocommand", "internal/overlay", "internal/coverage", "internal/dictionary", "internal/disk", "internal/engine", "internal/event",
		"internal/executor", "internal/probe/host", "internal/probe/technique", "internal/proof", "internal/report", "internal/session",
	},
	"internal/repro": {
		"input", "corpus", "finding", "internal/build", "internal/gocommand", "internal/disk", "internal/executor", "internal/group", "internal/probe/oracle",
		"internal/probe/wire", "internal/project", "internal/proof", "internal/report", "internal/session", "internal/usage", "internal/wrap",
	},
	"internal/pack": { // gnaw with a bundle of a target behind it
		"input", "corpus", "internal/bundle", "internal/dictionary", "internal/disk", "internal/gocommand", "internal/group", "internal/session", "internal/usage",
	},
	"internal/libfuzzer": { // what an executable with a bundle does
		"input", "corpus", "finding", "internal/build", "internal/bundle", "internal/cache", "internal/dictionary", "internal/disk", "internal/distill", "internal/engine",
		"internal/event", "internal/executor", "internal/fuzz", "internal/probe/cover", "internal/probe/technique", "internal/probe/wire", "internal/proof", "internal/report",
		"internal/session",
	},
	"internal/minimizer": {
		"input", "corpus", "finding", "internal/minimize", "internal/project", "internal/proof", "internal/session", "internal/usage",
		"internal/repro", // puts the input of a finding where go test runs it
	},
	"internal/bisect": {
		"corpus", "finding", "internal/gocommand", "internal/disk", "internal/group", "internal/project", "internal/proof", "internal/report", "internal/session", "internal/usage",
		"internal/repro", // has the arguments of go test for a finding
	},
	"internal/ci": { // which targets a change concerns, and what the commit before it says about findings
		"input", "finding", "internal/bisect", "internal/code", "internal/disk", "internal/group", "internal/project", "internal/proof", "internal/report", "internal/usage",
	},
	"internal/regress": {
		"input", "finding", "internal/gocommand", "internal/disk", "internal/group", "internal/report", "internal/session", "internal/usage",
	},
	"internal/distill":         {"input", "corpus", "internal/probe/cover", "internal/session"},              // executes inputs
	"internal/migrate":         {"input", "corpus", "internal/disk", "internal/project", "internal/regress"}, // the last reads parameters of targets
	"internal/share":           {"input", "corpus", "internal/disk", "internal/project", "internal/usage"},
	"internal/scaffold/survey": {"internal/code", "internal/disk"}, // reads files that the build leaves out
	"internal/scaffold/plan":   {"internal/code", "internal/scaffold/survey"},
	"internal/scaffold/write":  {"internal/scaffold/plan", "internal/wrap"},
	"internal/scaffold/check":  {"internal/disk", "internal/group", "internal/landlock", "internal/scaffold/plan"},
	"internal/scaffold/effect": {"internal/code"},
	"internal/scaffold/outside": { // in private copies of modules
		"internal/build", "internal/cache", "internal/deps", "internal/disk", "internal/gocommand", "internal/report", "internal/scaffold", "internal/usage",
	},
	"internal/scaffold": {
		"internal/code", "internal/disk", "internal/scaffold/check", "internal/scaffold/effect", "internal/scaffold/plan", "internal/scaffold/survey", "internal/scaffold/write",
	},
	"internal/metrics":   {"finding", "internal/board", "internal/event"},
	"internal/notify":    {"finding", "internal/event", "internal/report"},
	"internal/summary":   {"finding", "internal/board", "internal/event", "internal/frontier", "internal/fuzz", "internal/report", "internal/store"}, // a campaign of the history
	"internal/ui/gotest": {"finding", "internal/event"},
	"internal/ui/jsonl":  {"internal/event"},
	"internal/ui/tui":    {"internal/board", "internal/disk", "internal/event", "internal/fuzz", "internal/report", "internal/ui/text"}, // the last writes the plain output at the end
	"internal/ui/web": { // campaigns and findings in a browser; it knows neither campaigns nor the engine
		"input", "finding", "internal/board", "internal/coverage", "internal/disk", "internal/event", "internal/frontier", "internal/fuzz", "internal/known",
		"internal/project", "internal/report", "internal/store",
	},
	"internal/ui/text": {"internal/deps", "internal/event", "internal/known", "internal/project", "internal/report"},
	"internal/cli": {
		"input", "corpus", "finding", "internal/build", "internal/cache", "internal/gocommand", "internal/campaign", "internal/coverage", "internal/coverage/page", "internal/deps", "internal/disk", "internal/distill", "internal/engine", "internal/event",
		"internal/executor", "internal/exitcode", "internal/focus", "internal/frontier", "internal/fuzz", "internal/group", "internal/landlock", "internal/probe/host", "internal/probe/oracle", "internal/probe/technique", "internal/probe/wire", "internal/project", "internal/session", "internal/usage", "internal/wrap",
		"internal/ui/gotest", "internal/ui/jsonl", "internal/ui/text", "internal/ui/tui", "internal/ui/web",
		"internal/bisect", "internal/bundle", "internal/ci", "internal/coordinator", "internal/libfuzzer", "internal/pack", "internal/known", "internal/metrics", "internal/migrate", "internal/minimizer", "internal/notify", "internal/regress", "internal/report", "internal/repro", "internal/share",
		"internal/scaffold", "internal/scaffold/check", "internal/scaffold/outside", "internal/scaffold/plan", "internal/scaffold/write", "internal/store", "internal/summary", // each behind commands of its own
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

// reducers are the packages that may look at the events of which the state of a campaign is made: board reduces it, gotest and libfuzzer print those of one
// target, jsonl writes them, and event delivers them.
var reducers = []string{"internal/board", "internal/event", "internal/libfuzzer", "internal/ui/gotest", "internal/ui/jsonl"}

// No package computes a state of a campaign beside the board: none looks at the events from which its numbers come.
func TestOnlyTheBoardReducesTheEventsOfACampaign(t *testing.T) {
	for path := range goFiles(t) {
		if strings.HasSuffix(path, "_test.go") || isFree(path) || slices.Contains(reducers, filepath.ToSlash(filepath.Dir(path))) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			c, ok := n.(*ast.CaseClause)
			if !ok {
				return true
			}
			for _, e := range c.List {
				if name := types.ExprString(e); slices.Contains([]string{"event.Progress", "event.Turn", "event.Again"}, name) {
					t.Errorf("%s looks at %s, which only internal/board reduces", path, name)
				}
			}
			return true
		})
	}
}

// listers are the folders that may run go list: code does so for all others, and regress needs names of packages in a format of its own.
var listers = []string{"internal/code", "internal/regress"}

// No package loads or lists packages beside code, so that the same go command answers all, and errors have the same words. None builds a
// call graph with packages for it, or compares methods, so that calls through interfaces lead to the same functions everywhere.
func TestOnlyCodeLoadsAndListsPackagesAndComparesMethods(t *testing.T) {
	loaders := []string{"packages.Load", "importer.ForCompiler", "importer.Default", "types.NewMethodSet"}
	for path := range goFiles(t) {
		folder := filepath.ToSlash(filepath.Dir(path))
		if strings.HasSuffix(path, "_test.go") || isFree(path) || folder == "internal/code" {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			var list []ast.Expr
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if name := types.ExprString(n); slices.Contains(loaders, name) {
					t.Errorf("%s uses %s, which only internal/code does", path, name)
				}
			case *ast.ImportSpec:
				if name := n.Path.Value; strings.HasPrefix(name, `"golang.org/x/tools/go/callgraph`) || strings.HasPrefix(name, `"golang.org/x/tools/go/ssa`) {
					t.Errorf("%s imports %s, which only internal/code does", path, name)
				}
			case *ast.CallExpr:
				list = n.Args
			case *ast.CompositeLit:
				list = n.Elts
			}
			if isGoList(list) && !slices.Contains(listers, folder) {
				t.Errorf("%s runs go list, which only internal/code does", path)
			}
			return true
		})
	}
}

// isGoList reports whether expressions are the arguments of go list: "list" and a flag.
func isGoList(list []ast.Expr) bool {
	for i, e := range list[:max(0, len(list)-1)] {
		if types.ExprString(e) == `"list"` && strings.HasPrefix(types.ExprString(list[i+1]), `"-`) {
			return true
		}
	}
	return false
}

// provers are the packages that may say what an input does in a process of its own: proof does, and check tries targets that are not written
// yet, of which there are no findings.
var provers = []string{"internal/proof", "internal/scaffold/check"}

// judging is what decides whether an input fails in a process of its own: how a failure is read from what a process has printed, and who has
// ended the process.
var judging = []string{"finding.Of", "finding.OfProcess", "finding.AllLogged", "executor.EndedFromOutside"}

// No package decides whether an input fails in a fresh process beside proof: none has a test binary or the go command run an input, reads what
// package testing prints about it, or reads the failure of a process.
func TestOnlyProofSaysWhatAnInputDoesInAProcess(t *testing.T) {
	for path := range goFiles(t) {
		if strings.HasSuffix(path, "_test.go") || isFree(path) || slices.Contains(provers, filepath.ToSlash(filepath.Dir(path))) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, path), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if name := types.ExprString(n); slices.Contains(judging, name) {
					t.Errorf("%s uses %s, which only internal/proof does", path, name)
				}
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && (text == "-test.run=" || text == "-run=" || strings.HasPrefix(text, "=== RUN")) {
					t.Errorf("%s runs an input of a target, or reads what package testing prints about one, with %s; internal/proof does", path, n.Value)
				}
			}
			return true
		})
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
