//go:build go1.25

package methods

import (
	"fmt"
	"io"
	"testing"
)

func FuzzOutput(f *testing.F) {
	each(f, func(t *testing.T) {
		_, err := io.WriteString(t.Output(), "a line\nand another\nno end")
		t.Log(err)
		t.Fail()
	})
}

func FuzzOutputPasses(f *testing.F) {
	note(f, func(t *testing.T, n *notes) { fmt.Fprintln(t.Output(), "nobody reads it") })
}

func FuzzAttr(f *testing.F) {
	each(f, func(t *testing.T) { t.Attr("key", "value"); t.Fail() })
}

// FuzzOutputLeft leaves lines that have not ended to the executions after it.
func FuzzOutputLeft(f *testing.F) {
	left(f, func(t *testing.T) { io.WriteString(t.Output(), "a line\nno end") })
}

func FuzzOutputLeftBySkip(f *testing.F) {
	left(f, func(t *testing.T) { io.WriteString(t.Output(), "no end"); t.SkipNow() })
}

// left has one execution leave something, and later ones fail.
func left(f *testing.F, leave func(t *testing.T)) {
	for i := range 4 {
		f.Add(fmt.Sprint(i))
	}
	f.Fuzz(func(t *testing.T, s string) {
		switch s {
		case "1":
			leave(t)
		case "3":
			t.Error("this one")
		}
	})
}
