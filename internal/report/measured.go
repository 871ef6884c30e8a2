package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
)

// growth writes what of the input was repeated, and, unless all output is shown anyway, how that took longer and longer.
func growth(w io.Writer, r finding.Record, full bool) {
	name := "curve"
	for _, line := range strings.Split(r.Output, "\n")[1:] {
		if full || line == "" && name == "" {
			break // the stack follows
		}
		if line != "" {
			field(w, name, visible(line))
			name = ""
		}
	}
	if r.Measure == nil {
		return
	}
	field(w, "repeat", piece(r))
	if c := r.Measure.Cost; c != nil {
		field(w, "cost", fmt.Sprintf("%s take %s in plain go test", sizeOf(c.Size), Seconds(c.Took.Seconds())))
	}
}

// sizeOf is a number of bytes as a person reads it.
func sizeOf(n int) string {
	if n >= 10<<10 {
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return bytesOf(n)
}

// piece says what of the input was repeated.
func piece(r finding.Record) string {
	args, err := input.Unmarshal([]byte(r.Input))
	p := r.Measure.Piece
	if err != nil || p.Arg >= len(args) || p.To > len(args[p.Arg].Data) || p.CloseTo > len(args[p.Arg].Data) {
		return "a part of it"
	}
	data := args[p.Arg].Data
	text := fmt.Sprintf("%s, bytes %d to %d", value(input.Value{Kind: input.String, Data: data[p.From:p.To]}, false), p.From, p.To)
	if p.CloseFrom < p.CloseTo {
		text += fmt.Sprintf(" and %s, bytes %d to %d",
			value(input.Value{Kind: input.String, Data: data[p.CloseFrom:p.CloseTo]}, false), p.CloseFrom, p.CloseTo)
	}
	return text
}
