package report

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
)

// Names that a [finding.Dependency] has for the standard library, and for a folder that a replace directive names.
const (
	std   = "std"
	local = "local"
)

// required names a dependency and says where the main module requires it.
func required(d finding.Dependency) string {
	text := visible(d.Module + "@" + d.Version)
	if d.Line > 0 {
		text += fmt.Sprintf(", go.mod line %d", d.Line)
	}
	return text
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
	name := r.Seed
	if r.Path != "" {
		name = filepath.Base(filepath.FromSlash(r.Path))
		field(w, "", visible("put the file at "+path.Join(d.Folder, "testdata", "fuzz", r.Target, name)))
	}
	pkg := "./" + d.Folder
	if d.Folder == "." {
		pkg = "."
	}
	field(w, "", visible(fmt.Sprintf("go test -run=%s %s", quoted(r.Target+"/"+literal(name)), quoted(pkg))))
	// The packages of a module that replaces another one have the paths of that one, which has other versions.
	if contains(d.Module, r.Package) && d.Version != local && !r.Kind.Measured() && r.NotRun == "" {
		field(w, "newest", "gnaw repro "+o.ID+"@latest runs the input with the newest version")
	}
}
