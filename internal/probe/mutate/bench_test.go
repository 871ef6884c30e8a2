package mutate

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

// benchDocuments are what a step is measured on: 100 bytes each.
var benchDocuments = []struct{ name, text string }{
	{"json", `{"id": 12, "name": "some name", "tags": ["a", "b", {"c": null}], "pos": {"x": -1.5e3, "y": 0.25}, 1}`},
	{"text", "SELECT a, b FROM t WHERE a = 'x' AND (b < 12 OR c IN (1, 2, 3)) ORDER BY d LIMIT 10; -- comment end"},
	{"binary", "\x00\x00\x00\x60\x01\x02BM\xff\xfe\x10\x00\x00\x00pixels\x00\x00\x07\x80\x81\x82\x83\x84\x00\x10data" +
		"\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\xf0\xf1\xf2\xf3\xf4\xf5\xf6\xf7\xf8\xf9\xfa\xfb" +
		"\x00\x00\x00\x00\x12\x34\x56\x78\x9a\xbc\xde\xf0END.\x00\x00\x00\x01\xaa\xbb\xcc\xdd\xee\xff\x11\x22\x33\x44\x55\x66"},
}

// BenchmarkStep measures chains as the worker makes them: a first step and three more, of one chain and of many together.
func BenchmarkStep(b *testing.B) {
	for _, d := range benchDocuments {
		for _, n := range []int{1, MaxChains} {
			b.Run(fmt.Sprintf("%s/chains=%d", d.name, n), func(b *testing.B) {
				base := []byte(d.text)
				m := sampleMaterial(1, 256, input.Args{{Kind: input.Bytes, Data: slices.Clone(base)}})
				chains := make([]Chain, n)
				for i := range chains {
					chains[i].Args = input.Args{{Kind: input.Bytes, Data: make([]byte, 0, 256)}}
				}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if i%4 == 0 {
						Begin(m, chains)
						for k := range chains {
							v := &chains[k].Args[0]
							v.Data = append(v.Data[:0], base...)
						}
					}
					Havoc(m, chains)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/mutant")
			})
		}
	}
}
