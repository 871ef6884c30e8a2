package text

import (
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/deps"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// Name returns the folder of a target, relative to the working directory, and its name. A target of a dependency has its module, its
// version and its folder there.
func Name(t event.Target, dir string, m project.Module) string {
	if dependency, ok := strings.CutPrefix(t.Folder, deps.Folder+"/"); ok {
		return dependency + " " + t.Target
	}
	return shown(t.Folder, dir, m) + " " + t.Target
}

// Package returns a package as a person would type it: its folder relative to the working directory, or its path if it is not of the module.
func Package(path, dir string, m project.Module) string {
	folder, ok := strings.CutPrefix(path+"/", m.Path+"/")
	if !ok {
		return path
	}
	return shown(strings.TrimSuffix(folder, "/"), dir, m)
}

// shown returns a folder of the module relative to the working directory, as in "./p".
func shown(folder, dir string, m project.Module) string {
	folder = project.Relative(dir, m.Abs(folder))
	if !filepath.IsAbs(folder) && folder != "." {
		folder = "." + string(filepath.Separator) + folder
	}
	return folder
}

// Block returns a finding as lines of text, with lines of the source code, which it reads. Of o it uses Dir, Module, Verbose and Actual.
func Block(e event.Finding, o Options) string {
	shown := report.Options{Root: o.Module.Root, Dir: o.Dir, ID: e.Short, Full: o.Verbose, Actual: o.Actual}
	if e.Known != nil {
		shown.Note = e.Known.Remark()
	}
	var block strings.Builder
	report.Block(&block, e.Record, shown)
	return block.String()
}
