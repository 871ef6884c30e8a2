//go:build unix

package worker

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/shm"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

func TestANewEntryIsTrimmed(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if bytes.ContainsRune(data, 'X') {
			p.hit(1)
		}
	})
	s.seed(1, strings.Repeat("some words, ", 5))
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 5000, Trim: wire.TrimAll}, func(r fuzzed) bool {
		if len(r.found) == 1 && text(t, r.found[0].Input) != "X" {
			t.Errorf("the new entry is %q, want it trimmed to X", text(t, r.found[0].Input))
		}
		return len(r.found) == 1
	})
}

// What comes behind the X may be what others go on from.
func TestOfANewEntryOnlyWhatHasGrownIsTrimmed(t *testing.T) {
	const seed = "some words, some more"
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if bytes.ContainsRune(data, 'X') {
			p.hit(1)
		}
	})
	s.seed(1, seed)
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 5000, Trim: wire.TrimGrown}, func(r fuzzed) bool {
		if len(r.found) == 0 {
			return false
		}
		first := slices.IndexFunc(s.p.inputs, func(in []byte) bool { return bytes.ContainsRune(in, 'X') })
		kept := bare(oneBuffer(seed), oneBuffer(string(s.p.inputs[first])))[0].Data
		got := []byte(text(t, r.found[0].Input))
		if n := len(got) - len(kept); n != 0 && (n != 1 || bytes.ContainsRune(kept, 'X')) {
			t.Errorf("%q was found, and became %q, want %q and an X at most", s.p.inputs[first], got, kept)
		}
		return true
	})
}

// Late inputs are run again in the next request, which is of another entry.
func TestLateInputsInheritFromTheEntryThatTheyWereMadeOf(t *testing.T) {
	w, _ := offline(t, func(_ *testing.T, data []byte, p *process) {
		for i, c := range []byte("XY") {
			if bytes.IndexByte(data, c) >= 0 {
				p.hit(1 + i)
			}
		}
	}, "another entry")
	var out bytes.Buffer
	w.answerTo(&out)
	w.setup.NoClock, w.setup.TrimMax = true, 256
	w.run.cov.Merge([]cover.Feature{0})
	w.feed.origin, w.feed.pending = oneBuffer("the first"), []cover.Feature{8, 16}
	w.feed.recent = []input.Args{oneBuffer("the ..X..first"), oneBuffer("the ..Y..first")}
	answers := wire.NewReader(&out)
	for _, want := range []string{"the Xfirst", "the Yfirst", ""} { // each ends its request
		var request bytes.Buffer
		wire.NewWriter(&request).Send(wire.Fuzz{ID: 1, Execs: 300, MaxLen: 64, Trim: wire.TrimGrown})
		_, payload, err := wire.NewReader(&request).Next()
		if err == nil {
			err = w.fuzzEntry(payload)
		}
		if err != nil {
			t.Fatal(err)
		}
		for kind := wire.Type(0); kind != wire.TypeDone; {
			if kind, payload, err = answers.Next(); err != nil {
				t.Fatal(err)
			}
			if kind != wire.TypeNew {
				continue
			}
			n, err := wire.DecodeNew(payload)
			if err == nil && want != "" && text(t, n.Input) != want {
				t.Errorf("the entry is %q, want %q", text(t, n.Input), want)
			}
			want = ""
		}
		if want != "" {
			t.Error("no entry is told of")
		}
	}
	if &w.feed.origin[0] != &w.mut.base[0] {
		t.Error("what comes next does not inherit from the entry of the request")
	}
}

// What shows in the one execution of a candidate only may not be of the input.
func TestTheFeaturesOfATrimmedEntryAreStable(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if p.coord.Stage() == shm.Trimming {
			p.hit(70)
		}
		if bytes.ContainsRune(data, 'X') {
			p.hit(1)
		}
	})
	s.seed(1, strings.Repeat("some words, ", 5))
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 5000, Trim: wire.TrimAll}, func(r fuzzed) bool {
		if len(r.found) == 1 && !slices.Equal(edges(r.found[0].Features), []int{0, 1}) {
			t.Errorf("the new entry has the features %v, want those of the edges 0 and 1", r.found[0].Features)
		}
		return len(r.found) == 1
	})
}

// What an input shows in a loop is rarely worth trimming, but it must not be the reason for entries of a kilobyte.
func TestAnEntryWithoutANewEdgeIsTrimmedIfItHasOutgrownItsOrigin(t *testing.T) {
	const enough = 200
	for _, tt := range []struct {
		name, seed string
		trimmed    bool
	}{
		{"from a short seed", "a", true},
		{"from one of nearly that length", strings.Repeat("word", 48), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := start(t, func(_ *testing.T, data []byte, p *process) {
				if len(data) > enough {
					p.hit(0) // once more
				}
			})
			s.seed(1, tt.seed)
			s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 5000, MaxLen: 1000, Trim: wire.TrimAll}, func(r fuzzed) bool {
				if len(r.found) == 0 {
					return false
				}
				first := slices.IndexFunc(s.p.inputs, func(in []byte) bool { return len(in) > enough })
				found, kept := len(s.p.inputs[first]), len(text(t, r.found[0].Input))
				if r.found[0].Edges != 0 || kept <= enough || (kept < found) != tt.trimmed {
					t.Errorf("%d bytes were found and %d are kept, with %d new edges; want %v, fewer are kept, with none",
						found, kept, r.found[0].Edges, tt.trimmed)
				}
				return true
			})
		})
	}
}

func TestTheExecutionsForTrimmingWhatHasOutgrownItsOriginAreFew(t *testing.T) {
	bytesOf := func(n int) input.Args { return input.Args{{Kind: input.Bytes, Data: make([]byte, n)}} }
	for _, tt := range []struct {
		name                        string
		size, origin                int
		trimMax, limit, spent, want int
	}{
		{"it is small", outgrownSize, 0, 1000, 0, 0, 0},
		{"it is not", outgrownSize + 1, 0, 1000, 0, 0, outgrownExecs},
		{"its origin is not either", outgrownBy * 100, 100, 1000, 0, 0, 0},
		{"it is much larger than its origin", outgrownBy*100 + 1, 100, 1000, 0, 0, outgrownExecs},
		{"there are fewer", 1000, 1, 3, 0, 0, 3},
		{"there are none", 1000, 1, 0, 0, 0, 0},
		{"fewer are left of the burst", 1000, 1, 1000, 100, 95, 5},
		{"the burst is over", 1000, 1, 1000, 100, 101, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := feedback{
				run:   &runner{request: request{limit: uint64(tt.limit), spent: uint64(tt.spent)}},
				setup: &wire.Setup{TrimMax: tt.trimMax}, origin: bytesOf(tt.origin),
			}
			if got := f.trimBudget(bytesOf(tt.size), nil); got != tt.want {
				t.Errorf("trimBudget = %d, want %d", got, tt.want)
			}
		})
	}
}

func TestWithoutTrimTheEntryStaysAsItIs(t *testing.T) {
	s := start(t, func(_ *testing.T, data []byte, p *process) {
		if bytes.ContainsRune(data, 'X') {
			p.hit(1)
		}
	})
	s.seed(1, strings.Repeat("some words, ", 5))
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 5000}, func(r fuzzed) bool {
		if len(r.found) == 1 && !slices.ContainsFunc(s.p.inputs, func(in []byte) bool { return string(in) == text(t, r.found[0].Input) }) {
			t.Errorf("the new entry %q was never executed", text(t, r.found[0].Input))
		}
		return len(r.found) == 1
	})
}

func TestAFailureWhileTrimmingIsReportedAsSuch(t *testing.T) {
	s := start(t, func(t *testing.T, data []byte, p *process) {
		if bytes.ContainsRune(data, 'X') {
			p.hit(1)
			if len(data) < 5 {
				t.FailNow()
			}
		}
	})
	s.seed(1, strings.Repeat("some words, ", 5))
	s.fuzzUntil(wire.Fuzz{ID: 1, Execs: 5000, Trim: wire.TrimAll}, func(r fuzzed) bool {
		if len(r.found) == 0 {
			return false
		}
		if in := text(t, r.found[0].Input); len(in) < 5 || !strings.Contains(in, "X") {
			t.Errorf("the new entry is %q, want one that passes and has an X", in)
		}
		if len(r.failed) != 1 || !r.failed[0].Trimming || !bytes.Equal(s.p.inputs[len(s.p.inputs)-1], []byte(text(t, r.failed[0].Input))) {
			t.Errorf("the failure is %+v, want the last input, found while trimming", r.failed)
		}
		return true
	})
}
