package sources

import (
	"os"
	"time"
)

// Parse hangs on one byte as soon as there is a file.
func Parse(s string) {
	if len(s) != 1 {
		return
	}
	if _, err := os.Stat(os.Getenv("WHEN")); err == nil {
		time.Sleep(time.Hour)
	}
}
