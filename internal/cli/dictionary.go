package cli

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/dictionary"
	"github.com/gnaw-fuzz/gnaw/internal/engine"
)

// findWords returns what finds the words for a target: those of the user's files first, which are read now, then those of
// the sources. seeds is the folder of the target in testdata/fuzz: a file of the same name with .dict is one of the user's.
// The error says which file cannot be used, and why.
func findWords(files []string, seeds string, place dictionary.Place) (engine.WordsFunc, error) {
	given, err := readDictionaries(files)
	if err != nil {
		return nil, err
	}
	beside, err := dictionary.Read(filepath.Clean(seeds) + ".dict")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return func(ctx context.Context) [][]byte {
		return dictionary.Join(given, beside, dictionary.Sources(ctx, place))
	}, nil
}

// readDictionaries reads files in order.
func readDictionaries(files []string) (words [][]byte, err error) {
	for _, path := range files {
		more, err := dictionary.Read(path)
		if err != nil {
			return nil, err
		}
		words = append(words, more...)
	}
	return words, nil
}

// givenIn returns the dictionary files that an environment names.
func givenIn(environ []string) []string {
	for _, pair := range environ {
		if list, ok := strings.CutPrefix(pair, build.DictEnv+"="); ok {
			return filepath.SplitList(list)
		}
	}
	return nil
}
