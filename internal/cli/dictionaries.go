package cli

import (
	"os"

	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// checkDictionaries returns an error if a dictionary file cannot be used. The coordinator reads the files again, so a pipe is an error.
func checkDictionaries(files []string) error {
	for _, path := range files {
		if info, err := os.Stat(path); err == nil && info.Mode()&os.ModeNamedPipe != 0 {
			return usagef("-dict: %s is a pipe, which can be read only once; write the words to a file", path)
		}
	}
	if _, err := session.ReadDictionaries(files); err != nil {
		return usagef("-dict: %v", err)
	}
	return nil
}
