package overlay

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// edit is one change to a file of the standard library, at a place that has a name.
type edit struct {
	file, anchor string
	apply        func(*source) error // what it returns is the reason of an [AnchorError]
}

// edits are the changes to package testing that gnaw cannot do without. The functions that the new code calls are in the files of folder
// inject.
var edits = []edit{
	{"testing/fuzz.go", "F.Fuzz case fuzzWorker", enterWorker},
	{"testing/fuzz.go", "F.Fuzz tRunner", enterRunner},
	{"testing/testing.go", "tRunner", keepSkipped},
	{"testing/testing.go", "common.Context", noteContext},
	{"testing/testing.go", "common.Output", noteOutput},
	{"testing/testing.go", "common.Fail", noteFail},
	{"testing/internal/testdeps/deps.go", "TestDeps.CoordinateFuzzing", handOver},
}

// feature is a group of edits that gnaw can do without: if an anchor of one is missing, all of them are left out.
type feature []edit

var (
	// comparisons has the hooks for comparisons report what is compared.
	comparisons = hookEdits("$3", "")
	// placedComparisons identifies a comparison by the address that the hook returns to, and not by the number that the compiler assigns to it.
	// An address has a function, a file and a line.
	placedComparisons = hookEdits("uint(sys.GetCallerPC())", `; import "internal/runtime/sys"`)
)

// features returns the changes that gnaw can do without, each for one gain: comparisons; the reason why a target fails before it gets to
// F.Fuzz; lines of the target in messages of a target that calls T.Helper; and the hooks in the rest of the standard library.
func features(tc gocommand.Toolchain) []feature {
	list := []feature{
		comparisons,
		{{"testing/fuzz.go", "runFuzzing io.Discard", keepReason}, {"testing/fuzz.go", "F.report", reportReason}},
		{{"testing/testing.go", "common.frameSkip", stopAtTarget}},
	}
	if tc.Placed {
		list[0] = placedComparisons
	}
	if tc.Plain {
		return list
	}
	return slices.Concat(list, stdFeatures)
}

// editor makes edits to the files of one Go distribution.
type editor struct {
	version string                            // of Go
	read    func(file string) ([]byte, error) // by path below GOROOT/src
	sources map[string]*source
}

// editStd makes the edits and features in the files of the Go distribution at root. The result is by path below
// GOROOT/src. missing has one error for each feature that was left out.
func editStd(root, version string, edits []edit, features []feature) (out map[string][]byte, missing []error, err error) {
	e := &editor{version, func(file string) ([]byte, error) {
		return os.ReadFile(filepath.Join(root, "src", filepath.FromSlash(file)))
	}, map[string]*source{}}
	return e.all(edits, features)
}

func (e *editor) all(edits []edit, features []feature) (out map[string][]byte, missing []error, err error) {
	for _, ed := range edits {
		if err := e.edit(ed); err != nil {
			return nil, nil, err
		}
	}
	for _, f := range features {
		if err := e.feature(f); err != nil {
			missing = append(missing, err)
		}
	}
	out = map[string][]byte{}
	for name, s := range e.sources {
		if len(s.splices) == 0 {
			continue // of a feature that was left out
		}
		if out[name], err = blankUnused(name, s.result()); err != nil {
			return nil, nil, fmt.Errorf("inject into %s: %w; this is an error in gnaw", e.version, err)
		}
	}
	return out, missing, nil
}

// feature makes all edits of f, or none.
func (e *editor) feature(f feature) error {
	before := map[*source]int{}
	for _, s := range e.sources {
		before[s] = len(s.splices)
	}
	for _, ed := range f {
		if err := e.edit(ed); err != nil {
			for _, s := range e.sources {
				s.splices = s.splices[:before[s]]
			}
			return err
		}
	}
	return nil
}

// edit makes one edit.
func (e *editor) edit(ed edit) error {
	s, err := e.source(ed.file)
	if err != nil {
		return err
	}
	if err := ed.apply(s); err != nil {
		return &AnchorError{Version: e.version, File: s.name, Anchor: ed.anchor, Reason: err.Error()}
	}
	return nil
}

// source reads a file once. Where the name has changed between versions of Go, all of them are given, with bars between.
func (e *editor) source(names string) (*source, error) {
	var first error
	for name := range strings.SplitSeq(names, "|") {
		if s := e.sources[name]; s != nil {
			return s, nil
		}
		text, err := e.read(name)
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		s, err := parseSource(name, text)
		if err != nil {
			return nil, gocommand.Unreadable(e.version, fmt.Errorf("inject into %s: %w; reinstall Go", e.version, err))
		}
		e.sources[name] = s
		return s, nil
	}
	return nil, fmt.Errorf("read the source of %s: %w; gnaw needs the standard library's source, "+
		"so install the Go distribution from https://go.dev/dl", e.version, first)
}

// enterWorker lets gnawWork have the first word when a test binary runs as a worker.
func enterWorker(s *source) error {
	fn, err := s.function("F", "Fuzz")
	if err != nil {
		return fmt.Errorf("method (*F).Fuzz: %w", err)
	}
	clause, err := one(workerCases(fn))
	if err != nil {
		return err
	}
	for _, name := range []string{"fn", "types", "run"} {
		if !declares(fn, name) {
			return fmt.Errorf("no local variable %s", name)
		}
	}
	s.insert(clause.Colon+1, " if gnawWork(f, fn, types, run) { break };")
	return nil
}

// workerCases lists the clauses `case fuzzWorker:` of the switches by f.fstate.mode.
func workerCases(fn *ast.FuncDecl) []*ast.CaseClause {
	var found []*ast.CaseClause
	for _, sw := range all(fn.Body, func(sw *ast.SwitchStmt) bool { return code.Selector(sw.Tag) == "f.fstate.mode" }) {
		for _, st := range sw.Body.List {
			if c, ok := st.(*ast.CaseClause); ok && len(c.List) == 1 && code.Selector(c.List[0]) == "fuzzWorker" {
				found = append(found, c)
			}
		}
	}
	return found
}

// enterRunner lets gnawLoop run in the goroutine of a target's T, in place of one call of the target.
func enterRunner(s *source) error {
	fn, err := s.function("F", "Fuzz")
	if err != nil {
		return fmt.Errorf("method (*F).Fuzz: %w", err)
	}
	var bodies []*ast.FuncLit
	for _, g := range all(fn.Body, func(g *ast.GoStmt) bool { return code.Selector(g.Call.Fun) == "tRunner" }) {
		if len(g.Call.Args) != 2 {
			continue
		}
		if lit, ok := g.Call.Args[1].(*ast.FuncLit); ok && slices.Equal(params(lit.Type), []string{"t"}) {
			bodies = append(bodies, lit)
		}
	}
	lit, err := one(bodies)
	if err != nil {
		return err
	}
	s.insert(lit.Body.Lbrace+1, " if gnawLoop != nil { gnawLoop(t); return }; gnawReplay(t);")
	return nil
}

// reportReason has a worker process report a target that fails before it gets to F.Fuzz.
func reportReason(s *source) error {
	fn, err := s.function("F", "report")
	if err != nil {
		return err
	}
	worker, err := one(all(fn.Body, func(e *ast.StarExpr) bool { return code.Selector(e.X) == "isFuzzWorker" }))
	if err != nil {
		return fmt.Errorf("*isFuzzWorker: %w", err)
	}
	s.replace(worker.Pos(), worker.End(), "false")
	return nil
}

// keepReason has the report of a worker process printed, which package testing discards.
func keepReason(s *source) error {
	fn, err := s.function("", "runFuzzing")
	if err != nil {
		return err
	}
	discards := func(a *ast.AssignStmt) bool {
		return len(a.Lhs) == 1 && code.Selector(a.Lhs[0]) == "root.w" && code.Selector(a.Rhs[0]) == "io.Discard"
	}
	discard, err := one(all(fn.Body, discards))
	if err != nil {
		return fmt.Errorf("root.w = io.Discard: %w", err)
	}
	s.replace(discard.Rhs[0].Pos(), discard.Rhs[0].End(), "os.Stderr")
	return nil
}

// keepSkipped lets a T that was skipped go on with the loop: package testing neither cleans it up nor reports it. It also gives values
// of panics the text that the runtime prints.
func keepSkipped(s *source) error {
	fn, err := s.function("", "tRunner")
	if err != nil {
		return err
	}
	if err := takes(fn, "t", "fn"); err != nil {
		return err
	}
	recovers := func(a *ast.AssignStmt) bool {
		call, ok := a.Rhs[0].(*ast.CallExpr)
		return ok && code.Selector(a.Lhs[0]) == "err" && code.Selector(call.Fun) == "recover"
	}
	recovered, err := one(all(fn.Body, recovers))
	if err != nil {
		return fmt.Errorf("err := recover(): %w", err)
	}
	cleans := func(call *ast.CallExpr) bool {
		return code.Selector(call.Fun) == "t.runCleanup" && len(call.Args) == 1 && code.Selector(call.Args[0]) == "normalPanic"
	}
	cleanUp, err := one(all(fn.Body, cleans))
	if err != nil {
		return fmt.Errorf("t.runCleanup(normalPanic): %w", err)
	}
	s.insert(recovered.End(), "; if err == nil && gnawGoesOn(t, fn) { return }; err = gnawPanicValue(err)")
	s.insert(cleanUp.Pos(), "if gnawSpared(t, true) { return }; ")
	return nil
}

// noteContext records that a target asked for its context, which the loop must cancel then.
func noteContext(s *source) error {
	fn, err := s.function("common", "Context")
	if err != nil {
		return err
	}
	s.insert(fn.Body.Lbrace+1, " gnawContextUsed.Store(true);")
	return nil
}

// noteOutput records that a target has a writer, which keeps a line that has not ended. Go 1.24 has none.
func noteOutput(s *source) error {
	fn, err := s.function("common", "Output")
	_, flushErr := s.function("common", "flushPartial") // which gnawFlush calls
	if err != nil && flushErr != nil {
		return nil
	}
	if err := errors.Join(err, flushErr); err != nil {
		return err
	}
	s.insert(fn.Body.Lbrace+1, " gnawOutputUsed.Store(true);")
	return nil
}

// noteFail records what was logged when a T failed first.
func noteFail(s *source) error {
	fn, err := s.function("common", "Fail")
	if err != nil {
		return err
	}
	locks := func(d *ast.DeferStmt) bool { return code.Selector(d.Call.Fun) == "c.mu.Unlock" }
	if len(all(fn.Body, locks)) != 1 {
		return errors.New("it does not hold c.mu to its end")
	}
	s.insert(fn.Body.Rbrace, "gnawFail(c) ")
	return nil
}

// stopAtTarget has package testing log the line of the fuzz target, and not that of its caller in gnaw, if the target and all that it calls
// on the way are helpers.
func stopAtTarget(s *source) error {
	fn, err := s.function("common", "frameSkip")
	if err != nil {
		return err
	}
	atRunner, err := one(all(fn.Body, func(st *ast.IfStmt) bool {
		cond, ok := st.Cond.(*ast.BinaryExpr)
		return ok && cond.Op == token.EQL && code.Selector(cond.X) == "frame.Function" && code.Selector(cond.Y) == "c.runner"
	}))
	if err != nil {
		return fmt.Errorf("frame.Function == c.runner: %w", err)
	}
	if len(all(atRunner.Body, func(r *ast.ReturnStmt) bool { return len(r.Results) == 1 && code.Selector(r.Results[0]) == "prevFrame" })) != 1 {
		return errors.New("it does not return prevFrame")
	}
	s.insert(atRunner.If, "if gnawCalls(frame.Function) { return prevFrame }; ")
	return nil
}

// handOver replaces the coordinator by the gnaw process.
func handOver(s *source) error {
	fn, err := s.function("TestDeps", "CoordinateFuzzing")
	if err != nil {
		return err
	}
	want := []string{
		"timeout", "limit", "minimizeTimeout", "minimizeLimit", "parallel", "seed", "types",
		"corpusDir", "cacheDir",
	}
	if err := takes(fn, want...); err != nil {
		return err
	}
	s.replaceBody(fn, "return gnawCoordinate("+strings.Join(want, ", ")+")")
	return nil
}

// declares reports whether fn's body itself, not a block inside, declares the variable name.
func declares(fn *ast.FuncDecl, name string) bool {
	is := func(e ast.Expr) bool { id, ok := e.(*ast.Ident); return ok && id.Name == name }
	for _, st := range fn.Body.List {
		switch st := st.(type) {
		case *ast.AssignStmt:
			if st.Tok == token.DEFINE && slices.ContainsFunc(st.Lhs, is) {
				return true
			}
		case *ast.DeclStmt:
			if len(all(st, func(v *ast.ValueSpec) bool {
				return slices.ContainsFunc(v.Names, func(id *ast.Ident) bool { return id.Name == name })
			})) > 0 {
				return true
			}
		}
	}
	return false
}
