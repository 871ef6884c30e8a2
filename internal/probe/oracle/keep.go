package oracle

import (
	"fmt"

	"github.com/gnaw-fuzz/gnaw/input"
)

// keep reports targets that keep a reference to the memory of an argument.
var keep = Oracle{
	Name:    "keep",
	Meaning: "the target keeps a reference to its argument, whose memory the caller will use again",
	measure: measureKeep,
}

func measureKeep(m *Measurement) {
	for i, v := range m.Args {
		if v.Kind != input.Bytes || len(v.Data) == 0 {
			continue
		}
		var copies Copies
		for range Repeats {
			args := m.Args.Clone()
			args[i].Data = copies.Make(v.Data)
			if m.run.Pass(args); m.run.Over() {
				return
			}
		}
		if !m.execute(m.Args) { // a reference to the last arguments is replaced
			return
		}
		if n := copies.Kept(); n >= Repeats {
			m.report(Report{Oracle: Keep, Message: fmt.Sprintf(
				"the target keeps the memory of its argument %d: after %d executions %d arguments are in use", i+1, Repeats, n)})
			return
		}
	}
}
