package overlay

import (
	"strings"
	"testing/fstest"

	"github.com/gnaw-fuzz/gnaw/internal/testkit"
)

// memory makes a file system of the files in text that lie in folder.
func memory(text, folder string) fstest.MapFS {
	fs := fstest.MapFS{}
	for name, content := range testkit.Files(text) {
		if rel, ok := strings.CutPrefix(name, folder+"/"); ok {
			fs[rel] = &fstest.MapFile{Data: []byte(content)}
		}
	}
	return fs
}

// pretend is a probe that says what reached it.
const pretend = `
-- input/input.go --
package input

// Name is a law unto itself.
const Name = "input"
-- input/source.go --
package input

import "embed"

var Source embed.FS
-- input/input_test.go --
package input

import "example.com/not/std"
-- probe/compare/compare.go --
package compare

var Seen [10]int

func Cmp1(a, b uint8, pc uint)       { Seen[0]++ }
func Cmp2(a, b uint16, pc uint)      { Seen[1]++ }
func Cmp4(a, b uint32, pc uint)      { Seen[2]++ }
func Cmp8(a, b uint64, pc uint)      { Seen[3]++ }
func ConstCmp1(a, b uint8, pc uint)  { Seen[4]++ }
func ConstCmp2(a, b uint16, pc uint) { Seen[5]++ }
func ConstCmp4(a, b uint32, pc uint) { Seen[6]++ }
func ConstCmp8(a, b uint64, pc uint) { Seen[7]++ }
func StrCmp(a, b string, pc uint)    { Seen[8]++ }
func EqualFold(a, b string, pc uint) { Seen[9]++ }
-- probe/host/host.go --
package host

import "github.com/gnaw-fuzz/gnaw/input"

var builtBy, protocol string

func Made() (by, proto, name string) { return builtBy, protocol, input.Name }
-- probe/worker/loop.go --
package worker

import (
	"github.com/gnaw-fuzz/gnaw/input"
	alias "github.com/gnaw-fuzz/gnaw/internal/probe/shm"
)

func System() string { return input.Name + alias.System }

func Sum(b []byte) int { return alias.Sum(b) }
-- probe/shm/shm_linux.go --
package shm

const System = "linux"
-- probe/shm/shm_other.go --
//go:build !linux

package shm

const System = "other"
-- probe/shm/fast_amd64.go --
package shm

// sum adds up.
//
//go:noescape
func sum(p *byte, n int) (total int)

func Sum(b []byte) int { return sum(&b[0], len(b)) }
-- probe/shm/fast_amd64.s --
#include "textflag.h"

// func sum(p *byte, n int) (total int)
TEXT ·sum(SB), NOSPLIT, $0-24
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX
	XORQ AX, AX
loop:
	MOVBLZX (SI), DX
	ADDQ DX, AX
	INCQ SI
	DECQ CX
	JNZ  loop
	MOVQ AX, total+16(FP)
	RET
-- probe/shm/slow.go --
//go:build !amd64

package shm

func Sum(b []byte) (n int) {
	for _, c := range b {
		n += int(c)
	}
	return n
}
-- probe/unused/unused.go --
package unused
-- inject/testing.go.txt --
package testing

import (
	"io"
	"os"
	"reflect"
	"sync/atomic"
)

var gnawLoop func(t *T)

var gnawContextUsed, gnawOutputUsed atomic.Bool

func gnawFail(*common) {}

func gnawCalls(string) bool { return false }

func gnawSpared(*T, bool) bool { return false }

func gnawGoesOn(*T, func(*T)) bool { return false }

func gnawReplay(*T) {}

func gnawPanicValue(v any) any { return v }

func gnawWork(f *F, fn reflect.Value, types []reflect.Type, run func(io.Writer, corpusEntry) bool) bool {
	gnawLoop = func(t *T) {
		args := []reflect.Value{reflect.ValueOf(t)}
		for _, typ := range types {
			args = append(args, reflect.Zero(typ))
		}
		fn.Call(args)
	}
	ok := run(os.Stderr, corpusEntry{Values: []any{}})
	gnawLoop = nil
	println("worked", ok, gnawContextUsed.Load())
	f.fstate.deps.(interface{ GnawSeen() }).GnawSeen()
	return true
}
-- inject/testdeps.go.txt --
package testdeps

import (
	"internal/fuzz"
	"reflect"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/compare"
	"github.com/gnaw-fuzz/gnaw/internal/probe/host"
	"github.com/gnaw-fuzz/gnaw/internal/probe/worker"
)

func gnawCoordinate(timeout time.Duration, limit int64, minimizeTimeout time.Duration, minimizeLimit int64,
	parallel int, seed []fuzz.CorpusEntry, types []reflect.Type, corpusDir, cacheDir string) error {
	by, proto, name := host.Made()
	println("coordinated", by, proto, name, worker.System(), limit, parallel, corpusDir, fuzz.GnawCounters() > 0)
	return nil
}

func (TestDeps) GnawSeen() { println("compared", compare.Seen[4] > 0, compare.Seen[8] > 0, worker.Sum([]byte("abc"))) }
-- inject/cfile.go.txt --
package cfile
-- inject/fuzz.go.txt --
package fuzz

func GnawCounters() int { return len(coverage()) }
`

// pretender injects the probe in text.
func pretender(text string) parts {
	inject := fstest.MapFS{}
	for name, f := range memory(text, "inject") {
		inject["inject/"+name] = f
	}
	return parts{[]tree{{"internal/probe", memory(text, "probe")}, {"input", memory(text, "input")}}, inject}
}
