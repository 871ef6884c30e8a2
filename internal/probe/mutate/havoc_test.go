package mutate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

// samples are tuples of all shapes: lone and several buffers, numbers, texts, empty ones.
func samples(capacity int) []input.Args {
	b := func(s string) input.Value { return buffer(input.Bytes, s, capacity) }
	s := func(x string) input.Value { return buffer(input.String, x, capacity) }
	all := []input.Args{
		{},
		{b("")},
		{s("x")},
		{b("\x00")},
		{s(strings.Repeat("word (1) ", 20))},
		{b("a"), b("b"), s("")},
		{s("{\"key\": [1, \"\u00e9\"], \"list\": {\"a\": null}}")},
		{b("\x00\x00\x00\x0c\x07abcdefg\x02\x80\x01xy")},
		{s("\u00e9t\u00e9 (1 + k): 'text', s=2.5")},
	}
	var every input.Args
	for k := input.Bytes; k.Valid(); k++ {
		if k.IsBuffer() {
			every = append(every, buffer(k, "{\"key\": [1, 2]}", capacity))
			continue
		}
		all = append(all, input.Args{{Kind: k}})
		every = append(every, input.Value{Kind: k, Bits: 1})
	}
	return append(all, every)
}

// partnerOf returns a tuple of the same kinds with other content.
func partnerOf(a input.Args) input.Args {
	p := a.Clone()
	for i := range p {
		if p[i].Kind.IsBuffer() {
			p[i].Data = append([]byte("<partner 7>"), p[i].Data...)
		} else {
			p[i].Bits = Normalize(p[i].Kind, p[i].Bits+3)
		}
	}
	return p
}

func sampleMaterial(seed uint64, limit int, partner input.Args) *Material {
	return &Material{chain: &Chain{}, Rand: NewRand(seed), MaxLen: limit, Tokens: [][]byte{[]byte("token"), []byte("\x00\x00\x00\x09"), []byte("12"), nil}, Pool: pool(partner)}
}

// checkHavoc is the contract of Havoc for one call; it returns the mutant.
func checkHavoc(t *testing.T, seed uint64, limit int, a, partner input.Args) input.Args {
	t.Helper()
	got, again := a.Clone(), a.Clone()
	p := partner.Clone()
	havoc(sampleMaterial(seed, limit, p), got)
	havoc(sampleMaterial(seed, limit, p), again)
	if !got.Equal(again) {
		t.Fatalf("Havoc(seed %d) is not replayable: %v and %v", seed, got, again)
	}
	if !p.Equal(partner) {
		t.Fatalf("Havoc(seed %d) has changed the partner to %v", seed, p)
	}
	longest := limit
	for i := range a {
		longest = max(longest, len(a[i].Data)) // buffers may change places
	}
	if !slices.Equal(got.Kinds(), a.Kinds()) {
		t.Fatalf("Havoc(%v) has changed the kinds: %v", a, got)
	}
	for i := range got {
		if len(got[i].Data) > longest {
			t.Fatalf("Havoc(%v): argument %d has %d bytes, limit is %d", a, i, len(got[i].Data), limit)
		}
		if n := Normalize(got[i].Kind, got[i].Bits); n != got[i].Bits {
			t.Fatalf("Havoc(%v): argument %d has bits %#x, normalised %#x", a, i, got[i].Bits, n)
		}
	}
	return got
}

// pool holds one partner, or none.
func pool(partner input.Args) []input.Args {
	if partner == nil {
		return nil
	}
	return []input.Args{partner}
}

func TestHavocKeepsItsContract(t *testing.T) {
	for _, a := range samples(0) {
		for seed := range uint64(2000) {
			partner := partnerOf(a)
			if seed%2 == 0 {
				partner = nil
			}
			in := a
			for range 3 { // mutants of mutants
				in = checkHavoc(t, seed, int(seed%100), in, partner)
			}
		}
	}
}

// FuzzHavoc checks the laws on any tuple: replay, size limit, normalised numbers.
func FuzzHavoc(f *testing.F) {
	f.Add(uint64(1), 64, []byte("\x01\x02\x04"), []byte("some text, 12"), []byte("partner"), uint64(7))
	f.Add(uint64(2), 0, []byte("\x01"), []byte("a"), []byte(""), uint64(0))
	f.Fuzz(func(t *testing.T, seed uint64, limit int, kinds, data, other []byte, bits uint64) {
		var a, partner input.Args
		for _, c := range kinds[:min(len(kinds), 8)] {
			k := input.Bytes + input.Kind(c)%(input.Float64-input.Bytes+1)
			v, p := input.Value{Kind: k}, input.Value{Kind: k}
			if k.IsBuffer() {
				v.Data, p.Data = data, other
			} else {
				v.Bits, p.Bits = Normalize(k, bits), Normalize(k, ^bits)
			}
			a, partner = append(a, v), append(partner, p)
		}
		limit %= 4096
		checkHavoc(t, seed, limit, a, nil)
		checkHavoc(t, seed, limit, a, partner)
	})
}

func TestHavocNearlyAlwaysChangesSomething(t *testing.T) {
	const runs = 20000
	for _, a := range samples(0) {
		if len(a) == 0 {
			continue
		}
		unchanged := 0
		for seed := range uint64(runs) {
			got := a.Clone()
			if havoc(sampleMaterial(seed, 64, nil), got); got.Equal(a) {
				unchanged++
			}
		}
		if unchanged > runs/1000 {
			t.Errorf("Havoc(%v) left it as it is %d times in %d", a, unchanged, runs)
		}
	}
}

// A chain goes on with what is left, so a lone buffer becomes empty less often.
func TestHavocEmptiesBuffers(t *testing.T) {
	const runs = 1 << 16
	for _, tt := range []struct {
		name    string
		buffers int
		chains  int // that make a step together
		in      int // one of so many mutants is empty
	}{
		{"a buffer alone", 1, 1, emptyAloneIn},
		{"a buffer alone, in many chains", 1, MaxChains, emptyAloneIn},
		{"one of two buffers", 2, 1, emptyIn},
		{"one of two buffers, in many chains", 2, MaxChains, emptyIn},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := sampleMaterial(1, 64, nil)
			chains := make([]Chain, tt.chains)
			empty := 0
			for range runs / tt.chains {
				for i := range chains {
					chains[i].Args = nil
					for range tt.buffers {
						chains[i].Args = append(chains[i].Args, buffer(input.Bytes, "abcd", 64))
					}
				}
				Begin(m, chains)
				Havoc(m, chains)
				for i := range chains {
					if slices.ContainsFunc(chains[i].Args, func(v input.Value) bool { return len(v.Data) == 0 }) {
						empty++
					}
				}
			}
			if want := runs / tt.in; empty < want/2 || empty > 2*want {
				t.Errorf("%d of %d mutants have an empty buffer, want about %d", empty, runs, want)
			}
		})
	}
}

func TestEveryOperatorShowsInTheTrace(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range samples(256) {
		for seed := range uint64(3000) {
			m := sampleMaterial(seed, 256, partnerOf(a))
			m.Trace = func(name string) { seen[name] = true }
			havoc(m, a.Clone())
			more(m) // some apply to what others have made
		}
	}
	for _, name := range operatorNames() {
		if !seen[name] {
			t.Errorf("operator %q was never applied", name)
		}
	}
}

// The next steps of a chain change others.
func TestHavocChangesOneArgument(t *testing.T) {
	const runs = 20000
	var changed [5]int
	for seed := range uint64(runs) {
		a := make(input.Args, 4)
		for i := range a {
			a[i] = input.Value{Kind: input.Int, Bits: uint64(1000 * i)}
		}
		b := a.Clone()
		havoc(&Material{Rand: NewRand(seed)}, b)
		n := 0
		for i := range a {
			if a[i].Bits != b[i].Bits {
				n++
			}
		}
		changed[n]++
	}
	for n, want := range [5]int{0, 100, 0, 0, 0} {
		if got := changed[n] * 100 / runs; got < want-4 || got > want+4 {
			t.Errorf("%d arguments changed in %d %% of mutations, want about %d %%", n, got, want)
		}
	}
}

func TestMoreGoesOnWithTheSamePartner(t *testing.T) {
	const limit = 256
	m := sampleMaterial(1, limit, nil)
	first, second := []byte("kiwikiwikiwi"), []byte("PLUMPLUMPLUM")
	m.Pool = []input.Args{{buffer(input.Bytes, string(first), 0)}, {buffer(input.Bytes, string(second), 0)}}
	mixed := 0
	for range 2000 {
		a := input.Args{buffer(input.Bytes, "................", limit)}
		havoc(m, a)
		for range 5 {
			more(m)
		}
		if bytes.Contains(a[0].Data, first[:4]) && bytes.Contains(a[0].Data, second[:4]) {
			mixed++
		}
	}
	if mixed > 2 { // by chance
		t.Errorf("%d of 2000 chains took parts from two partners", mixed)
	}
}

func TestHavocDoesNotAllocate(t *testing.T) {
	const limit = 256
	for n := range samples(0) {
		a, base := samples(limit)[n], samples(limit)[n]
		m := sampleMaterial(1, limit, partnerOf(base))
		got := testing.AllocsPerRun(5000, func() {
			for i := range a {
				a[i].Bits = base[i].Bits
				a[i].Data = append(a[i].Data[:0], base[i].Data...)
			}
			havoc(m, a)
		})
		if got != 0 {
			t.Errorf("Havoc(%v) allocates %v times, want 0", base, got)
		}
	}
}

func BenchmarkHavoc(b *testing.B) {
	for _, kind := range []string{"binary", "text"} {
		for _, n := range []int{32, 256, 4096} {
			b.Run(fmt.Sprintf("%s/len=%d", kind, n), func(b *testing.B) {
				base := make([]byte, n)
				for i := range base {
					base[i] = byte(i * 37)
					if kind == "text" {
						base[i] = "{\"key\": [12, word]}\n"[i%20]
					}
				}
				m := sampleMaterial(1, 2*n, input.Args{{Kind: input.Bytes, Data: slices.Clone(base)}})
				a := input.Args{{Kind: input.Bytes, Data: make([]byte, 0, 2*n)}}
				b.ReportAllocs()
				for b.Loop() {
					a[0].Data = append(a[0].Data[:0], base...)
					havoc(m, a)
				}
			})
		}
	}
	b.Run("tuple", func(b *testing.B) {
		base := samples(64)[len(samples(64))-1]
		m := sampleMaterial(1, 64, nil)
		a := base.Clone()
		for i := range a {
			a[i].Data = append(make([]byte, 0, 64), a[i].Data...)
		}
		b.ReportAllocs()
		for b.Loop() {
			for i := range a {
				a[i].Bits = base[i].Bits
				a[i].Data = append(a[i].Data[:0], base[i].Data...)
			}
			havoc(m, a)
		}
	})
}
