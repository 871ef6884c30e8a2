package solve

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
)

// Zeros match a small number everywhere, and no variant confirms it: what is not listed must not be remembered either.
func TestWhatNoVariantConfirmsIsRememberedWithinLimits(t *testing.T) {
	const size = 1 << 16
	r := rand.New(rand.NewSource(1))
	in := make([]byte, size)
	r.Read(in[:size/2])
	binary.LittleEndian.PutUint32(in[size-4:], 0x11223344)
	var records []compare.Record
	for i := range 8 {
		records = append(records, compare.Record{Site: uint(1 + i), Op: compare.ConstInt, Width: 4, A: uint64(0xdead0000 + i)})
	}
	records = append(records, compare.Record{Site: 99, Op: compare.ConstInt, Width: 4, A: 0x55667788, B: 0x11223344})
	tb := table(records...)
	twin := bytes.Repeat([]byte{'x'}, size)
	binary.LittleEndian.PutUint32(twin[size-4:], 0x44332211)
	for i := range records {
		records[i].B = 0x44332211
	}
	tb.Vary(buffer(string(twin)), records)
	tight, loose := 0, 0
	tb.Edits(buffer(string(in)), func(e Edit) bool {
		if e.Tight {
			tight++
		} else {
			loose++
		}
		return true
	})
	if tight == 0 || loose == 0 || loose > maxLater {
		t.Errorf("%d edits are confirmed and %d are not, want some of both and at most %d", tight, loose, maxLater)
	}
	if n := len(tb.solver.search.emitted); n > 2*maxLater {
		t.Errorf("%d edits are remembered, want at most those that are listed", n)
	}
}

// Of a long input and many comparisons only a part can be looked at: the most frequent forms of each value that was compared,
// and what was found is listed.
func TestALongInputIsSearchedWithinLimits(t *testing.T) {
	const size, pairs = 1 << 20, 40
	var text []byte
	for i := 0; len(text) < size; i++ {
		text = fmt.Appendf(text, "line %d\n", i)
	}
	text = append(text, "first and last and &amp;"...)
	records := []compare.Record{
		{Site: 1, Op: compare.Str, SA: []byte("first"), SB: []byte("FOUND")},
		{Site: 2, Op: compare.Str, SA: []byte("&"), SB: []byte("<")}, // in its last form but one
	}
	for i := range pairs {
		records = append(records, compare.Record{Site: uint(3 + i), Op: compare.Str, SA: fmt.Appendf(nil, "not there %d", i), SB: []byte("wanted")})
	}
	records = append(records, compare.Record{Site: 999, Op: compare.Str, SA: []byte("last"), SB: []byte("FOUND TOO")})
	var made []string
	table(records...).Edits(buffer(string(text)), func(e Edit) bool {
		made = append(made, string(e.New))
		return true
	})
	for want, found := range map[string]bool{"FOUND": true, "FOUND TOO": true, "&lt;": false} {
		if slices.Contains(made, want) != found {
			t.Errorf("among the edits %q, %s is listed: %v, want %v", made, want, !found, found)
		}
	}
}
