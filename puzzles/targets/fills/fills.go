// Package fills opens at the end of the maze of package maze12. Each call takes a handle of which there are 5000, and gives
// none back: then nothing is looked at any more.
//
// Technique: renew. The path takes ten thousands of executions. All but the first 5000 of a process are lost, unless someone
// notices that what was in the corpus does nothing there any more, and takes a new process.
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
