package input

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestKindsAndTypesMatch(t *testing.T) {
	for _, k := range allKinds() {
		if got, ok := KindOf(k.Type()); !ok || got != k {
			t.Errorf("KindOf(%v) = %v, %v, want %v", k.Type(), got, ok, k)
		}
		if !k.Valid() {
			t.Errorf("%v is not valid", k)
		}
	}
	for _, typ := range []reflect.Type{nil, reflect.TypeFor[uintptr](), reflect.TypeFor[[]rune](), reflect.TypeFor[Kind]()} {
		if k, ok := KindOf(typ); ok {
			t.Errorf("KindOf(%v) = %v, want none", typ, k)
		}
	}
	if k := numKinds; k.Valid() || k.String() != "Kind(16)" {
		t.Errorf("the kind after the last is valid=%v with name %q", k.Valid(), k)
	}
}

func TestGoValuesSurviveARoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		a := randomArgs(r, randomKinds(r))
		back, err := FromValues(a.Values())
		if err != nil || !back.Equal(a) {
			t.Fatalf("FromValues(%v) = %v, %v, want %v", a.Values(), back, err, a)
		}
	}
	if _, err := FromValues([]any{1, []int{}}); err == nil || !strings.Contains(err.Error(), "argument 2 has the unsupported type []int") {
		t.Errorf("FromValues with a []int: %v", err)
	}
}

func TestGoValuesAndClonesShareNoMemory(t *testing.T) {
	data := []byte("abc")
	a, err := FromValues([]any{data, "abc", 7})
	if err != nil {
		t.Fatal(err)
	}
	clone, val := a.Clone(), a.Values()[0].([]byte)
	data[0], clone[0].Data[1], val[2] = 'x', 'x', 'x'
	if string(a[0].Data) != "abc" {
		t.Errorf("the tuple changed to %q with its source, its clone or its Go value", a[0].Data)
	}
}

func TestEqualComparesKindsAndBits(t *testing.T) {
	one := Args{{Kind: Int, Bits: 1}}
	for _, tt := range []struct {
		name string
		a, b Args
		want bool
	}{
		{"same number", one, Args{{Kind: Int, Bits: 1}}, true},
		{"other number", one, Args{{Kind: Int, Bits: 2}}, false},
		{"other kind", one, Args{{Kind: Uint, Bits: 1}}, false},
		{"one more argument", one, append(one.Clone(), Value{Kind: Bool}), false},
		{"nil and empty bytes", Args{{Kind: Bytes}}, Args{{Kind: Bytes, Data: []byte{}}}, true},
		{"other bytes", Args{{Kind: Bytes, Data: []byte("a")}}, Args{{Kind: Bytes, Data: []byte("b")}}, false},
	} {
		if got := tt.a.Equal(tt.b); got != tt.want {
			t.Errorf("%s: %v.Equal(%v) = %v, want %v", tt.name, tt.a, tt.b, got, tt.want)
		}
	}
}

func TestZeroHasTheKindsAndNoContent(t *testing.T) {
	z := Zero(allKinds())
	if !slices.Equal(z.Kinds(), allKinds()) {
		t.Errorf("Zero has the kinds %v", z.Kinds())
	}
	for _, v := range z.Values() {
		if rv := reflect.ValueOf(v); !rv.IsZero() && rv.Kind() != reflect.Slice || rv.Kind() == reflect.Slice && rv.Len() != 0 {
			t.Errorf("Zero holds %T(%v)", v, v)
		}
	}
	if got, want := z.Size(), 1+8+1+2+4+8+8+1+2+4+8+4+8; got != want {
		t.Errorf("Size() = %d, want %d", got, want)
	}
}
