package worker

import (
	"fmt"
	"strings"
)

// maxOutput is how many bytes of what a T has logged are reported when it fails. A message has a limit, and so has the reader.
const maxOutput = 4 << 20

// clip leaves parts of a long output out. Its beginning and its end stay, what the T has failed with, which is the last that was
// logged before the line number logged, and what is around that line.
func (o outcome) clip() outcome {
	if len(o.output) <= maxOutput {
		return o
	}
	const part = maxOutput / 8
	all, at := o.output, lineStart(o.output, o.logged)
	var b strings.Builder
	logged, next := o.logged, 0 // next is what was not looked at yet
	for _, lo := range []int{0, lastPlace(all[:at]), at - part, at, len(all) - part} {
		if lo > next {
			fmt.Fprintf(&b, "\n    (%d bytes are left out)\n", lo-next)
			next = lo
		}
		if hi := min(lo+part, len(all)); hi > next {
			if next <= at && at < hi {
				logged = strings.Count(b.String(), "\n") + strings.Count(all[next:at], "\n")
			}
			b.WriteString(strings.ToValidUTF8(all[next:hi], "?"))
			next = hi
		}
	}
	if o.logged > 0 {
		o.logged = logged
	}
	o.output = b.String()
	return o
}

// lastPlace returns where the last line of text begins that has a place in the source before what it says, as package testing
// logs; 0 if there is none.
func lastPlace(text string) int {
	for end := len(text); ; {
		i := strings.LastIndex(text[:end], ".go:")
		if i < 0 {
			return 0
		}
		line := strings.LastIndexByte(text[:i], '\n') + 1
		if file := strings.TrimLeft(text[line:i], " "); file != "" && !strings.Contains(file, " ") {
			return line
		}
		end = i
	}
}

// lineStart returns where the line begins that has n lines before it, the length of text if there are no more than n.
func lineStart(text string, n int) (at int) {
	for range n {
		end := strings.IndexByte(text[at:], '\n')
		if end < 0 {
			return len(text)
		}
		at += end + 1
	}
	return at
}
