package cli

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/project"
)

// inputFile returns the absolute path of the corpus file that an argument names in place of an ID; empty: it names none. A name without a
// folder is a file only in testdata/fuzz/<Target>.
func inputFile(env Env, arg string) string {
	file := env.Abs(arg)
	if strings.ContainsAny(arg, `/\`) {
		return file
	}
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && inCorpus(file) {
		return file
	}
	return ""
}

// inCorpus reports whether a file lies in testdata/fuzz/<Target> of a package.
func inCorpus(file string) bool {
	fuzz := filepath.Dir(filepath.Dir(file))
	return filepath.Base(fuzz) == "fuzz" && filepath.Base(filepath.Dir(fuzz)) == "testdata"
}

// readInput returns the input in a corpus file of a target as a finding about which nothing else is known.
func readInput(m project.Module, file string) (r finding.Record, err error) {
	text, err := disk.Read(file, disk.MaxInput)
	switch {
	case err != nil:
		return r, usagef("read the input: %v; write the path of an input, or the ID of a finding", err)
	case !inCorpus(file):
		return r, usagef("%s is not in testdata/fuzz/<Target> of a package; copy it there", file)
	}
	target := filepath.Dir(file)
	folder := filepath.Dir(filepath.Dir(filepath.Dir(target)))
	return finding.Record{
		Target: filepath.Base(target), Input: string(text), Size: len(text),
		Path: filepath.ToSlash(project.Relative(m.Root, file)), Folder: filepath.ToSlash(project.Relative(m.Root, folder)),
	}, nil
}

// ofInput returns the finding that has an input: in the same file, or the same input of the same target.
func (s *stored) ofInput(in finding.Record) (r finding.Record, ok bool) {
	for _, r := range s.all {
		if r.Path == in.Path {
			return r, true
		}
	}
	for _, r := range s.all {
		if r.Target == in.Target && r.Folder == in.Folder && r.Input == in.Input {
			return r, true
		}
		for _, other := range r.More {
			if other.Target == in.Target && other.Folder == in.Folder && other.Input == in.Input {
				return r, true
			}
		}
	}
	return r, false
}
