package repro

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/project"
)

// WithFile returns the finding with a path for a file with its input, as go test names it, if it has none. The input of a seed of F.Add
// gets a file too: in another version of the target the number of the seed may stand for another input, or for none.
func WithFile(r finding.Record) finding.Record {
	if r.Path == "" && r.Input != "" {
		r.Path = path.Join(r.Folder, "testdata", "fuzz", r.Target, corpus.Name([]byte(r.Input)))
	}
	return r
}

// PutInput writes the input of a finding to its file if the file is missing. remove removes the file if PutInput wrote it and no other
// gnaw uses it; it prints to notices if it cannot. A file that the user has changed stays as it is.
func PutInput(m project.Module, r finding.Record, notices io.Writer) (remove func(), err error) {
	if r.Path == "" {
		return func() {}, nil
	}
	path := m.Abs(r.Path)
	if text, err := disk.Read(path, disk.MaxInput); err == nil && string(text) != r.Input {
		return func() {}, nil
	}
	missing := disk.Missing(filepath.Dir(path))
	h, err := corpus.TakeTemporaryFile(path, []byte(r.Input))
	if err != nil {
		removeEmpty(missing)
		return nil, fmt.Errorf("put the input where go test looks for it: %w; in a copy of the module that can be written go test runs it", err)
	}
	return func() {
		if err := h.Release(); err != nil {
			fmt.Fprintf(notices, "gnaw: the input stays: %v\n", err)
		}
		removeEmpty(missing)
	}, nil
}

// removeEmpty removes folders. A folder that has files of another process stays.
func removeEmpty(folders []string) {
	for _, dir := range folders {
		_ = os.Remove(dir)
	}
}
