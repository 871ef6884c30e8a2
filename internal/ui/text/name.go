package text

import (
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/deps"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// Name returns a target as a person would type it: its folder, relative to the working directory, and its name. For a target of a
// dependency, the module, its version and the folder in the module stand in place of the folder.
func Name(t event.Subject, dir string, m project.Module) string {
	if dependency, ok := strings.CutPrefix(t.Folder, deps.Folder+"/"); ok {
		return dependency + " " + t.Func
	}
	return m.FolderFrom(dir, t.Folder) + " " + t.Func
}

// Package returns a package as a person would type it: its folder relative to the working directory, or its import path if it is not in the module.
func Package(path, dir string, m project.Module) string {
	folder, ok := strings.CutPrefix(path+"/", m.Path+"/")
	if !ok {
		return path
	}
	return m.FolderFrom(dir, strings.TrimSuffix(folder, "/"))
}

// Block returns a finding as lines of text. It reads the source code, to show lines of it. It uses only Dir, Module, Verbose and Actual of o.
func Block(e event.Finding, o Options) string {
	shown := report.Options{Root: o.Module.Root, Dir: o.Dir, ID: e.Short, Full: o.Verbose, Actual: o.Actual}
	if e.Known != nil {
		shown.Note = e.Known.Remark()
	}
	var block strings.Builder
	report.Block(&block, e.Record, shown)
	return block.String()
}
