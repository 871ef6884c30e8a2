package input

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"
)

func TestPackedTuplesFollowOneAnother(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		kinds := randomKinds(r)
		a, b := randomArgs(r, kinds), randomArgs(r, kinds)
		packed := Append(Append(nil, a), b)
		if want := PackedSize(a) + PackedSize(b); len(packed) != want {
			t.Fatalf("%v and %v take %d bytes, PackedSize says %d", a, b, len(packed), want)
		}
		gotA, rest, err := Decode(packed, kinds)
		if err != nil || !gotA.Equal(a) {
			t.Fatalf("first Decode = %v, %v, want %v", gotA, err, a)
		}
		gotB, rest, err := Decode(rest, kinds)
		if err != nil || !gotB.Equal(b) || len(rest) != 0 {
			t.Fatalf("second Decode = %v, %d bytes left, %v, want %v", gotB, len(rest), err, b)
		}
	}
}

func TestDecodeRejectsEveryCutAndWrongKind(t *testing.T) {
	a := randomArgs(rand.New(rand.NewPCG(3, 3)), allKinds())
	packed := Append(nil, a)
	for n := range packed {
		if _, _, err := Decode(packed[:n], allKinds()); err == nil {
			t.Errorf("Decode accepts the first %d of %d bytes", n, len(packed))
		}
	}
	_, _, err := Decode(packed, []Kind{String})
	if want := "packed argument 1 has kind []uint8, want string"; err == nil || err.Error() != want {
		t.Errorf("Decode of bytes as a string: %v, want %q", err, want)
	}
}

func TestDecodeDoesNotTrustALength(t *testing.T) {
	for _, length := range [][]byte{{0xff, 0xff, 0xff, 0xff}, {0, 0, 0, 0x80}, {2, 0, 0, 0}} {
		packed := append(append([]byte{byte(Bytes)}, length...), 'x')
		grown := allocated(func() {
			if _, _, err := Decode(packed, []Kind{Bytes}); err == nil {
				t.Errorf("Decode accepts length % x with one byte of content", length)
			}
		})
		if grown > 1<<20 {
			t.Errorf("Decode allocates %d bytes for length % x with one byte of content", grown, length)
		}
	}
}

func TestAppendToAGoodBufferDoesNotAllocate(t *testing.T) {
	a := randomArgs(rand.New(rand.NewPCG(4, 4)), allKinds())
	buf := make([]byte, 0, PackedSize(a))
	if n := testing.AllocsPerRun(100, func() { buf = Append(buf[:0], a) }); n != 0 {
		t.Errorf("Append allocates %v times, want 0", n)
	}
}

// allocated returns the bytes that f allocates, and what other goroutines allocate meanwhile.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// FuzzDecode takes the kinds from the input as well: whatever they are, what Decode accepts packs to the same bytes.
func FuzzDecode(f *testing.F) {
	a := randomArgs(rand.New(rand.NewPCG(5, 5)), allKinds())
	kinds := make([]byte, len(a))
	for i, k := range a.Kinds() {
		kinds[i] = byte(k)
	}
	f.Add(kinds, Append(nil, a))
	f.Add([]byte{byte(Bytes)}, []byte{byte(Bytes), 0xff, 0xff, 0xff, 0xff, 'x'})
	f.Fuzz(func(t *testing.T, kindBytes, packed []byte) {
		var kinds []Kind
		for _, b := range kindBytes {
			kinds = append(kinds, 1+Kind(b)%(numKinds-1))
		}
		a, rest, err := Decode(packed, kinds)
		if err != nil {
			return
		}
		if again := append(Append(nil, a), rest...); !bytes.Equal(again, packed) {
			t.Fatalf("packed again: % x, want % x", again, packed)
		}
	})
}
