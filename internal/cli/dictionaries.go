package cli

import (
	"os"

	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// checkDictionaries reads files for the coordinator, which will read them once more: a pipe would be empty then.
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
