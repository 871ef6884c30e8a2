// Package bundle keeps all that fuzzing one target takes in one file, which needs neither the go command nor sources: the test binary for
// fuzzing, the one without instrumentation, words, and files of the folder of the package, among them the seeds.
//
// A bundle has a header, a [Manifest] and then the parts, one behind the other and without compression:
//
//	"gnawbdl1"                 8 bytes
//	length of the manifest     4 bytes, big-endian
//	the manifest               JSON, in which each part has its size and its SHA-256
//	the parts                  in the order of the manifest
//
// A bundle may stand alone, or behind an executable ([Append]), which then ends with the length of the bundle (8 bytes, big-endian) and
// "gnawtail". A bundle may come from anywhere: it is read within limits, and nothing of it is used before its hash was compared. Any number of
// goroutines may use a Bundle.
package bundle

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// Names of parts. All other parts are files below Folder.
const (
	Fuzz   = "fuzz.test"  // the test binary for fuzzing
	Plain  = "plain.test" // the test binary without instrumentation
	Words  = "words.dict" // a dictionary with the tokens of the sources
	Folder = "package"    // the folder of the package
)

const (
	magic    = "gnawbdl1"
	headSize = len(magic) + 4
)

// Limits of what is read. They are far above what `gnaw build` writes.
const (
	maxManifest = 32 << 20
	maxParts    = 100_000
	maxSize     = 8 << 30 // bytes of all parts
)

// Manifest says what a bundle is for and what is in it.
type Manifest struct {
	Protocol string   `json:"protocol"` // of the test binary; see overlay.Protocol
	Go       string   `json:"go"`       // version of the toolchain, as in "go1.27.3"
	OS       string   `json:"os"`
	Arch     string   `json:"arch"`
	Package  string   `json:"package"` // import path
	Target   string   `json:"target"`
	Kinds    []string `json:"kinds"`    // types of the arguments
	Counters int      `json:"counters"` // of edges in the test binary
	Parts    []Part   `json:"parts"`
}

// Part is a file of a bundle.
type Part struct {
	Name   string `json:"name"` // a path with slashes
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
	Exec   bool   `json:"exec,omitempty"` // the file is executable
}

// Bundle is a bundle whose manifest was read.
type Bundle struct {
	Manifest Manifest
	parts    io.ReaderAt
}

// ErrNone says that a file has no bundle.
var ErrNone = errors.New("it is no bundle of gnaw")

// Read reads the manifest of a bundle of that many bytes, which r has as long as the bundle is used. The error is ErrNone if r begins with
// something else.
func Read(r io.ReaderAt, size int64) (*Bundle, error) {
	head := make([]byte, headSize)
	if size < int64(headSize) {
		return nil, ErrNone
	}
	if _, err := r.ReadAt(head, 0); err != nil {
		return nil, fmt.Errorf("read the bundle: %w", err)
	}
	if string(head[:len(magic)]) != magic {
		return nil, ErrNone
	}
	n := int64(binary.BigEndian.Uint32(head[len(magic):]))
	if n > maxManifest || n > size-int64(headSize) {
		return nil, fmt.Errorf("the bundle is damaged: its manifest has %d bytes", n)
	}
	text := make([]byte, n)
	if _, err := r.ReadAt(text, int64(headSize)); err != nil {
		return nil, fmt.Errorf("read the bundle: %w", err)
	}
	b := &Bundle{}
	if err := json.Unmarshal(text, &b.Manifest); err != nil {
		return nil, fmt.Errorf("the bundle is damaged: its manifest cannot be read: %w", err)
	}
	begin := int64(headSize) + n
	b.parts = io.NewSectionReader(r, begin, size-begin)
	if err := b.Manifest.check(size - begin); err != nil {
		return nil, fmt.Errorf("the bundle is damaged: %w", err)
	}
	return b, nil
}

// check returns an error unless the parts have names by which they can be written below a folder, and fill size bytes.
func (m *Manifest) check(size int64) error {
	if len(m.Parts) > maxParts {
		return fmt.Errorf("it has more than %d parts", maxParts)
	}
	sum, files, folders := int64(0), map[string]bool{}, map[string]bool{}
	for _, p := range m.Parts {
		if err := p.check(); err != nil {
			return err
		}
		if sum += p.Size; sum > min(size, maxSize) {
			return fmt.Errorf("the parts have more than %d bytes", min(size, maxSize))
		}
		name := strings.ToLower(p.Name) // which some file systems take for the same name
		if files[name] {
			return fmt.Errorf("it has two parts named %q", p.Name)
		}
		files[name] = true
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	for name := range files {
		if folders[name] {
			return fmt.Errorf("%q is a part and a folder", name)
		}
	}
	if sum != size {
		return fmt.Errorf("the parts have %d bytes, but %d follow the manifest", sum, size)
	}
	return nil
}

// check returns an error if a part cannot be written below a folder, or is malformed.
func (p Part) check() error {
	inFolder := strings.HasPrefix(p.Name, Folder+"/")
	switch hash, err := hex.DecodeString(p.SHA256); {
	case !fs.ValidPath(p.Name), !filepath.IsLocal(filepath.FromSlash(p.Name)), strings.ContainsAny(p.Name, "\\:\x00"):
		return fmt.Errorf("the name %q of a part leads elsewhere", p.Name)
	case !inFolder && p.Name != Fuzz && p.Name != Plain && p.Name != Words:
		return fmt.Errorf("%q is no part of a bundle", p.Name)
	case p.Size < 0 || p.Size > maxSize:
		return fmt.Errorf("the part %q has %d bytes", p.Name, p.Size)
	case err != nil || len(hash) != 32:
		return fmt.Errorf("the part %q has no SHA-256", p.Name)
	}
	return nil
}

// Has reports whether the bundle has a part with that name.
func (b *Bundle) Has(name string) bool {
	for _, p := range b.Manifest.Parts {
		if p.Name == name {
			return true
		}
	}
	return false
}

// header returns what stands before the parts.
func (m Manifest) header() ([]byte, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(magic)
	b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(text))))
	b.Write(text)
	return b.Bytes(), nil
}
