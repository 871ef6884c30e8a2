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
