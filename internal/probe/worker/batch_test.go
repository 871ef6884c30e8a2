//go:build unix

package worker

import (
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// A target that touches its T in each execution gets all mutants that are made.
func TestMutantsWaitWhileBurstsEnd(t *testing.T) {
	w, p := offline(t, func(*testing.T, []byte, *process) {}, "a seed of some bytes")
	w.run.cov.Merge(all(0, 1024))
	w.run.allow(0, 0)
	w.mut.reserve(256)
	var made []string
	for range 3 * maxBatch {
		if w.loop.burst(nil, func() bool { return true }) {
			t.Fatal("a burst has gone on behind an execution that has touched its T")
		}
		if b := &w.mut.batch; b.next == 1 {
			for i := range b.chains[:b.made] {
				made = append(made, string(b.chains[i].Args[0].Data))
			}
		}
	}
	var executed []string
	for _, a := range w.run.executed(3 * maxBatch) {
		executed = append(executed, string(a[0].Data))
	}
	slices.Reverse(executed)
	if p.calls != 3*maxBatch || !slices.Equal(executed, made) {
		t.Errorf("%d executions, of %q; made were %q", p.calls, executed, made)
	}
}

func TestMutantsOfAnotherEntryAreDropped(t *testing.T) {
	w, _ := offline(t, func(*testing.T, []byte, *process) {}, "a seed of some bytes that is long enough to become smaller")
	w.run.cov.Merge(all(0, 1024))
	w.mut.derive()
	if b := &w.mut.batch; b.next == b.made {
		t.Fatal("no mutant waits")
	}
	w.run.args = input.Args{{Kind: input.Bytes, Data: []byte("small")}}
	w.run.record()
	if err := w.loop.replace(1); err != nil {
		t.Fatal(err)
	}
	if b := &w.mut.batch; string(w.mut.base[0].Data) != "small" || b.next != b.made || b.steps != 0 {
		t.Errorf("%d mutants wait, of chains with %d more steps, when the entry has become %q", b.made-b.next, b.steps, w.mut.base[0].Data)
	}
}

func TestBatchesAreSmallWhereThereIsNoTimeOrRoomForMore(t *testing.T) {
	for _, tt := range []struct {
		name  string
		bytes int
		execs uint64
		want  int
	}{
		{"a fast target", 256, 5000, maxBatch},
		{"any number of executions", 256, 0, maxBatch},
		{"a slow target", 256, 64, 1},
		{"one of a millisecond", 256, 300, 300 / batchesIn},
		{"mutants of 64 KiB", 64 << 10, 5000, min(maxBatch, batchRoom>>16)},
		{"mutants of a megabyte and more", 3 << 20, 5000, 1},
		{"no bytes", 0, 5000, maxBatch},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b batch
			b.reserve([]input.Kind{input.Bytes, input.Int}, tt.bytes, tt.execs)
			if b.size != tt.want {
				t.Errorf("a batch has %d chains, want %d", b.size, tt.want)
			}
			for i := range b.chains[:b.size] {
				if n := cap(b.chains[i].Args[0].Data); n < tt.bytes {
					t.Errorf("chain %d has room for %d bytes, want %d", i, n, tt.bytes)
				}
			}
		})
	}
}

// The limit for the length of mutants changes from one request to the next.
func TestBatchesOfAllSizesShareTheRoom(t *testing.T) {
	kinds := []input.Kind{input.Bytes, input.Int, input.String}
	var b batch
	for n := 64; n <= 4*batchRoom; n *= 2 {
		for _, execs := range []uint64{0, 5000, 64} {
			b.reserve(kinds, n, execs)
			room := 0
			for i := range b.chains {
				for arg := range b.chains[i].Args {
					v := &b.chains[i].Args[arg]
					room += cap(v.Data)
					v.Data = append(v.Data, strings.Repeat(string(rune('0'+i)), n*min(1, cap(v.Data)))...)
				}
			}
			if most := 2 * max(batchRoom, n); room > most {
				t.Fatalf("the buffers of mutants of %d bytes have %d, want at most %d", n, room, most)
			}
			for i := range b.chains[:b.size] {
				if a := b.chains[i].Args; a[0].Data[n-1] != byte('0'+i) || a[2].Data[0] != byte('0'+i) {
					t.Fatalf("mutants of %d bytes share memory: number %d has %q and %q", n, i, a[0].Data[n-1], a[2].Data[0])
				}
			}
		}
	}
}

// A chain continues in the next batch, also if each batch has one mutant.
func TestChainsGoOnInTheNextBatch(t *testing.T) {
	for _, size := range []int{1, 4} {
		w, _ := offline(t, func(*testing.T, []byte, *process) {}, "............................................................")
		w.mut.batch.size = size
		changes, deepest := 0, 0
		w.mut.havoc.Trace = func(string) { changes++ }
		for range 500 {
			if w.mut.derive(); w.mut.batch.next == 1 && w.mut.batch.steps == 0 {
				deepest, changes = max(deepest, changes/size), 0
			}
		}
		if deepest < maxChain {
			t.Errorf("with batches of %d no chain has had more than %d changes, want %d", size, deepest, maxChain)
		}
	}
}

// Suggestions start chains. In half of these chains the first mutant has no other change.
func TestChainsStartWithSuggestions(t *testing.T) {
	w, _ := offline(t, func(*testing.T, []byte, *process) {}, "magic=????????")
	w.list.log.Fill([]compare.Record{{Site: 1, Op: compare.Str, SA: []byte("????????"), SB: []byte("sesamesx")}})
	alone, with := 0, 0
	const mutants = 10000
	for range mutants {
		w.mut.derive()
		switch s := string(w.run.args[0].Data); {
		case s == "magic=sesamesx":
			alone++
		case strings.Contains(s, "sesamesx"):
			with++
		default:
			continue
		}
		if maker := w.mut.maker(); maker != technique.BySolvedMutation {
			t.Fatalf("the mutant %q is from %v", w.run.args[0].Data, maker)
		}
	}
	if alone < mutants/500 || with < mutants/100 {
		t.Errorf("%d of %d mutants are the suggestion alone, %d have it beside other changes", alone, mutants, with)
	}
}

func TestBreedingDoesNotAllocate(t *testing.T) {
	w, _ := offline(t, func(*testing.T, []byte, *process) {}, "a seed of some bytes, and numbers 12345")
	w.run.cov.Merge([]cover.Feature{0})
	w.mut.havoc.Tokens = [][]byte{[]byte("word")}
	if n := testing.AllocsPerRun(1000, w.mut.derive); n != 0 {
		t.Errorf("derive allocates %v times", n)
	}
}
