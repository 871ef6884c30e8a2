package session

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/dictionary"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
)

// FindWords returns a function that finds the words for a target: first those of the user's files, then more. given are the words of the
// files of -dict. seeds is the folder of the target in testdata/fuzz. FindWords reads the file with the same name and the extension .dict, if
// there is one; the error says why it cannot be used. more returns other words, such as those of the sources.
func FindWords(given [][]byte, seeds string, more engine.WordsFunc) (engine.WordsFunc, error) {
	beside, err := dictionary.Read(filepath.Clean(seeds) + ".dict")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return func(ctx context.Context) [][]byte {
		return dictionary.Join(given, beside, more(ctx))
	}, nil
}

// ReadDictionaries reads the files of -dict in order.
func ReadDictionaries(files []string) (words [][]byte, err error) {
	for _, path := range files {
		more, err := dictionary.ReadNamed(path)
		if err != nil {
			return nil, err
		}
		words = append(words, more...)
	}
	return words, nil
}
