package overlay

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/testkit"
	"github.com/gnaw-fuzz/gnaw/internal/testkit/toolchain"
)

func TestEveryHookIsFound(t *testing.T) {
	toolchain.Each(t, func(t *testing.T, tc gocommand.Toolchain) {
		out, missing, err := editStd(tc.Root, tc.Version, nil, stdFeatures)
		if err != nil || len(missing) > 0 {
			t.Fatal(err, missing)
		}
		if len(out) < 9 {
			t.Errorf("%d files edited, want 9 or more", len(out))
		}
		for file, text := range out {
			old := strings.Split(readStd(t, tc, file), "\n")
			now := strings.Split(string(text), "\n")
			for i := range len(old) - 1 {
				if now[i] != old[i] && !strings.Contains(now[i], hookName) && !strings.Contains(now[i], "gnawRandn") &&
					!strings.Contains(now[i], "gnawClear") && !strings.Contains(now[i], "gnawPool") {
					t.Errorf("%s:%d is %q, want %q as before", file, i+1, now[i], old[i])
				}
			}
		}
		testkit.Contains(t, "strings.go", string(out["strings/strings.go"]),
			"package strings; import gnawhook \"internal/coverage/rtcov\"\n",
			"func Index(s, substr string) int { if gnawhook.Recording { gnawhook.Needle(s, substr) };\n")
		testkit.Contains(t, "file_unix.go", string(out["os/file_unix.go"]), "func Remove(name string) error { "+
			"if gnawhook.Refused(gnawhook.Remove, \"\", name) { return &PathError{Op: \"remove\", Path: name, Err: ErrPermission} };\n")
		testkit.Contains(t, "rand.go", string(out["runtime/rand.go"]), "if gnawhook.Seeded { return gnawhook.Chance() };")
	})
}

// TestAMissingHookIsLeftOut spoils one anchor after the other: the error names it, and everything else is still there.
func TestAMissingHookIsLeftOut(t *testing.T) {
	tc := toolchain.Find(t, "")
	for _, m := range []struct{ file, anchor, old, new, reason string }{
		{"strings/strings.go", "strings.Index", "func Index(s,", "func Inde(s,", "not found"},
		{"strings/strings.go", "strings.Index", "func Index(s, substr string)", "func Index(_, substr string)", "parameters are (_, substr)"},
		{"strings/strings.go", "strings.Cut", "func Cut(s,", "func Cat(s,", "not found"},
		{"bytes/bytes.go", "bytes.Compare", "func Compare(", "func Comp(", "not found"},
		{"bytes/bytes.go", "bytes.IndexAny", "func IndexAny(", "func IndexNone(", "not found"},
		{"strconv/number.go", "strconv.ParseFloat", "func ParseFloat(s", "func ParseFlat(s", "not found"},
		{"os/proc.go", "os.Exit", "func Exit(code int)", "func Exit(_ int)", "parameters are (_)"},
		{"os/proc.go", "os.Exit", "\truntime_beforeExit(code)", "\truntime_beforeEnd(code)", "call of runtime_beforeExit: not found"},
		{"os/file.go", "os.OpenFile", "func OpenFile(name string, flag int", "func OpenFile(name string, mode int", "parameters are (name, mode, perm)"},
		{"os/file_unix.go", "os.Remove", "func Remove(name", "func Unlink(name", "not found"},
		{"os/root.go", "os.Root.Rename", "Rename(oldname, newname", "Rename(from, to", "parameters are (from, to)"},
		{"os/exec/exec.go", "os/exec.Cmd.Start", "c.Process, err = os.StartProcess(", "c.Process, err = start(", "call of os.StartProcess: not found"},
		{"net/ipsock_posix.go", "net.internetSocket", "func internetSocket(", "func inetSocket(", "not found"},
		{"runtime/rand.go", "maps_rand", "func maps_rand(", "func maps_dice(", "not found"},
		{"runtime/select.go", "selectgo", "cheaprandn(uint32", "cheaperandn(uint32", "call of cheaprandn: not found"},
		{"sync/pool.go", "Pool", "\tNew func() any", "\tMake func() any", "no field New"},
		{"sync/pool.go", "Pool.Put", "Put(x any)", "Put(v any)", "parameters are (v)"},
		{"sync/pool.go", "Pool.Get", "func (p *Pool) Get()", "func (pool *Pool) Get()", "the receiver is not p"},
		{"runtime/malloc.go", "memclrNoHeapPointersChunked", "memclrNoHeapPointersChunked(size uintptr", "memclrNoHeapPointersChunked(n uintptr", "parameters are (n, x)"},
		{"runtime/stubs2.go", "madvise", "func madvise(addr", "func madvice(addr", "not found"},
		{"runtime/os_linux.go", "mincore", "func mincore(addr", "func mincore(address", "parameters are (address, n, dst)"},
		{"internal/runtime/maps/map.go", "Map.Used", ") Used(", ") Usage(", "not found"},
		{"internal/runtime/maps/map.go", "Map.writing", "writing uint8", "written uint8", "no field writing"},
		{"internal/runtime/maps/table.go", "Iter.Init", ") Init(typ", ") Init(t", "parameters are (t, m)"},
		{"internal/runtime/maps/runtime_fast64.go", "runtime_mapaccess2_fast64", "func runtime_mapaccess2_fast64(typ", "func runtime_mapaccess2_fast64(t", "(t, m, key)"},
	} {
		t.Run(m.anchor+" "+m.reason, func(t *testing.T) {
			text := readStd(t, tc, m.file)
			if strings.Count(text, m.old) != 1 {
				t.Fatalf("%s has %q %d times", m.file, m.old, strings.Count(text, m.old))
			}
			all, _, err := mutilated(tc, "", "").all(nil, stdFeatures)
			if err != nil {
				t.Fatal(err)
			}
			out, missing, err := mutilated(tc, m.file, strings.Replace(text, m.old, m.new, 1)).all(nil, stdFeatures)
			if err != nil || len(missing) != 1 {
				t.Fatalf("all = %v, %v, want one missing hook", missing, err)
			}
			var anchor *AnchorError
			if !errors.As(missing[0], &anchor) || anchor.Anchor != m.anchor || !strings.Contains(anchor.Reason, m.reason) {
				t.Errorf("missing is %v, want anchor %q: %s", missing[0], m.anchor, m.reason)
			}
			for file, text := range out {
				if file != m.file && !strings.Contains(file, "/maps/") && !bytes.Equal(text, all[file]) {
					t.Errorf("%s changes too", file)
				}
				if strings.Contains(m.file, "/maps/") && strings.Contains(file, "/maps/") {
					t.Errorf("%s is still edited", file)
				}
			}
		})
	}
}

// listener takes the place of package compare, and says what it hears.
const listener = `
package compare

import "github.com/gnaw-fuzz/gnaw/internal/probe/hook"

func Cmp1(a, b uint8, pc uint)       {}
func Cmp2(a, b uint16, pc uint)      {}
func Cmp4(a, b uint32, pc uint)      {}
func Cmp8(a, b uint64, pc uint)      {}
func ConstCmp1(a, b uint8, pc uint)  {}
func ConstCmp2(a, b uint16, pc uint) {}
func ConstCmp4(a, b uint32, pc uint) {}
func ConstCmp8(a, b uint64, pc uint) {}
func StrCmp(a, b string, pc uint)    {}
func EqualFold(a, b string, pc uint) {}

var (
	Heard []string
	Seen  [10]int
)

func init() {
	l := &hook.Listener
	l.Key = func(seen, key string, site uint) { Heard = append(Heard, "key "+seen+" "+key) }
	l.IntKey = func(seen, key uint64, width uint8, site uint) {
		Heard = append(Heard, "int key "+string(rune('0'+seen))+" "+string(rune('0'+key))+" "+string(rune('0'+width)))
	}
	l.Needle = func(text, needle string) { Heard = append(Heard, "needle "+text+" "+needle) }
	l.Compare = func(a, b string) { Heard = append(Heard, "compare "+a+" "+b) }
	l.Fold = func(a, b string) { Heard = append(Heard, "fold "+a+" "+b) }
	l.Number = func(text string) { Heard = append(Heard, "number "+text) }
	l.Bound = func(wanted, there int64) {
		Heard = append(Heard, "bound "+string(rune('0'+wanted))+" "+string(rune('0'+there)))
	}
}
`

// heard is a target that calls every function that has a hook, and what must be heard of it.
const heard = `
-- go.mod --
module example.com/m

go 1.24
-- m_test.go --
package m

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"testing"
)

var (
	words = map[string]int{"word": 1, "other": 2}
	small = map[int32]bool{7: true}
	large = map[uint64]bool{8: true}
	many  = map[string]bool{}
	sink  int
)

func FuzzM(f *testing.F) {
	for i := range 600 {
		many[strconv.Itoa(i)] = true
	}
	f.Fuzz(func(t *testing.T, n int) {
		v, ok := words["seen"]
		if ok || small[1] || large[2] || many["x"] || words["word"] == 5 {
			sink += v
		}
		_, ok = small[3]
		_, ok = large[4]
		sink += strings.Index("s1", "n1") + strings.LastIndex("s2", "n2") + strings.Count("s3", "n3")
		sink += strings.Compare("a1", "b1") + strings.IndexAny("s4", "n4") + strings.LastIndexAny("s5", "n5")
		_, _, ok = strings.Cut("s6", "n6")
		sink += bytes.Index([]byte("s7"), []byte("n7")) + bytes.LastIndex([]byte("s8"), []byte("n8"))
		sink += bytes.Count([]byte("s9"), []byte("n9")) + bytes.Compare([]byte("a2"), []byte("b2"))
		sink += bytes.IndexAny([]byte("s10"), "n10") + bytes.LastIndexAny([]byte("s11"), "n11")
		bytes.EqualFold([]byte("a3"), []byte("b3"))
		strconv.Atoi("11")
		strconv.ParseInt("12", 10, 64)
		strconv.ParseUint("13", 10, 64)
		strconv.ParseFloat("1.4", 64)
		strings.Split("s12", "n12")
		strings.Contains(string(append([]byte{}, "s13"...)), "n13")
		r, buf := bytes.NewReader([]byte("123")), make([]byte, 5)
		r.ReadAt(buf, 4)
		r.ReadAt(buf, 2)
		r.ReadByte()
		r.Seek(5, io.SeekStart)
		r.Seek(1, io.SeekStart)
		r.Seek(6, io.SeekCurrent)
		strings.NewReader("1234").ReadAt(buf, 7)
		strings.NewReader("12").Seek(8, io.SeekStart)
		section := io.NewSectionReader(strings.NewReader("1234567"), 1, 5)
		section.Seek(1, io.SeekStart)
		section.Seek(9, io.SeekCurrent)
		io.ReadFull(strings.NewReader("1"), buf)
		io.ReadFull(strings.NewReader("123456"), buf)
	})
}
`

// thrown is a target that says how maps are ordered and what select chooses.
const thrown = `
-- go.mod --
module example.com/m

go 1.24
-- m_test.go --
package m

import "testing"

var old, shared map[int]int

func FuzzM(f *testing.F) {
	old = map[int]int{}
	for i := range 100 {
		old[i] = i
	}
	f.Fuzz(func(t *testing.T, n int) {
		fresh, a, b := map[int]int{}, make(chan int, 100), make(chan int, 100)
		for i := range 100 {
			fresh[i] = i
			a <- i
			b <- i
		}
		shared = fresh // the compiler itself chooses the seed of a map that never leaves its function
		order := uint64(0)
		for i := range old {
			order = order*31 + uint64(i)
		}
		for i := range fresh {
			order = order*31 + uint64(i)
		}
		for range 50 {
			select {
			case <-a:
				order = order*31 + 1
			case <-b:
				order = order*31 + 2
			}
		}
		println("order", order)
	})
}
`

// hooked is a probe with the real packages hook and chance.
func hooked(t *testing.T, compare, call string) parts {
	t.Helper()
	p := pretender(strings.Replace(pretend, "\t\tfn.Call(args)\n", call, 1))
	probe := p.trees[0].files.(fstest.MapFS)
	if compare != "" {
		probe["compare/compare.go"] = &fstest.MapFile{Data: []byte(compare)}
	}
	for _, name := range []string{"hook/hook.go", "chance/chance.go"} {
		text, err := os.ReadFile("../probe/" + name)
		if err != nil {
			t.Fatal(err)
		}
		probe[name] = &fstest.MapFile{Data: text}
	}
	inject := p.inject.(fstest.MapFS)["inject/testing.go.txt"]
	inject.Data = bytes.Replace(inject.Data, []byte("import (\n"), []byte("import (\n"+
		"\t\"github.com/gnaw-fuzz/gnaw/internal/probe/chance\"\n\t\"github.com/gnaw-fuzz/gnaw/internal/probe/compare\"\n"+
		"\t\"github.com/gnaw-fuzz/gnaw/internal/probe/hook\"\n"), 1)
	return p
}

// work builds the module in text with p and returns what its worker prints.
func (p parts) work(t *testing.T, tc gocommand.Toolchain, text string) string {
	t.Helper()
	dir := testkit.Unpack(t, text)
	o, err := p.overlay(tc, t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "m.test"+gocommand.ExeSuffix)
	link(t, tc, o, dir, nil, out)
	return runBinary(t, out, dir, "-test.fuzzworker")
}

func TestHooksReport(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	p := hooked(t, listener, `
		var _ = chance.Seed
		hook.Recording = true
		fn.Call(args)
		hook.Recording = false
		for _, s := range compare.Heard {
			println("heard", s, "end")
		}
`)
	want := []string{
		"key seen word", "key seen other", "key word other", "int key 1 7 4", "int key 2 8 8", "int key 3 7 4", "int key 4 8 8",
		"needle s1 n1", "needle s2 n2", "needle s3 n3", "needle  n4", "needle  n5", "needle s6 n6", "needle s7 n7", "needle s8 n8",
		"needle s9 n9", "needle  n10", "needle  n11", "needle s12 n12", "needle s13 n13", "compare a1 b1", "compare a2 b2",
		"fold a3 b3", "number 11", "number 12", "number 13", "number 1.4",
		"bound 4 3", "bound 5 3", "bound 6 2", "bound 7 4", "bound 8 2", "bound 9 4", "bound 5 1",
	}
	toolchain.Each(t, func(t *testing.T, tc gocommand.Toolchain) {
		out := p.work(t, tc, heard)
		for _, w := range want {
			testkit.Contains(t, "output", out, "heard "+w+" end\n")
		}
		if n := strings.Count(out, "heard bound"); n != 7 {
			t.Errorf("%d bounds are reported, want 7", n)
		}
		if strings.Contains(out, "key x ") {
			t.Error("keys of a map with 600 entries are reported")
		}
		tc.Plain = true
		if out := p.work(t, tc, heard); strings.Contains(out, "heard") {
			t.Errorf("without hooks, the output is %q", out)
		}
	})
}

func TestSeedsMakeMapsAndSelectsRepeatable(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	// Ten runs with the first seed, of which the very first fills caches of package reflect, one with each of ten other
	// seeds, and ten without.
	p := hooked(t, "", `
		_, hook.Recording = compare.Seen, false
		for i := range 30 {
			if chance.Seed(uint64(max(i-9, 0))); i >= 20 {
				chance.Release()
			}
			fn.Call(args)
		}
`)
	toolchain.Each(t, func(t *testing.T, tc gocommand.Toolchain) {
		var orders []string
		for line := range strings.Lines(p.work(t, tc, thrown)) {
			if o, ok := strings.CutPrefix(line, "order "); ok {
				orders = append(orders, o)
			}
		}
		if len(orders) != 30 {
			t.Fatalf("%d executions, want 30", len(orders))
		}
		if n := distinct(orders[1:10]); n != 1 {
			t.Errorf("%d orders with one seed", n)
		}
		if n := distinct(orders[10:20]); n < 10 {
			t.Errorf("%d orders with ten seeds", n)
		}
		if n := distinct(orders[20:]); n < 10 {
			t.Errorf("%d orders in ten executions without a seed", n)
		}
	})
}

func distinct(list []string) int {
	set := map[string]bool{}
	for _, s := range list {
		set[s] = true
	}
	return len(set)
}

// runBinary runs a test binary in a folder and returns what it prints.
func runBinary(t *testing.T, file, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(file, append(args, "-test.fuzz=FuzzM", "-test.fuzzcachedir="+t.TempDir(), "-test.parallel=3")...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return string(out)
}
