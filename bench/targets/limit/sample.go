package limit

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"syscall"
	"testing"
)

// A Recorder adds a sample of the inputs that a fuzz test runs to a file. The interval between samples doubles as it goes, so
// that a fast target is sampled from the beginning to the end of a run and not slowed down by it.
//
// It is a part of the target for the fuzzer: what it does for one input in many must be the same few branches each time, or
// the fuzzer looks into it. So it copies bytes into a file that is mapped, and does nothing else.
//
// The file has the size of all records in eight bytes, and the records: how many executions one stands for and the number of
// arguments, in four bytes each, and for each argument a byte for the type and the length in four bytes before its bytes, or
// the eight bytes of an int. All numbers are little-endian.
type Recorder struct {
	data     []byte // the file
	interval int    // executions per sample
	wait     int    // executions until the next sample
	left     int    // samples until the interval doubles
}

const (
	// stepSamples is how many samples are taken before the interval doubles.
	stepSamples = 4096
	// sampleSize is the size of the file in bytes. What is not written takes no room.
	sampleSize = 1 << 30
	sizeSize   = 8
)

// NewRecorder adds to the file $BENCH_RECORD; without it the fuzz test is skipped.
func NewRecorder(f *testing.F) *Recorder {
	name := os.Getenv("BENCH_RECORD")
	if name == "" {
		f.Skip("BENCH_RECORD is not set")
	}
	data, err := mapSample(name)
	if err != nil {
		f.Fatal(err)
	}
	return &Recorder{data: data, interval: 1, wait: 1, left: stepSamples}
}

// mapSample maps a file that is made if it is not there.
func mapSample(name string) ([]byte, error) {
	file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if err := file.Truncate(sampleSize); err != nil {
		return nil, err
	}
	return syscall.Mmap(int(file.Fd()), 0, sampleSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
}

// Due reports whether the input that is about to run is one of the sample.
func (r *Recorder) Due() bool {
	r.wait--
	return r.wait == 0
}

// Write adds an input to the sample.
func (r *Recorder) Write(args ...any) {
	used := binary.LittleEndian.Uint64(r.data)
	b := r.data[sizeSize+used : sizeSize+used]
	b = binary.LittleEndian.AppendUint32(b, uint32(r.interval))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(args)))
	for _, arg := range args {
		switch v := arg.(type) {
		case []byte:
			b = append(binary.LittleEndian.AppendUint32(append(b, 'b'), uint32(len(v))), v...)
		case string:
			b = append(binary.LittleEndian.AppendUint32(append(b, 's'), uint32(len(v))), v...)
		case int:
			b = binary.LittleEndian.AppendUint64(append(b, 'i'), uint64(v))
		}
	}
	if used += uint64(len(b)); used > sampleSize-sizeSize {
		panic("the sample is full") // none is better than a wrong one
	}
	binary.LittleEndian.PutUint64(r.data, used)
	if r.left--; r.left == 0 {
		r.interval, r.left = 2*r.interval, stepSamples
	}
	r.wait = r.interval
}

// read returns the inputs of a sample, and how many executions those up to each of them stand for.
func read(name string) (inputs []Args, upTo []int, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	var size [sizeSize]byte
	if _, err := io.ReadFull(file, size[:]); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	b := make([]byte, min(binary.LittleEndian.Uint64(size[:]), sampleSize))
	if _, err := io.ReadFull(file, b); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	total := 0
	for d := (decoder{b: b}); len(d.b) > 0; {
		total += d.number(4)
		args := make(Args, 0, 3)
		for range min(d.number(4), len(d.b)) {
			args = append(args, d.value())
		}
		if d.bad || len(args) == 0 {
			return nil, nil, fmt.Errorf("%s: the record behind %d inputs is damaged", name, len(inputs))
		}
		inputs, upTo = append(inputs, args), append(upTo, total)
	}
	if total == 0 {
		return nil, nil, fmt.Errorf("%s: no inputs", name)
	}
	return inputs, upTo, nil
}

// A decoder reads records; bad is set if there is less than they say.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) bytes(n int) []byte {
	if n > len(d.b) {
		d.bad, n = true, len(d.b)
	}
	b := d.b[:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) number(size int) int {
	var wide [8]byte
	copy(wide[:], d.bytes(size))
	return int(binary.LittleEndian.Uint64(wide[:]))
}

func (d *decoder) value() any {
	switch kind := d.number(1); kind {
	case 'b':
		return append([]byte{}, d.bytes(d.number(4))...)
	case 's':
		return string(d.bytes(d.number(4)))
	case 'i':
		return d.number(8)
	}
	d.bad = true
	return nil
}
