// Package magic reaches a line only if the input contains certain single bytes, a 32-bit constant and a word.
package magic

import (
	"encoding/binary"
	"testing"

	"bench.test/limit"
)

var seeds = []limit.Args{{[]byte("................................")}}

var reached int

func target(b []byte) {
	if len(b) < 20 {
		return
	}
	if b[0] != 'G' || b[1] != 'N' || b[2] != 'A' || b[3] != 'W' {
		return
	}
	if binary.LittleEndian.Uint32(b[4:]) != 0x5eed1e55 {
		return
	}
	if string(b[8:19]) == "hello gnaw!" {
		reached++
	}
}

func FuzzTarget(f *testing.F) {
	limit.Add(f, seeds)
	f.Fuzz(func(_ *testing.T, b []byte) { target(b) })
}

func FuzzRecord(f *testing.F) {
	r := limit.NewRecorder(f)
	limit.Add(f, seeds)
	f.Fuzz(func(_ *testing.T, b []byte) {
		if r.Due() {
			r.Write(b)
		}
		target(b)
	})
}

func TestLimit(t *testing.T) {
	limit.Run(t, func(a limit.Args) func() {
		b := a[0].([]byte)
		return func() { target(b) }
	})
}
