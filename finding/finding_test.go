package finding

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// golden is a file of testdata: what package testing or the runtime printed, and what is to be read from it.
type golden struct {
	name, output, message string
	sig                   Signature
}

// goldens reads the files whose names match. Their first lines say kind, place and message of the output that follows.
func goldens(t *testing.T, match func(name string) bool) (all []golden) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		g := golden{name: strings.TrimSuffix(filepath.Base(file), ".txt")}
		if !match(g.name) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, output, ok := strings.Cut(string(text), "----\n")
		lines := strings.Split(head, "\n")
		if !ok || len(lines) != 4 {
			t.Fatalf("%s has no proper head", file)
		}
		g.sig = Signature{kindNamed(t, strings.TrimPrefix(lines[0], "kind: ")), field(lines[1], "place:")}
		g.message, g.output = field(lines[2], "message:"), output
		all = append(all, g)
	}
	return all
}

func field(line, name string) string { return strings.TrimSpace(strings.TrimPrefix(line, name)) }

func kindNamed(t *testing.T, name string) Kind {
	t.Helper()
	for k := range kindNames {
		if kindNames[k] == name {
			return Kind(k)
		}
	}
	t.Fatalf("there is no kind %q", name)
	return Unknown
}

func ofProcess(name string) bool { return strings.HasPrefix(name, "process_") }

func TestOfReadsWhatPackageTestingPrints(t *testing.T) {
	for _, g := range goldens(t, func(name string) bool { return !ofProcess(name) }) {
		t.Run(g.name, func(t *testing.T) {
			checkRead(t, g, func(output string) (Signature, string) {
				sig, message, _ := Of(output, 0)
				return sig, message
			})
		})
	}
}

func TestOfProcessReadsWhatTheRuntimePrints(t *testing.T) {
	for _, g := range goldens(t, ofProcess) {
		t.Run(g.name, func(t *testing.T) {
			checkRead(t, g, func(output string) (Signature, string) { return OfProcess(output, Unknown) })
		})
	}
}

// recovered is what a server prints that goes on: like what the runtime prints, with an empty line and without.
const recovered = "panic: bad request\ngoroutine 21 [running]:\nruntime/debug.Stack()\n\t/go/debug/stack.go:26 +0x64\n" +
	"m.Handle.func1()\n\t/src/m/a.go:13 +0x45\npanic({0x5e82e0?, 0x66a8c0?})\n\t/go/panic.go:783 +0x132\nm.Parse(...)\n\t/src/m/a.go:21\n" +
	"created by testing.(*F).Fuzz.func1 in goroutine 1\n\t/go/fuzz.go:333 +0x5a5\n\n" +
	"panic: bad request\n\ngoroutine 21 [running]:\nm.Handle.func1()\n\t/src/m/a.go:13 +0x45\n" +
	"created by testing.(*F).Fuzz.func1 in goroutine 1\n\t/go/fuzz.go:333 +0x5a5\n\n" +
	"fatal error: no configuration\ngnaw: os.Exit(1)\n"

func checkRead(t *testing.T, g golden, read func(string) (Signature, string)) {
	t.Helper()
	sig, message := read(g.output)
	if sig != g.sig {
		t.Errorf("the failure is a %v at %q, want a %v at %q", sig.Kind, sig.Place, g.sig.Kind, g.sig.Place)
	}
	if message != g.message {
		t.Errorf("the message is %q, want %q", message, g.message)
	}
}

// The target prints what it likes before the process dies, and the runtime prints what it likes before the reason.
func TestOfProcessFindsTheReasonBelowOtherOutput(t *testing.T) {
	for _, g := range goldens(t, ofProcess) {
		original := g.output
		g.output = "parsing x.go:7: ok\nwe do not panic: never\npanic: recovered: no\n" + recovered + g.output
		if g.sig.Kind == Unknown { // nothing but the exit code tells
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			checkRead(t, g, func(output string) (Signature, string) { return OfProcess(output, Unknown) })
			checkRead(t, g, func(output string) (Signature, string) { return OfProcess(output, g.sig.Kind) })
			if got, want := Calls(g.sig.Kind, g.output), Calls(g.sig.Kind, original); !slices.Equal(got, want) {
				t.Errorf("the calls are %v, want %v", got, want)
			}
		})
	}
}

func TestTheMessageIsWhatWasLoggedWhenTheTestFailed(t *testing.T) {
	const output = "--- FAIL: FuzzX (0.00s)\n    x_test.go:1: a\n        more\n    x_test.go:2: b\n    x_test.go:3: c\n"
	for _, tt := range []struct {
		name           string
		logged         int
		place, message string
	}{
		{"not known", 0, "x_test.go:3", "c"},
		{"nothing was logged until then", 1, "x_test.go:3", "c"},
		{"the first of three", 3, "x_test.go:1", "a"},
		{"the second of three", 4, "x_test.go:2", "b"},
		{"the last", 5, "x_test.go:3", "c"},
		{"more lines than there are", 9, "x_test.go:3", "c"},
		{"no number that a worker sends", -1, "x_test.go:3", "c"},
	} {
		sig, message, _ := Of(output, tt.logged)
		if sig != (Signature{Failure, tt.place}) || message != tt.message {
			t.Errorf("%s: Of = %v, %q, want a failure at %s with %q", tt.name, sig, message, tt.place, tt.message)
		}
	}
	if sig, _, _ := Of(output+"    testing.go:1: panic: no\n", 4); sig.Kind != Panic {
		t.Errorf("a panic behind t.Error is a %v", sig.Kind)
	}
}

func TestFrame(t *testing.T) {
	tests := []struct{ name, stack, want string }{
		{"method of a generic type", "p.(*Set[...]).Add(0x1)\n\t/src/p/set.go:12 +0x1", "p.(*Set[...]).Add set.go:12"},
		{"inlined call", "p.F(...)\n\t/src/p/f.go:3", "p.F f.go:3"},
		{"Windows path", "p.F(0x1)\n\tC:\\src\\p\\f.go:3 +0x2", "p.F f.go:3"},
		{"machinery above", "runtime.gopark()\n\t/go/proc.go:1 +0x1\npanic({0x1, 0x2})\n\t/go/panic.go:2\np.F()\n\t/src/f.go:3", "p.F f.go:3"},
		{"machinery only", "testing.tRunner(0x1)\n\t/go/testing.go:1 +0x1\ncreated by testing.(*F).Fuzz.func1 in goroutine 7\n\t/go/fuzz.go:2 +0x3", ""},
		{"creator is no frame", "runtime.gopark()\n\t/go/proc.go:1\ncreated by p.(*Pool).start in goroutine 3\n\t/src/pool.go:9 +0x1", ""},
		{"assembly", "p.asm(0x1)\n\t/src/p/asm_amd64.s:7 +0x1\np.F()\n\t/src/f.go:3", "p.F f.go:3"},
		{"words that look like a call", "see f(x)\nfor more\np.F()\n\t/src/f.go:3", "p.F f.go:3"},
		{"a folder with parentheses", "p.F(0x1)\n\t/src/repo (1)/f.go:3 +0x1d\np.G()\n\t/src/repo (1)/g.go:4", "p.F f.go:3"},
		{"a Windows folder with parentheses", "p.F(0x1)\n\tC:\\repo (1)\\f.go:3 +0x1d", "p.F f.go:3"},
		{"stack pointers", "p.F(0x1)\n\t/src/repo (1)/f.go:3 +0x1d fp=0xc01 sp=0xc00 pc=0x4f", "p.F f.go:3"},
		{"trimmed path", "p.F(0x1)\n\texample.com/dep@v1.0.0/f.go:3 +0x1d", "p.F f.go:3"},
		{"a call in words behind one", "see f(x)\nand g(y) at f.go:3\np.F()\n\t/src/f.go:3", "p.F f.go:3"},
		{"a file in words behind a call", "see f(x)\n/src/f.go:7 (or below)\np.F()\n\t/src/f.go:3", "p.F f.go:3"},
		{"a grammar", "p.(*parser).Parse(0x1)\n\t/src/repo (1)/expr.y:30 +0x1d\np.F()\n\t/src/f.go:3", "p.(*parser).Parse expr.y:30"},
		{"a generated file without an ending", "p.Parse(...)\n\tC:\\src\\yaccpar:201\np.F()\n\t/src/f.go:3", "p.Parse yaccpar:201"},
		{"a grammar without a folder", "    p.Parse(...)\n    \texpr.y:30\n    p.F()\n    \t/src/f.go:3", "p.Parse expr.y:30"},
		{"what the compiler has made", "p.(*T).F(...)\n\t<autogenerated>:1\np.F()\n\t/src/f.go:3", "p.F f.go:3"},
		{"a host with a port behind words", "  dial f(x)\n\texample.com:443\np.F()\n\t/src/f.go:3", "p.F f.go:3"},
		{"a host with a port behind a call", "p.Dial(x)\nexample.com:443\np.F()\n\t/src/f.go:3", "p.F f.go:3"},
		{"nothing", "", ""},
		{"cut off behind the call", "p.F(0x1)", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Frame(strings.Split(tt.stack, "\n")); got != tt.want {
				t.Errorf("Frame(%q) = %q, want %q", tt.stack, got, tt.want)
			}
		})
	}
}

func TestCleanDropsTheFramesOfGnaw(t *testing.T) {
	const stack = "goroutine 8 [running]:\np.F()\n\t/src/f.go:3 +0x1\n"
	const engine = "internal/fuzz/gnaw/probe/worker.(*worker).serve(0x1)\n\t/go/execute.go:7 +0x1\n"
	const wrapper = "internal/fuzz/gnaw/probe/worker.(*worker).serve-fm(0x1, 0x2)\n\t<autogenerated>:1 +0x25\n"
	const theirs = "p.(*T).Write(0x1)\n\t<autogenerated>:1 +0x25"
	const created = "\ncreated by testing.gnawGoesOn in goroutine 7\n\t/go/testing.go:9 +0x1"
	if got := Clean(stack + engine + wrapper + theirs + created); got != stack+theirs {
		t.Errorf("Clean leaves %q, want %q", got, stack+theirs)
	}
}

func TestKindHasAName(t *testing.T) {
	for i, name := range kindNames {
		if k, ok := KindNamed(name); name == "" || !ok || k != Kind(i) || k.String() != name {
			t.Errorf("kind %d is called %q, which is kind %d", i, name, k)
		}
	}
	for k, name := range map[Kind]string{
		Unknown: "unknown", Memory: "memory", Alloc: "alloc", Growth: "growth", Leak: "leak", Modify: "modify", Keep: "keep",
	} {
		if k.String() != name {
			t.Errorf("the kind %s is called %q", name, k)
		}
	}
	if k, ok := KindNamed("no kind"); ok || k != Unknown {
		t.Errorf("KindNamed finds %v for a name that no kind has", k)
	}
}

func TestLoggedIsWhatWasLoggedAtThePlace(t *testing.T) {
	for _, tt := range []struct {
		name, output string
		want         []string
	}{
		{"the line is the last of several", "    x_test.go:27: a\n    x_test.go:28: b\n", []string{"b"}},
		{"the line is the first of several", "    x_test.go:28: a\n    x_test.go:29: b\n", []string{"a"}},
		{"the line is there twice", "    x_test.go:28: a\n    x_test.go:28: b\n", []string{"a", "b"}},
		{"other lines with the same digits", "    x_test.go:2: a\n    x_test.go:281: b\n", nil},
		{"the same line of another file", "    sub/x_test.go:28: a\n", nil},
		{"no line at all", "--- FAIL: FuzzX (0.00s)\n", nil},
	} {
		if got := Logged("x_test.go:28", tt.output); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Logged = %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The same bug in two versions of Go, with other goroutine numbers and addresses, is at the same place; others are not.
func TestPlacesTellFailuresApart(t *testing.T) {
	all := goldens(t, func(name string) bool { return !ofProcess(name) })
	for _, a := range all {
		for _, b := range all {
			got, _, _ := Of(b.output, 0)
			same := got == a.sig || a.sig.Kind == Failure && got.Kind == Failure && len(Logged(a.sig.Place, b.output)) > 0
			if want := a.sig == b.sig; same != want {
				t.Errorf("%s is in the output of %s: %v, want %v", a.name, b.name, same, want)
			}
		}
	}
}

// FuzzOf: whatever is printed, reading it does not panic, and a failure has a place that was logged.
func FuzzOf(f *testing.F) {
	for _, name := range []string{"panic_go1.26", "error_twice_go1.26", "goexit_go1.26", "stack_in_words", "quicktest", "race", "process_hang"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), 2)
	}
	f.Add(raceReport, 0)
	f.Add(leakedStack, 0)
	f.Add("p.F()\n\t/src/.go:", 1)
	f.Add("WARNING: DATA RACE\nGoroutine \n\nGoroutine (\n", 1)
	f.Fuzz(func(t *testing.T, output string, logged int) {
		sig, message, _ := Of(output, logged)
		if sig.Kind == Failure && sig.Place != "" && !slices.Contains(Logged(sig.Place, output), message) {
			t.Errorf("%q is not among what was logged at %s", message, sig.Place)
		}
		OfProcess(output, Kind(max(logged, 0)%len(kindNames)))
		Clean(output)
		if r, ok := RaceIn(output); ok {
			r.Place()
			r.Tops()
		}
		for k := range kindNames {
			failure := Finding{Kind: Kind(k), Place: sig.Place, Message: message}
			failure.SetOutput(output)
			Key(failure.Kind, "p.FuzzX", failure.Calls(), message)
		}
	})
}
