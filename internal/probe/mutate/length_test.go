package mutate

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

var lengthRows = []reach{
	{"a length that is wrong", "length-field", "\x00\x04abcd", []string{
		"\x00\x00abcd", "\x00\x03abcd", "\x00\x05abcd", "\x00\x08abcd", "\x00\x7fabcd", "\xff\xffabcd",
	}, 20000, nil, ""},
	{"a decimal length", "length-field", "4:spam", []string{"0:spam", "8:spam", "2147483647:spam", "18446744073709551615:spam"}, 5000, nil, ""},
	{"the length of all and of the rest", "put-length", "kkkkkkkk", []string{
		"\x08kkkkkkk", "\x00\x08kkkkkk", "\x06\x00kkkkkk", "\x00\x00\x00\x04kkkk", "kkk\x08kkkk", "\x00\x00\x00\x00\x00\x00\x00\x08",
	}, 20000, nil, ""},
}

var fieldRows = []reach{
	{"empty fields behind one, in a message whose length is adjusted", "insert-field", "\x00\x0aM\x00\x00\x00\x03key", []string{
		"\x00\x0eM\x00\x00\x00\x03key\x00\x00\x00\x00",
		"\x00\x16M\x00\x00\x00\x03key\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
	}, 5000, nil, ""},
	{"the same field again", "insert-field", "\x06M\x03key", []string{"\x0aM\x03key\x03key", "\x12M\x03key\x03key\x03key\x03key"}, 5000, nil, ""},
	{"one with zeros in it", "insert-field", "\x06M\x03key", []string{"\x0aM\x03key\x03\x00\x00\x00", "\x08M\x03key\x01\x00"}, 5000, nil, ""},
}

var recordRows = []reach{
	{"chunks of a PNG", "move-record", "headers.\x00\x00\x00\x01PLTEx1234\x00\x00\x00\x00IEND5678", []string{
		"headers.\x00\x00\x00\x01PLTEx1234\x00\x00\x00\x01PLTEx1234\x00\x00\x00\x00IEND5678",
		"headers.\x00\x00\x00\x01PLTEx1234\x00\x00\x00\x00IEND5678\x00\x00\x00\x00IEND5678",
		"headers.\x00\x00\x00\x00IEND5678\x00\x00\x00\x01PLTEx1234",
		"headers.\x00\x00\x00\x00IEND5678",
		"headers.\x00\x00\x00\x01tRNSx1234\x00\x00\x00\x01PLTEx1234\x00\x00\x00\x00IEND5678",
		"headers.\x00\x00\x00\x01PLTEx1234\x00\x00\x00\x01tRNSx1234\x00\x00\x00\x00IEND5678",
	}, 1000, []string{"a word", "tRNS"}, ""},
	{"chunks of a WAV", "move-record", "RIFF----WAVEfmt \x02\x00\x00\x00abdata\x01\x00\x00\x00x", []string{
		"RIFF----WAVEdata\x01\x00\x00\x00xfmt \x02\x00\x00\x00ab", "RIFF----WAVEdata\x01\x00\x00\x00x",
	}, 1000, nil, ""},
	{"a tag, a length and a value", "move-record", "T\x02abU\x01c", []string{"T\x02abT\x02abU\x01c", "U\x01cT\x02ab", "T\x02ab", "T\x04T\x02abU\x01c"}, 1000, nil, ""},
	{"a record in records, whose lengths are adjusted", "move-record", "T\x07U\x05V\x00W\x01w", []string{
		"T\x09U\x07V\x00V\x00W\x01w", "T\x07U\x05W\x01wV\x00", "T\x05U\x03W\x01w", "T\x09U\x07V\x02V\x00W\x01w", "T\x09U\x07U\x05V\x00W\x01w",
		"T\x09T\x07U\x05V\x00W\x01w", "T\x00",
	}, 1000, nil, ""},
	{"boxes that count themselves", "move-record", "\x00\x00\x00\x12mdia\x00\x00\x00\x0astblx.", []string{
		"\x00\x00\x00\x1amdia\x00\x00\x00\x12stbl\x00\x00\x00\x0astblx.", "\x00\x00\x00\x08mdia",
		"\x00\x00\x00\x1cmdia\x00\x00\x00\x0astblx.\x00\x00\x00\x0astblx.",
	}, 1000, nil, ""},
	{"strings behind their lengths", "move-record", "\x03www\x07example\x00", []string{"\x07example\x03www\x00", "\x03www\x07example"}, 1000, nil, ""},
}

func TestARecordGrowsOnlyAsFarAsTheLengthsAroundItGo(t *testing.T) {
	const size = 198
	in := "T\xc8U\xc6" + strings.Repeat("x", size)
	m := &Material{Rand: NewRand(1), MaxLen: 1000}
	tags := layout{at: 1, size: 1, big: true, extra: 2, tagSize: 1}
	changed := 0
	for range 1000 {
		out, ok := moveRecord(m, append(make([]byte, 0, m.MaxLen), in...))
		if !ok {
			continue
		}
		if changed++; tags.count(out, 0) == 0 {
			t.Fatalf("moveRecord(%q) = %q, whose lengths are wrong", in, out)
		}
	}
	if changed == 0 {
		t.Error("nothing was changed")
	}
}

func TestRecords(t *testing.T) {
	const png = "headers.\x00\x00\x00\x01PLTEx1234\x00\x00\x00\x00IEND5678"
	for _, tt := range []struct {
		name, in string
		size     int
		want     string
	}{
		{"chunks", png, 4, "PLTE of 13, IEND of 12, "},
		{"short tags", "tt\x00\x01auu\x00\x00", 2, "tt of 5, uu of 4, "},
		{"tags of another size", png, 2, ""},
		{"text", "PLTE, IEND", 4, ""},
		{"what does not end where the buffer does", png + "x", 4, ""},
		{"a box without room for its tag", "\x00\x00\x00\x08abcd\x00\x00\x00\x04\x00\x00\x00\x04", 4, ""},
	} {
		got := ""
		Records([]byte(tt.in), tt.size, func(lo, tag, hi int) bool {
			got += fmt.Sprintf("%s of %d, ", tt.in[tag:tag+tt.size], hi-lo)
			return true
		})
		if got != tt.want {
			t.Errorf("%s: Records(%q, %d) has %q, want %q", tt.name, tt.in, tt.size, got, tt.want)
		}
	}
}

func TestRecordOperators(t *testing.T) { checkReach(t, recordRows) }

func TestFieldOperators(t *testing.T) { checkReach(t, fieldRows) }

func TestLengthOperators(t *testing.T) { checkReach(t, lengthRows) }

// fieldCases are a prefix and how it is written for a length.
var fieldCases = []struct {
	name  string
	write func(n int) []byte
}{
	{"one byte", func(n int) []byte { return []byte{byte(n)} }},
	{"two bytes, big", func(n int) []byte { return binary.BigEndian.AppendUint16(nil, uint16(n)) }},
	{"two bytes, little", func(n int) []byte { return binary.LittleEndian.AppendUint16(nil, uint16(n)) }},
	{"four bytes, big", func(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }},
	{"four bytes, little", func(n int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(n)) }},
	{"eight bytes, big", func(n int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }},
	{"eight bytes, little", func(n int) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) }},
	{"uvarint", func(n int) []byte { return binary.AppendUvarint(nil, uint64(n)) }},
	{"decimal", func(n int) []byte {
		return append([]byte(nil), strings.TrimLeft(string([]byte{byte('0' + n/100), byte('0' + n/10%10), byte('0' + n%10)}), "0")...)
	}},
}

// A field that counts what follows stays right through an insertion or a deletion, often enough, in every form.
func TestFixLengthsKeepsFieldsRight(t *testing.T) {
	for _, c := range fieldCases {
		for _, n := range []int{5, 200} {
			for _, d := range []int{3, -3} {
				body := bytes.Repeat([]byte("\xee"), n)
				prefix := append([]byte("\xfe\xfe\xfe"), c.write(n)...)
				want := append(append([]byte("\xfe\xfe\xfe"), c.write(n+d)...), body...)
				want = append(want[:len(want)-n], bytes.Repeat([]byte("\xee"), n+d)...)
				found := false
				for seed := uint64(0); seed < 2000 && !found; seed++ {
					m := sampleMaterial(seed, 1000, nil)
					b := append(bytes.Clone(prefix), bytes.Repeat([]byte("\xee"), n+d)...)
					m.at, m.plan.fields = len(prefix)+1, binaryFields
					found = bytes.Equal(fixLengths(m, b, len(prefix)+n), want)
				}
				if !found && (n+d < 256 || c.name != "one byte") {
					t.Errorf("%s: %d became never %d", c.name, n, n+d)
				}
			}
		}
	}
}

// A record in a record, both with the length in front: Havoc inserts into the inner one and both stay right.
func TestHavocKeepsNestedLengthsRight(t *testing.T) {
	m := sampleMaterial(1, 100, nil)
	grown := 0
	for range 20000 {
		a := input.Args{buffer(input.Bytes, "\x01\x00\x09\x02\x00\x06abcdef", 100)}
		havoc(m, a)
		b := a[0].Data
		if len(b) > 12 && b[0] == 1 && int(b[1])<<8+int(b[2]) == len(b)-3 && b[3] == 2 && int(b[4])<<8+int(b[5]) == len(b)-6 {
			grown++
		}
	}
	if grown < 20 {
		t.Errorf("%d of 20000 mutants were longer with both lengths right", grown)
	}
}
