package corpus

import (
	"archive/zip"
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

// member is a file of an archive.
type member struct {
	name, content string
	mode          fs.FileMode
}

// putZip writes an archive.
func putZip(t *testing.T, path string, members ...member) {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate}
		h.SetMode(m.mode | 0o644)
		to, err := w.CreateHeader(h)
		if err == nil {
			_, err = to.Write([]byte(m.content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// loaded reads a source in the format that it detects. It returns the values by name, and the name of the format.
func loaded(t *testing.T, path string, l Limits, kinds []input.Kind) (values map[string]string, format string, read Loaded) {
	t.Helper()
	s, err := OpenSource(path, "", l)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	f, err := s.Detect(kinds)
	if err != nil {
		t.Fatal(err)
	}
	c, err := f.Codec(kinds)
	if err != nil {
		t.Fatal(err)
	}
	values = map[string]string{}
	read, err = s.Load(t.Context(), f, c, func(name string, a input.Args) error {
		values[name] = string(a[0].Data)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return values, f.Name, read
}

func TestFormatsOfFoldersAndArchivesAreDetected(t *testing.T) {
	v1 := func(text string) string {
		return string(input.Marshal(input.Args{{Kind: input.Bytes, Data: []byte(text)}}))
	}
	hash := func(text string) string { return sha1Name([]byte(text)) }
	for _, tt := range []struct {
		name    string
		files   map[string]string
		format  string
		want    map[string]string
		ignored int
	}{
		{"files of Go", map[string]string{"one": v1("a"), "two": v1("b"), "README": "no entry"}, "v1", map[string]string{"one": "a", "two": "b"}, 0},
		{"raw files", map[string]string{hash("a"): "a", "sub/" + hash("b"): "b"}, "libfuzzer", map[string]string{hash("a"): "a", "sub/" + hash("b"): "b"}, 0},
		{
			"a queue of AFL",
			map[string]string{"id:000000,orig:x": "a", "id:000001,src:000000,op:havoc,rep:2": "b", ".state/auto_extras/auto_000000": "no", "README.txt": "no"},
			"afl",
			map[string]string{"id:000000,orig:x": "a", "id:000001,src:000000,op:havoc,rep:2": "b"},
			1,
		},
		{
			"the output of AFL",
			map[string]string{"default/queue/id:000000,orig:x": "a", "default/crashes/id:000000,sig:11": "no", "default/crashes/README.txt": "no", "default/fuzzer_stats": "no"},
			"afl",
			map[string]string{"default/queue/id:000000,orig:x": "a"},
			3,
		},
		{
			"the folder of go-fuzz",
			map[string]string{"corpus/" + hash("a"): "a", "corpus/" + hash("b") + "-7": "b", "crashers/" + hash("c"): "no", "suppressions/" + hash("d"): "no"},
			"go-fuzz",
			map[string]string{"corpus/" + hash("a"): "a", "corpus/" + hash("b") + "-7": "b"},
			2,
		},
		{
			"crashers of go-fuzz",
			map[string]string{hash("a"): "a", hash("a") + ".quoted": "no", hash("a") + ".output": "no"},
			"go-fuzz",
			map[string]string{hash("a"): "a"},
			2,
		},
		{"nothing", map[string]string{"sub/.keep": ""}, "libfuzzer", map[string]string{}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir, archive := t.TempDir(), filepath.Join(t.TempDir(), "x.zip")
			var members []member
			for _, name := range slices.Sorted(maps.Keys(tt.files)) {
				members = append(members, member{name, tt.files[name], 0})
				if runtime.GOOS != "windows" || !strings.Contains(name, ":") {
					put(t, dir, name, tt.files[name])
				}
			}
			putZip(t, archive, members...)
			for _, path := range []string{dir, archive} {
				if path == dir && runtime.GOOS == "windows" && tt.format == "afl" {
					continue
				}
				values, format, read := loaded(t, path, SourceLimits, []input.Kind{input.Bytes})
				if format != tt.format || !maps.Equal(values, tt.want) || read.Inputs != len(tt.want) || tt.format != "v1" && read.Ignored != tt.ignored {
					t.Errorf("%s is %s with %q, %+v\nwant %s with %q, %d ignored", filepath.Base(path), format, values, read, tt.format, tt.want, tt.ignored)
				}
			}
		})
	}
}

func TestFormatsOfSeveralArgumentsAreNotGuessed(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "raw", "\x00\x01")
	s, err := OpenSource(dir, "", SourceLimits)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := s.Detect([]input.Kind{input.Bytes, input.Int}); err == nil || !strings.Contains(err.Error(), "nothing in "+dir+" tells") {
		t.Errorf("it is %s (%v)", f.Name, err)
	}
	if _, err := OpenSource(filepath.Join(dir, "missing"), "", SourceLimits); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
	if _, err := OpenSource(filepath.Join(dir, "raw"), "", SourceLimits); err == nil || !strings.Contains(err.Error(), "neither a folder nor a zip") {
		t.Errorf("a file that is no archive: %v", err)
	}
}

// reasons returns the names of skipped files with the beginnings of their reasons.
func reasons(list []Skipped) map[string]string {
	m := map[string]string{}
	for _, s := range list {
		m[s.Name] = strings.Join(strings.Fields(s.Reason)[:2], " ")
	}
	return m
}

func TestHostileArchivesAreSkippedByName(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "x.zip")
	putZip(t, archive,
		member{"good", "good", 0}, member{"../up", "x", 0}, member{"a/../../up", "x", 0}, member{"/etc/passwd", "x", 0}, member{`C:\x`, "x", 0}, member{`a\..\b`, "x", 0},
		member{"C:x", "x", 0}, member{"link", "/etc/passwd", fs.ModeSymlink}, member{"pipe", "", fs.ModeNamedPipe}, member{"device", "", fs.ModeDevice},
		member{"bomb", strings.Repeat("\x00", 1<<20), 0}, member{"good", "other", 0}, member{"./here", "here", 0},
	)
	values, _, read := loaded(t, archive, Limits{Files: 100, File: 1 << 10, Size: 1 << 30}, []input.Kind{input.Bytes})
	if want := map[string]string{"good": "good", "here": "here"}; !maps.Equal(values, want) {
		t.Errorf("it has %q, want %q", values, want)
	}
	want := map[string]string{
		"../up": "the name", "a/../../up": "the name", "/etc/passwd": "the name", `C:\x`: "the name", `a\..\b`: "the name", "C:x": "the name",
		"link": "a symbolic", "pipe": "not a", "device": "not a", "bomb": "the file", "good": "the archive",
	}
	if got := reasons(read.Skipped); !maps.Equal(got, want) {
		t.Errorf("skipped are %q\nwant %q", got, want)
	}
}

func TestASourceIsReadWithinItsLimits(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "x.zip")
	putZip(t, archive, member{"a", strings.Repeat("\x00", 600), 0}, member{"b", strings.Repeat("\x00", 600), 0}, member{"c", "c", 0}, member{"d", "d", 0})
	dir := t.TempDir()
	for name, content := range map[string]string{"a": strings.Repeat("\x00", 600), "b": strings.Repeat("\x00", 600), "c": "c", "d": "d"} {
		put(t, dir, name, content)
	}
	for _, path := range []string{archive, dir} {
		values, _, read := loaded(t, path, Limits{Files: 3, File: 1000, Size: 1000}, []input.Kind{input.Bytes})
		if got := reasons(read.Skipped); len(values) != 1 || values["a"] == "" || got["b"] != "the files" || got["c"] != "the files" || got["d"] != "this file" {
			t.Errorf("%s: read %d, skipped %q", path, len(values), got)
		}
	}
}

func TestLinksInAFolderAreSkippedByName(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	put(t, dir, "good", "good")
	put(t, outside, "secret", "secret")
	if err := errors.Join(os.Symlink(filepath.Join(outside, "secret"), filepath.Join(dir, "link")), os.Symlink(outside, filepath.Join(dir, "folder"))); err != nil {
		if runtime.GOOS == "windows" { // which may refuse links to the user
			t.Skip(err)
		}
		t.Fatal(err)
	}
	values, _, read := loaded(t, dir, SourceLimits, []input.Kind{input.Bytes})
	if got := reasons(read.Skipped); len(values) != 1 || got["link"] != "a symbolic" || got["folder"] != "a symbolic" {
		t.Errorf("read %q, skipped %q", values, got)
	}
	if _, err := Add(dir, []File{{"folder/new", []byte("x")}}); err == nil || !strings.Contains(err.Error(), "leads out of "+dir) {
		t.Errorf("a file is written through the link (%v)", err)
	}
	if list, err := os.ReadDir(outside); err != nil || len(list) != 1 {
		t.Errorf("outside there are %v (%v)", list, err)
	}
}

func TestExportsAreUnions(t *testing.T) {
	kinds := []input.Kind{input.Bytes}
	entry := func(text string) Entry { return Entry{Name: text, Args: args(t, []byte(text))} }
	for _, format := range FormatNames() {
		for _, where := range []string{"folder", "x.zip"} {
			t.Run(format+", "+where, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), where)
				f, err := FormatOf(format)
				if err != nil {
					t.Fatal(err)
				}
				c := codecOf(t, format, kinds)
				for _, step := range []struct {
					list  []Entry
					added int
				}{{[]Entry{entry("a"), entry("b"), entry("a")}, 2}, {[]Entry{entry("b"), entry("c")}, 1}, {[]Entry{entry("c")}, 0}} {
					if added, unfit, err := Export(path, f, c, step.list); added != step.added || len(unfit) > 0 || err != nil {
						t.Fatalf("%d are added, %v do not fit, %v; want %d", added, unfit, err, step.added)
					}
				}
				s, err := OpenSource(path, "", SourceLimits)
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				var got []string
				if _, err := s.Load(t.Context(), f, c, func(_ string, a input.Args) error {
					got = append(got, string(a[0].Data))
					return nil
				}); err != nil {
					t.Fatal(err)
				}
				if slices.Sort(got); strings.Join(got, " ") != "a b c" {
					t.Errorf("it has %q", got)
				}
			})
		}
	}
}

func TestAnArchiveKeepsWhatItHas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.zip")
	putZip(t, path, member{"../odd", "odd", 0}, member{"README", "text", 0}, member{"ab", "damaged", 0})
	if added, err := Add(path, []File{{"ab", []byte("ab")}, {"cd", []byte("cd")}}); added != 2 || err != nil {
		t.Fatalf("%d are added (%v)", added, err)
	}
	r, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var got []string
	for _, f := range r.File {
		got = append(got, f.Name)
	}
	if strings.Join(got, " ") != "../odd README ab cd" {
		t.Errorf("it has %q", got)
	}
	if list, err := os.ReadDir(filepath.Dir(path)); err != nil || len(list) != 1 {
		t.Errorf("beside it there are %v (%v)", list, err)
	}
}

// FuzzSource opens archives of anything: there is an error or a list, and no file is larger than its limit.
func FuzzSource(f *testing.F) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	to, err := w.Create("id:000000,orig:a")
	if err == nil {
		_, err = to.Write([]byte("content"))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, archive []byte) {
		path := filepath.Join(t.TempDir(), "x.zip")
		if err := os.WriteFile(path, archive, 0o666); err != nil {
			t.Fatal(err)
		}
		limits := Limits{Files: 10, File: 100, Size: 300}
		s, err := OpenSource(path, "", limits)
		if err != nil {
			return
		}
		defer s.Close()
		format, err := s.Detect([]input.Kind{input.Bytes})
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		l, err := s.Load(t.Context(), format, codecOf(t, format.Name, []input.Kind{input.Bytes}), func(_ string, a input.Args) error {
			size += len(a[0].Data)
			return nil
		})
		if err != nil || l.Inputs > limits.Files || int64(size) > limits.Size {
			t.Fatalf("%d inputs with %d bytes (%v)", l.Inputs, size, err)
		}
	})
}
