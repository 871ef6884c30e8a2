// Package chance makes choices of the runtime repeatable: the order of a range over a map, the hash seed of a new map, the choice of
// a select among ready cases, and which of its values a sync.Pool returns.
//
// If [Seed] is called before each execution, all executions draw the same numbers. Three differences remain. A process has one
// generator, so goroutines of the target that run at the same time draw in the order of their scheduling. The hash function of a
// process has a random key, so a map with more than eight entries has another order in another process. The compiler seeds a map
// that does not leave its function without this package, which shows if the map has more than eight entries.
//
// Without a call of Seed or KeepPooled, and in a test binary without gnaw's hooks in the standard library, nothing changes.
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

// KeepPooled sets whether each sync.Pool returns the value that was put last. If not, the garbage collector and the scheduler decide what
// it returns.
//
//go:norace
func KeepPooled(keep bool) { hook.Pooled = keep }
