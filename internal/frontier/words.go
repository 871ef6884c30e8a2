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

// Words returns the words that would help a target of a package, each once, in the order of the rows.
func (f *Frontier) Words(pkg, target string) [][]byte {
	var list [][]byte
	for _, r := range f.Rows {
		if r.Help.Word == nil {
			continue
		}
		for i, in := range f.reach.inputs {
			if in.target.Package == pkg && in.target.Name == target && r.reached.has(i) {
				list = append(list, r.Help.Word)
				break
			}
		}
	}
	return dictionary.Join(list)
}

// AddWords adds words to a dictionary file, which need not exist, and returns those that it did not have. What is in the file stays as it is.
// The error says why the file cannot be read or written; nothing is written then.
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
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return nil, disk.Explain("make the folder", filepath.Dir(file), err)
	}
	if err := disk.Write(file, text); err != nil {
		return nil, disk.Explain("write the dictionary", file, err)
	}
	return added, nil
}
