package work

import (
	"fmt"
	"strings"
)

// maxOutput is how many bytes of what a T has logged are reported when it fails. A message has a limit, and so has the reader.
const maxOutput = 4 << 20

// clip leaves parts of a long output out. Its beginning, what is around the line with which the T failed, and its end stay.
func (o outcome) clip() outcome {
	if len(o.output) <= maxOutput {
		return o
	}
	const part = maxOutput / 4
	all, at := o.output, lineStart(o.output, o.logged)
	var b strings.Builder
	logged, next := o.logged, 0 // next is what was not looked at yet
	for _, lo := range []int{0, max(0, at-part), at, len(all) - part} {
		if lo > next {
			fmt.Fprintf(&b, "\n    (%d bytes are left out)\n", lo-next)
			next = lo
		}
		if hi := min(lo+part, len(all)); hi > next {
			if next <= at && at < hi {
				logged = strings.Count(b.String(), "\n") + strings.Count(all[next:at], "\n")
			}
			b.WriteString(all[next:hi])
			next = hi
		}
	}
	if o.logged > 0 {
		o.logged = logged
	}
	o.output = b.String()
	return o
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
