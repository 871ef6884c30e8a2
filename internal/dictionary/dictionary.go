// Package dictionary collects tokens to insert into inputs.
//
// [Read] and [Parse] read dictionary files in the format of AFL and libFuzzer. [Sources] extracts tokens from the Go sources of
// the package under test and its imports: keywords, keys, tags, and magic numbers in the encodings that files use. [Join] merges
// lists, the best one first.
//
// Sources parses Go files and does not build or type-check them. It skips a file that does not parse.
package dictionary

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// MaxWords is how many words there are at most. More of them would be tried so rarely that they are of no use.
const MaxWords = 4096

const (
	// maxWord is the length in bytes of the longest word that is taken from sources; longer ones are hardly ever what a
	// program looks for. libFuzzer has the same limit.
	maxWord = 64
	// maxGiven is the length in bytes of the longest word of a file. AFL++ has the same limit.
	maxGiven = 128

	// MaxFile is the size in bytes of the largest dictionary file that is read: far more than MaxWords words.
	MaxFile = 8 << 20
)

// Join puts lists together in order, each word once, and cuts the result off after [MaxWords] words. Empty words are
// left out.
func Join(lists ...[][]byte) [][]byte {
	known := map[string]bool{"": true}
	var all [][]byte
	for _, list := range lists {
		for _, w := range list {
			if len(all) == MaxWords {
				return all
			}
			if !known[string(w)] {
				known[string(w)] = true
				all = append(all, w)
			}
		}
	}
	return all
}

// Read reads a dictionary file of a repository, see [Parse]. The error names the file and says what to do; it wraps
// fs.ErrNotExist if there is none.
func Read(path string) ([][]byte, error) { return read(path, disk.Read) }

// ReadNamed reads a dictionary file that the user names, which may be a pipe.
func ReadNamed(path string) ([][]byte, error) { return read(path, disk.ReadStream) }

func read(path string, file func(path string, limit int64) ([]byte, error)) ([][]byte, error) {
	data, err := file(path, MaxFile)
	var large *disk.SizeError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no dictionary file %s; correct the path, or leave it out: %w", path, err)
	case errors.As(err, &large):
		return nil, fmt.Errorf("the dictionary file %s has more than %d bytes; only the first %d words of it would be used, make it smaller",
			path, MaxFile, MaxWords)
	case err != nil && isDir(path):
		return nil, fmt.Errorf("the dictionary %s is a directory; name a file in it", path)
	case errors.Is(err, disk.ErrIrregular):
		return nil, fmt.Errorf("the dictionary %s is not a regular file; put one in its place, or leave it out", path)
	case err != nil:
		return nil, disk.Explain("read the dictionary file", path, err)
	}
	return Parse(path, data)
}
