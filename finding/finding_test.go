package finding

import (
	"os"
	"path/filepath"
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
		t.Run(g.name, func(t *testing.T) { checkRead(t, g, Of) })
	}
}

func TestOfProcessReadsWhatTheRuntimePrints(t *testing.T) {
	for _, g := range goldens(t, ofProcess) {
		t.Run(g.name, func(t *testing.T) { checkRead(t, g, OfProcess) })
	}
}

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
		if g.sig.Kind == Unknown {
			continue
		}
		g.output = "parsing x.go:7: ok\nwe do not panic: never\n" + g.output
		t.Run(g.name, func(t *testing.T) { checkRead(t, g, OfProcess) })
	}
}

// The same bug in two versions of Go, with other goroutine numbers and addresses, is the same failure; others are not.
func TestSameTellsFailuresApart(t *testing.T) {
	all := goldens(t, func(name string) bool { return !ofProcess(name) })
	for _, a := range all {
		for _, b := range all {
			if got, want := Same(a.sig, b.output), a.sig == b.sig; got != want {
				t.Errorf("Same(%s, output of %s) = %v, want %v", a.name, b.name, got, want)
			}
		}
	}
}

func TestSame(t *testing.T) {
	at28 := Signature{Failure, "x_test.go:28"}
	tests := []struct {
		name   string
		want   Signature
		output string
		same   bool
	}{
		{"the line is the last of several", at28, "    x_test.go:27: a\n    x_test.go:28: b\n", true},
		{"the line is the first of several", at28, "    x_test.go:28: a\n    x_test.go:29: b\n", true},
		{"other words at the same line", at28, "    x_test.go:28: something else\n", true},
		{"another line", at28, "    x_test.go:2: a\n    x_test.go:281: b\n", false},
		{"the same line of another file", at28, "    sub/x_test.go:28: a\n", false},
		{"no line at all", at28, "--- FAIL: FuzzX (0.00s)\n", false},
		{"neither has a line", Signature{Kind: Failure}, "--- FAIL: FuzzX (0.00s)\n", true},
		{"a panic after the line", at28, "    x_test.go:28: a\n    testing.go:1: panic: b\n", false},
		{"a failure instead of a panic", Signature{Panic, "p.F p.go:1"}, "    p.go:1: a\n", false},
		{"a race instead of a failure", at28, "    testing.go:1712: race detected during execution of test\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Same(tt.want, tt.output); got != tt.same {
				t.Errorf("Same(%v, %q) = %v, want %v", tt.want, tt.output, got, tt.same)
			}
		})
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
	const engine = "internal/fuzz/gnaw/probe/work.(*worker).serve(0x1)\n\t/go/execute.go:7 +0x1\n"
	const wrapper = "internal/fuzz/gnaw/probe/work.(*worker).serve-fm(0x1, 0x2)\n\t<autogenerated>:1 +0x25\n"
	const theirs = "p.(*T).Write(0x1)\n\t<autogenerated>:1 +0x25"
	if got := Clean(stack + engine + wrapper + theirs); got != stack+theirs {
		t.Errorf("Clean leaves %q, want %q", got, stack+theirs)
	}
}

func TestKindHasAName(t *testing.T) {
	for k := Unknown; k <= Keep; k++ {
		if k.String() == "" {
			t.Errorf("kind %d has no name", k)
		}
	}
	if len(kindNames) != int(Keep)+1 {
		t.Errorf("there are %d names for %d kinds", len(kindNames), Keep+1)
	}
}

// FuzzOf: whatever is printed, reading it does not panic, and a failure is the same as itself.
func FuzzOf(f *testing.F) {
	for _, name := range []string{"panic_go1.26", "error_twice_go1.26", "goexit_go1.26"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, output string) {
		sig, _ := Of(output)
		if !Same(sig, output) {
			t.Errorf("the failure %v is not the same as itself", sig)
		}
		OfProcess(output)
	})
}
