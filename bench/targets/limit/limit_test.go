package limit

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestRecorderAndRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "sample")
	out, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	r := &Recorder{out: out, interval: 1, wait: 1, left: 2}
	for i := range 6 {
		if r.Due() {
			r.Write([]byte("a\tb\xff\n"), i, "s")
		}
	}
	if _, err := out.WriteString("2\tb\"cut o"); err != nil {
		t.Fatal(err)
	}
	inputs, upTo, err := read(name)
	want := []Args{{[]byte("a\tb\xff\n"), 0, "s"}, {[]byte("a\tb\xff\n"), 1, "s"}, {[]byte("a\tb\xff\n"), 3, "s"}, {[]byte("a\tb\xff\n"), 5, "s"}}
	if err != nil || !reflect.DeepEqual(inputs, want) || !reflect.DeepEqual(upTo, []int{1, 2, 4, 6}) {
		t.Errorf("read = %v, %v, %v, want %v", inputs, upTo, err, want)
	}
}
