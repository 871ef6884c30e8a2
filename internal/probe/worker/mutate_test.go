//go:build unix

package worker

import (
	"bytes"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/probe/mutate"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

func TestTheChecksumsOfAnEntryAreLookedForOnce(t *testing.T) {
	const xored, other = "abcd\x04", "abcde"
	w, _ := offline(t, func(*testing.T, []byte, *process) {}, xored)
	found := w.mut.sumsOf(1)
	if found == (mutate.Sums{}) {
		t.Fatal("the checksum is not found")
	}
	w.mut.base[0].Data[0] = 'x' // nothing else changes an entry, so that this goes unseen
	if w.mut.sumsOf(1) != found {
		t.Error("the entry is looked at again")
	}
	for _, in := range []string{other, xored} {
		var stream bytes.Buffer
		if err := wire.NewWriter(&stream).Send(wire.Entry{ID: 1, Input: packed(in)}); err != nil {
			t.Fatal(err)
		}
		_, payload, err := wire.NewReader(&stream).Next()
		if err == nil {
			err = w.addEntry(payload)
		}
		if err != nil {
			t.Fatal(err)
		}
		if sums := w.mut.sumsOf(1); (sums == found) != (in == xored) {
			t.Errorf("with the new contents %q, the checksums are %+v", in, sums)
		}
	}
}
