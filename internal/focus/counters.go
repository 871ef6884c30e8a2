package focus

import (
	"debug/elf"
	"debug/gosym"
	"debug/macho"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// site is the source position of the code that increments a counter.
type site struct {
	symbol string // of the function that contains the code
	entry  position
	at     position // in the function that the compiler inlined, if it did
}

// position is a line of a file.
type position struct {
	file string // as the compiler records it: an absolute path, or with -trimpath the import path and the base name
	line int
}

// image has the parts of a test binary that show where its counters are.
type image struct {
	arch        string // amd64, arm64
	text        []byte
	textAddr    uint64
	table       []byte // of positions: .gopclntab
	tableStart  uint64 // address of the first function in the table
	first, last uint64 // addresses of the first counter, and behind the last one
}

// errNoCounters is the error if a test binary has no edge counters.
var errNoCounters = errors.New("the test binary has no edge counters")

// readSites returns the site of each counter of a test binary by the index of the counter, which is that of [cover.Feature]. The site of a
// counter is zero if no code refers to the counter.
//
// It searches the machine code for the instructions that the compiler makes of `if counter == 255 { counter = 1 } else { counter++ }`
// (order.edge in cmd/compile/internal/walk), and looks their addresses up in the table from which the runtime prints stacks.
func readSites(path string) ([]site, error) {
	img, err := readImage(path)
	if err != nil {
		return nil, fmt.Errorf("read the counters of %s: %w", path, err)
	}
	addresses := make([]uint64, img.last-img.first)
	found := func(counter, pc uint64) {
		if i := counter - img.first; i < uint64(len(addresses)) && addresses[i] == 0 {
			addresses[i] = pc
		}
	}
	if img.arch == "arm64" {
		scanARM64(img, found)
	} else {
		scanAMD64(img, found)
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(img.table, img.tableStart))
	if err != nil {
		return nil, fmt.Errorf("read the table of positions of %s: %w", path, err)
	}
	sites := make([]site, len(addresses))
	for i, pc := range addresses {
		if pc == 0 {
			continue
		}
		file, line, f := table.PCToLine(pc)
		if f == nil {
			continue
		}
		entryFile, entryLine, _ := table.PCToLine(f.Entry)
		sites[i] = site{f.Name, position{entryFile, entryLine}, position{file, line}}
	}
	return sites, nil
}

// readImage reads the parts of an ELF or Mach-O file.
func readImage(path string) (image, error) {
	f, err := os.Open(path)
	if err != nil {
		return image{}, err
	}
	defer f.Close()
	if e, err := elf.NewFile(f); err == nil {
		return elfImage(e)
	}
	m, err := macho.NewFile(f)
	if err != nil {
		return image{}, errors.New("it is neither an ELF nor a Mach-O file")
	}
	return machoImage(m)
}

func elfImage(f *elf.File) (img image, err error) {
	img.arch = map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}[f.Machine]
	symbols, _ := f.Symbols() // a stripped binary has none
	for _, s := range symbols {
		if s.Name == "runtime.text" {
			img.tableStart = s.Value
		}
	}
	for _, s := range f.Sections {
		if err := img.add(s.Name, s.Addr, s.Size, s); err != nil {
			return img, err
		}
	}
	return img, img.check()
}

func machoImage(f *macho.File) (img image, err error) {
	img.arch = map[macho.Cpu]string{macho.CpuAmd64: "amd64", macho.CpuArm64: "arm64"}[f.Cpu]
	if f.Symtab != nil {
		for _, s := range f.Symtab.Syms {
			if strings.TrimPrefix(s.Name, "_") == "runtime.text" {
				img.tableStart = s.Value
			}
		}
	}
	for _, s := range f.Sections {
		if err := img.add(s.Name, s.Addr, s.Size, s); err != nil {
			return img, err
		}
	}
	return img, img.check()
}

// add reads a section if the image needs it. The names are those of the linker for ELF and for Mach-O.
func (img *image) add(name string, addr, size uint64, s interface{ Open() io.ReadSeeker }) (err error) {
	switch {
	case name == ".text", name == "__text":
		img.textAddr = addr
		img.text, err = io.ReadAll(s.Open())
	case strings.HasSuffix(name, "gopclntab"):
		img.table, err = io.ReadAll(s.Open())
	case name == ".go.fuzzcntrs", name == "__go_fuzzcntrs":
		img.first, img.last = addr, addr+size
	}
	return err
}

// check returns an error if something is missing.
func (img *image) check() error {
	if img.tableStart == 0 {
		img.tableStart = img.textAddr
	}
	switch {
	case img.arch == "":
		return errors.New("-focus knows the machine code of amd64 and arm64 only")
	case img.first == img.last:
		return errNoCounters
	case img.text == nil || img.table == nil:
		return errors.New("it has no code, or no table of positions")
	}
	return nil
}

// scanAMD64 calls found for each instruction that refers to an address relative to the next instruction, in the encodings that the compiler
// uses for counters: CMPB $0xff, MOVBLZX, MOVB $1, INCB, and MOVB of a register. Other instructions may contain
// the same bytes, but the address is then hardly ever that of a counter: counters take less than a millionth of the addresses.
func scanAMD64(img image, found func(counter, pc uint64)) {
	code := img.text
	for i := 0; i+8 <= len(code); i++ {
		var at, behind int // of the 32 bits of the address; bytes between them and the next instruction
		switch a, b := code[i], code[i+1]; {
		case a == 0x80 && b == 0x3d, a == 0xc6 && b == 0x05:
			at, behind = i+2, 1
		case a == 0xfe && b == 0x05, a == 0x88 && b&0xc7 == 0x05:
			at = i + 2
		case a == 0x0f && b == 0xb6 && code[i+2]&0xc7 == 0x05:
			at = i + 3
		default:
			continue
		}
		pc := img.textAddr + uint64(i)
		next := img.textAddr + uint64(at+4+behind)
		if to := next + uint64(int64(int32(binary.LittleEndian.Uint32(code[at:])))); to >= img.first && to < img.last {
			found(to, pc)
		}
	}
}

// scanARM64 calls found for each ADRP whose page, with the offset of an ADD, LDRB or STRB behind it, is the address of a counter.
func scanARM64(img image, found func(counter, pc uint64)) {
	const reach = 4 // instructions behind the ADRP
	word := func(i int) uint32 { return binary.LittleEndian.Uint32(img.text[i:]) }
	for i := 0; i+4 <= len(img.text); i += 4 {
		adrp := word(i)
		if adrp&0x9f000000 != 0x90000000 {
			continue
		}
		pages := int64(int32(adrp<<8)>>11)&^3 | int64(adrp>>29&3)
		pc := img.textAddr + uint64(i)
		page := pc&^0xfff + uint64(pages<<12)
		if page+0x1000 <= img.first || page >= img.last {
			continue
		}
		for k := i + 4; k <= i+4*reach && k+4 <= len(img.text); k += 4 {
			w := word(k)
			kind := w & 0xffc00000
			if w>>5&31 != adrp&31 || kind != 0x91000000 && kind != 0x39400000 && kind != 0x39000000 {
				continue
			}
			if to := page + uint64(w>>10&0xfff); to >= img.first && to < img.last {
				found(to, pc)
			}
			break
		}
	}
}
