package cli

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/dictionary"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
)

// findWords returns what finds the words for a target: those of the user's files first, then those of the sources. given are
// the words of the files of -dict. seeds is the folder of the target in testdata/fuzz: a file of the same name with .dict is one
// of the user's, and is read now. The error says why it cannot be used.
func findWords(given [][]byte, seeds string, place dictionary.Place) (engine.WordsFunc, error) {
	beside, err := dictionary.Read(filepath.Clean(seeds) + ".dict")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return func(ctx context.Context) [][]byte {
		return dictionary.Join(given, beside, dictionary.Sources(ctx, place))
	}, nil
}

// readDictionaries reads the files of -dict in order.
func readDictionaries(files []string) (words [][]byte, err error) {
	for _, path := range files {
		more, err := dictionary.ReadNamed(path)
		if err != nil {
			return nil, err
		}
		words = append(words, more...)
	}
	return words, nil
}

// checkDictionaries reads files for the coordinator, which will read them once more: a pipe would be empty then.
func checkDictionaries(files []string) error {
	for _, path := range files {
		if info, err := os.Stat(path); err == nil && info.Mode()&os.ModeNamedPipe != 0 {
			return usagef("-dict: %s is a pipe, which can be read only once; write the words to a file", path)
		}
	}
	if _, err := readDictionaries(files); err != nil {
		return usagef("-dict: %v", err)
	}
	return nil
}
