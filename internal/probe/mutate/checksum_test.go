package mutate

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	hashadler "hash/adler32"
	hashcrc "hash/crc32"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

func TestSumsAgreeWithTheStandardLibrary(t *testing.T) {
	for n := range 100 {
		b := bytes.Repeat([]byte{0xff, byte(n), 3}, 100*n)[n:]
		if got, want := crc32(b), hashcrc.ChecksumIEEE(b); got != want {
			t.Errorf("crc32 of %d bytes = %#x, want %#x", len(b), got, want)
		}
		if got, want := adler32(b), hashadler.Checksum(b); got != want {
			t.Errorf("adler32 of %d bytes = %#x, want %#x", len(b), got, want)
		}
	}
}

func samplePNG(t testing.TB) []byte {
	t.Helper()
	var w bytes.Buffer
	if err := png.Encode(&w, image.NewGray(image.Rect(0, 0, 5, 4))); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

func sampleGzip(t testing.TB, text string) []byte {
	t.Helper()
	var w bytes.Buffer
	z := gzip.NewWriter(&w)
	z.Name, z.Extra = "name", []byte("extra")
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return w.Bytes()
}

func fixOne(b []byte) []byte {
	a := input.Args{{Kind: input.Bytes, Data: bytes.Clone(b)}}
	FixChecksums(&Material{Rand: NewRand(1)}, a)
	return a[0].Data
}

// What is right stays as it is; what has wrong sums is right again.
func TestFixChecksumsRestoresContainers(t *testing.T) {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	_, _ = w.Write(bytes.Repeat([]byte("some text "), 30))
	_ = w.Close()
	two := append(sampleGzip(t, "first"), sampleGzip(t, "second")...)
	tests := []struct {
		name   string
		in     []byte
		broken []int // positions, counted from the end
	}{
		{"PNG, CRC of the last and of the first chunk", samplePNG(t), []int{1, len(samplePNG(t)) - 30}},
		{"PNG, length of the first chunk", samplePNG(t), []int{len(samplePNG(t)) - 11}},
		{"gzip", sampleGzip(t, "hello, hello, hello"), []int{1, 5, 8}},
		{"gzip with two members", two, []int{1, 8, len(sampleGzip(t, "second")) + 3}},
		{"zlib", z.Bytes(), []int{1, 4}},
	}
	for _, tt := range tests {
		if got := fixOne(tt.in); !bytes.Equal(got, tt.in) {
			t.Errorf("%s: what is right becomes %q, was %q", tt.name, got, tt.in)
		}
		broken := bytes.Clone(tt.in)
		for _, back := range tt.broken {
			broken[len(broken)-back] ^= 0x55
		}
		if got := fixOne(broken); !bytes.Equal(got, tt.in) {
			t.Errorf("%s: FixChecksums gives %q, want %q", tt.name, got, tt.in)
		}
	}
}

func TestFixChecksumsRepairsTheLengthOfAChunk(t *testing.T) {
	in := samplePNG(t)
	at := bytes.Index(in, []byte("IDAT")) - 4
	longer := append(bytes.Clone(in[:at]), "\x00\x00\x00\x02tEXtabcde\x00\x00\x00\x00"...)
	longer = append(longer, in[at:]...)
	if _, err := png.Decode(bytes.NewReader(longer)); err == nil {
		t.Fatal("the test is wrong: this PNG is right")
	}
	if _, err := png.Decode(bytes.NewReader(fixOne(longer))); err != nil {
		t.Errorf("decode what FixChecksums made: %v", err)
	}
}

// The reason for all of it: most mutants of a PNG get past its checksums.
func TestHavocKeepsChecksumsRight(t *testing.T) {
	in := samplePNG(t)
	right := func(without technique.Set) (n int) {
		m := sampleMaterial(1, 4096, nil)
		m.Without = without
		for range 2000 {
			a := input.Args{buffer(input.Bytes, string(in), 4096)}
			havoc(m, a)
			b := a[0].Data
			if isPNG(b) && len(b) > 8 && bytes.Equal(b, fixOne(b)) {
				n++
			}
		}
		return n
	}
	if on, off := right(0), right(technique.Checksums); on < 1000 || off > 200 {
		t.Errorf("%d of 2000 mutants have right checksums, and %d without the technique", on, off)
	}
}

func BenchmarkRecognize(b *testing.B) {
	in := input.Args{{Kind: input.Bytes, Data: bytes.Repeat([]byte("some text"), 1<<17)}}
	for b.Loop() {
		Recognize(in)
	}
}

func TestRecognizeFindsSums(t *testing.T) {
	const text = "\x01some text, 0123456789\xfe"
	for k := noSum + 1; k < numSums; k++ {
		for _, f := range []sumField{{k, false, true}, {k, false, false}, {k, true, true}, {k, true, false}} {
			b := append(make([]byte, sumWidth[k]), text...)
			if !f.head {
				b = append([]byte(text), make([]byte, sumWidth[k])...)
			}
			f.fix(b)
			m := &Material{Rand: NewRand(1), Sums: Recognize(input.Args{{Kind: input.Bytes, Data: b}})}
			b[6] ^= 0x11
			FixChecksums(m, input.Args{{Kind: input.Bytes, Data: b}})
			if f.fix(b) { // sums that cover all bytes alike may be made right at the other end
				t.Errorf("%+v: %q is not right, recognised %+v", f, b, m.Sums[0])
			}
		}
	}
}

// FuzzUnpack compares the decompression with that of compress/flate.
func FuzzUnpack(f *testing.F) {
	for level := -2; level <= 9; level++ {
		var w bytes.Buffer
		z, err := flate.NewWriter(&w, level)
		if err != nil {
			f.Fatal(err)
		}
		_, _ = z.Write(bytes.Repeat([]byte("abc, abcd; 0123456789 ABCDEFGH\n"), 20+level))
		_ = z.Close()
		f.Add(append(w.Bytes(), "trailer"...))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > maxPacked {
			return
		}
		m := &Material{}
		got, n, ok := m.unpack(b)
		if len(got) == maxUnpacked {
			return
		}
		r := bytes.NewReader(b) // a ByteReader: flate reads no more than it needs
		want, err := io.ReadAll(flate.NewReader(r))
		if ok && err == nil && (!bytes.Equal(got, want) || n != len(b)-r.Len()) {
			t.Errorf("unpack(%q) = %q, %d, want %q, %d", b, got, n, want, len(b)-r.Len())
		}
		if err == nil && !ok {
			t.Errorf("unpack(%q) fails", b)
		}
	})
}

func TestUnpackRestoresWhatWasPacked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := &Material{}
	for range 300 {
		text := make([]byte, r.IntN(3000))
		for i := range text {
			text[i] = byte(r.IntN(1+r.IntN(256)) * 7)
		}
		var w bytes.Buffer
		z, err := flate.NewWriter(&w, r.IntN(12)-2)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = z.Write(text)
		_ = z.Close()
		packed := append(w.Bytes(), "12345678"...)
		got, n, ok := m.unpack(packed)
		if !ok || !bytes.Equal(got, text) || n != w.Len() {
			t.Fatalf("unpack of %d bytes = %d bytes, read %d of %d, %v", len(text), len(got), n, w.Len(), ok)
		}
	}
}

func TestFixContainersLeavesWhatIsOnlyFoundAlone(t *testing.T) {
	broken := samplePNG(t)
	broken[len(broken)-1] ^= 1
	for _, tt := range []struct {
		name    string
		in      []byte
		without technique.Set
		want    bool
	}{
		{"a PNG", broken, 0, true},
		{"a PNG without the technique", broken, technique.Checksums, false},
		{"a PNG that is right", samplePNG(t), 0, false},
		{"a sum at the end", []byte("abcdefg\x00"), 0, false},
	} {
		m := &Material{Rand: NewRand(1), Without: tt.without}
		m.Sums[0] = sumField{kind: noSum + 1}
		a := input.Args{{Kind: input.Bytes, Data: bytes.Clone(tt.in)}}
		if got := FixContainers(m, a); got != tt.want {
			t.Errorf("%s: FixContainers = %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestWhatIsRepackedCanBeRead(t *testing.T) {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	_, _ = w.Write(bytes.Repeat([]byte("some text "), 30))
	_ = w.Close()
	for _, tt := range []struct {
		name string
		in   []byte
		want string
		open func(r io.Reader) (io.Reader, error)
	}{
		{"gzip", sampleGzip(t, "hello, hello"), "hello, hello", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
		{"zlib", z.Bytes(), string(bytes.Repeat([]byte("some text "), 30)), func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &Material{Rand: NewRand(1)}
			data, head, ok := Unpack(m, tt.in)
			if !ok || string(data) != tt.want {
				t.Fatalf("Unpack = %q, %v, want %q", data, ok, tt.want)
			}
			for _, text := range []string{"", "other", string(bytes.Repeat([]byte("x"), MaxStored))} {
				packed := Repack(tt.in[:head], []byte(text))
				r, err := tt.open(bytes.NewReader(packed))
				if err != nil {
					t.Fatal(err)
				}
				if got, err := io.ReadAll(r); err != nil || string(got) != text {
					t.Errorf("of %d bytes, %d were read: %v", len(text), len(got), err)
				}
			}
			if _, _, ok := Unpack(m, tt.in[:len(tt.in)-1]); ok {
				t.Error("a file without its end is unpacked")
			}
		})
	}
}
