package oracle

import (
	"bytes"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/input"
)

// modify reports targets that write into the memory of an argument.
var modify = Oracle{
	Name:    "modify",
	Meaning: "the target writes into its argument, which belongs to the caller",
	observe: observeModify,
	locate:  locateModify,
}

// observeModify reports an argument that is not what it was.
func observeModify(m *Measurement, given, left input.Args) {
	for i, v := range given {
		if got := left[i].Data; v.Kind == input.Bytes && !bytes.Equal(got, v.Data) {
			at := 0
			for at < len(got)-1 && got[at] == v.Data[at] {
				at++
			}
			m.report(Report{Oracle: Modify, Message: fmt.Sprintf(
				"the target writes into the memory of its argument %d: byte %d was %#02x and is %#02x", i+1, at, v.Data[at], got[at])})
			return
		}
	}
}

// locateModify finds where the target writes to an argument: if the memory of the argument is read-only, that is a panic
// with a stack. In another goroutine it ends the process.
func locateModify(m *Measurement) {
	args := m.Args.Clone()
	for i, v := range args {
		if v.Kind == input.Bytes {
			b, ok := ReadOnly(v.Data)
			if !ok {
				return
			}
			args[i].Data = b
		}
	}
	if output := m.run.Fault(args); output != "" {
		m.report(Report{Oracle: Modify, Detail: output})
	}
}
