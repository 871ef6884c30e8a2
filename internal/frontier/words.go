package frontier

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/dictionary"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// Words returns the dictionary words that would help a target: those of the rows whose condition an input of the target evaluates. They are in
// the order of the rows, each once.
func (f *Frontier) Words(pkg, target string) [][]byte {
	var list [][]byte
	for _, r := range f.Rows {
		if r.Help.Words == nil {
			continue
		}
		for i, in := range f.reach.inputs {
			if in.target.Package == pkg && in.target.Func == target && r.reached.has(i) {
				list = append(list, r.Help.Words...)
				break
			}
		}
	}
	return dictionary.Join(list)
}

// AddWords appends the words that a dictionary file does not have to the file, and returns them. It does not change the text that is in the
// file, and creates a file that does not exist. If the file cannot be read, parsed or written, AddWords returns an error and does not change it.
func AddWords(file string, words [][]byte) (added [][]byte, err error) {
	known, err := dictionary.Read(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var text []byte
	if err == nil {
		if text, err = disk.Read(file, dictionary.MaxFile); err != nil {
			return nil, disk.Explain("read the dictionary", file, err)
		}
	}
	for _, w := range words {
		if !slices.ContainsFunc(known, func(k []byte) bool { return string(k) == string(w) }) {
			added = append(added, w)
		}
	}
	if len(added) == 0 {
		return nil, nil
	}
	if n := len(text); n > 0 && text[n-1] != '\n' {
		text = append(text, '\n')
	}
	for _, w := range added {
		text = append(dictionary.AppendWord(text, w), '\n')
	}
	if err := disk.CheckLinks(filepath.Dir(file)); err != nil {
		return nil, disk.Explain("write the dictionary", file, err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return nil, disk.Explain("make the folder", filepath.Dir(file), err)
	}
	if err := disk.Write(file, text); err != nil {
		return nil, disk.Explain("write the dictionary", file, err)
	}
	return added, nil
}
