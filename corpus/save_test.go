package corpus

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/disk/faulty"
)

// load returns the entries of a store that must have no problems.
func load(t *testing.T, dir string) []Entry {
	t.Helper()
	entries, problems, err := in(dir).Load(t.Context(), nil)
	if err != nil || len(problems) > 0 {
		t.Fatalf("Load(%s): problems %v, error %v", dir, problems, err)
	}
	return entries
}

// leftOvers returns what Save has left in a store besides entries.
func leftOvers(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, disk.TempPrefix+"*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// save saves one tuple as SaveAll does.
func save(s Store, a input.Args) (path string, isNew bool, err error) {
	saved, err := s.SaveAll([]input.Args{a})
	if err != nil {
		return "", false, err
	}
	return saved[0].Path, saved[0].IsNew, nil
}

func TestSaveWritesWhatLoadReads(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "testdata", "fuzz", "FuzzX")
	a := tuple("hello", -1)
	path, isNew, err := in(dir).Save(a)
	if err != nil || !isNew || path != filepath.Join(dir, Name(input.Marshal(a))) {
		t.Fatalf("first Save = %q, %v, %v", path, isNew, err)
	}
	again, isNew, err := in(dir).Save(a)
	if err != nil || isNew || again != path {
		t.Errorf("second Save = %q, %v, %v, want %q and not new", again, isNew, err, path)
	}
	entries := load(t, dir)
	if len(entries) != 1 || entries[0].Path != path || entries[0].Name != filepath.Base(path) || !entries[0].Args.Equal(a) {
		t.Errorf("Load = %+v, want the saved entry", entries)
	}
	if left := leftOvers(t, dir); len(left) > 0 {
		t.Errorf("Save leaves %v", left)
	}
}

func TestSavedFileHasTheModeOfAnyNewFile(t *testing.T) {
	dir := t.TempDir()
	path, _, err := in(dir).Save(tuple("a", 1))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(put(t, dir, "other", ""))
	if err != nil {
		t.Fatal(err)
	}
	if got.Mode() != want.Mode() {
		t.Errorf("the file has mode %v, want %v", got.Mode(), want.Mode())
	}
}

func TestSaveRepairsADamagedFile(t *testing.T) {
	dir, a := t.TempDir(), tuple("a\n", 1)
	good := input.Marshal(a)
	for _, damaged := range []string{"", string(good[:20]), strings.ReplaceAll(string(good), "\n", "\r\n")} {
		put(t, dir, Name(good), damaged)
		path, isNew, err := in(dir).Save(a)
		if err != nil || !isNew {
			t.Errorf("Save over %q = %v, %v, want new", damaged, isNew, err)
		}
		if got, _ := os.ReadFile(path); !bytes.Equal(got, good) {
			t.Errorf("Save over %q leaves %q", damaged, got)
		}
	}
}

func TestConcurrentSavesOfOneEntryAllSucceed(t *testing.T) {
	dir := t.TempDir()
	var news atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			_, isNew, err := in(dir).Save(tuple("same", 1))
			if err != nil {
				t.Error(err)
			}
			if isNew {
				news.Add(1)
			}
		})
	}
	wg.Wait()
	if n := len(load(t, dir)); n != 1 || news.Load() == 0 || len(leftOvers(t, dir)) > 0 {
		t.Errorf("%d entries, %d times new, left over %v", n, news.Load(), leftOvers(t, dir))
	}
}

// The store that faults are tried on has one old entry; Save adds this one.
var fresh = tuple(strings.Repeat("fresh", 100), 2)

func storeWithOneEntry(t *testing.T) string {
	dir := t.TempDir()
	if _, _, err := in(dir).Save(tuple("old", 1)); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestSaveLeavesNothingTornWhenAnOperationFails(t *testing.T) {
	var ops []string
	for n := 1; ; n++ {
		dir := storeWithOneEntry(t)
		files := &faulty.Files{FailAt: n}
		path, isNew, err := save(on(dir, files), fresh)
		if len(files.Failed) == 0 {
			if err != nil || !isNew {
				t.Errorf("Save without a fault: %v, %v", isNew, err)
			}
			break
		}
		op := files.Failed[0]
		ops = append(ops, op)
		entries := load(t, dir) // a torn entry would be a problem
		if op == "removeall" {
			if err != nil || !isNew || len(entries) != 2 {
				t.Errorf("Save that cannot clean up = %v, %v with %d entries", isNew, err, len(entries))
			}
			continue
		}
		want := "save corpus file " + filepath.Join(dir, Name(input.Marshal(fresh))) + ": "
		if !errors.Is(err, faulty.ErrInjected) || !strings.HasPrefix(err.Error(), want) || path != "" || isNew {
			t.Errorf("fault in %s: Save = %q, %v, %v", op, path, isNew, err)
		}
		if left := leftOvers(t, dir); len(left) > 0 {
			t.Errorf("fault in %s: left over %v", op, left)
		}
		if visible := len(entries) == 2; visible != (op == "syncdir") {
			t.Errorf("fault in %s: entry visible = %v", op, visible)
		}
	}
	want := []string{"read", "mkdir", "mkdirtemp", "create", "write", "sync", "close", "rename", "syncdir", "removeall"}
	if !slices.Equal(ops, want) {
		t.Errorf("operations of Save = %v, want %v", ops, want)
	}
}

// batch is what is saved at once: an entry that is there, two new ones, and one of them again.
var batch = []input.Args{tuple("old", 1), fresh, tuple("other", 3), fresh}

func TestSaveAllTellsEachFile(t *testing.T) {
	dir := storeWithOneEntry(t)
	files := &faulty.Files{}
	saved, err := on(dir, files).SaveAll(batch)
	if err != nil {
		t.Fatal(err)
	}
	for i, isNew := range []bool{false, true, true, false} {
		if want := (Saved{filepath.Join(dir, Name(input.Marshal(batch[i]))), isNew}); saved[i] != want {
			t.Errorf("file %d is %+v, want %+v", i, saved[i], want)
		}
	}
	if n := len(load(t, dir)); n != 3 {
		t.Errorf("the store has %d entries, want 3", n)
	}
	writes := files.Done[slices.Index(files.Done, "mkdirtemp")+1:]
	want := []string{
		"create", "write", "create", "write", "sync", "close", "sync", "close", "rename", "rename", "syncdir", "removeall",
	}
	if !slices.Equal(writes, want) {
		t.Errorf("operations = %v, want %v", writes, want)
	}
}

func TestSaveAllLeavesNothingTornWhenAnOperationFails(t *testing.T) {
	for n := 1; ; n++ {
		dir := storeWithOneEntry(t)
		files := &faulty.Files{FailAt: n}
		saved, err := on(dir, files).SaveAll(batch)
		if len(files.Failed) == 0 {
			return
		}
		op := files.Failed[0]
		if files.Open != 0 {
			t.Errorf("fault in %s: %d files are still open", op, files.Open)
		}
		load(t, dir) // a torn entry would be a problem
		if op == "removeall" {
			continue
		}
		if !errors.Is(err, faulty.ErrInjected) || saved != nil {
			t.Errorf("fault in %s: SaveAll = %v, %v", op, saved, err)
		}
		if left := leftOvers(t, dir); len(left) > 0 {
			t.Errorf("fault in %s: left over %v", op, left)
		}
		if saved, err := in(dir).SaveAll(batch); err != nil || len(saved) != len(batch) || len(load(t, dir)) != 3 {
			t.Errorf("fault in %s: the next SaveAll = %v, %v", op, saved, err)
		}
	}
}

func TestNothingTornIsSeenWhenTheProcessDies(t *testing.T) {
	for n := 1; ; n++ {
		dir := storeWithOneEntry(t)
		files := &faulty.Files{FailAt: n, Dead: true}
		save(on(dir, files), fresh)
		if len(files.Failed) == 0 {
			break
		}
		for _, path := range leftOvers(t, dir) {
			// `go test` reads every file but no directory.
			if info, err := os.Stat(path); err != nil || !info.IsDir() {
				t.Errorf("death in %s leaves %s, which is not a directory (%v)", files.Failed[0], path, err)
			}
		}
		before := load(t, dir)
		if err := disk.Sweep(disk.OS{}, dir, time.Now().Add(2*disk.SweepAge)); err != nil {
			t.Errorf("death in %s: Sweep: %v", files.Failed[0], err)
		}
		if left := leftOvers(t, dir); len(left) > 0 || len(load(t, dir)) != len(before) {
			t.Errorf("death in %s: Sweep leaves %v and %d of %d entries", files.Failed[0], left, len(load(t, dir)), len(before))
		}
		if _, _, err := in(dir).Save(fresh); err != nil || len(load(t, dir)) != 2 {
			t.Errorf("death in %s: the next Save: %v", files.Failed[0], err)
		}
	}
}

func TestARefusedRenameIsNoErrorIfTheFileIsThere(t *testing.T) {
	dir := t.TempDir()
	files := &renameRefused{other: func() {
		if _, _, err := in(dir).Save(fresh); err != nil {
			t.Error(err)
		}
	}}
	path, isNew, err := save(on(dir, files), fresh)
	if err != nil || isNew || path == "" {
		t.Errorf("Save = %q, %v, %v, want the file of the other process", path, isNew, err)
	}
}

// renameRefused lets another process win the race for the name and then refuses to replace its file.
type renameRefused struct {
	disk.OS
	other func()
}

func (f *renameRefused) Rename(string, string) error { f.other(); return faulty.ErrInjected }

func TestSaveSurvivesASweepWithAnotherClock(t *testing.T) {
	dir := t.TempDir()
	files := &sweptOnce{dir: dir}
	path, isNew, err := save(on(dir, files), fresh)
	if err != nil || !isNew {
		t.Fatalf("Save = %q, %v, %v, want a new file", path, isNew, err)
	}
	if !files.swept {
		t.Error("nothing was swept")
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("the folder has %v, %v, want one file", list, err)
	}
}

// sweptOnce has the store swept, before the first file is moved to its place, by a process whose clock is a day ahead.
type sweptOnce struct {
	disk.OS
	dir   string
	swept bool
}

func (f *sweptOnce) Rename(from, to string) error {
	if !f.swept {
		f.swept = true
		if err := disk.Sweep(f, f.dir, time.Now().Add(24*time.Hour)); err != nil {
			return err
		}
	}
	return f.OS.Rename(from, to)
}

func TestSweepTakesOldLeftOversOnly(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-2 * disk.SweepAge)
	for _, name := range []string{".gnaw-old/entry", ".gnaw-young/entry", "old-seed", ".other/entry"} {
		path := put(t, dir, name, "x")
		if strings.Contains(name, "young") {
			continue
		}
		for p := path; p != dir; p = filepath.Dir(p) {
			if err := os.Chtimes(p, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := Sweep(dir); err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range list {
		names = append(names, f.Name())
	}
	if want := []string{".gnaw-young", ".other", "old-seed"}; !slices.Equal(names, want) {
		t.Errorf("Sweep leaves %v, want %v", names, want)
	}
	if err := Sweep(filepath.Join(dir, "missing")); err != nil {
		t.Errorf("Sweep of a missing directory: %v", err)
	}
}
