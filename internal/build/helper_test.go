package build

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

var flagGo = flag.String("build.go", "", "also try each edit on these `versions` of Go, such as 1.27.3,1.25.0, which the go command fetches")

// testedVersions returns the Go versions that every edit is tried on; "" is the one that runs the tests.
func testedVersions() []string {
	list := []string{""}
	for v := range strings.SplitSeq(*flagGo, ",") {
		if v != "" {
			list = append(list, "go"+v)
		}
	}
	return list
}

var linkFolder = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "gnaw-build-test-") })

func TestMain(m *testing.M) {
	if cache := os.Getenv(userEnv); cache != "" {
		usePart(cache)
		return
	}
	code := m.Run()
	if dir, err := linkFolder(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// toolchain finds the toolchain of a version, and skips the test where there is none.
func toolchain(t *testing.T, version string) Toolchain {
	t.Helper()
	cache, err := linkFolder()
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOWORK=off")
	if version != "" {
		env = append(env, "GOTOOLCHAIN="+version)
	}
	tc, err := findToolchain(t.Context(), cache, t.TempDir(), env)
	if err != nil {
		t.Fatal(err)
	}
	return tc
}

// eachToolchain runs a test with every version.
func eachToolchain(t *testing.T, f func(t *testing.T, tc Toolchain)) {
	for _, v := range testedVersions() {
		name := v
		if name == "" {
			name = "local"
		}
		t.Run(name, func(t *testing.T) { f(t, toolchain(t, v)) })
	}
}

// unpack writes the files of a text with lines "-- name --" before each file to a new folder, and returns that.
func unpack(t *testing.T, text string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files(text) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// files splits a text with lines "-- name --" before each file.
func files(text string) map[string]string {
	out := map[string]string{}
	name := ""
	for line := range strings.Lines(text) {
		if s, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(s, " --\n") {
			name = strings.TrimSuffix(s, " --\n")
			out[name] = ""
		} else if name != "" {
			out[name] += line
		}
	}
	return out
}

// memory makes a file system of the files in text that lie in folder.
func memory(text, folder string) fstest.MapFS {
	fs := fstest.MapFS{}
	for name, content := range files(text) {
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

// ownCache gives the test a cache folder of its own, and leaves those of the go command where they are.
func ownCache(t *testing.T) string {
	t.Helper()
	tc := Toolchain{Go: goCommand(t), base: os.Environ()}
	if err := tc.ask(context.Background(), ""); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", tc.Cache)
	t.Setenv("GOMODCACHE", tc.ModCache)
	dir := t.TempDir()
	switch runtime.GOOS {
	case "windows":
		t.Setenv("LocalAppData", dir)
	case "darwin", "ios":
		t.Setenv("HOME", dir)
	default:
		t.Setenv("XDG_CACHE_HOME", dir)
	}
	cache, err := CacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return cache
}

func goCommand(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// contains fails the test unless text has all of parts in it.
func contains(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s = %q, which lacks %q", what, text, p)
		}
	}
}
