// Package targets checks that each puzzle can be solved. The answers are here, and not in the packages of the puzzles,
// because words of a package's source are what a fuzzer may learn from.
package targets

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/adler"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/archive"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/atoi"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/base64text"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/behindloop"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/behindsetup"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/brackets"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/contains"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/crctext"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/cut"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/date"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/day"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/decimal"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/decoys"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/dense"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/enumbool"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/fieldlen"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/fills"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/floatconst"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/floatspecial"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/floatsum"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/floattext"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/fold"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/framed"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/gzipbody"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/halves"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/header"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/hexword"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/ini"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/jsoncmd"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/jsonshape"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/len1000"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/loop5"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/magic12"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/mapint"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/maptable"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/maze12"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/meet"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/multiarg"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/netstring"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/octal"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/order"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/overflow"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/pairs"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/parens40"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/pattern"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/percent"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/pngtrns"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/polysum"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/quoted"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/reversed"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/runeclass"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/scrambled"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/semver"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/slope"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/soup"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/square"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/structtag"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/switchword"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/tied3"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/tlv16"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/tokens"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/twosums"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/typedints"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/urlquery"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/utf16text"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/uvarint"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/xmlattr"
	"github.com/gnaw-fuzz/gnaw/puzzles/targets/zigzag"
)

var (
	u64  = derived.Uint64
	word = derived.Word
	be   = binary.BigEndian
	le   = binary.LittleEndian
)

// solutions say of each puzzle whether it takes the answer. Those that are measured have none.
var solutions = map[string]func() bool{
	"adler": func() bool {
		return adler.Open(sealed(le.AppendUint64([]byte("abcd"), u64("packet")), adler32.Checksum, be))
	},
	"archive": func() bool { return archive.Open(archiveOf(word("archive", 5))) },
	"atoi":    func() bool { return atoi.Open("918273645") },
	"base64text": func() bool {
		return base64text.Open("Basic " + base64.StdEncoding.EncodeToString([]byte("root:"+word("base64", 8))))
	},
	"behindloop": func() bool {
		return behindloop.Open(append(le.AppendUint64(nil, u64("number")), behindloop.Text...))
	},
	"behindsetup": func() bool { return behindsetup.Open("{% " + word("tag7", 8) + " %}") },
	"brackets":    func() bool { return brackets.Open(strings.Repeat("([", 12) + strings.Repeat("])", 12)) },
	"contains":    func() bool { return contains.Open("hay " + word("needle", 11)) },
	"crctext":     func() bool { return crctext.Open(crcLine(word("first", 6) + word("second", 6))) },
	"cut":         func() bool { return cut.Open(word("begin", 7) + "word" + word("end", 8)) },
	"date":        func() bool { return date.Open(fmt.Sprintf("2038-01-02T15:04:05.%09dZ", u64("nanosecond")%1e9)) },
	"day":         solveDay,
	"decimal":     func() bool { return decimal.Open(fmt.Sprint("id=", u64("decimal")%1e14)) },
	"decoys":      solveDecoys,
	"dense":       func() bool { return dense.Open(le.AppendUint64(nil, 0x7d3b195e8a5c0102)) },
	"enumbool":    func() bool { return enumbool.Open(true, 2, word("password", 10)) },
	"fieldlen":    func() bool { return fieldlen.Open("a|" + strings.Repeat("b", 777) + "|c") },
	"fills":       func() bool { return fills.Open("ESSWSSEEENNN") },
	"floatconst":  func() bool { return floatconst.Open(299792.458) },
	"floatspecial": func() bool {
		return floatspecial.Open(math.Copysign(0, -1), math.MaxFloat64, math.SmallestNonzeroFloat64)
	},
	"floatsum":  func() bool { return floatsum.Open(0.7499999999999999) },
	"floattext": func() bool { return floattext.Open(strconv.FormatFloat(float64(u64("float")>>12)/1e9, 'g', -1, 64)) },
	"fold":      func() bool { return fold.Open("\u212a\u0130c\u212a") },
	"framed":    func() bool { return framed.Open(framedOf(word("kind", 11), word("name", 9))) },
	"gzipbody":  solveGzip,
	"halves":    func() bool { return halves.Open([]byte(derived.Word("left", 8) + derived.Word("right", 8))) },
	"header":    func() bool { return header.Open([]byte("GNAW/ARCHIVE-1.0squash..")) },
	"hexword":   func() bool { return hexword.Open(hex.EncodeToString(be.AppendUint64(nil, u64("hex")))) },
	"ini":       func() bool { return ini.Open("[" + word("section", 8) + "]\n" + word("key", 7) + "=1\n") },
	"jsoncmd":   func() bool { return jsoncmd.Open([]byte(`{"cmd":"selfdestruct","Level":90210}`)) },
	"jsonshape": func() bool {
		o := `{"a":"","b":0,"c":true,"d":null}`
		return jsonshape.Open([]byte(`{"x":[` + o + "," + o + "," + o + `]}`))
	},
	"len1000":  func() bool { return len1000.Open(make([]byte, 1000), strings.Repeat("x", 1500)) },
	"loop5":    solveLoop,
	"magic12":  func() bool { return magic12.Open([]byte("\xd1\xce\x5a\xfe\x0d\xdb\xa1\x15\x1e\xab\x57\x7e")) },
	"mapint":   func() bool { return mapint.Open(be.AppendUint32(nil, uint32(u64("message3")))) },
	"maptable": func() bool { return maptable.Open(word("keyword30", 9)) },
	"maze12":   func() bool { return maze12.Open("ESSWSSEEENNN") },
	"meet":     func() bool { return meet.Open(derived.Word("user", 8), derived.Word("key", 8)) },
	"multiarg": func() bool {
		return multiarg.Open(5*int64(u64("length")>>40), ('a'+'b'+'c'+'d'+'e')*int32(u64("sum")>>40), "abcde")
	},
	"netstring": func() bool { return netstring.Open("136:" + strings.Repeat("13:abcdefghijklm,", 8) + ",") },
	"octal":     func() bool { return octal.Open([]byte(fmt.Sprintf("%011o\x00", u64("octal")>>32))) },
	"order":     func() bool { return order.Open([]byte(word("low", 9) + "\x01")) },
	"overflow":  func() bool { return overflow.Open("qty=4294967303") },
	"pairs":     func() bool { return pairs.Open(201, 77, 30, 9) },
	"parens40":  func() bool { return parens40.Open(strings.Repeat("(", 40) + strings.Repeat(")", 40)) },
	"pattern":   func() bool { return pattern.Open("session-1 terminated") },
	"percent": func() bool {
		return percent.Open("/" + word("percent", 3) + url.PathEscape("\xff") + "/" + word("path", 4))
	},
	"pngtrns": solvePNG,
	"polysum": solvePolysum,
	"quoted": func() bool {
		return quoted.Open(strconv.Quote(strconv.Quote(word("quoted", 4) + "\"\\" + word("rest", 4))))
	},
	"reversed":   func() bool { b := []byte(word("reversed", 10)); slices.Reverse(b); return reversed.Open(b) },
	"runeclass":  func() bool { return runeclass.Open("aé字𝒳") },
	"semver":     func() bool { return semver.Open(fmt.Sprintf("v1.%d.%d-rc.1", u64("minor")%1e9, u64("patch")%1e9)) },
	"scrambled":  func() bool { return scrambled.Open(le.AppendUint32([]byte("#."), uint32(u64("number")))) },
	"slope":      func() bool { return slope.Open(be.AppendUint32([]byte("I..."), uint32(u64("index")))) },
	"soup":       func() bool { return soup.Open("dismiss inspect forward") },
	"square":     func() bool { return square.Open(be.AppendUint32(nil, uint32(u64("square"))|1<<31)) },
	"structtag":  func() bool { return structtag.Open([]byte(`{"grant-inner":{"x-escalation-token":1}}`)) },
	"switchword": func() bool { return switchword.Open("terminate loadbalancer") },
	"tied3":      func() bool { h := fnv([]byte("a key")); return tied3.Open([]byte("a key"), h, fmt.Sprintf("0x%x", h)) },
	"tlv16":      func() bool { return tlv16.Open([]byte("C\x00\x0dC\x00\x0aC\x00\x07C\x00\x04V\x00\x01x")) },
	"tokens":     func() bool { return tokens.Open(word("verb0", 9) + " " + word("verb2", 9)) },
	"twosums": func() bool {
		a, b := sealed([]byte("eight..A"), fnv, le), sealed([]byte("eight..B"), fnv, le)
		return twosums.Open(sealed(append(a, b...), fnv, le))
	},
	"typedints": func() bool { return typedints.Open(-559038737, 0xc0de, u64("typed")) },
	"urlquery":  func() bool { return urlquery.Open("?" + word("parameter", 8) + "=" + word("value", 10)) },
	"utf16text": solveUTF16,
	"uvarint":   func() bool { return uvarint.Open(binary.AppendUvarint(nil, u64("uvarint")>>8)) },
	"xmlattr":   func() bool { return xmlattr.Open([]byte(`<inventory><container serialno="ZX-81/B"/></inventory>`)) },
	"zigzag":    func() bool { return zigzag.Open(binary.AppendVarint(nil, -int64(u64("zigzag")>>10))) },
}

func TestEachPuzzleHasASolution(t *testing.T) {
	dirs, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if !d.IsDir() || slices.Contains([]string{"bigseed", "derived", "flakymap", "verdict"}, d.Name()) {
			continue
		}
		if open := solutions[d.Name()]; open == nil || !open() {
			t.Errorf("the answer to %s is unknown or wrong", d.Name())
		}
	}
}

// sealed is b with its sum behind it.
func sealed(b []byte, sum func([]byte) uint32, order binary.AppendByteOrder) []byte {
	return order.AppendUint32(slices.Clip(b), sum(b))
}

func fnv(b []byte) uint32 {
	sum := uint32(2166136261)
	for _, c := range b {
		sum = (sum ^ uint32(c)) * 16777619
	}
	return sum
}

func crcLine(body string) string {
	return fmt.Sprintf("crc32: %08x\n%s", crc32.ChecksumIEEE([]byte(body)), body)
}

func solveDay() bool {
	// The puzzle has the only day; finding it takes no time.
	for year := 1970; year < 9999; year++ {
		for month := 1; month <= 12; month++ {
			for d := 1; d <= 31; d++ {
				if day.Open(fmt.Sprintf("%04d-%02d-%02d", year, month, d)) {
					return true
				}
			}
		}
	}
	return false
}

func solveDecoys() bool {
	b := make([]byte, 8192)
	be.PutUint64(b[4096+int(u64("offset")%4000):], u64("decoys")>>16)
	return decoys.Open(b)
}

func solveGzip() bool {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(word("gzip", 8)))
	return err == nil && w.Close() == nil && gzipbody.Open(b.Bytes())
}

func solveLoop() bool {
	scrambled := func(c byte) byte {
		for range 3 {
			c = (c ^ c>>3) * 93
		}
		return c
	}
	b, key := make([]byte, 5), word("loop", 16)
	for i := range b {
		for scrambled(b[i]^key[i]) != byte(i*29) {
			b[i]++
		}
	}
	return loop5.Open(b)
}

func solvePNG() bool {
	var b bytes.Buffer
	m := image.NewPaletted(image.Rect(0, 0, 1, 1), color.Palette{color.NRGBA{1, 2, 3, 128}})
	return png.Encode(&b, m) == nil && pngtrns.Open(b.Bytes())
}

func solvePolysum() bool {
	return polysum.Open(sealed([]byte("some body"), func(b []byte) uint32 {
		sum := uint32(17)
		for _, c := range b {
			sum = sum*16777619 + uint32(c)
		}
		return sum
	}, be))
}

func solveUTF16() bool {
	b := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(word("utf16", 8))) {
		b = le.AppendUint16(b, u)
	}
	return utf16text.Open(b)
}

// archiveOf returns an archive with a directory behind a gap of three bytes.
func archiveOf(directory string) []byte {
	header := binary.LittleEndian.AppendUint64(nil, 3)
	header = binary.LittleEndian.AppendUint64(header, uint64(len(directory)))
	b := binary.LittleEndian.AppendUint32([]byte(archive.Magic), crc32.ChecksumIEEE(header))
	return append(append(b, header...), "gap"+directory...)
}

// framedOf returns a frame with strings in it.
func framedOf(texts ...string) []byte {
	frame := []byte{0x19}
	for _, text := range texts {
		frame = append(binary.BigEndian.AppendUint32(frame, uint32(len(text))), text...)
	}
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(frame))), frame...)
}
