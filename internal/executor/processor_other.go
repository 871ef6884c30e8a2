//go:build !linux

package executor

// ProcessorUse returns the zero value: this system does not report how long another process has run.
func ProcessorUse(int) Use { return Use{} }
