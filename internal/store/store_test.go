package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

const module = "example.com/m"

// childEnv makes the test binary a second process that writes into the same database.
const childEnv = "GNAW_STORE_TEST"

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		if err := fill(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// sightings is how often each process of the test sees its finding.
const sightings = 40

// fill opens the database, which may not exist, and records the same finding again and again.
func fill(path string) error {
	s, err := Open(context.Background(), path)
	if err != nil {
		return err
	}
	for range sightings {
		if _, err := s.Save(context.Background(), 1, module, record("aaaa", 1)); err != nil {
			return err
		}
	}
	return s.Close()
}

func record(id string, minute int) finding.Record {
	at := time.Date(2026, 1, 2, 3, minute, 0, 0, time.UTC)
	return finding.Record{
		ID: id, Kind: finding.Panic, Message: "index out of range [4]", Place: "p.F p.go:3", Package: module, Folder: ".",
		Target: "FuzzF", Input: "go test fuzz v1\n[]byte(\"\\xff\")\n", Path: "testdata/fuzz/FuzzF/1", Size: 1, Original: 9,
		Calls:  []finding.Call{{Func: "p.F", File: "p.go", Line: 3}},
		Output: "panic: index out of range [4]\n", Replays: 3, Repeats: 3, First: at, Last: at, Times: 1, Go: "go1.26.1",
	}
}

func opened(t *testing.T, path string) *Store {
	t.Helper()
	s, err := open(t.Context(), path, 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func path(t *testing.T) string { return filepath.Join(t.TempDir(), "a # folder?", "50%", FileName) }

func TestWhatIsSavedIsRead(t *testing.T) {
	file := path(t)
	s := opened(t, file)
	a, b := record("aaaa1111", 1), record("bbbb2222", 2)
	for _, r := range []finding.Record{a, b} {
		if got, err := s.Save(t.Context(), 1, module, r); err != nil || !reflect.DeepEqual(got, r) {
			t.Fatalf("Save returns %+v, %v, want %+v", got, err, r)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = opened(t, file)
	got, err := s.Findings(t.Context(), module)
	if err != nil || !reflect.DeepEqual(got, []finding.Record{b, a}) {
		t.Errorf("Findings = %+v, %v, want %+v", got, err, []finding.Record{b, a})
	}
	if got, err := s.Findings(t.Context(), "example.com/other"); err != nil || len(got) != 0 {
		t.Errorf("another module has the findings %+v, %v", got, err)
	}
}

func TestASecondSightingKeepsTheFirstTime(t *testing.T) {
	s := opened(t, path(t))
	again := record("aaaa", 7)
	again.Path = "testdata/fuzz/FuzzF/2"
	for _, r := range []finding.Record{record("aaaa", 1), again} {
		if _, err := s.Save(t.Context(), 1, module, r); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.Findings(t.Context(), module)
	if err != nil || len(all) != 1 {
		t.Fatalf("Findings = %v, %v, want one", all, err)
	}
	r := all[0]
	if r.First.Minute() != 1 || r.Last.Minute() != 7 || r.Times != 2 || r.Path != again.Path {
		t.Errorf("seen first %v, last %v, %d times, at %s", r.First, r.Last, r.Times, r.Path)
	}
}

func TestAClockThatIsSetBackLosesNoTime(t *testing.T) {
	s := opened(t, path(t))
	for _, r := range []finding.Record{record("aaaa", 7), record("aaaa", 1)} {
		if _, err := s.Save(t.Context(), 1, module, r); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.Findings(t.Context(), module)
	if err != nil || len(all) != 1 || all[0].First.Minute() != 1 || all[0].Last.Minute() != 7 {
		t.Errorf("Findings = %+v, %v, want one that was seen from minute 1 to 7", all, err)
	}
}

func TestUpdateIsNoSighting(t *testing.T) {
	s := opened(t, path(t))
	r, err := s.Save(t.Context(), 1, module, record("aaaa", 1))
	if err != nil {
		t.Fatal(err)
	}
	r.Size = 0
	if err := s.Update(t.Context(), module, r); err != nil {
		t.Fatal(err)
	}
	if all, err := s.Findings(t.Context(), module); err != nil || !reflect.DeepEqual(all, []finding.Record{r}) {
		t.Errorf("Findings = %+v, %v, want %+v", all, err, r)
	}
}

func TestCoverageIsReadInTheOrderOfTime(t *testing.T) {
	s := opened(t, path(t))
	id, err := s.Begin(t.Context(), Campaign{Module: module, Packages: "./...", Start: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	var want []Point
	for i := range 3 {
		p := Point{
			Target: fuzz.Name{Package: module, Func: "FuzzF"}, At: time.UnixMilli(int64(1000 + i)), Execs: 1 << 40, Edges: i, Buckets: 2 * i, Entries: 3 * i,
			Covered: 4 * i, Statements: 5 * i,
		}
		want = append(want, p)
		if err := s.Cover(t.Context(), id, module, p); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.End(t.Context(), id, time.Now()); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Coverage(t.Context(), module, fuzz.Name{Package: module, Func: "FuzzF"}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Coverage = %v, %v, want %v", got, err, want)
	}
}

func TestPick(t *testing.T) {
	all := []finding.Record{{ID: "aaaa1111"}, {ID: "aaaa2222"}, {ID: "bbbb3333"}}
	tests := []struct{ name, prefix, want, err string }{
		{"the start is enough", "bb", "bbbb3333", ""},
		{"capital letters do", "BBBB", "bbbb3333", ""},
		{"the whole ID", "aaaa2222", "aaaa2222", ""},
		{"several begin like that", "aaaa", "", `the ID "aaaa" fits 2 findings; write one of aaaa1, aaaa2`},
		{"none does", "cc", "", "no finding of this module has the ID \"cc\"; `gnaw findings` lists them"},
		{"nothing fits nothing", "", "", "fits 3 findings"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Pick(all, tt.prefix)
			if got.ID != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("Pick(%q) = %q, %v, want %q, %q", tt.prefix, got.ID, err, tt.want, tt.err)
			}
		})
	}
}

// Several processes make the database and write to it at the same time: nothing is lost and nobody fails.
func TestProcessesShareADatabase(t *testing.T) {
	file := path(t)
	const processes = 3
	var wg sync.WaitGroup
	for range processes {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), childEnv+"="+file)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	wg.Wait()
	all, err := opened(t, file).Findings(t.Context(), module)
	if err != nil || len(all) != 1 || all[0].Times != processes*sightings {
		t.Errorf("Findings = %v, %v, want one that was seen %d times", all, err, processes*sightings)
	}
}

// SQLite turns away one of two that change a new file to WAL together, without waiting: that is no lock to tell of.
func TestSeveralOpenANewDatabaseAtOnce(t *testing.T) {
	for range 60 {
		file := path(t)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				s, err := Open(t.Context(), file)
				if err == nil {
					err = s.Close()
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
}

// renumber changes the number of the schema of a database.
func renumber(t *testing.T, file string, number int) {
	t.Helper()
	s := opened(t, file)
	if _, err := s.db.Exec(fmt.Sprintf("PRAGMA user_version = %d", number)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// Whatever is wrong with the file is one sentence that names it and says what to do.
func TestFaults(t *testing.T) {
	tests := []struct {
		name   string
		damage func(t *testing.T, file string)
		want   string
	}{
		{"the file is no database", func(t *testing.T, file string) {
			write(t, file, strings.Repeat("this is no database\n", 1000))
		}, "the file is damaged or no database; remove the file to start a new history"},
		{"the middle of the file is damaged", func(t *testing.T, file string) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for i := 100; i < len(text); i++ {
				text[i] = 0xff
			}
			write(t, file, string(text))
		}, "the file is damaged or no database; remove the file to start a new history"},
		{"a newer gnaw wrote it", func(t *testing.T, file string) { renumber(t, file, 99) }, "a newer gnaw wrote it (schema 99, this one knows 10); install that gnaw, or remove the file"},
		{"an older gnaw wrote it", func(t *testing.T, file string) { renumber(t, file, schemaNumber-1) }, "an older gnaw wrote it (schema 9, this one knows 10); install that gnaw, or remove the file"},
		{"another process has locked it", lock, "another process has locked it for 50ms; end that process or try again"},
		{"a folder has its name", func(t *testing.T, file string) {
			if err := errors.Join(os.Remove(file), os.Mkdir(file, 0o777)); err != nil {
				t.Fatal(err)
			}
		}, "the file or its folder cannot be written; change the permissions"},
		{"a file has the name of its folder", func(t *testing.T, file string) {
			if err := os.RemoveAll(filepath.Dir(file)); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Dir(file), "")
		}, "make the folder in the history"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := path(t)
			if err := opened(t, file).Close(); err != nil {
				t.Fatal(err)
			}
			tt.damage(t, file)
			s, err := open(t.Context(), file, 50*time.Millisecond)
			if err == nil {
				_, err = s.Save(t.Context(), 1, module, record("aaaa", 1))
				_ = s.Close()
			}
			checkError(t, err, file, tt.want)
		})
	}
}

func TestAFullDiskIsToldAndLosesNothing(t *testing.T) {
	file := path(t)
	s := opened(t, file)
	if _, err := s.Save(t.Context(), 1, module, record("aaaa", 1)); err != nil {
		t.Fatal(err)
	}
	// SQLite says the same when this limit is reached as when the disk is full.
	if _, err := s.db.Exec("PRAGMA max_page_count = 1"); err != nil {
		t.Fatal(err)
	}
	large := record("bbbb", 2)
	large.Output = strings.Repeat("x", 1<<20)
	_, err := s.Save(t.Context(), 1, module, large)
	checkError(t, err, file, "the disk is full; make room, for instance with `gnaw clean`")
	if all, err := s.Findings(t.Context(), module); err != nil || len(all) != 1 || all[0].ID != "aaaa" {
		t.Errorf("Findings = %v, %v, want the one before", all, err)
	}
}

func checkError(t *testing.T, err error, file, want string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("the error is %v, want an *Error", err)
	}
	if text := err.Error(); !strings.Contains(text, want) || !strings.Contains(text, file) || strings.Contains(text, "\n") {
		t.Errorf("the error is %q, want one sentence with %q and the name of the file", text, want)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// lock holds the lock of a writer until the test ends.
func lock(t *testing.T, file string) {
	s := opened(t, file)
	tx, err := s.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
			t.Error(err)
		}
	})
}

func TestTheVariableForTheCacheIsThatOfTheSystem(t *testing.T) {
	for goos, want := range map[string]string{
		"linux": "XDG_CACHE_HOME", "freebsd": "XDG_CACHE_HOME", "darwin": "HOME", "windows": "LocalAppData",
	} {
		if got := cacheVariable(goos); got != want {
			t.Errorf("on %s it is %s, want %s", goos, got, want)
		}
	}
	dir := t.TempDir()
	t.Setenv(cacheVariable(runtime.GOOS), dir)
	if got, err := os.UserCacheDir(); err != nil || !strings.HasPrefix(got, dir) {
		t.Errorf("with %s=%s the user cache directory is %s, %v", cacheVariable(runtime.GOOS), dir, got, err)
	}
}

// Nothing is wrong with the database then, and nobody shall remove it.
func TestAnInterruptSaysNothingAboutTheFile(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	file := path(t)
	s := opened(t, file)
	defer s.Close()
	_, atOpening := Open(ctx, file)
	_, atReading := s.Findings(ctx, module)
	_, atWriting := s.Save(ctx, 1, module, record("aaaa", 1))
	for name, err := range map[string]error{"opening": atOpening, "reading": atReading, "writing": atWriting} {
		if !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "remove the file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Another version may know kinds and forms that this one does not.
func TestARecordOfAnotherVersionIsShownAndStaysAsItIs(t *testing.T) {
	file := path(t)
	s := opened(t, file)
	ok, foreign := record("aaaa1111", 1), record("bbbb2222", 2)
	for _, r := range []finding.Record{ok, foreign} {
		if _, err := s.Save(t.Context(), 1, module, r); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ name, text, bad, message string }{
		{"a kind", `{"id":"bbbb2222","kind":"leap","message":"m","target":"FuzzF"}`, `kind "leap"`, "m"},
		{"two forms", `{"id":"bbbb2222","kind":"panic","message":"m","size":{"bytes":1},"frames":"p.F"}`, `frames "p.F", size {"bytes":1}`, "m"},
		{"no JSON", `leap`, "all of it", ""},
		{"a list", `[]`, "all of it", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := s.db.Exec("UPDATE findings SET record = ? WHERE id = ?", tt.text, foreign.ID); err != nil {
				t.Fatal(err)
			}
			all, err := s.Findings(t.Context(), module)
			if err != nil || len(all) != 2 || !reflect.DeepEqual(all[1], ok) {
				t.Fatalf("Findings = %+v, %v, want two", all, err)
			}
			if r := all[0]; r.ID != foreign.ID || r.Unreadable != tt.bad || r.Message != tt.message {
				t.Errorf("it is read as %+v, want the message %q, and that %s cannot be read", r, tt.message, tt.bad)
			}
			_, saved := s.Save(t.Context(), 1, module, foreign)
			err = errors.Join(saved, s.Update(t.Context(), module, foreign),
				s.AddSamples(t.Context(), module, foreign.ID, finding.Sample{Input: "x", Target: "FuzzF"}))
			var text string
			if scan := s.db.QueryRow("SELECT record FROM findings WHERE id = ?", foreign.ID).Scan(&text); err != nil || scan != nil || text != tt.text {
				t.Errorf("after it was seen again, the record is %s, %v, %v, want it as it was", text, err, scan)
			}
		})
	}
}

func TestAnotherSchemaIsAnErrorAndStays(t *testing.T) {
	file := path(t)
	s := opened(t, file)
	for _, version := range []int{-1, 1, schemaNumber - 1, schemaNumber + 1} {
		if _, err := s.db.Exec(fmt.Sprintf("PRAGMA user_version = %d", version)); err != nil {
			t.Fatal(err)
		}
		other, err := Open(t.Context(), file)
		if err == nil {
			_ = other.Close()
		}
		if err == nil || !strings.Contains(err.Error(), fmt.Sprint(version)) || strings.Contains(err.Error(), "\n") {
			t.Errorf("with version %d: %v, want one sentence", version, err)
		}
		var kept int
		if err := s.db.QueryRow("PRAGMA user_version").Scan(&kept); err != nil || kept != version {
			t.Errorf("the number %d has become %d (%v)", version, kept, err)
		}
	}
}

func TestTheReplaysOfTheLastBinariesAreKept(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	binaries := []string{"a", "b", "c", "d"}
	for _, binary := range binaries {
		if err := errors.Join(
			s.SaveReplays(t.Context(), binary, fuzz.Name{Package: "m/p", Func: "FuzzX"}, []byte("old "+binary)), s.SaveReplays(t.Context(), binary, fuzz.Name{Package: "m/p", Func: "FuzzX"}, []byte(binary)),
			s.SaveReplays(t.Context(), "a", fuzz.Name{Package: "m/p", Func: "FuzzY"}, []byte("y")),
		); err != nil {
			t.Fatal(err)
		}
	}
	got := ""
	for _, binary := range binaries {
		data, err := s.Replays(t.Context(), binary, fuzz.Name{Package: "m/p", Func: "FuzzX"})
		if err != nil {
			t.Fatal(err)
		}
		got += string(data) + ","
	}
	if got != ",b,c,d," {
		t.Errorf("the history has %q, want those of b, c and d", got)
	}
	if data, err := s.Replays(t.Context(), "a", fuzz.Name{Package: "m/p", Func: "FuzzY"}); err != nil || string(data) != "y" {
		t.Errorf("another target has %q (%v)", data, err)
	}
}
