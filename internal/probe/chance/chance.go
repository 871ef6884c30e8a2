// Package chance makes repeatable what the runtime leaves to chance: the order of a range over a map, the hash seed of
// a new map and the choice of a select among ready cases.
//
// [Seed] before each execution makes all executions draw the same numbers. The generator is one per process, so what
// goroutines of the target that run at the same time draw still depends on who comes first; and the hash function of a
// process has a random key of its own, so a map of more than eight entries has another order in another process. The
// compiler seeds a map that never leaves its function with numbers that are not ours: that shows when such a map has
// more than eight entries.
// Without a call everything is as Go has it. In a test binary without gnaw's hooks in the runtime it does nothing.
package chance

import "github.com/gnaw-fuzz/gnaw/internal/probe/hook"

// Seed starts the generator anew.
//
//go:norace
func Seed(s uint64) { hook.State, hook.Seeded = s, true }

// Release gives the choice back to the runtime.
//
//go:norace
func Release() { hook.Seeded = false }
