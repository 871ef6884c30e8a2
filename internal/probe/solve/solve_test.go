package solve

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
)

// variables is a comparison of two values that the target computed.
func variables(site uint, a, b uint64) compare.Record {
	return compare.Record{Site: site, Op: compare.Int, Width: 8, A: a, B: b}
}

// ints returns what the Log has of integers as "seen→want".
func ints(t *rig) (list []string) {
	for i := range t.pairs {
		list = append(list, fmt.Sprintf("%d→%d", t.pairs[i].Seen, t.pairs[i].Want))
	}
	return list
}

// counting is a loop over i that compares it with n.
func counting(site uint, from, to, n uint64) (records []compare.Record) {
	for i := from; i != to; {
		records = append(records, variables(site, i, n))
		if from < to {
			i++
		} else {
			i--
		}
	}
	return records
}

func TestFillKnowsHooksInTheStandardLibrary(t *testing.T) {
	for _, tt := range []struct {
		name string
		op   compare.Op
		want []string
	}{
		{"keys of maps one way", compare.Map, []string{"a→b"}},
		{"numbers one way", compare.Number, []string{"a→b"}},
		{"needles both ways", compare.Needle, []string{"a→b", "b→a"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var table rig
			table.Fill([]compare.Record{{Op: tt.op, SA: []byte("a"), SB: []byte("b")}})
			var got []string
			for _, p := range table.pairs {
				got = append(got, string(p.SeenText)+"→"+string(p.WantText))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("Fill kept %q, want %q", got, tt.want)
			}
		})
	}
}

func TestFillKeepsWhatIsWorthTrying(t *testing.T) {
	swapped := counting(1, 0, 20, 100)
	for i := range swapped {
		swapped[i].A, swapped[i].B = swapped[i].B, swapped[i].A
	}
	constants := make([]compare.Record, 20)
	for i := range constants {
		constants[i] = compare.Record{Site: 1, Op: compare.ConstInt, Width: 8, A: 100, B: uint64(i)}
	}
	tests := []struct {
		name    string
		records []compare.Record
		want    []string
	}{
		{"variables both ways", []compare.Record{variables(1, 7, 9)}, []string{"7→9", "9→7"}},
		{"constants one way", []compare.Record{constant(8, 7, 9)}, []string{"7→9"}},
		{"equal pairs not at all", []compare.Record{variables(1, 7, 7), constant(8, 5, 5), texts("a", "a"), texts("", "")}, nil},
		{"each pair once", []compare.Record{variables(1, 7, 9), variables(1, 7, 9), variables(2, 9, 7), constant(8, 9, 7)}, []string{"7→9", "9→7"}},
		{"a pair of another width", []compare.Record{constant(8, 7, 9), constant(4, 7, 9)}, []string{"7→9", "7→9"}},
		{"no loop that counts up", counting(1, 0, 20, 100), nil},
		{"no loop that counts down", counting(1, 50, 30, 100), nil},
		{"no loop that compares the other way round", swapped, nil},
		{"no loop with a constant end", constants, nil},
		{"no loop in which others nest", append(counting(1, 0, 20, 100), counting(1, 0, 3, 100)...), nil},
		{"what a loop surrounds", append([]compare.Record{variables(2, 7, 9)}, counting(1, 0, 20, 100)...), []string{"7→9", "9→7"}},
		{"what has not counted far enough", counting(1, 41, 44, 100), []string{"41→100", "100→41", "42→100", "100→42", "43→100", "100→43"}},
		{"what counts and compares with something else", []compare.Record{
			variables(1, 1, 50), variables(1, 2, 60), variables(1, 3, 70), variables(1, 4, 80),
			variables(1, 5, 90), variables(1, 6, 91), variables(1, 7, 93), variables(1, 8, 95),
		}, []string{
			"1→50", "50→1", "2→60", "60→2", "3→70", "70→3", "4→80", "80→4",
			"5→90", "90→5", "6→91", "91→6", "7→93", "93→7", "8→95", "95→8",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tb := table(variables(77, 1, 2)) // of another execution
			tb.Fill(tt.records)
			if got := ints(tb); fmt.Sprint(got) != fmt.Sprint(tt.want) || len(tb.pairs) != len(tt.want) {
				t.Errorf("Fill kept %v, want %v", got, tt.want)
			}
		})
	}
}

func TestALogIsLimited(t *testing.T) {
	var onePlace, manyPlaces, strings []compare.Record
	for i := range uint64(1000) {
		onePlace = append(onePlace, variables(1, 10*i, 10*i+5))
		manyPlaces = append(manyPlaces, variables(uint(i), 10*i, 10*i+5))
		strings = append(strings, texts(fmt.Sprint("seen", i), fmt.Sprint("want", i)))
	}
	// One pair of place 1 is known from place 2, so its number of pairs is odd.
	known := compare.Record{Site: 2, Op: compare.ConstInt, Width: 8, A: 5, B: 0}
	for _, tt := range []struct {
		name    string
		records []compare.Record
		want    int
	}{
		{"one place", onePlace, maxPerSite},
		{"one place with an odd number", append([]compare.Record{known}, onePlace...), 1 + maxPerSite},
		{"one place that compares strings", strings, maxPerSite},
		{"many places", manyPlaces, maxPairs},
		{"many places with an odd number", append([]compare.Record{known}, manyPlaces...), maxPairs},
		{"two places", append(onePlace[:500:500], variables(2, 7, 9)), maxPerSite + 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if n := len(table(tt.records...).pairs); n != tt.want {
				t.Errorf("the Log has %d pairs, want %d", n, tt.want)
			}
		})
	}
}

func TestUsualPlacesGiveWayToOthers(t *testing.T) {
	var usual, rare []compare.Record
	for i := range uint64(maxPairs) {
		usual = append(usual, variables(uint(i), 10*i, 10*i+5))
		rare = append(rare, variables(1000+uint(i), 10*i+1, 10*i+6))
	}
	known := new(compare.Usual)
	for i := range uint64(10) {
		known.Learn(i, usual)
	}
	for _, tt := range []struct {
		name  string
		rare  int
		usual *compare.Usual
		want  int // pairs of rare places
	}{
		{"with room for both", 10, known, 20},
		{"without", maxPairs, known, maxPairs},
		{"when no place is known", maxPairs, nil, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tb := &rig{Log: Log{Usual: tt.usual}}
			tb.Fill(append(usual[:maxPairs:maxPairs], rare[:tt.rare]...))
			got := 0
			for i := range tb.pairs {
				if tb.pairs[i].Site >= 1000 {
					got++
				}
			}
			if got != tt.want || len(tb.pairs) != maxPairs {
				t.Errorf("%d of %d pairs are of places that are not usual, want %d of %d", got, len(tb.pairs), tt.want, maxPairs)
			}
		})
	}
}

func TestFillKeepsNoReference(t *testing.T) {
	r := texts("before", "wanted")
	tb := table(r)
	copy(r.SA, "behind")
	copy(r.SB, "broken")
	if got := contents(suggested(tb, buffer("before"))); len(got) != 1 || got[0] != "wanted" {
		t.Errorf("after the log was overwritten, the edits are %q, want \"wanted\"", got)
	}
}

// decode makes records of any bytes: operands that stand in the input, others, and some that no compiler reports.
func decode(b []byte) (records []compare.Record) {
	take := func(n int) []byte {
		n = min(n, len(b))
		part := b[:n:n]
		b = b[n:]
		return part
	}
	word := func() (v uint64) {
		for _, c := range take(1 + int(b[0])%8) {
			v = v<<8 | uint64(c)
		}
		return v
	}
	for len(b) > 4 && len(records) < 4096 {
		head := take(3)
		r := compare.Record{Op: compare.Int + compare.Op(head[0])%4, Site: uint(head[1]), Width: 1 << (head[2] % 4)}
		if head[2] >= 250 {
			r.Width = head[1]
		}
		if r.Op >= compare.Str {
			r.SA, r.SB = take(int(head[2])%65), take(int(head[1])%65)
		} else if r.A = word(); len(b) > 0 {
			r.B = word()
		}
		records = append(records, r)
	}
	return records
}

// check checks the laws of a Log that holds the records, on the tuple a.
func check(t *testing.T, records []compare.Record, a input.Args, maxLen int, seed uint64) {
	t.Helper()
	before := a.Clone()
	lawful := func(what string, got input.Args) {
		t.Helper()
		for i := range got {
			if got[i].Kind != a[i].Kind {
				t.Fatalf("%s has made argument %d of %v a %v", what, i, a, got[i].Kind)
			}
			if len(got[i].Data) > max(maxLen, len(a[i].Data)) {
				t.Fatalf("%s has made argument %d of %v %d bytes long, limit is %d", what, i, a, len(got[i].Data), maxLen)
			}
			if n := mutate.Normalize(a[i].Kind, got[i].Bits); n != got[i].Bits {
				t.Fatalf("%s has made argument %d of %v %#x, normalised %#x", what, i, a, got[i].Bits, n)
			}
		}
		if len(a) == 1 && len(a[0].Data) > 0 && len(got[0].Data) == 0 {
			t.Fatalf("%s has emptied the only buffer %v", what, a)
		}
	}
	tb := new(rig)
	tb.Fill(records)
	if len(tb.pairs) > maxPairs {
		t.Fatalf("the Log has %d pairs", len(tb.pairs))
	}
	got, n := a.Clone(), 0
	tb.Edits(a, func(e Edit) bool {
		for i := range a {
			got[i].Bits, got[i].Data = a[i].Bits, append(got[i].Data[:0], a[i].Data...)
		}
		what := fmt.Sprintf("%+v", e)
		if ok := e.Apply(got, maxLen); !ok && !got.Equal(a) {
			t.Fatalf("%s.Apply(%v) = %v, false", what, a, got)
		}
		lawful(what, got)
		n++
		return n < 500
	})
	again := new(rig)
	again.Fill(records)
	r, s := mutate.NewRand(seed), mutate.NewRand(seed)
	for range 10 {
		one, two := a.Clone(), a.Clone()
		ok, same := tb.Random(r, one, maxLen), again.Random(s, two, maxLen)
		if ok != same || !one.Equal(two) || r.Uint64() != s.Uint64() {
			t.Fatalf("Random(%v) is not replayable: %v, %v and %v, %v", a, one, ok, two, same)
		}
		if !ok && !one.Equal(a) {
			t.Fatalf("Random(%v) = %v, false", a, one)
		}
		lawful("Random", one)
	}
	checkVariants(t, again, records, a, maxLen, mutate.NewRand(seed), lawful)
	if !a.Equal(before) {
		t.Fatalf("the tuple was %v and is %v", before, a)
	}
}

// checkVariants checks the laws of a Log with variants that have the operands of other records.
func checkVariants(
	t *testing.T, tb *rig, records []compare.Record, a input.Args, maxLen int, r *mutate.Rand, lawful func(string, input.Args),
) {
	t.Helper()
	tb.VaryLength(a, records, 0) // without a first variant it means nothing
	for i := range 3 {
		other := append([]compare.Record(nil), records...)
		for j := range other {
			if k := r.Intn(len(other)); i > 0 || r.Bool() {
				other[j].A, other[j].SB = other[k].A, other[k].SB
			}
		}
		tb.Vary(Recolor(a, nil, r), other)
		if longer := a.Clone(); len(a) > 0 && a[0].Kind.IsBuffer() {
			longer[0].Data = append(longer[0].Data, byte(i))
			tb.VaryLength(longer, other, 0)
		}
	}
	tb.FindChecksums(a)
	for _, s := range tb.Candidates(records, a) {
		tb.sums.Confirm(s, records)
	}
	n := 0
	tb.Edits(a, func(e Edit) bool {
		got := a.Clone()
		e.Apply(got, maxLen)
		lawful(fmt.Sprintf("%+v", e), got)
		n++
		return n < 500
	})
	got := a.Clone()
	tb.sums.Repair(records, got, maxLen)
	lawful("Repair", got)
}

// tuple makes arguments of the kinds that bytes name.
func tuple(kinds, data []byte, bits uint64) (a input.Args) {
	for _, c := range kinds[:min(len(kinds), 6)] {
		v := input.Value{Kind: input.Bytes + input.Kind(c)%(input.Float64-input.Bytes+1)}
		if v.Kind.IsBuffer() {
			v.Data = data
		} else {
			v.Bits = mutate.Normalize(v.Kind, bits)
		}
		a = append(a, v)
	}
	return a
}

// FuzzSolver checks the laws on any records and any tuple: limits, kinds, normalised numbers, no lone buffer emptied,
// nothing changed where false is returned, replay.
func FuzzSolver(f *testing.F) {
	f.Add([]byte("\x00\x01\x00\x05\x09\x01\x02\x00"), []byte("\x00"), []byte("some \x05 bytes, 5 of them"), uint64(5), 64, uint64(1))
	f.Add([]byte("\x02\x02\x04someold\x02\x04\x00new!"), []byte("\x00\x01\x03"), []byte("some text"), uint64(0), 0, uint64(2))
	f.Add([]byte("\x01\x01\x03\x07\x01\x02\x03\x04\x05\x06\x07\x08\x07\x08\x07\x06\x05\x04\x03\x02\x01"), []byte("\x03\x07\x0c"), []byte(""), uint64(1<<63), -1, uint64(3))
	f.Add([]byte("\x00\x00\xff\x05\x09\x01\x02\x00\x00\x00\xff\xff"), []byte("\x00"), []byte("\x00\x00\x00\x00\x00\x00\x00\x00"), uint64(0), 9, uint64(4))
	f.Fuzz(func(t *testing.T, records, kinds, data []byte, bits uint64, maxLen int, seed uint64) {
		if len(records) > 1<<12 || len(data) > 1<<12 {
			return // it is quadratic
		}
		check(t, decode(records), tuple(kinds, data, bits), maxLen%4096, seed)
	})
}

func TestLawsOnRandomRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	some := func(n, letters int) []byte {
		b := make([]byte, r.IntN(n))
		for i := range b {
			b[i] = byte(r.IntN(letters))
		}
		return b
	}
	for range 300 {
		letters := 1 << (1 + r.IntN(8)) // few letters make many matches
		check(t, decode(some(400, letters)), tuple(some(4, 256), some(60, letters), r.Uint64()>>r.IntN(64)), r.IntN(100), r.Uint64())
	}
}

// parserLog is the log of a text parser: most operands stand somewhere in the text, some do not, some count. 384
// distinct pairs come of it.
func parserLog(n int, text []byte) (records []compare.Record) {
	r := rand.New(rand.NewPCG(3, 4))
	words := []string{"true", "false", "null", "name", "version", "content-length"}
	for i := range n {
		site := uint(i % 97)
		at := r.IntN(len(text))
		switch i % 8 {
		case 0, 1, 2:
			records = append(records, compare.Record{Site: site, Op: compare.ConstInt, Width: 1, A: r.Uint64N(128), B: uint64(text[at])})
		case 3, 4:
			records = append(records, compare.Record{Site: site, Op: compare.Int, Width: 8, A: uint64(at), B: uint64(len(text))})
		case 5:
			records = append(records, compare.Record{Site: site, Op: compare.ConstInt, Width: 8, A: r.Uint64N(1000), B: r.Uint64N(300)})
		case 6:
			records = append(records, compare.Record{Site: site, Op: compare.ConstInt, Width: 4, A: r.Uint64N(128), B: uint64(text[at])})
		case 7:
			records = append(records, compare.Record{Site: site, Op: compare.Str, SA: text[at:min(at+8, len(text))], SB: []byte(words[r.IntN(len(words))])})
		}
	}
	return records
}

func parserText(n int) []byte {
	const text = `{"name": "gnaw", "version": 12, "list": [1, 22, 333], "ok": true, "x": null}` + "\n"
	b := make([]byte, n)
	for i := range b {
		b[i] = text[i%len(text)]
	}
	return b
}

func TestRandomDoesNotAllocate(t *testing.T) {
	text := parserText(256)
	tb := table(parserLog(4096, text)...)
	if len(tb.pairs) != maxPairs {
		t.Fatalf("the Log has %d pairs, want %d", len(tb.pairs), maxPairs)
	}
	a := input.Args{{Kind: input.Bytes, Data: make([]byte, 0, 4096)}, {Kind: input.Int}}
	r := mutate.NewRand(1)
	once := func() {
		a[0].Data = append(a[0].Data[:0], text...)
		tb.Random(r, a, 4096)
	}
	for range 2000 {
		once() // until the scratch space is as large as the longest string
	}
	if n := testing.AllocsPerRun(2000, once); n != 0 {
		t.Errorf("Random allocates %v times", n)
	}
}

func BenchmarkFill(b *testing.B) {
	records := parserLog(4096, parserText(256))
	tb := new(rig)
	b.ReportAllocs()
	for b.Loop() {
		tb.Fill(records)
	}
}

func BenchmarkRandom(b *testing.B) {
	for _, n := range []int{32, 256} {
		for _, zeros := range []bool{false, true} {
			name := fmt.Sprintf("bytes=%d/text", n)
			text := parserText(n)
			if zeros {
				name, text = fmt.Sprintf("bytes=%d/zeros", n), make([]byte, n)
			}
			tb := table(parserLog(4096, text)...)
			a := input.Args{{Kind: input.Bytes, Data: make([]byte, 0, 4096)}}
			r := mutate.NewRand(1)
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				b.ReportMetric(float64(len(tb.pairs)), "pairs")
				for b.Loop() {
					a[0].Data = append(a[0].Data[:0], text...)
					tb.Random(r, a, 4096)
				}
			})
		}
	}
}
