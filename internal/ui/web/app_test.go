package web

import (
	"io/fs"
	"path"
	"testing"
)

func TestEachFileOfThePagesHasAMediaType(t *testing.T) {
	files := 0
	if err := fs.WalkDir(dist, "app/dist", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files++
			if types[path.Ext(name)] == "" {
				t.Errorf("%s has no media type", name)
			}
		}
		return err
	}); err != nil || files == 0 {
		t.Errorf("there are %d files (%v)", files, err)
	}
}
