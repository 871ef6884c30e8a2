//go:build !linux

package executor

import "time"

// ProcessorTime returns 0: this system does not report how long another process has run.
func ProcessorTime(int) time.Duration { return 0 }
