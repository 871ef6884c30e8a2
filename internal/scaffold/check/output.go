package check

import "bytes"

// outputKept is the number of bytes that output keeps of the beginning, and of the end.
const outputKept = 1 << 20

// output keeps the beginning and the end of what is written to it.
type output struct {
	head, last []byte
	leftOut    bool
}

// Write implements io.Writer and never fails.
func (o *output) Write(p []byte) (int, error) {
	n := len(p)
	k := min(outputKept-len(o.head), n)
	o.head, p = append(o.head, p[:k]...), p[k:]
	o.last = append(o.last, p[max(0, len(p)-outputKept):]...)
	if len(o.last) > 2*outputKept {
		o.last, o.leftOut = append(o.last[:0], o.last[len(o.last)-outputKept:]...), true
	}
	return n, nil
}

// bytes returns what is kept.
func (o *output) bytes() []byte {
	if !o.leftOut {
		return append(o.head, o.last...)
	}
	return bytes.Join([][]byte{o.head, o.last}, []byte("\n... (output left out) ...\n"))
}
