package limit

import (
	"encoding/binary"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestRecorderAndRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "sample")
	for process := range 2 { // the second one goes on where the first one ended
		data, err := mapSample(name)
		if err != nil {
			t.Fatal(err)
		}
		r := &Recorder{data: data, interval: 1, wait: 1, left: 2}
		for i := range 6 {
			if r.Due() {
				r.Write([]byte("a\tb\xff\n"), i-process, "s")
			}
		}
	}
	inputs, upTo, err := read(name)
	var want []Args
	for _, n := range []int{0, 1, 3, 5, -1, 0, 2, 4} {
		want = append(want, Args{[]byte("a\tb\xff\n"), n, "s"})
	}
	if err != nil || !reflect.DeepEqual(inputs, want) || !reflect.DeepEqual(upTo, []int{1, 2, 4, 6, 7, 8, 10, 12}) {
		t.Errorf("read = %v, %v, %v, want %v", inputs, upTo, err, want)
	}
}

func TestReadTellsWhatIsDamaged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "sample")
	data, err := mapSample(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := read(name); err == nil || !strings.Contains(err.Error(), "no inputs") {
		t.Errorf("read of an empty sample = %v", err)
	}
	r := &Recorder{data: data, interval: 1, wait: 1, left: 2}
	r.Write("one", 2)
	for used := binary.LittleEndian.Uint64(data) - 1; used > 0; used-- {
		binary.LittleEndian.PutUint64(data, used)
		if _, _, err := read(name); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("read of the first %d bytes = %v", used, err)
		}
	}
}
