package compare

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
)

// record returns what a Log has after f.
func record(l *Log, f func()) []Record {
	l.Start()
	f()
	l.Stop()
	return l.Records()
}

func TestEveryHookIsRecorded(t *testing.T) {
	l := new(Log)
	got := record(l, func() {
		Cmp1(0xff, 1, 10)
		Cmp2(0xffff, 2, 11)
		Cmp4(0xffffffff, 3, 12)
		Cmp8(1<<63, 4, 13)
		ConstCmp1(5, 0x80, 14)
		ConstCmp2(6, 0x8000, 15)
		ConstCmp4(7, 0x80000000, 16)
		ConstCmp8(8, 1<<63, 17)
		StrCmp("left", "right", 18)
		EqualFold("", "X", 19)
	})
	want := []Record{
		{Site: 10, Op: Int, Width: 1, A: 0xff, B: 1},
		{Site: 11, Op: Int, Width: 2, A: 0xffff, B: 2},
		{Site: 12, Op: Int, Width: 4, A: 0xffffffff, B: 3},
		{Site: 13, Op: Int, Width: 8, A: 1 << 63, B: 4},
		{Site: 14, Op: ConstInt, Width: 1, A: 5, B: 0x80},
		{Site: 15, Op: ConstInt, Width: 2, A: 6, B: 0x8000},
		{Site: 16, Op: ConstInt, Width: 4, A: 7, B: 0x80000000},
		{Site: 17, Op: ConstInt, Width: 8, A: 8, B: 1 << 63},
		{Site: 18, Op: Str, SA: []byte("left"), SB: []byte("right")},
		{Site: 19, Op: Fold, SA: []byte{}, SB: []byte("X")},
	}
	if !slices.EqualFunc(got, want, equal) {
		t.Errorf("recorded %+v, want %+v", got, want)
	}
}

func TestStringsThatMayBeNumbersAreRecordedAsSuch(t *testing.T) {
	tests := []struct {
		name, a, b string
		want       []uint64 // operands of the integers
	}{
		{"no text", "\x00\x01\x02\x03", "abcd", []uint64{0x00010203, 0x61626364}},
		{"text", "abcd", "abce", nil},
		{"equal text, which may be a checksum by chance", "abcd", "abcd", []uint64{0x61626364, 0x61626364}},
		{"equal text of eight bytes", "abcdefgh", "abcdefgh", []uint64{0x6162636465666768, 0x6162636465666768}},
		{"equal text of two bytes", "ab", "ab", nil},
		{"equal text of another length", "abc", "abc", nil},
	}
	for _, tt := range tests {
		var got []uint64
		for _, r := range record(new(Log), func() { StrCmp(tt.a, tt.b, 1) }) {
			if r.Op == Int {
				got = append(got, r.A, r.B)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: recorded %x, want %x", tt.name, got, tt.want)
		}
	}
}

func equal(a, b Record) bool {
	return a.Site == b.Site && a.Op == b.Op && a.Width == b.Width && a.A == b.A && a.B == b.B &&
		bytes.Equal(a.SA, b.SA) && bytes.Equal(a.SB, b.SB)
}

// compareAll calls each hook once.
func compareAll(a, b string) {
	Cmp1(1, 2, 1)
	Cmp2(1, 2, 2)
	Cmp4(1, 2, 3)
	Cmp8(1, 2, 4)
	ConstCmp1(1, 2, 5)
	ConstCmp2(1, 2, 6)
	ConstCmp4(1, 2, 7)
	ConstCmp8(1, 2, 8)
	StrCmp(a, b, 9)
	EqualFold(a, b, 10)
}

func TestNothingIsRecordedOutsideOfStartAndStop(t *testing.T) {
	l := new(Log)
	compareAll("a", "b")
	if n := len(record(l, func() {})); n != 0 {
		t.Errorf("%d comparisons before Start were recorded", n)
	}
	compareAll("a", "b")
	if n := len(l.Records()); n != 0 {
		t.Errorf("%d comparisons after Stop were recorded", n)
	}
	record(l, func() { compareAll("a", "b") })
	if n := len(record(l, func() { Cmp1(1, 2, 3) })); n != 1 {
		t.Errorf("the second recording has %d comparisons, want 1", n)
	}
}

func TestStartReplacesAnotherLog(t *testing.T) {
	a, b := new(Log), new(Log)
	a.Start()
	Cmp1(1, 2, 3)
	b.Start()
	Cmp1(1, 2, 3)
	Cmp1(1, 2, 3)
	b.Stop()
	if len(a.Records()) != 1 || len(b.Records()) != 2 {
		t.Errorf("the logs have %d and %d comparisons, want 1 and 2", len(a.Records()), len(b.Records()))
	}
}

func TestALogIsBounded(t *testing.T) {
	long := strings.Repeat("x", 3*maxOperand)
	for _, tt := range []struct {
		name string
		call func(i uint)
		want int
	}{
		{"integers", func(i uint) { Cmp8(1, 2, i) }, maxRecords},
		{"integers of one place", func(uint) { Cmp8(1, 2, 3) }, maxOfSite},
		{"integers of two places", func(i uint) { ConstCmp1(1, 2, 3+i%2) }, 2 * maxOfSite},
		{"empty strings", func(uint) { StrCmp("", "", 3) }, maxRecords},
		{"long strings", func(uint) { StrCmp(long, long, 3) }, arenaSize / (2 * maxOperand)},
		{"odd strings", func(uint) { StrCmp(long, "ab", 3) }, arenaSize / (maxOperand + 2)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := record(new(Log), func() {
				for i := range 2 * maxRecords {
					tt.call(uint(i))
				}
			})
			if n := len(got); n != tt.want {
				t.Errorf("%d comparisons were recorded, want %d", n, tt.want)
			}
			for i, r := range got {
				if len(r.SA) > maxOperand || len(r.SB) > maxOperand {
					t.Fatalf("comparison %d has operands of %d and %d bytes", i, len(r.SA), len(r.SB))
				}
			}
		})
	}
}

// A target may look at each byte of a long input before it looks at what matters.
func TestWhatComesBehindALoopIsRecorded(t *testing.T) {
	log := new(Log)
	for range 2 { // the second time like the first
		got := record(log, func() {
			for i := range 2 * maxRecords {
				ConstCmp1('<', uint8(i), 5)
			}
			ConstCmp4(0xcafebabe, 1, 6)
		})
		if last := got[len(got)-1]; last.Site != 6 || last.A != 0xcafebabe {
			t.Errorf("the last of %d records is %+v, want the constant behind the loop", len(got), last)
		}
	}
}

func TestPlacesDoNotHideEachOther(t *testing.T) {
	log := new(Log)
	for session := range 3 {
		got := record(log, func() {
			for range maxOfSite * 2 {
				ConstCmp1('<', 1, 5) // one that has used up what it may
			}
			for i := range uint(1900) {
				Cmp4(1, 2, 0x1000+i*64)
				Cmp4(3, 4, 0x1000+i*64)
			}
		})
		if want := maxOfSite + 2*1900; len(got) != want {
			t.Errorf("recording %d has %d comparisons, want %d", session, len(got), want)
		}
	}
}

func TestIntegersAreRecordedWhenThereIsNoRoomForStrings(t *testing.T) {
	got := record(new(Log), func() {
		for range 1000 {
			StrCmp(strings.Repeat("x", maxOperand), strings.Repeat("y", maxOperand), 1)
		}
		Cmp1(1, 2, 77)
	})
	if last := got[len(got)-1]; last.Site != 77 {
		t.Errorf("the last record is %+v, want that of the integers", last)
	}
}

// A string that the target compares may be a view of a byte slice that it changes later.
func TestOperandsAreCopied(t *testing.T) {
	view := []byte("before")
	got := record(new(Log), func() {
		StrCmp(unsafe.String(&view[0], len(view)), "other", 1)
		copy(view, "behind")
	})
	if string(got[0].SA) != "before" {
		t.Errorf("the operand became %q", got[0].SA)
	}
	_ = append(got[0].SA, "overwritten"...)
	if string(got[0].SB) != "other" {
		t.Errorf("appending to one operand made the other one %q", got[0].SB)
	}
}

func TestHooksDoNotAllocate(t *testing.T) {
	a, b := strings.Repeat("a", 100), strings.Repeat("b", 100)
	if n := testing.AllocsPerRun(100, func() { compareAll(a, b) }); n != 0 {
		t.Errorf("hooks allocate %v times while nobody records", n)
	}
	l := new(Log)
	if n := testing.AllocsPerRun(100, func() {
		l.Start()
		for range 1000 {
			compareAll(a, b)
		}
		l.Stop()
	}); n != 0 {
		t.Errorf("hooks allocate %v times while a log records", n)
	}
}

// Goroutines of the target compare whenever they like. Records may be lost or mixed up, but nobody may panic.
func TestOtherGoroutinesDoNoHarm(t *testing.T) {
	l := new(Log)
	done := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				select {
				case <-done:
					return
				default:
					for range 1000 {
						compareAll("some operand", "another one")
					}
				}
			}
		}()
	}
	for range 2000 {
		l.Start()
		for range 100 {
			compareAll("mine", "yours")
		}
		l.Stop()
		if n := len(l.Records()); n > maxRecords {
			t.Fatalf("%d records", n)
		}
	}
	close(done)
	wg.Wait()
}

func BenchmarkHooks(b *testing.B) {
	for _, bb := range []struct {
		name string
		log  *Log
	}{{"off", nil}, {"on", new(Log)}} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if bb.log != nil {
					bb.log.Start()
				}
				compareAll("some operand", "another one")
				if bb.log != nil {
					bb.log.Stop()
				}
			}
		})
	}
}

func TestBinaryStringsAreRecordedAsNumbersToo(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		width      uint8 // 0: they are not
		x, y       uint64
	}{
		{"four bytes", "\x90\xfa\xce\xeb", "abcd", 4, 0x90faceeb, 0x61626364},
		{"equal ones", "\x00\x01", "\x00\x01", 2, 1, 1},
		{"eight bytes", "\x00\x00\x00\x00\x00\x00\x00\x07", "12345678", 8, 7, 0x3132333435363738},
		{"text", "GET ", "POST", 0, 0, 0},
		{"three bytes", "\x00\x01\x02", "\x00\x01\x03", 0, 0, 0},
		{"different lengths", "\x00\x01", "\x00\x01\x02\x03", 0, 0, 0},
		{"nothing", "", "", 0, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, call := range []func(){
				func() { StrCmp(tt.a, tt.b, 7) },
				func() { hook.Compare(tt.a, tt.b) },
			} {
				got := record(new(Log), call)
				if tt.width == 0 {
					if len(got) != 1 {
						t.Errorf("%d records, want 1: %+v", len(got), got)
					}
					continue
				}
				if len(got) != 2 || got[1].Op != Int || got[1].Width != tt.width || got[1].A != tt.x || got[1].B != tt.y {
					t.Fatalf("records %+v, want a number of %d bytes, %#x and %#x", got, tt.width, tt.x, tt.y)
				}
				if got[1].Site == got[0].Site {
					t.Error("the number is at the place of the string")
				}
			}
		})
	}
}

// A goroutine that the target has left behind may write to a log at any time, and what it writes be read half done.
func TestATornRecordStaysWithinTheArena(t *testing.T) {
	l := new(Log)
	l.Start()
	StrCmp("left", "right", 1)
	for _, r := range []raw{
		{at: arenaSize - 1, la: 64, lb: 64, op: Str},
		{at: 1 << 31, la: 1, op: Map},
		{la: 64, lb: 64, op: Needle},
		{at: arenaSize, op: Str},
		{at: 3, width: 8, la: 9, op: Int},
	} {
		l.raw[0] = r
		got := l.record(&l.raw[0])
		if len(got.SA)+len(got.SB) > 2*maxOperand {
			t.Errorf("%+v has %d and %d bytes", r, len(got.SA), len(got.SB))
		}
	}
	l.Stop()
}

// What is recorded after the end of a recording does not show.
func TestStragglersDoNotChangeTheRecords(t *testing.T) {
	l := new(Log)
	got := record(l, func() { StrCmp("left", "right", 1) })
	l.text(Str, "late", "later", 2) // by a goroutine that had seen the log
	l.put(Int, 4, 1, 2, 3)
	if len(l.Records()) != 1 || string(got[0].SA) != "left" || string(got[0].SB) != "right" {
		t.Errorf("the records are %+v", l.Records())
	}
}
