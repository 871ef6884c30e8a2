package cover

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// naive is the specification: every counter classified and compared on its own.
func naive(counters, global []byte) (fresh []Feature) {
	for i, n := range counters {
		if b := buckets[n]; b&^global[i] != 0 {
			for bit := range 8 {
				if b == 1<<bit {
					fresh = append(fresh, Feature(i*8+bit))
				}
			}
		}
	}
	return fresh
}

func TestScanAgreesWithTheNaiveScan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int{0, 1, 7, 8, 9, 63, 64, 65, 127, 500, 4099} {
		t.Run(fmt.Sprintf("%d counters", size), func(t *testing.T) {
			counters := make([]byte, size)
			global := bytesOf(make([]uint64, GlobalSize(size)/8+1))
			m := New(counters, global)
			for round := range 200 {
				for range r.IntN(20) {
					if size > 0 {
						counters[r.IntN(size)] = byte(r.Uint32()) >> r.IntN(8) // small counts have narrow buckets
					}
				}
				want := naive(counters, global)
				held := slices.Clone(counters)
				if got := m.ScanAll(); (got == Novel) != (len(want) > 0) {
					t.Fatalf("round %d: ScanAll = %v, the naive scan finds %d new features", round, got, len(want))
				}
				if slices.ContainsFunc(counters, func(b byte) bool { return b != 0 }) {
					t.Fatalf("round %d: counters are not cleared", round)
				}
				copy(counters, held)
				trace := m.Trace(nil)
				added, _ := m.Merge(slices.Clone(trace))
				if !slices.Equal(added, want) {
					t.Fatalf("round %d: merged %v, want %v", round, added, want)
				}
			}
		})
	}
}

// The portable version of quietLines takes loud for 64 numbers per word of hot. Where pointers are checked, as with -race, the
// runtime ends the process if there are fewer.
func TestThereIsRoomForEachLineThatCanBeLoud(t *testing.T) {
	for _, counters := range []int{0, 64, 64 * 63, 64 * 64, 64*64 + 1, 64 * 1000} {
		m := New(make([]byte, counters), nil)
		if len(m.loud) < 64*len(m.hot) {
			t.Errorf("%d counters: %d lines can be loud, there is room for %d", counters, 64*len(m.hot), len(m.loud))
		}
	}
}

func TestScanReportsColdLinesLate(t *testing.T) {
	counters := make([]byte, 4096)
	m := New(counters, nil)
	counters[4000] = 1
	var results []Result
	for range coldPeriod {
		results = append(results, m.Scan())
	}
	if i := slices.Index(results, Late); i != coldPeriod-1 {
		t.Fatalf("a new edge on a cold line was reported by scan %d, want %d", i+1, coldPeriod)
	}
	counters[4000] = 1
	if got := m.Scan(); got != Novel {
		t.Fatalf("the line is hot now, but Scan = %v, want Novel", got)
	}
}

// Who looks at what is new clears all lines, so what is there on cold ones must show before.
func TestScanReportsColdLinesWithWhatIsNew(t *testing.T) {
	counters := make([]byte, 1000)
	m := New(counters, nil)
	counters[1] = 1
	m.Merge(m.Trace(nil))
	tests := []struct {
		name   string
		counts map[int]byte
		result Result
		late   int // features
	}{
		{"a new count on a hot line", map[int]byte{1: 2}, Novel, 0},
		{"an edge on a cold line", map[int]byte{500: 1}, Nothing, 0},
		{"a new count on a hot line behind it", map[int]byte{1: 4}, Novel, 1},
		{"nothing is left", nil, Nothing, 0},
	}
	for _, tt := range tests {
		for i, n := range tt.counts {
			counters[i] = n
		}
		if got := m.Scan(); got != tt.result {
			t.Fatalf("%s: Scan = %v, want %v", tt.name, got, tt.result)
		}
		if fresh, late := len(m.Fresh(nil)), len(m.Late(nil)); fresh != len(tt.counts) && tt.result == Novel || late != tt.late {
			t.Errorf("%s: the features %v are new, and late are %v", tt.name, m.Fresh(nil), m.Late(nil))
		}
	}
}

func TestMergeGivesAFeatureToOneWorkerOnly(t *testing.T) {
	global := bytesOf(make([]uint64, 8))
	a, b := New(make([]byte, 64), global), New(make([]byte, 64), global)
	if added, edges := a.Merge([]Feature{8, 9}); len(added) != 2 || edges != 1 {
		t.Errorf("first Merge = %v, %d edges; want both features and 1 edge", added, edges)
	}
	if added, edges := b.Merge([]Feature{9, 10}); len(added) != 1 || edges != 0 {
		t.Errorf("second Merge = %v, %d edges; want feature 10 and no edge", added, edges)
	}
	if !b.Known(8) || b.Known(11) || !b.KnownEdge(15) || b.KnownEdge(16) {
		t.Error("the global map is not shared")
	}
}

func TestScanDoesNotAllocate(t *testing.T) {
	counters := make([]byte, 1<<14)
	m := New(counters, nil)
	for i := 0; i < len(counters); i += 100 {
		counters[i] = 1
	}
	m.ScanAll()
	m.Merge([]Feature{0})
	if n := testing.AllocsPerRun(100, func() { counters[300] = 3; m.Scan() }); n != 0 {
		t.Errorf("Scan allocates %v times", n)
	}
}

func TestWithEdgesOnlyTheCountDoesNotMatter(t *testing.T) {
	counters := make([]byte, 128)
	m := New(counters, nil)
	m.EdgesOnly()
	for _, n := range []byte{1, 255, 7, 2} {
		counters[3], counters[127] = n, n
		if got, want := m.ScanAll(), map[bool]Result{true: Novel, false: Nothing}[n == 1]; got != want {
			t.Errorf("count %d: ScanAll = %v, want %v", n, got, want)
		}
		counters[3], counters[127] = n, n
		m.Merge(m.Trace(nil))
	}
}

func TestKnownRangeHasNoGap(t *testing.T) {
	m := New(nil, nil)
	for known := range 256 {
		for n := 1; n < 256; n++ {
			if buckets[n]&uint8(known) == 0 {
				continue
			}
			r := m.knownRange(uint8(n), uint8(known))
			low, high := n, n
			for low > 1 && buckets[low-1]&uint8(known) != 0 {
				low--
			}
			for high < 255 && buckets[high+1]&uint8(known) != 0 {
				high++
			}
			if int(r.low) != low || int(r.high) != high {
				t.Fatalf("knownRange(%d, %08b) = %d to %d, want %d to %d", n, known, r.low, r.high, low, high)
			}
		}
	}
}

func TestQuietComparesEachByte(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		w, low, high := r.Uint64()&r.Uint64(), r.Uint64()&r.Uint64()&r.Uint64(), r.Uint64()|r.Uint64()|r.Uint64()
		want := true
		for shift := 0; shift < 64; shift += 8 {
			if n := uint8(w >> shift); n != 0 && (n < uint8(low>>shift) || n > uint8(high>>shift)) {
				want = false
			}
		}
		if quiet(w, low, high) != want {
			t.Fatalf("quiet(%016x, %016x, %016x) = %v", w, low, high, !want)
		}
	}
}

// BenchmarkScanOfFewLines: an execution hits counters in a fifth of the lines that others have hit, as parsers do (7 of 40 lines
// of image/png, 8 of 40 of encoding/json, 21 of 76 of yaml.v3 on average), and not the same ones each time.
func BenchmarkScanOfFewLines(b *testing.B) {
	const lines, hit, patterns = 40, 8, 1024
	counters := make([]byte, 8<<10)
	m := New(counters, nil)
	r := rand.New(rand.NewPCG(1, 2))
	at := make([][hit]int, patterns)
	for i := range at {
		for k := range at[i] {
			at[i][k] = r.IntN(lines)*lineSize + r.IntN(lineSize)
		}
	}
	for f := range Feature(8 * len(counters)) {
		m.Merge([]Feature{f})
	}
	for n := 0; b.Loop(); n++ {
		for _, i := range at[n%patterns] {
			counters[i]++
		}
		if m.Scan() != Nothing {
			b.Fatal("steady state must find nothing new")
		}
	}
}

// BenchmarkScan: the counts of an execution differ from those of the one before, as loops over other inputs do.
func BenchmarkScan(b *testing.B) {
	for _, hits := range []int{0, 50, 400, 2000} {
		b.Run(fmt.Sprintf("counters=48K/hit=%d", hits), func(b *testing.B) {
			counters := make([]byte, 48<<10)
			m := New(counters, nil)
			r := rand.New(rand.NewPCG(1, 2))
			at := make([]int, hits)
			for i := range at { // code that is hit lies together
				at[i] = r.IntN(6 << 10)
			}
			for n := 1; n < 256; n++ {
				for _, i := range at {
					counters[i] = byte(n)
				}
				m.Merge(m.Trace(nil))
			}
			n := byte(0)
			for b.Loop() {
				n++
				for _, i := range at {
					counters[i] = n
				}
				if m.Scan() != Nothing {
					b.Fatal("steady state must find nothing new")
				}
			}
		})
	}
}
