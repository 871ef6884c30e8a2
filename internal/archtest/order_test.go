package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
)

// orders lists the files of packages in which calls point down: a function calls those of its own file and of the files below. They can
// be read in this order.
var orders = map[string][]string{
	"internal/engine": {
		"engine", "beside", "dispatch", "failing", "prepare", "warm", "watch", "import", "boundary", "request", "burst", "drift", "oracles", "cost", // what workers do
		"verify", "signal", "memory", "hang", "minimize", "matter", "candidate", "overflow", "repetition", "replay", // what is done with a failure
		"state", "snapshot", "queue", "ledger", "grace", "claims", "keys", "files", "saver", "warmup", "imports", "entries", "length", "pool", "refusals", "emit", "turn", "meter", // what they share
		"task", "options",
	},
	"internal/executor": {
		"start", "worker", "oracles", "compared", "request", "exit", // what a worker is asked to do
		"standstill", "heartbeat", "use", "process", "requestpipe", "shared", "global", "output", // what belongs to it
		"processor_linux", "processor_other", "memfile_linux", "memfile_other", "memory_linux", "memory_other", "signal_unix", "signal_other",
		"dump_linux", "dump_unix",
	},
	"internal/probe/mutate": {
		"pack", "havoc", "table", // a step
		"numform", "record", "jsonvalue", "json", "nest", "lexeme", "runeclass", "splice", "float", "number", "literal", "field", "length", // operators
		"checksum", "sum", "inflate", "crc", // what comes after an operator
		"char", "span", "scores", "chain", "block", "bits", "asciinum", "rune", "pick", "class", "buffer", "mutate", "arith", "rand", // what they share
	},
	"internal/probe/solve": {
		"solver", "random", "packed", "pairs", "tags", "fit", "checksum", "descent", "dials", "turn", "operand", // what a worker calls
		"member", "length", "part", "text", "number", "integer", "base64", "numeral", "float", // kinds of replacements
		"search", "emit", "frame", "budget", // how they are listed
		"log", "variants", "points", "pair", // what was compared
		"color", "bracket", "dial", "affine", "digits", "form", "encode", "textform", "edit", "scan",
	},
	"internal/probe/worker": {
		"serve", "worker", "oracles", "compared", "processors", "fuzz", "sample", "memory", "guard", // requests
		"study", "comparisons", "vary", "chase", "repair", "share", "attempt", "words", // the study of an entry
		"keep", "trim", "calibrate", "features", // what becomes an entry
		"mutate", "batch", "runner", "executor", "wait", "output", "grown", // mutants and their executions
		"refuse", "exit", "stderr_linux", "stderr_other", "stacks", "unseen", "group_other", "group_unix", "resident_linux", "resident_other",
		"input", "binary", "request", "suggestions", "sizes", // what they share
	},
	"internal/cli": {
		"cli", "commands", "manual", "completion", "init", "inittrial", "initjson", "ci", "cinightly", "ciprint", "ciflags", "fuzz", "fuzzflags", "fuzzresults", "notify", "test", "dictionaries", "coordinate", "dashboard", "corpus", "corpusdistill", "corpusmigrate", "corpusshare", "corpusfiles", "corpusstat", "corpuscommand", "cover", "frontier", "frontierprint", "coversince", "coverflags", "coverprint", "list", "deps", "report", "findings", "repro", "build", "minimize", "regress", "bisect",
		"clean", "version", // commands
		"private", "stored", "inputfile", "resultfiles", "actions", "excluded", "command", "oracle", "values", "refuse", "flagwords", "flags", "args", "hints", "ui", "guard", "output", "screen", "terminal_unix", "terminal_other", "signals", "env", "help", "helpbuild", "helpfindings", // what they share
	},
	"internal/scaffold/plan":   {"plan", "repeat", "rules", "laws", "streams", "seeds", "target", "shape", "extra", "names", "types", "kind"},
	"internal/scaffold/survey": {"survey", "tests", "excluded", "passed", "constants", "effects", "code", "names"},
	"internal/coverage":        {"run", "replay", "saved", "since", "date", "live", "sources", "files", "merge", "counter", "code", "set", "pack"},
	"internal/frontier":        {"stored", "kept", "frontier", "record", "words", "help", "doubt", "varies", "operands", "row", "sort", "operand", "place", "leaf", "branch", "leave", "reach", "calls", "source"},
	"internal/scaffold/write":  {"lines", "update", "write", "view", "bodies"},
	"internal/proof":           {"worker", "goseeds", "gocommand", "said", "gotest", "repeat", "seeds", "process", "watch", "output", "failure", "same", "proof"},
	"internal/session":         {"binary", "dependency", "minimize", "run", "session", "process", "environ", "memory", "words"},
	"internal/coordinator":     {"serve", "coordinator", "profile", "options", "plain", "result"},
	"internal/repro":           {"repro", "upstream", "dependency", "gotest", "measure", "input"},
	"internal/minimizer":       {"finding", "minimizer"},
	"internal/bisect":          {"past", "bisect", "search", "answer", "trial"},
	"internal/ci":              {"workflow", "seeds", "judge", "choose", "changes", "base"},
	"internal/libfuzzer":       {"libfuzzer", "fuzz", "reproduce", "merge", "minimize", "progress", "failure", "stack", "subject", "flags"},
	"internal/pack":            {"pack", "files", "launcher"},
	"internal/distill":         {"folder", "distill", "set"},
	"internal/migrate":         {"migrate", "mapping"},
	"internal/share":           {"share", "branch", "place"},
	"internal/regress":         {"record", "parameters", "regress", "call", "setup", "measure", "literals", "imports", "names", "source"},
}

func TestCallsPointDown(t *testing.T) {
	for folder, order := range orders {
		rank := map[string]int{}
		for i, name := range order {
			rank[name] = i + 1
		}
		list := calls(t, folder)
		if len(list) == 0 {
			t.Errorf("%s: no calls were found", folder)
		}
		for _, c := range list {
			if rank[c.from] == 0 || rank[c.to] == 0 {
				t.Errorf("%s: %s or %s is not in the order of files", folder, c.from, c.to)
			}
			if rank[c.from] > rank[c.to] {
				t.Errorf("%s: %s, which is further down, calls %s in %s", c.at, c.from, c.name, c.to)
			}
		}
	}
}

// call is the use of a function of the package in another file of it, by the names of the files without their ends.
type call struct {
	at             token.Position
	from, to, name string
}

// calls returns the uses of functions in other files than their own.
func calls(t *testing.T, folder string) (list []call) {
	t.Helper()
	p := check(t, folder)
	base := func(pos token.Pos) string {
		return strings.TrimSuffix(filepath.Base(p.fset.Position(pos).Filename), ".go")
	}
	for id, obj := range p.uses {
		if f, ok := obj.(*types.Func); ok && f.Pkg() == p.types && base(id.Pos()) != base(f.Pos()) {
			list = append(list, call{p.fset.Position(id.Pos()), base(id.Pos()), base(f.Pos()), f.Name()})
		}
	}
	return list
}

// fixed lists the structs whose fields are set by one function only, and that function.
var fixed = map[string]struct {
	structs []string
	by      string
}{
	"internal/engine": {[]string{"Options", "Callbacks"}, "newEngine"},
}

func TestOptionsDoNotChange(t *testing.T) {
	for folder, rule := range fixed {
		p := check(t, folder)
		isFixed := map[types.Object]bool{}
		for _, name := range rule.structs {
			s := p.types.Scope().Lookup(name).Type().Underlying().(*types.Struct)
			for i := range s.NumFields() {
				isFixed[s.Field(i)] = true
			}
		}
		set := func(target ast.Expr) {
			if sel, ok := target.(*ast.SelectorExpr); ok && isFixed[p.uses[sel.Sel]] {
				t.Errorf("%s: %s is set; only %s may do that", p.fset.Position(sel.Pos()), sel.Sel.Name, rule.by)
			}
		}
		for _, file := range p.files {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncDecl:
					return n.Name.Name != rule.by
				case *ast.AssignStmt:
					for _, target := range n.Lhs {
						set(target)
					}
				case *ast.IncDecStmt:
					set(n.X)
				}
				return true
			})
		}
	}
}

// checked is a package that was type-checked by itself: what it imports is empty.
type checked struct {
	fset  *token.FileSet
	files []*ast.File
	types *types.Package
	uses  map[*ast.Ident]types.Object
}

// check type-checks a package without its tests.
func check(t *testing.T, folder string) checked {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	p := checked{fset: token.NewFileSet(), uses: map[*ast.Ident]types.Object{}}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(p.fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		p.files = append(p.files, file)
	}
	config := types.Config{Importer: noImports{}, Error: func(error) {}} // errors are about what is imported
	p.types, _ = config.Check(folder, p.fset, p.files, &types.Info{Uses: p.uses})
	return p
}

// noImports gives each import an empty package.
type noImports struct{}

func (noImports) Import(path string) (*types.Package, error) {
	pkg := types.NewPackage(path, filepath.Base(path))
	pkg.MarkComplete()
	return pkg, nil
}
