package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestFromRaw(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"an empty input", "", "go test fuzz v1\n[]byte(\"\")\n"},
		{"text", "a \"b\"\n", "go test fuzz v1\n[]byte(\"a \\\"b\\\"\\n\")\n"},
		{"bytes that are no text", "\x00\xff", "go test fuzz v1\n[]byte(\"\\x00\\xff\")\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := fromRaw([][]byte{[]byte(tt.raw)})
			if err != nil || len(got) != 1 || string(got[0]) != tt.want {
				t.Errorf("fromRaw(%q) = %q, %v, want %q", tt.raw, got, err, tt.want)
			}
		})
	}
}

func TestReadFiles(t *testing.T) {
	dir := t.TempDir()
	if err := writeNumbered(filepath.Join(dir, "corpus"), [][]byte{[]byte("x"), {}}); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "corpus", "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "corpus", ".state"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	files, err := readFiles(filepath.Join(dir, "corpus"))
	if err != nil || len(files) != 2 || string(files[0]) != "x" || len(files[1]) != 0 {
		t.Errorf("readFiles = %q, %v, want the two files", files, err)
	}
	if files, err := readFiles(filepath.Join(dir, "none")); err != nil || files != nil {
		t.Errorf("readFiles of no folder = %q, %v, want nothing", files, err)
	}
}

func TestEachSubjectHasAFolderWithSeeds(t *testing.T) {
	for _, list := range [][]subject{parsers, puzzles} {
		for _, s := range list {
			seeds, err := readFiles(filepath.Join("targets", s.dir(), "seeds"))
			if err != nil || len(seeds) == 0 {
				t.Errorf("%s has %d seeds, %v", s.Name, len(seeds), err)
			}
			if err := s.writeHarnesses(t.TempDir()); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestHalveLeavesOutWhatFails(t *testing.T) {
	tests := []struct {
		name    string
		files   string // a letter each; upper-case ones fail
		covered int
		lost    int
	}{
		{"nothing", "", 0, 0},
		{"all work", "abcde", 5, 0},
		{"one fails", "abCde", 4, 1},
		{"the first and the last fail", "AbcdefG", 5, 2},
		{"all fail", "ABC", 0, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var files [][]byte
			for _, c := range tt.files {
				files = append(files, []byte(string(c)))
			}
			p, lost, err := halve(t.Context(), files, func(files [][]byte) (profile, error) {
				p := profile{}
				for _, f := range files {
					if f[0] < 'a' {
						return nil, errors.New("exit status 2")
					}
					block := p[string(f)]
					block.Covered = true
					p[string(f)] = block
				}
				return p, nil
			})
			if err != nil || p.covered().Blocks != tt.covered || lost != tt.lost {
				t.Errorf("halve(%q) covers %d blocks and loses %d, %v, want %d and %d", tt.files, p.covered().Blocks, lost, err, tt.covered, tt.lost)
			}
		})
	}
}

func TestHalveFailsIfNothingWorks(t *testing.T) {
	tries := 0
	_, _, err := halve(t.Context(), [][]byte{{'a'}, {'b'}}, func([][]byte) (profile, error) {
		tries++
		return nil, errors.New("no such file")
	})
	if err == nil || tries > 3 {
		t.Errorf("halve tried %d times, %v, want an error after three", tries, err)
	}
}
