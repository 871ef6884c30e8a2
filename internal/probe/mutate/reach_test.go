package mutate

import (
	"bytes"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

// reach says that the operator op turns in into each of want within a number of tries.
type reach struct {
	name    string // reads as a sentence
	op      string
	in      string
	want    []string
	budget  int
	tokens  []string
	partner string
}

func (r reach) material(seed uint64) *Material {
	m := &Material{chain: &Chain{}, Rand: NewRand(seed), MaxLen: 128, Pool: []input.Args{{{Kind: input.Bytes, Data: []byte(r.partner)}}}}
	for _, t := range r.tokens {
		m.Tokens = append(m.Tokens, []byte(t))
	}
	return m
}

func operatorByName(t *testing.T, name string) *operator {
	t.Helper()
	i := slices.IndexFunc(operators[:], func(o operator) bool { return o.name == name })
	if i < 0 {
		t.Fatalf("no operator %q", name)
	}
	return &operators[i]
}

func checkReach(t *testing.T, rows []reach) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			op, m := operatorByName(t, r.op), r.material(1)
			missing := slices.Clone(r.want)
			for range r.budget {
				out, ok := op.apply(m, []byte(r.in))
				if !ok {
					continue
				}
				if i := slices.Index(missing, string(out)); i >= 0 {
					missing = slices.Delete(missing, i, i+1)
				}
			}
			for _, w := range missing {
				t.Errorf("%s(%q) never produced %q in %d tries", r.op, r.in, w, r.budget)
			}
		})
	}
}

func TestEachBufferOperatorHasAReachabilityRow(t *testing.T) {
	rows := slices.Concat(bitRows, arithRows, blockRows, spliceRows, numberTextRows, charRows, spanRows,
		lexemeRows, nestRows, numformRows, runeClassRows, jsonRows, lengthRows, fieldRows, recordRows)
	for i := range operators {
		name := operators[i].name
		if !slices.ContainsFunc(rows, func(r reach) bool { return r.op == name }) {
			t.Errorf("operator %q has no reachability row", name)
		}
	}
}

// operatorNames returns the names of all operators: those of buffers, of integers and of floats.
func operatorNames() []string {
	var names []string
	for i := range operators {
		names = append(names, operators[i].name)
	}
	for _, ops := range [][]numberOperator{intOperators[:], floatOperators[:]} {
		for i := range ops {
			names = append(names, ops[i].name)
		}
	}
	names = append(names, boolFlipName, emptyName)
	return names
}

func TestNamesAreUnique(t *testing.T) {
	names := operatorNames()
	slices.Sort(names)
	if u := slices.Compact(slices.Clone(names)); len(u) != len(names) {
		t.Errorf("operatorNames() has duplicates: %q", names)
	}
}

// checkStep is the contract of operator.apply for one call.
func checkStep(t *testing.T, op *operator, m *Material, in []byte) []byte {
	t.Helper()
	old := bytes.Clone(in)
	out, ok := op.apply(m, in)
	if ok == bytes.Equal(out, old) {
		t.Fatalf("%s(%q) = %q, %v: ok must say whether it has changed", op.name, old, out, ok)
	}
	if len(out) > max(len(old), m.MaxLen) {
		t.Fatalf("%s(%d bytes) = %d bytes, limit is %d", op.name, len(old), len(out), m.MaxLen)
	}
	if len(old) > 0 && len(out) == 0 {
		t.Fatalf("%s(%q) left nothing", op.name, old)
	}
	return out
}

// tricky are contents at the edges of what operators look for.
var tricky = []string{
	"", "\x00", "a", "1", "-", "\"", "\"\"", "(", "()", "\n", "\n\n", "\\", "\"\\", "\"\\\"", "\xff", "\xe2\x82", "aaaa", "0000",
	"[[[]]]", "{\"a\":[1,-2.5e3,{\"b\":\"c\\n\"}]}", "line one\nline two\nline three", "99999999999999999999999999",
	"{\"a\":", "[1,", "{,}", "[,]", ",", ":", "\"a\\", "[\"\\\"]", "{\"a\" 1:2}", "k\xc4s\x89PNG", "\x00\x03abc4:spam\x80\x01",
	"\x00\x00\x00\x08abcd\x00\x00\x00\x04\x00\x00\x00\x04", "GET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n", "<a><b>c</b></a>", "((((", "))))", "ééééééé世界", "\x00\x01\x02\x03\x04\x05\x06\x07\x08",
}

func TestEveryOperatorKeepsItsContract(t *testing.T) {
	for i := range operators {
		op := &operators[i]
		t.Run(op.name, func(t *testing.T) {
			for _, limit := range []int{0, 1, 8, 64, 1000} {
				m := reach{tokens: []string{"token", ""}, partner: "partner (1)"}.material(7)
				m.MaxLen = limit
				for _, in := range tricky {
					for range 100 {
						checkStep(t, op, m, []byte(in))
					}
				}
			}
		})
	}
}

// FuzzOperators checks the contract of every operator on any bytes.
func FuzzOperators(f *testing.F) {
	for i, s := range tricky {
		f.Add(uint64(i), uint8(i), 40, []byte(s), []byte("token"), []byte("the partner"))
	}
	f.Fuzz(func(t *testing.T, seed uint64, which uint8, limit int, in, token, partner []byte) {
		op := &operators[int(which)%len(operators)]
		m := &Material{chain: &Chain{}, Rand: NewRand(seed), MaxLen: limit % 4096, Tokens: [][]byte{token}, Pool: []input.Args{{{Kind: input.Bytes, Data: partner}}}}
		for range 20 {
			in = checkStep(t, op, m, in)
		}
	})
}

func buffer(k input.Kind, s string, capacity int) input.Value {
	return input.Value{Kind: k, Data: append(make([]byte, 0, capacity), s...)}
}
