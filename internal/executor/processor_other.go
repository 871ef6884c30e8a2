//go:build !linux

package executor

import "time"

// processorTime returns 0: this system does not tell how long another process has run.
func processorTime(int) time.Duration { return 0 }
