//go:build go1.26

package methods

import "testing"

func FuzzArtifactDir(f *testing.F) {
	note(f, func(t *testing.T, n *notes) {
		dir := t.ArtifactDir()
		n.add("exists %v, entries %d, again the same %v", exists(dir), len(entries(dir)), dir == t.ArtifactDir())
	})
}
