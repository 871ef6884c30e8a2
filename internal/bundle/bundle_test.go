package bundle

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var some = Manifest{Protocol: "p", Go: "go1.27.3", OS: "linux", Arch: "amd64", Package: "example.com/m", Target: "FuzzX", Kinds: []string{"string"}}

// files are the parts of a small bundle.
func files() []File {
	return []File{
		{Name: Fuzz, Data: []byte("fuzz"), Exec: true},
		{Name: Plain, Data: []byte("plain"), Exec: true},
		{Name: Words, Data: nil},
		{Name: Folder + "/testdata/fuzz/FuzzX/a", Data: []byte("seed")},
	}
}

// written returns a bundle with parts.
func written(t testing.TB, list []File) []byte {
	t.Helper()
	var b bytes.Buffer
	n, err := Write(&b, some, list)
	if err != nil || n != int64(b.Len()) {
		t.Fatalf("Write = %d, %v; %d bytes are written", n, err, b.Len())
	}
	return b.Bytes()
}

// withManifest returns a bundle with a manifest that Write would refuse.
func withManifest(t *testing.T, m Manifest, parts string) []byte {
	t.Helper()
	head, err := m.header()
	if err != nil {
		t.Fatal(err)
	}
	return append(head, parts...)
}

func TestABundleHasWhatWasWritten(t *testing.T) {
	data := written(t, files())
	b, err := Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := b.Extract(dir); err != nil {
		t.Fatal(err)
	}
	for _, f := range files() {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		got, err := os.ReadFile(path)
		if err != nil || !bytes.Equal(got, f.Data) || !b.Has(f.Name) {
			t.Errorf("%s has %q (%v), want %q", f.Name, got, err, f.Data)
		}
		if info, err := os.Stat(path); err != nil || info.Mode()&0o100 != 0 != f.Exec || info.Mode()&0o077 != 0 {
			t.Errorf("%s has the mode %v (%v)", f.Name, info.Mode(), err)
		}
	}
	m := b.Manifest
	if m.Parts = nil; !reflect.DeepEqual(m, some) || b.Has("none") {
		t.Errorf("the manifest is %+v, want %+v", m, some)
	}
}

func TestABundleBehindAnExecutableIsFound(t *testing.T) {
	dir := t.TempDir()
	exe, out := filepath.Join(dir, "gnaw"), filepath.Join(dir, "fuzzer")
	if err := os.WriteFile(exe, []byte("an executable"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Attached(exe); !errors.Is(err, ErrNone) {
		t.Errorf("an executable without a bundle: %v, want %v", err, ErrNone)
	}
	for range 2 { // the second one replaces the first one
		size, err := Append(exe, out, some, files())
		if info, statErr := os.Stat(out); err != nil || statErr != nil || info.Size() != size || info.Mode()&0o111 != 0o111 {
			t.Fatalf("Append = %d, %v; the file is %v (%v)", size, err, info, statErr)
		}
	}
	b, f, err := Attached(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(b.Extract(filepath.Join(dir, "x")), f.Close()); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(dir, "x", Plain)); err != nil || string(got) != "plain" {
		t.Errorf("the part is %q (%v)", got, err)
	}
	if _, err := Append(exe, filepath.Join(dir, "none", "out"), some, files()); err == nil {
		t.Error("a bundle is written to a folder that does not exist")
	}
	missing := []File{{Name: Fuzz, Path: filepath.Join(dir, "none")}}
	if _, err := Append(exe, out, some, missing); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that does not exist: %v", err)
	}
	if list, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(list) > 0 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

func TestAHostileBundleIsRefused(t *testing.T) {
	hash := strings.Repeat("00", 32)
	one := func(p ...Part) Manifest { return Manifest{Parts: p} }
	in := func(name string) Part { return Part{Name: name, SHA256: hash} }
	for _, tt := range []struct {
		name, want string
		data       []byte
	}{
		{"nothing", "no bundle", nil},
		{"another file", "no bundle", []byte("#!/bin/sh\necho a script\n")},
		{"a manifest that is longer than the file", "its manifest has 4294967295 bytes", []byte(magic + "\xff\xff\xff\xff{}")},
		{"a manifest that is no JSON", "its manifest cannot be read", []byte(magic + "\x00\x00\x00\x02{]")},
		{"a name with two dots", "leads elsewhere", withManifest(t, one(in(Folder+"/../../x")), "")},
		{"an absolute name", "leads elsewhere", withManifest(t, one(in("/etc/passwd")), "")},
		{"a name with a backslash", "leads elsewhere", withManifest(t, one(in(Folder+`/..\..\x`)), "")},
		{"a name with a drive", "leads elsewhere", withManifest(t, one(in(Folder+"/c:x")), "")},
		{"an empty name", "leads elsewhere", withManifest(t, one(in("")), "")},
		{"a name outside of the folder", "is no part of a bundle", withManifest(t, one(in("bin/sh")), "")},
		{"two parts with one name", "two parts named", withManifest(t, one(in(Folder+"/a"), in(Folder+"/A")), "")},
		{"a part that is a folder", "is a part and a folder", withManifest(t, one(in(Folder+"/a/b"), in(Folder+"/a")), "")},
		{"a negative size", "has -1 bytes", withManifest(t, one(Part{Name: Fuzz, Size: -1, SHA256: hash}), "")},
		{"a size that overflows", "has 9223372036854775807 bytes", withManifest(t, one(Part{Name: Fuzz, Size: 1<<63 - 1, SHA256: hash}), "")},
		{"more than there is", "the parts have more than 2 bytes", withManifest(t, one(Part{Name: Fuzz, Size: 3, SHA256: hash}), "ab")},
		{"less than there is", "but 2 follow", withManifest(t, one(in(Fuzz)), "ab")},
		{"a part without a hash", "no SHA-256", withManifest(t, one(Part{Name: Fuzz}), "")},
		{"too many parts", "more than 100000 parts", withManifest(t, one(make([]Part, maxParts+1)...), "")},
	} {
		if _, err := Read(bytes.NewReader(tt.data), int64(len(tt.data))); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestADamagedPartIsAnError(t *testing.T) {
	data := written(t, files())
	data[len(data)-1]++
	b, err := Read(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Extract(t.TempDir()); err == nil || !strings.Contains(err.Error(), "the part package/testdata/fuzz/FuzzX/a: its SHA-256 is another one") {
		t.Errorf("the error is %v", err)
	}
}

func TestADamagedEndIsAnError(t *testing.T) {
	dir := t.TempDir()
	for name, end := range map[string][]byte{
		"a length beyond the file": append(binary.BigEndian.AppendUint64(nil, 1<<63), tail...),
		"a length of no bundle":    append([]byte("some text that is long enough"), append(binary.BigEndian.AppendUint64(nil, 16), tail...)...),
	} {
		path := filepath.Join(dir, "x")
		if err := os.WriteFile(path, end, 0o777); err != nil {
			t.Fatal(err)
		}
		if _, _, err := Attached(path); err == nil || errors.Is(err, ErrNone) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPartsThatNoBundleCanHaveAreNotWritten(t *testing.T) {
	for _, name := range []string{"", "../x", "x", Folder} {
		if _, err := Write(&bytes.Buffer{}, some, []File{{Name: name}}); err == nil {
			t.Errorf("a part named %q is written", name)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(written(f, files()))
	f.Add([]byte(magic + "\x00\x00\x00\x02{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := Read(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		dir := t.TempDir()
		inside := filepath.Join(dir, "in")
		if err := os.Mkdir(inside, 0o700); err != nil {
			t.Fatal(err)
		}
		if b.Extract(inside) == nil {
			sum := int64(0)
			for _, p := range b.Manifest.Parts {
				sum += p.Size
			}
			if head, _ := json.Marshal(b.Manifest); sum > int64(len(data)) {
				t.Errorf("%d bytes are extracted of %d: %s", sum, len(data), head)
			}
		}
		if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
			t.Errorf("beside the folder there is %v (%v)", list, err)
		}
	})
}
