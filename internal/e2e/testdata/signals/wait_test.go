package signals

import (
	"os"
	"testing"
	"time"
)

// FuzzWait fails, and sleeps if there is a file to be made.
func FuzzWait(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		if begun := os.Getenv("BEGUN"); begun != "" {
			if err := os.WriteFile(begun, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
		}
		t.Fatal("this fails")
	})
}
