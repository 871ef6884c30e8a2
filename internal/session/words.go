package session

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/dictionary"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
)

// FindWords returns what finds the words for a target: those of the user's files first, then those of the sources. given are
// the words of the files of -dict. seeds is the folder of the target in testdata/fuzz: a file of the same name with .dict is one
// of the user's, and is read now. The error says why it cannot be used.
func FindWords(given [][]byte, seeds string, place dictionary.Place) (engine.WordsFunc, error) {
	beside, err := dictionary.Read(filepath.Clean(seeds) + ".dict")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return func(ctx context.Context) [][]byte {
		return dictionary.Join(given, beside, dictionary.Sources(ctx, place))
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
