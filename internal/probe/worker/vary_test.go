//go:build unix

package worker

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

func TestVariantsSolveWhatAComparisonAloneDoesNot(t *testing.T) {
	tests := []struct {
		name  string
		seed  string
		needs technique.Set
		pass  func(data []byte) bool
	}{
		{"a linear function of a number", "n: 12", technique.Affine, func(data []byte) bool {
			if len(data) < 4 {
				return false
			}
			n, _ := strconv.Atoi(string(data[3:]))
			compare.ConstCmp8(3000000037, uint64(n*3+7), 1)
			return n*3+7 == 3000000037
		}},
		{"a linear function of the length", "some", technique.Affine, func(data []byte) bool {
			compare.ConstCmp8(7003, uint64(len(data)*7+3), 1)
			return len(data)*7+3 == 7003
		}},
		{"a comparison behind a checksum", "abcdefghijkl", technique.Checksums, func(data []byte) bool {
			if len(data) < 5 {
				return false
			}
			n := len(data) - 4
			stored, sum := binary.BigEndian.Uint32(data[n:]), crc32.ChecksumIEEE(data[:n])
			compare.Cmp4(stored, sum, 1)
			compare.ConstCmp1('!', data[0], 2)
			return stored == sum && data[0] == '!'
		}},
		{"a comparison behind a digest", "abcdefghijkl0123456789abcdef0123456789abcdef", technique.Checksums, func(data []byte) bool {
			if len(data) < 33 {
				return false
			}
			n := len(data) - 32
			stored, sum := string(data[n:]), fmt.Sprintf("%x", md5.Sum(data[:n]))
			compare.StrCmp(stored, sum, 1)
			compare.ConstCmp1('!', data[0], 2)
			return stored == sum && data[0] == '!'
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, off := range []technique.Set{0, tt.needs | technique.ValueProfile, technique.Colorize} {
				s := without(t, off, func(_ *testing.T, data []byte, p *process) {
					if hook.Recording { // as functions with hooks do
						p.hit(2)
					}
					if tt.pass(data) {
						p.hit(1)
					}
				})
				s.seed(1, tt.seed)
				r := s.fuzz(wire.Fuzz{ID: 1, Execs: variantExecs, Study: true, Solve: true})
				found := slices.ContainsFunc(r.found, func(n wire.New) bool { return slices.Equal(edges(n.Added), []int{1}) })
				if off == technique.Colorize && tt.needs == technique.Checksums {
					continue // the field has no digits
				}
				if want := !off.Has(tt.needs); found != want {
					t.Errorf("without %b, solved within %d executions: %v, want %v", off, r.done.Execs, found, want)
				}
			}
		})
	}
}

// All variants that go the way of an entry have the same checksum as it, so that it shows only when a byte beside it is changed.
func TestAChecksumThatIsRightMayLookLikeText(t *testing.T) {
	s := without(t, 0, func(_ *testing.T, data []byte, p *process) {
		if len(data) < 11 {
			return
		}
		stored, sum := string(data[7:11]), string(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(data[2:7])))
		compare.StrCmp(stored, sum, 1)
		if stored != sum {
			return
		}
		p.hit(2)
		if data[2]^data[3] == 0x55 {
			p.hit(1)
		}
	})
	s.seed(1, "ab00514RacFcd")
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: variantExecs, Study: true, Solve: true}, func(r fuzzed) bool {
		return slices.ContainsFunc(r.found, func(n wire.New) bool { return slices.Equal(edges(n.Added), []int{1}) })
	})
}

func TestAColoringIsMadeOnce(t *testing.T) {
	s := without(t, 0, suggesting)
	s.seed(1, suggestingSeed)
	cost := func(skip uint64) (n int) {
		before := s.p.calls
		r := s.fuzz(wire.Fuzz{ID: 1, Execs: variantExecs, Study: true, Solve: true, Skip: skip})
		for _, in := range s.p.inputs[before:] {
			if len(in) == len(suggestingSeed) && !bytes.Equal(in, []byte(suggestingSeed)) {
				n++
			}
		}
		if r.done.Execs != variantExecs || s.p.calls-before != variantExecs {
			t.Fatalf("the request says %+v after %d calls", r.done, s.p.calls-before)
		}
		return n
	}
	cost(0)
	calls := s.p.inputs[len(s.p.inputs)-variantExecs:]
	cost(1)
	again := s.p.inputs[len(s.p.inputs)-variantExecs:]
	if !bytes.Equal(calls[0], []byte(suggestingSeed)) || !bytes.Equal(again[0], []byte(suggestingSeed)) {
		t.Fatalf("the requests begin with %q and %q", calls[0], again[0])
	}
	const itself = 3 // executions of the entry: recorded, not recorded, and recorded
	first := again[itself]
	colored := slices.IndexFunc(calls[itself:], func(in []byte) bool { return bytes.Equal(in, first) })
	if colored < 0 || bytes.Equal(first, []byte(suggestingSeed)) {
		t.Errorf("the second request continues with %q, which is not what the first one made of the entry", first)
	}
}

func TestLimitsAreExactWithVariants(t *testing.T) {
	for _, execs := range []uint64{239, 240, 241, 260, 400, 1000} {
		t.Run(fmt.Sprint(execs), func(t *testing.T) {
			s := without(t, 0, func(t *testing.T, data []byte, p *process) {
				suggesting(t, data, p)
				sum := crc32.ChecksumIEEE(data[:len(data)/2])
				if n := len(data) / 2; len(data) >= n+4 {
					compare.Cmp4(binary.LittleEndian.Uint32(data[n:]), sum, 77)
				}
			})
			s.seed(1, suggestingSeed)
			for range 3 {
				before := s.p.calls
				r := s.fuzz(wire.Fuzz{ID: 1, Execs: execs, Study: true, Solve: true})
				if made := uint64(s.p.calls - before); r.done.Execs != made || made != execs {
					t.Fatalf("granted %d executions: reported %d, made %d", execs, r.done.Execs, made)
				}
			}
		})
	}
}

// A variant that fails ends the request, and the next one makes no variants of that entry.
func TestAFailingVariantIsNotMadeAgain(t *testing.T) {
	s := without(t, 0, func(t *testing.T, data []byte, p *process) {
		suggesting(t, data, p)
		if p.calls == 8 {
			t.FailNow()
		}
	})
	s.seed(1, suggestingSeed)
	r := s.fuzz(wire.Fuzz{ID: 1, Execs: variantExecs, Study: true, Solve: true})
	if len(r.failed) != 1 || r.done.Execs != 5 || r.done.Solved {
		t.Fatalf("the request brought %+v, want the failure of a variant", r)
	}
	if r := s.fuzz(wire.Fuzz{ID: 1, Execs: variantExecs, Study: true, Solve: true}); len(r.failed) > 0 || r.done.Execs != variantExecs || !r.done.Solved {
		t.Errorf("the next request brought %+v", r)
	}
}

// What variants show is kept like what mutants show.
func TestVariantsAreKeptIfTheyAreNew(t *testing.T) {
	s := without(t, 0, func(_ *testing.T, data []byte, p *process) {
		if len(data) == 4 && data[0] == 'a' && data[3] != 'd' {
			p.hit(1)
		}
	})
	s.seed(1, "abcd")
	r := s.fuzz(wire.Fuzz{ID: 1, Execs: 250, Study: true, Solve: true})
	if len(r.found) == 0 || r.done.Execs > 60 || !slices.Equal(edges(r.found[0].Added), []int{1}) {
		t.Errorf("the request brought %+v, want edge 1 within the study", r)
	}
}

func TestAnEdgeThatIsMissingOnceDoesNotMatterToVariants(t *testing.T) {
	missing := -1 // the call without it
	s := without(t, 0, func(_ *testing.T, data []byte, p *process) {
		if p.calls != missing {
			p.hit(50)
		}
		n, _ := strconv.Atoi(string(data))
		compare.ConstCmp8(3000000037, uint64(n*3+7), 1)
		if n*3+7 == 3000000037 {
			p.hit(60)
		}
	})
	s.seed(1, "12")
	missing = s.p.calls + 2 // the entry is executed twice before its variants are
	found := false
	for _, n := range s.fuzz(wire.Fuzz{ID: 1, Execs: variantExecs, Study: true, Solve: true}).found {
		found = found || slices.Contains(edges(n.Added), 60)
	}
	if !found {
		t.Error("the linear function was not found")
	}
}

func TestAnEntryWhoseVariantsFailIsMutatedNevertheless(t *testing.T) {
	const seed = "abc 12"
	s := without(t, 0, func(t *testing.T, data []byte, p *process) {
		p.hit(1)
		compare.ConstCmp8(3000000037, uint64(len(data)), 1)
		switch {
		case string(data) == seed:
		case len(data) > 0 && data[0] < 'A': // variants keep letters letters
			p.hit(2)
		default:
			t.Fatal("it fails")
		}
	})
	s.seed(1, seed)
	skip := uint64(0)
	for range 1000 {
		r := s.fuzz(wire.Fuzz{ID: 1, Execs: 2048, Study: true, Solve: true, Skip: skip})
		if skip = r.done.Tried; len(r.found) > 0 {
			return
		}
	}
	t.Error("no mutant that passes was executed in 1000 requests")
}
