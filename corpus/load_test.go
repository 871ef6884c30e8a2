package corpus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/disk/faulty"
)

// on returns the store in a directory on other files than those of the system.
func on(dir string, files disk.Files) Store {
	return Store{dir: dir, codec: GoTest(bytesAndInt), files: files}
}

// fill writes n different entries, fast: without waiting for the disk.
func fill(t testing.TB, dir string, n int) {
	t.Helper()
	for i := range n {
		file := input.Marshal(tuple(fmt.Sprintf("some text, different each time: %d", i), i))
		put(t, dir, Name(file), string(file))
	}
}

// checkGoroutines fails the test if more goroutines are left at its end than at its start.
func checkGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		for deadline := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > before; runtime.Gosched() {
			if time.Now().After(deadline) {
				t.Fatalf("%d goroutines at the end, %d at the start", runtime.NumGoroutine(), before)
			}
		}
	})
}

func TestLoadReturnsEntriesByNameAndProblemsBesides(t *testing.T) {
	checkGoroutines(t)
	dir := t.TempDir()
	good := func(text string) string { return string(input.Marshal(tuple(text, 1))) }
	for name, file := range map[string]string{
		"b":              good("b"),
		"a-seed by hand": "go test fuzz v1\r\n[]byte(`a`)\r\nint(0x1)\r\n",
		"c-same-as-a":    good("a"),
		"d-torn":         "go test fuzz v1\n[]byte(\"d",
		"e-mistyped":     "go test fuzz v1\nint(1)\nint(1)\n",
		"README.md":      "Seeds of FuzzX.",
		".gnaw-1":        good("temp"),
		".gnaw-2/entry":  good("temp"),
		"sub/entry":      good("sub"),
		".hidden":        good("hidden"),
	} {
		put(t, dir, name, file)
	}
	entries, problems, err := in(dir).Load(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, fmt.Sprintf("%s=%s", e.Name, e.Args[0].Data))
		if e.Path != filepath.Join(dir, e.Name) {
			t.Errorf("entry %s has path %s", e.Name, e.Path)
		}
	}
	if want := []string{".hidden=hidden", "a-seed by hand=a", "b=b"}; !slices.Equal(got, want) {
		t.Errorf("entries %q, want %q", got, want)
	}
	wantProblems := []string{
		`README.md: the file ends before the first value`,
		`d-torn: line 2: malformed value "[]byte(\"d": string literal not terminated`,
		`e-mistyped: mismatched types in corpus entry: [int int], want [[]uint8 int]`,
	}
	if len(problems) != len(wantProblems) {
		t.Fatalf("problems %v, want %v", problems, wantProblems)
	}
	for i, want := range wantProblems {
		if got, want := problems[i].Error(), "read corpus file "+filepath.Join(dir, want); got != want {
			t.Errorf("problem %q, want %q", got, want)
		}
	}
}

func TestLoadOfNoDirectoryOrAnEmptyOneHasNoEntries(t *testing.T) {
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "missing")} {
		entries, problems, err := in(dir).Load(t.Context(), func(int, int) { t.Error("progress of nothing") })
		if len(entries)+len(problems) != 0 || err != nil {
			t.Errorf("Load = %v, %v, %v", entries, problems, err)
		}
	}
	file := put(t, t.TempDir(), "file", "x")
	if _, _, err := in(file).Load(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "list corpus directory "+file) {
		t.Errorf("Load of a file: %v", err)
	}
}

func TestLoadReportsProgressUpToTheTotal(t *testing.T) {
	checkGoroutines(t)
	dir := t.TempDir()
	const n = 3*loadBatch + 1
	fill(t, dir, n)
	last := 0
	entries, _, err := in(dir).Load(t.Context(), func(done, total int) {
		if done <= last || done > total || total != n {
			t.Errorf("progress %d of %d after %d, want up to %d", done, total, last, n)
		}
		last = done
	})
	if err != nil || len(entries) != n || last != n {
		t.Errorf("Load = %d entries, %v, last progress %d, want %d", len(entries), err, last, n)
	}
}

// stuck is a disk that delivers the files up to last and then nothing until others had their turn after ctx ended.
type stuck struct {
	disk.OS
	ctx     context.Context
	last    string
	reading *atomic.Int32 // reads that have not returned
}

func (f stuck) ReadFile(path string, limit int64) ([]byte, error) {
	f.reading.Add(1)
	defer f.reading.Add(-1)
	if filepath.Base(path) > f.last {
		<-f.ctx.Done()
		for range 10000 { // lets the owner of this goroutine leave too early, if it does
			runtime.Gosched()
		}
	}
	return f.OS.ReadFile(path, limit)
}

func TestLoadStopsWithItsContext(t *testing.T) {
	checkGoroutines(t)
	dir := t.TempDir()
	fill(t, dir, 3*loadBatch)
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	disk := stuck{ctx: ctx, last: list[loadBatch-1].Name(), reading: new(atomic.Int32)}
	last := 0
	entries, problems, err := on(dir, disk).Load(ctx, func(done, _ int) { last = done; cancel(faulty.ErrInjected) })
	if n := disk.reading.Load(); n != 0 {
		t.Errorf("Load has returned while %d of its goroutines read", n)
	}
	if !errors.Is(err, faulty.ErrInjected) || entries != nil || problems != nil || last != loadBatch {
		t.Errorf("Load = %d entries, %v, %v after %d files, want only the cause of the context", len(entries), problems, err, last)
	}
}

// vanishing has files that are gone between listing and reading.
type vanishing struct{ disk.OS }

func (f vanishing) ReadFile(path string, limit int64) ([]byte, error) {
	if strings.HasSuffix(path, "0") {
		if err := f.Remove(path); err != nil {
			return nil, err
		}
	}
	return f.OS.ReadFile(path, limit)
}

func TestAStoreWithLimitsReadsNoMore(t *testing.T) {
	entry := func(i int) string { return string(input.Marshal(tuple("x", i))) }
	size := int64(len(entry(0)))
	for _, tt := range []struct {
		name     string
		limits   Limits
		entries  int
		problems []string
	}{
		{"no limits", Limits{}, 4, nil},
		{"limits that are met", Limits{Files: 4, File: size, Size: 4 * size}, 4, nil},
		{"fewer files", Limits{Files: 2, File: size, Size: 4 * size}, 2, []string{"2 files are not read"}},
		{"fewer bytes", Limits{Files: 4, File: size, Size: 2 * size}, 2, []string{"2 files are not read"}},
		{"smaller files", Limits{Files: 4, File: size - 1, Size: size}, 0, []string{"more than", "more than", "more than", "more than"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for i := range 4 {
				put(t, dir, fmt.Sprint(i), entry(i))
			}
			entries, problems, err := in(dir).Limited(tt.limits).Load(t.Context(), nil)
			if err != nil || len(entries) != tt.entries || len(problems) != len(tt.problems) {
				t.Fatalf("Load = %d entries, %v, %v, want %d entries and %q", len(entries), problems, err, tt.entries, tt.problems)
			}
			for i, want := range tt.problems {
				if !strings.Contains(problems[i].Error(), want) || !strings.Contains(problems[i].Error(), dir) {
					t.Errorf("problem %d is %v, want it to have %q and the folder", i, problems[i], want)
				}
			}
		})
	}
}

func TestAFileThatVanishesIsNoProblem(t *testing.T) {
	dir := t.TempDir()
	for i := range 20 {
		put(t, dir, fmt.Sprint(i), string(input.Marshal(tuple("x", i))))
	}
	entries, problems, err := on(dir, vanishing{}).Load(t.Context(), nil)
	if len(entries) != 18 || len(problems) != 0 || err != nil {
		t.Errorf("Load = %d entries, %v, %v, want 18", len(entries), problems, err)
	}
}

func TestAFaultWhileReadingIsAProblemOfOneFile(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, 10)
	entries, problems, err := on(dir, &faulty.Files{FailAt: 4}).Load(t.Context(), nil)
	if err != nil || len(entries) != 9 || len(problems) != 1 || !errors.Is(problems[0], faulty.ErrInjected) {
		t.Errorf("Load = %d entries, %v, %v, want 9 and the fault", len(entries), problems, err)
	}
	if _, _, err := on(dir, &faulty.Files{FailAt: 1}).Load(t.Context(), nil); !errors.Is(err, faulty.ErrInjected) {
		t.Errorf("Load of a directory that cannot be listed: %v", err)
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{1000, 100000} {
		b.Run(fmt.Sprintf("files=%d", n), func(b *testing.B) {
			dir := b.TempDir()
			fill(b, dir, n)
			b.ReportAllocs()
			for b.Loop() {
				entries, problems, err := in(dir).Load(b.Context(), nil)
				if err != nil || len(entries) != n || len(problems) != 0 {
					b.Fatalf("%d entries, %d problems, %v", len(entries), len(problems), err)
				}
			}
		})
	}
}

func BenchmarkSave(b *testing.B) {
	dir := b.TempDir()
	for i := 0; b.Loop(); i++ {
		if _, isNew, err := in(dir).Save(tuple("entry", i)); err != nil || !isNew {
			b.Fatal(isNew, err)
		}
	}
}
