package wire

import (
	"bytes"
	"errors"
	"io"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/cover"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// decoders has the function that decodes each type of message.
var decoders = map[Type]func([]byte) (Message, error){
	TypeHello:    decoderOf(DecodeHello),
	TypeSetup:    decoderOf(DecodeSetup),
	TypeEntry:    decoderOf(DecodeEntry),
	TypeWords:    decoderOf(DecodeWords),
	TypeRun:      decoderOf(DecodeRun),
	TypeFuzz:     decoderOf(DecodeFuzz),
	TypeRan:      decoderOf(DecodeRan),
	TypeNew:      decoderOf(DecodeNew),
	TypeFailed:   decoderOf(DecodeFailed),
	TypeDone:     decoderOf(DecodeDone),
	TypeMeasure:  decoderOf(DecodeMeasure),
	TypeMeasured: decoderOf(DecodeMeasured),
	TypeCompare:  decoderOf(DecodeCompare),
	TypeRefuse:   decoderOf(DecodeRefuse),
	TypeCompared: decoderOf(DecodeCompared),
	TypeStop:     func([]byte) (Message, error) { return Stop{}, nil },
}

func decoderOf[M Message](decode func([]byte) (M, error)) func([]byte) (Message, error) {
	return func(b []byte) (Message, error) { return decode(b) }
}

// samples has, for each type, messages with small, large and extreme fields. A list is nil where it may be empty, since
// that is what decoding gives.
var samples = []Message{
	Hello{Protocol: "p", Binary: cover.Digest{1, 255}, Kinds: []input.Kind{input.Bytes, input.Float64}, Counters: 1 << 20, Seeds: [][]byte{{1}, {2, 3}}, Race: true, More: true},
	Hello{Protocol: ""},
	Setup{Seed: math.MaxUint64, MemLimit: 1 << 31, TrimMax: 256, Without: technique.Trim, Number: 7, NoClock: true, Alloc: 1 << 27, Procs: 3, MaxStack: 1 << 27},
	Setup{},
	Entry{ID: 1 << 63, Input: []byte("packed")},
	Entry{Input: []byte{}},
	Entry{ID: 127, Input: []byte{}},
	Entry{ID: 128, Input: []byte{}},
	Words{List: [][]byte{[]byte("select"), {0}, {}}},
	Words{},
	Run{Input: []byte{0x80}, Trace: true, All: true, Show: []cover.Feature{}},
	Run{Input: []byte{}, Trace: false, Show: []cover.Feature{1, 80}},
	Fuzz{ID: 7, Execs: 1 << 40, Bytes: 5 << 20, MaxLen: 64 << 10, Trim: TrimAll, Study: true, Solve: true, Skip: 9, Holds: []cover.Feature{3, 70000}},
	Fuzz{Holds: []cover.Feature{}},
	Stop{},
	Ran{Execs: 3, Nanos: 5, Failed: true, Output: "    x.go:1: no\n\x00", Logged: 7, Added: []cover.Feature{0, 1, math.MaxUint32}, Edges: 2, Features: []cover.Feature{9}},
	Ran{Added: []cover.Feature{}, Features: []cover.Feature{}},
	New{Input: []byte("in"), Nanos: 1, Added: []cover.Feature{8, 16}, Edges: 1, Features: []cover.Feature{8, 16, 17}, Maker: technique.BySolving, Replaces: 5},
	Failed{Input: []byte("in"), Output: strings.Repeat("stack\n", 1000), Logged: 1000, Trimming: true},
	Done{Execs: math.MaxUint64, Nanos: 1, Tried: 300, Solved: true, Greedy: []byte("in")},
	Measure{Input: []byte("in"), Limits: oracle.Defaults(), Piece: oracle.Piece{Arg: 1, From: 2, To: 300, CloseFrom: 400, CloseTo: 500}, Locate: true},
	Measure{Input: []byte{}},
	Measured{Execs: 9, Nanos: 1 << 40, Reports: []oracle.Report{
		{Oracle: oracle.Leak, Message: "m", Detail: "d\n", Piece: oracle.Piece{To: 1}, Copies: 9}, {Oracle: oracle.Alloc},
	}},
	Measured{},
	Refuse{Allowed: [][]byte{[]byte("1/home"), []byte("3/bin/sh")}},
	Refuse{},
	Run{Input: []byte("in"), Given: true, Show: []cover.Feature{}},
	Ran{Added: []cover.Feature{}, Features: []cover.Feature{}, Actions: [][]byte{[]byte("4h:80")}},
	Compare{Input: []byte("in")},
	Compared{
		Sites: []Site{{ID: 1 << 62, Stack: true, Frames: []Frame{{Function: "m/p.F", File: "p.go", Line: 7}}}, {ID: 3}},
		List:  []Comparison{{Site: 1 << 62, Op: compare.Map, SA: []byte("a"), SB: []byte{}}, {Site: 3, Op: compare.Int, Width: 8, A: 1, B: math.MaxUint64, SA: []byte{}, SB: []byte{}}},
	},
	Compared{},
}

func TestEveryMessageComesBackAsItWasSent(t *testing.T) {
	for _, chop := range []struct {
		name string
		read func(io.Reader) io.Reader
	}{
		{"whole", func(r io.Reader) io.Reader { return r }},
		{"byte by byte", iotest.OneByteReader},
		{"last bytes with the end", iotest.DataErrReader},
	} {
		t.Run(chop.name, func(t *testing.T) {
			var pipe bytes.Buffer
			w := NewWriter(&pipe)
			for _, m := range samples {
				if err := w.Send(m); err != nil {
					t.Fatalf("Send(%+v): %v", m, err)
				}
			}
			r := NewReader(chop.read(&pipe))
			for _, want := range samples {
				if got := receive(t, r); !reflect.DeepEqual(got, want) {
					t.Errorf("received %#v, want %#v", got, want)
				}
			}
			if _, _, err := r.Next(); err != io.EOF {
				t.Errorf("Next at the end of the stream = %v, want io.EOF", err)
			}
		})
	}
}

func TestSamplesAreOfEveryType(t *testing.T) {
	seen := map[Type]bool{}
	for _, m := range samples {
		kind, _ := encoded(m)
		seen[kind] = true
	}
	for k := TypeHello; k < typeEnd; k++ {
		if !seen[k] || decoders[k] == nil {
			t.Errorf("type %#x has no sample or no decoder", uint8(k))
		}
	}
}

// encoded returns the type and the payload of a message.
func encoded(m Message) (Type, []byte) {
	var c codec
	kind := m.encode(&c)
	return kind, c.b
}

func receive(t *testing.T, r *Reader) Message {
	t.Helper()
	kind, payload, err := r.Next()
	if err != nil {
		t.Fatalf("Next: %v", err)
	}
	m, err := decoders[kind](payload)
	if err != nil {
		t.Fatalf("decode %#x: %v", uint8(kind), err)
	}
	return m
}

func TestSendMakesOneWritePerMessage(t *testing.T) {
	var writes [][]byte
	w := NewWriter(writerFunc(func(p []byte) (int, error) {
		writes = append(writes, bytes.Clone(p))
		return len(p), nil
	}))
	for _, m := range []Message{Stop{}, Entry{1, make([]byte, 2<<20)}, Done{Execs: 1, Nanos: 2}} {
		if err := w.Send(m); err != nil {
			t.Fatal(err)
		}
	}
	if len(writes) != 3 {
		t.Fatalf("three messages made %d writes", len(writes))
	}
	if cap(w.frame.b) > 1<<20 {
		t.Errorf("a large message leaves a buffer of %d bytes behind", cap(w.frame.b))
	}
}

// writerFunc makes an io.Writer of a function.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestSendDoesNotAllocate(t *testing.T) {
	w := NewWriter(io.Discard)
	var m Message = New{Input: make([]byte, 300), Added: []cover.Feature{8}, Features: []cover.Feature{8, 16}}
	if n := testing.AllocsPerRun(100, func() { _ = w.Send(m) }); n > 0 {
		t.Errorf("Send allocates %v times", n)
	}
}

func TestDecodingAllocatesListsOnly(t *testing.T) {
	_, done := encoded(hot["Done"])
	_, novel := encoded(hot["New"])
	if n := testing.AllocsPerRun(100, func() { _, _ = DecodeDone(done) }); n > 0 {
		t.Errorf("DecodeDone allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { _, _ = DecodeNew(novel) }); n > 2 {
		t.Errorf("DecodeNew allocates %v times for two lists", n)
	}
}

func TestAFrameThatIsCutOffIsAnUnexpectedEnd(t *testing.T) {
	for _, m := range samples {
		var pipe bytes.Buffer
		if err := NewWriter(&pipe).Send(m); err != nil {
			t.Fatal(err)
		}
		whole := pipe.Bytes()
		for n := 1; n < min(len(whole), 300); n++ {
			if _, _, err := NewReader(bytes.NewReader(whole[:n])).Next(); err != io.ErrUnexpectedEOF {
				t.Fatalf("%T cut after %d of %d bytes: Next = %v, want io.ErrUnexpectedEOF", m, n, len(whole), err)
			}
		}
	}
}

func TestAPayloadThatIsCutOffOrTooLongIsAnError(t *testing.T) {
	for _, m := range samples {
		kind, payload := encoded(m)
		if kind == TypeStop {
			continue
		}
		decode := decoders[kind]
		for n := range min(len(payload), 300) {
			if _, err := decode(payload[:n]); !errors.Is(err, errShort) {
				t.Errorf("%T with %d of %d bytes: error %v, want %v", m, n, len(payload), err, errShort)
			}
		}
		if _, err := decode(append(payload, 0)); !errors.Is(err, errLong) {
			t.Errorf("%T with a byte too much: error %v, want %v", m, err, errLong)
		}
	}
}

func TestTextInThePipeIsToldInTheWordsOfGo(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"!", `invalid character '!' looking for beginning of value`},
		{"PASS\n", `invalid character 'P' looking for beginning of value`},
		{"\n", `invalid character '\n' looking for beginning of value`},
		{"\xff", `invalid character 'ÿ' looking for beginning of value`},
		{"\x7f\x80", `invalid character '\x7f' looking for beginning of value`},
	} {
		_, _, err := NewReader(strings.NewReader(tt.text)).Next()
		if err == nil || err.Error() != tt.want || !IsGarbage(err) {
			t.Errorf("Next of %q = %v (garbage: %v), want %s", tt.text, err, IsGarbage(err), tt.want)
		}
	}
	if IsGarbage(io.EOF) || IsGarbage(nil) {
		t.Error("the end of the stream is taken for garbage")
	}
}

func TestAReadErrorIsPassedOn(t *testing.T) {
	broken := errors.New("broken")
	for n := range 8 {
		head := bytes.NewReader([]byte{byte(TypeDone), 9, 0, 0, 0, 1, 2, 3}[:n])
		_, _, err := NewReader(io.MultiReader(head, iotest.ErrReader(broken))).Next()
		if err != broken {
			t.Errorf("after %d bytes: Next = %v, want %v", n, err, broken)
		}
	}
}

func TestADamagedLengthCostsNoMemory(t *testing.T) {
	for _, length := range []string{"\xff\xff\xff\xff", "\x00\x00\x00\x10", "\xff\xff\xff\x0f"} {
		frame := string([]byte{byte(TypeEntry)}) + length + "abc"
		if n := allocated(func() {
			if _, _, err := NewReader(strings.NewReader(frame)).Next(); err == nil {
				t.Errorf("a frame with the length %x and three bytes was read", length)
			}
		}); n > 4<<20 {
			t.Errorf("a frame with the length %x and three bytes took %d bytes of memory", length, n)
		}
	}
}

// Seeds of F.Add may be larger than a message can be.
func TestHelloComesInParts(t *testing.T) {
	seed := func(n int) []byte { return make([]byte, n) }
	for _, tt := range []struct {
		name  string
		seeds [][]byte
		want  []int // seeds of each part
	}{
		{"no seed", nil, []int{0}},
		{"all in one", [][]byte{seed(4), seed(6)}, []int{2}},
		{"one more than fits", [][]byte{seed(4), seed(6), seed(1)}, []int{2, 1}},
		{"one that is larger than a part", [][]byte{seed(1), seed(11), seed(1)}, []int{1, 1, 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var sizes []int
			var all [][]byte
			parts := Hello{Protocol: "p", Counters: 7, Seeds: tt.seeds}.Parts(10)
			for i, p := range parts {
				sizes, all = append(sizes, len(p.Seeds)), append(all, p.Seeds...)
				if p.Protocol != "p" || p.Counters != 7 || p.More != (i < len(parts)-1) {
					t.Errorf("part %d is %+v", i, p)
				}
			}
			if !slices.Equal(sizes, tt.want) || !slices.EqualFunc(all, tt.seeds, slices.Equal) {
				t.Errorf("the parts have %v seeds, want %v", sizes, tt.want)
			}
		})
	}
}

// What a worker says is a number of things may be used as an index.
func TestANumberOfThingsIsNotNegative(t *testing.T) {
	for _, n := range []uint64{1 << 31, 1 << 63, math.MaxUint64} {
		_, payload := encoded(Hello{Counters: int(n)})
		if m, err := DecodeHello(payload); err == nil {
			t.Errorf("%d counters are decoded as %d", n, m.Counters)
		}
	}
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// FuzzDecode: hostile bytes make no decoder panic or ask for more memory than a small multiple of them, and what they
// do give survives a second round.
func FuzzDecode(f *testing.F) {
	for _, m := range samples {
		kind, payload := encoded(m)
		f.Add(uint8(kind-TypeHello), payload)
	}
	f.Add(uint8(0), []byte("\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Add(uint8(7), []byte("\x00\x00\x00\x00\xff\xff\xff\xff\x0f"))
	f.Fuzz(func(t *testing.T, kind uint8, payload []byte) {
		decode := decoders[TypeHello+Type(kind)%(typeEnd-TypeHello)]
		var m Message
		var err error
		if n := allocated(func() { m, err = decode(payload) }); n > uint64(64*len(payload))+1<<16 {
			t.Errorf("decoding %d bytes took %d bytes of memory", len(payload), n)
		}
		if err != nil {
			return
		}
		_, second := encoded(m)
		again, err := decode(second)
		if err != nil || !reflect.DeepEqual(again, m) {
			t.Errorf("second round gave %#v (%v), want %#v", again, err, m)
		}
	})
}

// FuzzReader: any stream ends in an error, and what was read before are its frames.
func FuzzReader(f *testing.F) {
	var pipe bytes.Buffer
	w := NewWriter(&pipe)
	for _, m := range samples {
		if err := w.Send(m); err != nil {
			f.Fatal(err)
		}
	}
	f.Add(pipe.Bytes())
	f.Add([]byte("\x82\xff\xff\xff\x0f!"))
	f.Add([]byte("ok\n"))
	f.Fuzz(func(t *testing.T, stream []byte) {
		r := NewReader(bytes.NewReader(stream))
		for at := 0; ; {
			kind, payload, err := r.Next()
			if err != nil {
				return
			}
			end := at + frameHead + len(payload)
			if end > len(stream) || Type(stream[at]) != kind || !bytes.Equal(stream[at+frameHead:end], payload) {
				t.Fatalf("the frame at %d does not come from the stream", at)
			}
			at = end
		}
	})
}

// hot are the messages of which there are many.
var hot = map[string]Message{
	"Fuzz": Fuzz{ID: 7, Execs: 5000, MaxLen: 256, Trim: TrimAll, Holds: features(20)},
	"New":  New{Input: make([]byte, 300), Nanos: 12345, Added: features(3), Edges: 1, Features: features(400)},
	"Done": Done{Execs: 5000, Nanos: 1 << 24, Tried: 300},
}

// features returns n ascending features.
func features(n int) (fs []cover.Feature) {
	for i := range n {
		fs = append(fs, cover.Feature(i*i))
	}
	return fs
}

func BenchmarkSend(b *testing.B) {
	for name, m := range hot {
		b.Run(name, func(b *testing.B) {
			w := NewWriter(io.Discard)
			b.ReportAllocs()
			for b.Loop() {
				if err := w.Send(m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for name, m := range hot {
		b.Run(name, func(b *testing.B) {
			_, payload := encoded(m)
			b.ReportAllocs()
			for b.Loop() {
				var err error
				switch m.(type) {
				case Fuzz:
					_, err = DecodeFuzz(payload)
				case New:
					_, err = DecodeNew(payload)
				case Done:
					_, err = DecodeDone(payload)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
