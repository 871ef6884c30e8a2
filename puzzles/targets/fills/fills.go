// Package fills opens at the end of the maze of package maze12. Each call takes one of 5000 handles and does not return
// it; without a handle the target ignores its input.
//
// Technique: renew. The path takes tens of thousands of executions. A process wastes all but its first 5000, unless gnaw
// notices that the entries of the corpus no longer reach their edges there, and starts a new process.
package fills

import "github.com/gnaw-fuzz/gnaw/puzzles/targets/maze12"

// handles is how many are left.
var handles = 5000

// Open reports whether s is solved.
func Open(s string) bool {
	if handles == 0 {
		return false
	}
	handles--
	return maze12.Open(s)
}
