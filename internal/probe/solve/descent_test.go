package solve

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// descended returns a Log with variants of a, and how many executions it took until the target, which returns what it
// compares with want, has seen that. ok is false if there is nothing to compare.
func descended(a input.Args, width uint8, want uint64, off technique.Set, target func(a input.Args) (seen uint64, ok bool)) (execs int, solved bool) {
	records := func(a input.Args) []compare.Record {
		if seen, ok := target(a); ok {
			return []compare.Record{{Site: 1, Op: compare.ConstInt, Width: width, A: want, B: seen}}
		}
		return nil
	}
	tb := new(rig)
	tb.Without = off
	tb.Fill(records(a))
	tb.Repeat(records(a))
	r := mutate.NewRand(1)
	for range 200 { // some of them are valid
		cold := Digits(a)
		for i := range cold {
			for j := range cold[i] {
				cold[i][j] = r.Bool()
			}
		}
		if b := Recolor(a, cold, r); len(tb.variants) < 3 && len(records(b)) > 0 {
			tb.Vary(b, records(b))
		}
	}
	tb.Descend(a, func(b input.Args) ([]compare.Record, bool) {
		execs++
		list := records(b)
		solved = solved || len(list) > 0 && list[0].A == list[0].B
		return list, !solved
	})
	return execs, solved
}

func bigEndian32(a input.Args) (uint64, bool) {
	if len(a[0].Data) != 4 {
		return 0, false
	}
	return uint64(binary.BigEndian.Uint32(a[0].Data)), true
}

// bytesOf returns arguments that are bytes.
func bytesOf(list ...uint64) (a input.Args) {
	for _, b := range list {
		a = append(a, input.Value{Kind: input.Uint8, Bits: b})
	}
	return a
}

func squared(a input.Args) (uint64, bool) {
	x, ok := bigEndian32(a)
	return x * x, ok
}

func day(a input.Args) (uint64, bool) {
	t, err := time.Parse(time.DateOnly, string(a[0].Data))
	return uint64(t.Unix() / 86400), err == nil
}

// With an address in it, what is executed would differ from process to process, whatever the seed.
func TestDescendTurnsNothingForAnAddress(t *testing.T) {
	address := uint64(0xc000010000)
	execs, _ := descended(buffer("2024-11-22"), 8, 5, 0, func(input.Args) (uint64, bool) {
		address += 16
		return address, true
	})
	if execs > 0 {
		t.Errorf("%d executions for a value that differs each time", execs)
	}
}

func TestDescendGetsCloser(t *testing.T) {
	const most = 120 // executions
	tests := []struct {
		name   string
		in     input.Args
		width  uint8
		want   uint64
		target func(a input.Args) (uint64, bool)
	}{
		{"a square", buffer("abcd"), 8, 3_123_456_789 * 3_123_456_789, squared},
		{"a square of a number that is small", buffer("abcd"), 8, 49, squared},
		{"a day late in a year", buffer("2006-01-02"), 8, neg(time.Date(7321, 12, 31, 0, 0, 0, 0, time.UTC).Unix() / 86400), day},
		{"the first day of a year", buffer("2006-11-22"), 8, neg(time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC).Unix() / 86400), day},
		{"a day before 1970", buffer("2006-11-22"), 8, neg(time.Date(1901, 2, 28, 0, 0, 0, 0, time.UTC).Unix() / 86400), day},
		{"a cube of a number argument", number(input.Int32, neg(-17)), 8, 1331, func(a input.Args) (uint64, bool) {
			n := int64(a[0].Bits)
			return uint64(n * n * n), n < 1<<20 && n > -1<<20
		}},
		{"bytes of an unsigned number", bytesOf(1, 2, 3, 4), 4, 0xcafebabe, func(a input.Args) (uint64, bool) {
			return a[0].Bits<<24 | a[1].Bits<<16 | a[2].Bits<<8 | a[3].Bits, true
		}},
		{"hours, minutes and seconds", buffer("at 11:22:33"), 4, 86399, func(a input.Args) (uint64, bool) {
			var h, m, s uint64
			n, _ := fmt.Sscanf(string(a[0].Data), "at %d:%d:%d", &h, &m, &s)
			return h*3600 + m*60 + s, n == 3 && h < 24 && m < 60 && s < 60
		}},
		{"a root", buffer("99887766"), 8, 1 << 28, func(a input.Args) (uint64, bool) {
			var n float64
			_, err := fmt.Sscan(string(a[0].Data), &n)
			return uint64(math.Sqrt(n)), err == nil
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := fmt.Sprint(tt.in)
			if execs, solved := descended(tt.in, tt.width, tt.want, 0, tt.target); !solved || execs > most {
				t.Errorf("after %d executions, solved: %v; want it within %d", execs, solved, most)
			}
			if execs, _ := descended(tt.in, tt.width, tt.want, technique.ValueProfile, tt.target); execs > 0 {
				t.Errorf("without the technique, %d executions were made", execs)
			}
			if after := fmt.Sprint(tt.in); after != before {
				t.Errorf("Descend has changed the entry from %s to %s", before, after)
			}
		})
	}
}

func TestDescendGivesUp(t *testing.T) {
	tests := []struct {
		name   string
		most   int
		target func(a input.Args) (uint64, bool)
	}{
		{"when the compared value is in the input", 0, bigEndian32},
		{"when nothing changes", 0, func(input.Args) (uint64, bool) { return 7, true }},
		{"when no change comes closer", descentExecs, func(a input.Args) (uint64, bool) {
			x, ok := bigEndian32(a)
			return x * 0x9e3779b97f4a7c15 >> 3 * x >> 32 & 0xffffff0, ok
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if execs, solved := descended(buffer("abcd"), 8, 77777777, 0, tt.target); solved || execs > tt.most {
				t.Errorf("after %d executions, solved: %v; want at most %d", execs, solved, tt.most)
			}
		})
	}
}

func TestALongRunOfBytesIsTurnedAsAWhole(t *testing.T) {
	tests := []struct {
		name, mask string // of the bytes that make a difference
		want       string
	}{
		{"a short one", " ### ", "1+3"},
		{"all that fits", "########", "0+8"},
		{"one more", "#########", "0+8 8+1"},
		{"a long one", "####################", "0+8 8+8 16+4"},
		{"a byte that makes no difference behind a full one", "######## ##", "0+8 9+2"},
		{"several", "## ######### #", "0+2 3+8 11+1 13+1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			run := func(a input.Args) ([]compare.Record, bool) {
				sum := uint64(0)
				for i, c := range a[0].Data {
					if tt.mask[i] == '#' {
						sum += uint64(c) * uint64(i+1)
					}
				}
				return []compare.Record{constant(8, sum, 1<<40)}, true
			}
			a := buffer(strings.Repeat("x", len(tt.mask)))
			records, _ := run(a)
			tb := table(records...)
			d := pairDescent{p: &tb.pairs[0], run: run, left: descentExecs}
			var got []string
			for _, f := range d.binaryDials(sample{args: a, diff: d.distance(tb.pairs[0].Seen, tb.pairs[0].Want), ok: true}, 0) {
				if f.big {
					got = append(got, fmt.Sprintf("%d+%d", f.at, f.size))
				}
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("the runs are %q, want %s", got, tt.want)
			}
		})
	}
}

func TestAPlaceIsDescendedAtAFewTimes(t *testing.T) {
	records := func(a input.Args) []compare.Record {
		x, ok := bigEndian32(a)
		if !ok {
			return nil
		}
		return []compare.Record{constant(8, x*x>>7&0xfff, 1<<40)}
	}
	var tb rig
	for entry := range 2 * maxDescents {
		a := buffer(fmt.Sprintf("%04d", 1234*entry+1))
		tb.Fill(records(a))
		for _, other := range []string{"abcd", "9876", "5432"} {
			tb.Vary(buffer(other), records(buffer(other)))
		}
		execs := 0
		tb.Descend(a, func(b input.Args) ([]compare.Record, bool) {
			execs++
			return records(b), true
		})
		if (execs > 0) != (entry < maxDescents) {
			t.Errorf("entry %d: %d executions", entry, execs)
		}
	}
}
