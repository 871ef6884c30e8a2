package executor

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTheTimeInWhichThreadsWaitForAProcessor(t *testing.T) {
	for _, tt := range []struct {
		name    string
		threads map[string]string // contents of schedstat
		want    time.Duration
		known   bool
	}{
		{"two threads", map[string]string{"7": "5000 2000000 3\n", "8": "1 1000000 1\n"}, 3 * time.Millisecond, true},
		{"a thread has ended", map[string]string{"7": "5000 2000000 3\n", "8": ""}, 2 * time.Millisecond, true},
		{"the kernel does not count it", map[string]string{"7": ""}, 0, false},
		{"the process is gone", nil, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tasks := t.TempDir()
			for thread, text := range tt.threads {
				if err := os.Mkdir(filepath.Join(tasks, thread), 0o700); err != nil {
					t.Fatal(err)
				}
				if text == "" {
					continue
				}
				if err := os.WriteFile(filepath.Join(tasks, thread, "schedstat"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got, known := queueTime(tasks); got != tt.want || known != tt.known {
				t.Errorf("queueTime = %v, %v; want %v, %v", got, known, tt.want, tt.known)
			}
		})
	}
}
