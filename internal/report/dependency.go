package report

import (
	"fmt"
	"io"
	"path"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/finding"
)

// std is the name that a [finding.Dependency] has for the standard library.
const std = "std"

// required names a dependency and says where the main module requires it.
func required(d finding.Dependency) string {
	text := visible(d.Module + "@" + d.Version)
	if d.Line > 0 {
		text += fmt.Sprintf(", go.mod line %d", d.Line)
	}
	return text
}

// upstream writes how the maintainers of a dependency see the finding with plain go test in their repository.
func upstream(w io.Writer, r finding.Record) {
	d := r.Dependency
	where := fmt.Sprintf("the repository of %s at %s", d.Module, d.Version)
	if d.Module == std {
		where = fmt.Sprintf("the Go repository at %s, and change to its folder src", d.Version)
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
}
