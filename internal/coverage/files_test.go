package coverage

import (
	"crypto/sha256"
	"errors"
	"maps"
	"testing"
	"time"
)

func TestFilesAreThoseThatTheBinaryWasBuiltOf(t *testing.T) {
	built := time.Unix(100, 0)
	var blocks Sources
	for _, name := range []string{"p/known.go", "p/old.go", "p/new.go", "p/none.go", "p/old.go", "p/new.go"} {
		blocks = append(blocks, SourceBlock{Block: Block{Package: "p", File: name}})
	}
	reads := map[string]int{}
	files := Files{"p/known.go": {1}}
	files.Add(blocks, built, func(pkg, file string) ([]byte, time.Time, error) {
		reads[pkg+" "+file]++
		switch file {
		case "p/old.go":
			return []byte("old"), built.Add(-1), nil
		case "p/new.go":
			return []byte("new"), built, nil
		}
		return nil, time.Time{}, errors.New("no such file")
	})
	if want := (Files{"p/known.go": {1}, "p/old.go": sha256.Sum256([]byte("old"))}); !maps.Equal(files, want) {
		t.Errorf("the files are %x, want %x", files, want)
	}
	if want := map[string]int{"p p/old.go": 1, "p p/new.go": 1, "p p/none.go": 1}; !maps.Equal(reads, want) {
		t.Errorf("what is read is %v, want %v", reads, want)
	}
}
