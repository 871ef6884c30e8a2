//go:build unix

package shm

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pair returns the two views of one segment: the coordinator's and the worker's.
func pair(t testing.TB) (coordinator, worker *Segment) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "segment"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	open := func(how func(*os.File) (*Segment, error)) *Segment {
		s, err := how(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		return s
	}
	return open(Create), open(Open)
}

// put writes one record as the worker does.
func put(s *Segment, data []byte) {
	b := s.Begin(len(data))
	copy(b[:len(data)], data)
	s.Commit(len(data))
}

func TestBothSidesSeeTheSameWords(t *testing.T) {
	c, w := pair(t)
	if c.Stage() != Idle || c.Cause() != NoCause || c.Execs() != 0 || w.Preempted() || c.Last() != nil {
		t.Error("a new segment is not blank")
	}
	for _, st := range []Stage{Running, Fuzzing, Trimming, Idle} {
		w.SetStage(st)
		if got := c.Stage(); got != st {
			t.Errorf("Stage = %d, want %d", got, st)
		}
	}
	for _, cause := range []Cause{Memory, Lost} {
		w.SetCause(cause)
		if got := c.Cause(); got != cause {
			t.Errorf("Cause = %d, want %d", got, cause)
		}
	}
	c.Preempt()
	if !w.Preempted() {
		t.Error("the worker does not see that it shall end")
	}
	c.ClearPreempt()
	if w.Preempted() {
		t.Error("the worker sees a request that was taken back")
	}
}

func TestEachCommitCountsAndShows(t *testing.T) {
	c, w := pair(t)
	for i := range 1000 {
		want := bytes.Repeat([]byte{byte(i)}, i)
		before := c.Last()
		b := w.Begin(len(want))
		if len(b) != 0 || cap(b) != len(want) {
			t.Fatalf("Begin(%d) returned length %d and capacity %d", len(want), len(b), cap(b))
		}
		if got := c.Last(); i > 0 && i < 300 && !bytes.Equal(got, before) { // 300: before the ring comes round
			t.Fatalf("record %d shows before it was committed", i)
		}
		_ = append(b, want...)
		w.Commit(len(want))
		if got := c.Last(); !bytes.Equal(got, want) || got == nil {
			t.Fatalf("Last = %d bytes, want the %d of record %d", len(got), len(want), i)
		}
		if got := c.Execs(); got != uint64(i+1) {
			t.Fatalf("Execs = %d after %d records", got, i+1)
		}
	}
}

func TestTheLargestRecordFits(t *testing.T) {
	c, w := pair(t)
	put(w, []byte("small"))
	large := w.Begin(MaxRecord)[:MaxRecord]
	large[0], large[MaxRecord-1] = 'a', 'z'
	w.Commit(MaxRecord)
	if got := c.Last(); len(got) != MaxRecord || got[0] != 'a' || got[MaxRecord-1] != 'z' {
		t.Errorf("Last has %d bytes, want all %d", len(got), MaxRecord)
	}
	if got := w.Recent(10); len(got) != 1 {
		t.Errorf("Recent has %d records after one that fills the ring, want 1", len(got))
	}
	put(w, []byte("next"))
	if got := w.Recent(10); len(got) != 1 || string(got[0]) != "next" {
		t.Errorf("Recent = %q, want the one record that is whole", got)
	}
}

func TestSmallRecordsStayInTheFirstPartOfTheRing(t *testing.T) {
	_, w := pair(t)
	for i := range 10000 {
		b := w.Begin(100)
		if w.next+recordHead+cap(b) > smallRing {
			t.Fatalf("record %d lies at %d, want below %d", i, w.next, smallRing)
		}
		w.Commit(100)
	}
}

// model is what Recent must give: the records in order, and the bytes of the ring that each occupies.
type model struct {
	data  [][]byte
	spans [][2]int
}

// add notes that a record was written at the offset.
func (m *model) add(data []byte, at int) {
	m.data = append(m.data, data)
	m.spans = append(m.spans, [2]int{at, at + recordHead + len(data)})
}

// intact returns how many of the newest records nothing has been written over.
func (m *model) intact() int {
	var taken [][2]int // by newer records; neighbours are joined
	for i := len(m.spans) - 1; i >= 0; i-- {
		span, joined := m.spans[i], false
		for k, newer := range taken {
			if newer[0] < span[1] && span[0] < newer[1] {
				return len(m.spans) - 1 - i
			}
			if newer[0] == span[1] {
				taken[k][0], joined = span[0], true
			}
		}
		if !joined {
			taken = append(taken, span)
		}
	}
	return len(m.spans)
}

// TestRecentAgreesWithTheModel: Recent gives the newest records in order, never one that was written over, and in the
// ring of small records all that are intact.
func TestRecentAgreesWithTheModel(t *testing.T) {
	for _, tt := range []struct {
		name     string
		size     func(r *rand.Rand) int
		records  int
		complete bool // all intact records are wanted, not just some
	}{
		{"tiny", func(r *rand.Rand) int { return r.IntN(4) }, 20000, true},
		{"small", func(r *rand.Rand) int { return r.IntN(2000) }, 300, true},
		{"up to a quarter of the small ring", func(r *rand.Rand) int { return r.IntN(smallRing/4 - recordHead) }, 100, true},
		{"large", func(r *rand.Rand) int { return smallRing + r.IntN(16<<20) }, 12, false},
		{"mixed", func(r *rand.Rand) int {
			if r.IntN(8) == 0 {
				return smallRing + r.IntN(1<<20)
			}
			return r.IntN(1000)
		}, 200, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, w := pair(t)
			r := rand.New(rand.NewPCG(1, 2))
			var m model
			for i := range tt.records {
				data := make([]byte, tt.size(r))
				if len(data) >= 4 {
					binary.LittleEndian.PutUint32(data, uint32(i))
				}
				put(w, data)
				m.add(data, w.prev-1)
				if len(m.data) > 9000 { // more than the small ring holds
					m.data, m.spans = m.data[1:], m.spans[1:]
				}
				if i%(tt.records/12+1) == 0 || i == tt.records-1 {
					checkRecent(t, w, &m, tt.complete)
				}
			}
		})
	}
}

func checkRecent(t *testing.T, w *Segment, m *model, complete bool) {
	t.Helper()
	intact := m.intact()
	got := w.Recent(len(m.data) + 1)
	if len(got) == 0 || len(got) > intact || complete && len(got) < intact-1 {
		t.Fatalf("Recent has %d records, %d are intact", len(got), intact)
	}
	for i, data := range got {
		if !bytes.Equal(data, m.data[len(m.data)-1-i]) {
			t.Fatalf("record %d from the end has %d bytes that are not those written (%d)", i, len(data), len(m.data[len(m.data)-1-i]))
		}
	}
	if few := w.Recent(2); len(few) != min(2, len(got)) {
		t.Fatalf("Recent(2) has %d records of %d", len(few), len(got))
	}
}

func TestLastSurvivesADamagedHeader(t *testing.T) {
	c, w := pair(t)
	put(w, []byte("input"))
	for _, head := range []uint64{1 << 40, Size, Size - ringOffset, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
		w.h.head.Store(head)
		if got := c.Last(); got != nil {
			t.Errorf("Last with the head at %d has %d bytes, want none", head, len(got))
		}
	}
	w.h.head.Store(1)
	binary.LittleEndian.PutUint32(w.mem[ringOffset:], 1<<31)
	if got := c.Last(); got != nil {
		t.Errorf("Last of a record that claims 2 GiB has %d bytes, want none", len(got))
	}
}

func TestLastIsACopy(t *testing.T) {
	c, w := pair(t)
	put(w, []byte("before"))
	last := c.Last()
	w.next = 0
	put(w, []byte("behind"))
	if string(last) != "before" {
		t.Errorf("what Last returned became %q", last)
	}
}

func TestOpenRefusesWhatCreateDidNotMake(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "other"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Truncate(Size); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file); err == nil || !strings.Contains(err.Error(), "wrong format") {
		t.Errorf("Open of a file of zeros = %v, want an error about the format", err)
	}
}

func TestAClosedFileIsAnError(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "closed"))
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	if _, err := Create(file); err == nil {
		t.Error("Create of a closed file succeeded")
	}
	if _, err := Open(file); err == nil {
		t.Error("Open of a closed file succeeded")
	}
}

func TestWritingARecordDoesNotAllocate(t *testing.T) {
	_, w := pair(t)
	data := make([]byte, 300)
	if n := testing.AllocsPerRun(1000, func() { put(w, data); w.Preempted() }); n != 0 {
		t.Errorf("a record allocates %v times", n)
	}
}

func BenchmarkRecord(b *testing.B) {
	_, w := pair(b)
	data := make([]byte, 300)
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		put(w, data)
	}
}
