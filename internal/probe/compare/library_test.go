package compare

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/hook"
)

// listen calls f as code in the standard library would: only while somebody listens.
func listen(f func()) func() {
	return func() {
		if hook.Recording {
			f()
		}
	}
}

func TestHooksInTheStandardLibraryAreRecorded(t *testing.T) {
	text := func(op Op, a, b string) Record { return Record{Op: op, SA: []byte(a), SB: []byte(b)} }
	long := strings.Repeat("x", maxOperand+1)
	for _, tt := range []struct {
		name string
		call func()
		want []Record
	}{
		{"a key of a map", func() { hook.Key("seen", "key", nil) }, []Record{text(Map, "seen", "key")}},
		{"a key that is met again", func() { hook.Key("seen", "key", nil); hook.Key("seen", "key", nil) }, []Record{text(Map, "seen", "key")}},
		{"an integer key", func() { hook.IntKey(3, 7, 4, nil) }, []Record{{Op: ConstInt, Width: 4, A: 7, B: 3}}},
		{"a needle", func() { hook.Needle("text", "needle") }, []Record{text(Needle, "", "needle"), text(Needle, "text", "needle")}},
		{"a needle without a text", func() { hook.Needle("", "needle") }, []Record{text(Needle, "", "needle")}},
		{"a needle of bytes", func() { hook.NeedleBytes([]byte("t"), []byte("needle")) }, []Record{text(Needle, "", "needle"), text(Needle, "t", "needle")}},
		{"a needle that chance would find", func() { hook.Needle("text", "n") }, nil},
		{"a needle that is too long", func() { hook.Needle("text", long) }, nil},
		{"two strings in order", func() { hook.Compare("a", "b") }, []Record{text(Needle, "a", "b")}},
		{"two byte slices in order", func() { hook.CompareBytes([]byte("a"), nil) }, []Record{text(Needle, "a", "")}},
		{"a comparison without case", func() { hook.FoldBytes([]byte("a"), []byte("B")) }, []Record{text(Fold, "a", "B")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := record(new(Log), listen(tt.call))
			if !slices.EqualFunc(got, tt.want, func(a, b Record) bool { a.Site, b.Site = 0, 0; return equal(a, b) }) {
				t.Errorf("recorded %+v, want %+v", got, tt.want)
			}
			if hook.Recording {
				t.Error("after the recording, somebody still listens")
			}
		})
	}
}

func TestANumberIsRecordedWithOthers(t *testing.T) {
	got := record(new(Log), func() { hook.Number("1.5"); hook.Number("") })
	if len(got) != len(numbers) {
		t.Fatalf("%d records, want %d", len(got), len(numbers))
	}
	for i, r := range got {
		if r.Op != Number || string(r.SA) != "1.5" || string(r.SB) != numbers[i] {
			t.Errorf("record %d is %+v", i, r)
		}
	}
}

func TestOnlyWhatIsBehindTheEndIsRecorded(t *testing.T) {
	for _, tt := range []struct {
		wanted, there int64
		want          int
	}{{0, 1, 0}, {4, 5, 0}, {5, 5, 1}, {6, 5, 1}, {-1, 5, 1}, {0, 0, 1}} {
		got := record(new(Log), func() { hook.Bound(tt.wanted, tt.there) })
		if len(got) != tt.want || len(got) > 0 && (got[0].A != uint64(tt.there) || got[0].B != uint64(tt.wanted)) {
			t.Errorf("%d of %d: %+v, want %d records", tt.wanted, tt.there, got, tt.want)
		}
	}
}

func TestWithoutDropsWhatHooksInTheStandardLibraryReport(t *testing.T) {
	all := func() {
		hook.Key("seen", "key", nil)
		hook.IntKey(1, 2, 8, nil)
		hook.Needle("text", "needle")
		hook.Compare("a", "b")
		hook.FoldBytes(nil, []byte("b"))
		hook.Number("1")
		hook.Bound(9, 3)
		StrCmp("x", "y", 1)
	}
	for _, tt := range []struct {
		without Kind
		want    int
	}{
		{0, 8 + len(numbers)},
		{Keys, 6 + len(numbers)},
		{Needles, 4 + len(numbers)},
		{Numbers, 8},
		{Bounds, 7 + len(numbers)},
		{Keys | Needles | Numbers | Bounds, 1},
	} {
		l := new(Log)
		l.Without(tt.without)
		if got := len(record(l, all)); got != tt.want {
			t.Errorf("without %b, %d records, want %d", tt.without, got, tt.want)
		}
	}
}

func TestLookupsOfTheMachineryAreOverlooked(t *testing.T) {
	t.Cleanup(func() { overlooked = [3]*byte{} })
	own, same := strings.Clone("/name/of:one"), strings.Clone("/name/of:one")
	Overlook([3]string{"another", own})
	if got := record(new(Log), func() { hook.Key(own, "key", nil) }); len(got) != 0 {
		t.Errorf("%d records of a lookup by the machinery", len(got))
	}
	if got := record(new(Log), func() { hook.Key(same, "key", nil) }); len(got) != 1 {
		t.Errorf("%d records of a lookup by the target, want 1", len(got))
	}
}

// What hooks in the standard library report must not crowd out the rest.
func TestHooksInTheStandardLibraryAreBounded(t *testing.T) {
	for _, tt := range []struct {
		name string
		call func(i int)
		want int
	}{
		{"keys", func(i int) { hook.Key("seen", strconv.Itoa(i), nil) }, maxKeys},
		{"integer keys", func(i int) { hook.IntKey(0, uint64(i), 8, nil) }, maxKeys},
		{"one needle", func(i int) { hook.Needle(strconv.Itoa(i), "needle") }, 1 + maxRepeats},
		{"numbers", func(i int) { hook.Number(strconv.Itoa(i)) }, maxNumbers},
		{"bounds", func(i int) { hook.Bound(int64(i), 0) }, maxBounds},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := record(new(Log), func() {
				for i := range 10000 {
					tt.call(i)
				}
			})
			if len(got) < tt.want || len(got) > 3*tt.want { // hashes that collide repeat something
				t.Errorf("%d records, want %d", len(got), tt.want)
			}
		})
	}
}

func TestHooksInTheStandardLibraryDoNotAllocate(t *testing.T) {
	l, b := new(Log), []byte("some bytes")
	if n := testing.AllocsPerRun(100, func() {
		l.Start()
		hook.Key(string(b), "key", nil)
		hook.IntKey(1, 2, 8, nil)
		hook.Needle(string(b), "needle")
		hook.NeedleBytes(b, b)
		hook.CompareBytes(b, b)
		hook.FoldBytes(b, b)
		hook.Number(string(b))
		hook.Bound(7, 3)
		l.Stop()
	}); n != 0 {
		t.Errorf("hooks allocate %v times", n)
	}
}
