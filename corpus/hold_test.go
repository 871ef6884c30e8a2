//go:build unix

package corpus

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

// holds are what the processes of a test have, by their names.
type holds map[string]*Hold

// Locks belong to open files, so that two holds of one process are as good as those of two.
func TestAFileThatSeveralHold(t *testing.T) {
	take := func(who string, wantOwn bool) func(t *testing.T, h holds, dir string) {
		return func(t *testing.T, h holds, dir string) {
			got, own, err := in(dir).Take(fresh)
			if err != nil || own != wantOwn {
				t.Fatalf("Take by %s: own %v, %v, want own %v", who, own, err, wantOwn)
			}
			h[who] = got
		}
	}
	temporary := func(who string) func(t *testing.T, h holds, dir string) {
		return func(t *testing.T, h holds, dir string) {
			got, err := in(dir).TakeTemporary(fresh)
			if err != nil {
				t.Fatal(err)
			}
			h[who] = got
		}
	}
	end := func(who string, how func(*Hold) error) func(t *testing.T, h holds, dir string) {
		return func(t *testing.T, h holds, _ string) {
			if err := how(h[who]); err != nil {
				t.Fatal(err)
			}
		}
	}
	keep, release, discard := (*Hold).Keep, (*Hold).Release, (*Hold).Discard
	save := func(wantNew bool) func(t *testing.T, h holds, dir string) {
		return func(t *testing.T, _ holds, dir string) {
			if _, isNew, err := in(dir).Save(fresh); err != nil || isNew != wantNew {
				t.Fatalf("Save: new %v, %v, want new %v", isNew, err, wantNew)
			}
		}
	}
	type steps []func(t *testing.T, h holds, dir string)
	for _, tt := range []struct {
		name  string
		steps steps
		stays bool
	}{
		{"is temporary", steps{temporary("A"), end("A", release)}, false},
		{"is temporary for two", steps{temporary("A"), temporary("B"), end("A", release), end("B", release)}, false},
		{"is temporary for two, one of whom still has it", steps{temporary("A"), temporary("B"), end("A", release)}, true},
		{"was there before it is taken as a temporary one", steps{save(true), temporary("A"), end("A", release)}, true},
		{"was there before", steps{save(true), take("A", false), end("A", release)}, true},
		{"is saved while it is temporary", steps{temporary("A"), save(true), end("A", release)}, true},
		{"becomes a finding while it is temporary", steps{temporary("A"), take("B", true), end("A", release), end("B", keep)}, true},
		{"becomes a finding and something smaller while it is temporary", steps{temporary("A"), take("B", true), end("B", discard), end("A", release)}, false},
		{"is a finding", steps{take("A", true), end("A", keep)}, true},
		{"is a finding that was made smaller", steps{take("A", true), end("A", discard)}, false},
		{"is the finding of two, and made smaller by one", steps{take("A", true), take("B", false), end("A", discard), end("B", keep)}, true},
		{"is the finding of two, and made smaller by one at last", steps{take("A", true), take("B", false), end("B", keep), end("A", discard)}, true},
		{"is the finding of two, and made smaller by both", steps{take("A", true), take("B", false), end("A", discard), end("B", release)}, false},
		{"is run with go test while its finding is made smaller", steps{take("A", true), temporary("B"), end("A", discard)}, true},
		{"was run with go test while its finding was made smaller", steps{take("A", true), temporary("B"), end("A", discard), end("B", release)}, false},
		{"is removed by somebody while it is a finding", steps{
			take("A", true), func(t *testing.T, h holds, _ string) { remove(t, h["A"].Path()) }, end("A", keep),
		}, true},
		{"is discarded while it is temporary", steps{
			save(true), temporary("A"), func(_ *testing.T, h holds, _ string) { _ = Discard(h["A"].Path()) }, end("A", release),
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "FuzzX")
			h := holds{}
			for _, step := range tt.steps {
				step(t, h, dir)
			}
			path := filepath.Join(dir, Name(input.Marshal(fresh)))
			if _, err := os.Stat(path); (err == nil) != tt.stays {
				t.Errorf("the file is there: %v, want %v", err == nil, tt.stays)
			}
		})
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func TestTemporaryFilesOfKilledProcessesAreSwept(t *testing.T) {
	dir := t.TempDir()
	dead, err := TakeTemporaryFile(filepath.Join(dir, "dead"), []byte("dead"))
	if err != nil {
		t.Fatal(err)
	}
	_ = dead.file.Close() // as the system does when a process is killed
	alive, err := TakeTemporaryFile(filepath.Join(dir, "alive"), []byte("alive"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "user"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := SweepTemporary(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"dead": false, "alive": true, "user": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
	if !IsTemporary(alive.Path()) || IsTemporary(filepath.Join(dir, "user")) {
		t.Error("temporary files are not distinguished from others")
	}
}
