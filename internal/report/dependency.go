package report

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// Names that a [finding.Dependency] has for the standard library, and for a folder that a replace directive names.
const (
	std   = "std"
	local = "local"
)

// HasVersions reports whether a finding is of a dependency that has other versions. A folder has none. The packages of a module that
// replaces another one have the paths of the replaced one, so its other versions cannot be used for them.
func HasVersions(r finding.Record) bool {
	return r.Dependency != nil && r.Dependency.Version != local && contains(r.Dependency.Module, r.Package)
}

// required names a dependency, and says where the main module requires it and whether the newest version has the finding.
func required(r finding.Record) string {
	d := r.Dependency
	text := d.Module + "@" + d.Version
	if d.Line > 0 {
		text += fmt.Sprintf(", go.mod line %d", d.Line)
	}
	if newest := Newest(r); newest != "" {
		text += "; " + newest
	}
	return visible(text)
}

// Newest says whether the newest version of a dependency has a finding too; empty: it is not known, or the module has no versions.
func Newest(r finding.Record) string {
	u := r.Upstream
	if u == nil {
		return ""
	}
	switch u.Result {
	case finding.Fails:
		return fmt.Sprintf("also in %s, the newest", u.Newest)
	case finding.Passes:
		return fmt.Sprintf("not in %s, the newest", u.Newest)
	case finding.IsNewest:
		if u.Newest == r.Dependency.Version {
			return u.Newest + " is the newest"
		}
		return fmt.Sprintf("newer than %s, the newest release", u.Newest)
	case finding.NotTried:
		return fmt.Sprintf("%s: not tried: %s", strings.TrimSpace("newest version "+u.Newest), u.Reason)
	}
	return ""
}

// policy writes the places of the security policy of a dependency: all, or only the last, which is an address if there is one.
func policy(w io.Writer, places []string, all bool) {
	if !all && len(places) > 1 {
		places = places[len(places)-1:]
	}
	name := "policy"
	for _, place := range places {
		field(w, name, visible(place))
		name = ""
	}
}

// isDependency reports whether a module, as in "example.com/m@v1.2.3" by the path of a package, is that of the target of a finding.
func isDependency(module string, r finding.Record) bool {
	path, version, _ := strings.Cut(module, "@")
	return r.Dependency != nil && version == r.Dependency.Version && contains(path, r.Package)
}

// contains reports whether a module may contain a package, by their paths.
func contains(module, pkg string) bool { return pkg == module || strings.HasPrefix(pkg, module+"/") }

// upstream writes how the maintainers of a dependency see the finding with plain go test in their repository.
func upstream(w io.Writer, r finding.Record, o Options) {
	d := r.Dependency
	where := fmt.Sprintf("the repository of %s at %s", d.Module, d.Version)
	if d.Module == std {
		where = fmt.Sprintf("the Go repository at %s, and change to its folder src", d.Version)
	}
	if d.Version == local {
		where = fmt.Sprintf("not needed: %s is in the folder that go.mod replaces it with", d.Module)
	}
	field(w, "clone", visible(where))
	if u := r.Upstream; u != nil && len(u.Debug) > 0 {
		flags := ""
		for _, line := range u.Debug {
			flags += " " + Quoted("-godebug="+line)
		}
		field(w, "", visible("go mod edit"+flags))
	}
	if d.File != "" {
		field(w, "", visible(fmt.Sprintf("put a copy of the target, %s, in its folder %s", o.shown(d.File), d.Folder)))
	}
	name := r.Seed
	if r.Path != "" {
		name = filepath.Base(filepath.FromSlash(r.Path))
		field(w, "", visible("put the file at "+path.Join(d.Folder, "testdata", "fuzz", r.Target, name)))
	}
	pkg := "./" + d.Folder
	if d.Folder == "." {
		pkg = "."
	}
	field(w, "", visible(fmt.Sprintf("go test -run=%s %s", Quoted(r.Target+"/"+literal(name)), Quoted(pkg))))
	if HasVersions(r) && !r.Kind.Measured() && r.NotRun == "" {
		field(w, "newest", "gnaw repro "+o.ID+"@latest runs the input with the newest version")
	}
}

// targetOf writes the source of the target, which the repository of the dependency does not have.
func targetOf(w io.Writer, r finding.Record, o Options) {
	name := filepath.FromSlash(r.Dependency.File)
	if !filepath.IsAbs(name) {
		name = filepath.Join(o.Root, name)
	}
	text, err := disk.Read(name, disk.MaxSource)
	if err != nil {
		field(w, "target", "its file cannot be read: "+visible(err.Error()))
		return
	}
	source, ok := functionIn(text, r.Target)
	if !ok {
		field(w, "target", o.shown(r.Dependency.File)+" has no "+r.Target+" any more")
		return
	}
	fmt.Fprintln(w, "  target")
	for line := range strings.SplitSeq(source, "\n") {
		fmt.Fprintln(w, strings.TrimRight("    "+visible(line), " "))
	}
}

// functionIn returns a function of a source file, with its comment.
func functionIn(text []byte, name string) (source string, ok bool) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", false
	}
	for _, d := range tree.Decls {
		if f, isFunc := d.(*ast.FuncDecl); isFunc && f.Recv == nil && f.Name.Name == name {
			from := f.Pos()
			if f.Doc != nil {
				from = f.Doc.Pos()
			}
			return string(text[fset.PositionFor(from, false).Offset:fset.PositionFor(f.End(), false).Offset]), true
		}
	}
	return "", false
}
