package coverage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/internal/probe/blocks"
)

// Block is a piece of code without branches, which has one counter. In the profiles of go test it is one line.
type Block struct {
	Package    string // import path
	File       string // import path and base name, as in profiles; another path for code behind a //line directive
	Function   string // with the type of its receiver, as in *Reader.Read; functions of the same name are one
	Start, End Position
	Statements int
}

// Position is a place in a source file.
type Position struct {
	Line, Column int // from 1; the column counts bytes
}

// String returns the position as in a profile.
func (p Position) String() string { return fmt.Sprintf("%d.%d", p.Line, p.Column) }

// code is the blocks of a test binary.
type code struct {
	blocks []Block
	first  map[function]int // index in blocks of the first block of a function
}

// function identifies a function in the record of a process.
type function struct {
	pkg   int32 // blocks.Package.ID
	index uint32
}

// readCode decodes the meta-data of the packages of a binary.
func readCode(packages []blocks.Package) (code, error) {
	c := code{first: map[function]int{}}
	for _, p := range packages {
		if err := c.add(p); err != nil {
			return code{}, fmt.Errorf("read the table of blocks that the compiler wrote: %w", err)
		}
	}
	return c, nil
}

// errMeta says that meta-data are not in the format that this file describes.
var errMeta = errors.New("it is not in the format of Go 1.24 to 1.27")

// metaHead is the head of the meta-data of a package: MetaSymbolHeader of internal/coverage/defs.go in the Go distribution. Behind it are
// the offsets of the functions, 32 bits each, a table of strings, and the functions. All numbers are little endian; those of the table and
// of functions are base-128 varints.
type metaHead struct {
	Length, Name, Path, Module uint32 // the size in bytes, and indexes of strings
	Hash                       [16]byte
	_                          [4]byte
	Files, Functions           uint32
}

// add decodes the meta-data of a package.
func (c *code) add(p blocks.Package) error {
	var head metaHead
	r := metaReader{data: p.Meta}
	n, err := binary.Decode(p.Meta, binary.LittleEndian, &head)
	if err != nil || uint64(n)+4*uint64(head.Functions) > uint64(len(p.Meta)) {
		return errMeta
	}
	r.at = n + 4*int(head.Functions)
	texts := r.strings()
	text := func(i uint32) string {
		if int(i) < len(texts) {
			return texts[i]
		}
		r.bad = true
		return ""
	}
	pkg := text(head.Path)
	for i := range head.Functions {
		r.at = int(binary.LittleEndian.Uint32(p.Meta[n+4*int(i):]))
		units := r.number()
		name, file := text(r.number()), text(r.number())
		c.first[function{p.ID, i}] = len(c.blocks)
		for range units {
			b := Block{Package: pkg, File: file, Function: name}
			b.Start = Position{int(r.number()), int(r.number())}
			b.End = Position{int(r.number()), int(r.number())}
			b.Statements = int(r.number())
			if r.bad {
				return errMeta
			}
			c.blocks = append(c.blocks, b)
		}
	}
	if r.bad {
		return errMeta
	}
	return nil
}

// metaReader reads numbers and strings of meta-data.
type metaReader struct {
	data []byte
	at   int
	bad  bool // something was not there
}

func (r *metaReader) number() uint32 {
	if r.at > len(r.data) {
		r.bad = true
		return 0
	}
	v, n := binary.Uvarint(r.data[r.at:])
	if r.at += n; n <= 0 || v > 1<<31 {
		r.bad = true
		return 0
	}
	return uint32(v)
}

// strings reads the table of strings: their number, and each with its length.
func (r *metaReader) strings() (list []string) {
	for range r.number() {
		n := int(r.number())
		if r.bad || n > len(r.data)-r.at {
			r.bad = true
			return nil
		}
		list = append(list, string(bytes.Clone(r.data[r.at:r.at+n])))
		r.at += n
	}
	return list
}

// reached returns the blocks in a record whose counters are not zero, and the counters. complete is false if the record is missing or damaged.
func (c *code) reached(record []uint32) (s Set, counts Counts, complete bool) {
	counters := make([]uint32, len(c.blocks))
	complete = blocks.Each(record, func(pkg int32, index uint32, values []uint32) {
		first, ok := c.first[function{pkg, index}]
		if !ok || first+len(values) > len(c.blocks) {
			return
		}
		for i, n := range values {
			if n != 0 {
				counters[first+i] = n
			}
		}
	})
	var list []int
	for i, n := range counters {
		if n != 0 {
			list = append(list, i)
			counts = binary.AppendUvarint(counts, uint64(n))
		}
	}
	return newSet(list), counts, complete
}
