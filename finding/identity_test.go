package finding

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCallsAreThoseOfTheGuiltyStack(t *testing.T) {
	for _, g := range goldens(t, func(string) bool { return true }) {
		t.Run(g.name, func(t *testing.T) {
			f := &Finding{Kind: g.sig.Kind, Place: g.sig.Place}
			f.SetOutput(g.output)
			calls := f.Calls()
			if g.sig.Place == "" {
				if len(calls) > 0 && g.sig.Kind != Goexit { // where it is known better
					t.Errorf("Calls = %v, want none", calls)
				}
				return
			}
			if len(calls) == 0 {
				t.Fatalf("there are no calls, the place is %q", g.sig.Place)
			}
			if top := calls[0]; !strings.HasSuffix(g.sig.Place, top.File[strings.LastIndexByte(top.File, '/')+1:]+
				":"+strings.TrimLeft(g.sig.Place[strings.LastIndexByte(g.sig.Place, ':'):], ":")) || top.Line == 0 {
				t.Errorf("the first call is %+v, the place is %q", top, g.sig.Place)
			}
			for _, c := range calls {
				if machinery(c.Func) {
					t.Errorf("%s is no code of the user", c.Func)
				}
			}
		})
	}
}

// With GODEBUG=tracebackancestors=1 the stack of the goroutine that started another comes without an empty line.
func TestCallsEndAtAnAncestor(t *testing.T) {
	const stack = "panic: no\n\ngoroutine 9 [running]:\nm.F()\n\t/src/f.go:3 +0x1\ncreated by m.Go in goroutine 7\n\t/src/f.go:9 +0x1\n" +
		"[originating from goroutine 7]:\nm.Go(...)\n\t/src/f.go:9 +0x1\n"
	if calls := Calls(Fatal, stack); len(calls) != 1 || calls[0].Func != "m.F" {
		t.Errorf("the calls are %v, want that of m.F", calls)
	}
}

func call(name string, line int) Call {
	return Call{Func: "m/p." + name, File: "/src/p.go", Line: line}
}

func target(line int) Call {
	return Call{Func: "m/p.FuzzX.func1", File: "/src/p_test.go", Line: line}
}

// inTest is a call of a helper of the test.
func inTest(name string, line int) Call {
	return Call{Func: "m/p." + name, File: "/src/p_test.go", Line: line}
}

func TestKeyTellsBugsApart(t *testing.T) {
	type failure struct {
		kind    Kind
		target  string
		calls   []Call
		message string
	}
	deep := func(names ...string) (calls []Call) {
		for _, n := range names {
			calls = append(calls, call(n, 5))
		}
		return calls
	}
	moved := func(c Call, offset int) Call { c.Offset = offset; return c }
	tests := []struct {
		name string
		a, b failure
		same bool
	}{
		{
			"other numbers in the message",
			failure{Panic, "", deep("F"), "index out of range [4] with length 4"},
			failure{Panic, "", deep("F"), "index out of range [17] with length 2"},
			true,
		},
		{
			"other words in the message",
			failure{Panic, "", deep("F"), "index out of range [4]"},
			failure{Panic, "", deep("F"), "slice bounds out of range"},
			false,
		},
		{"other kind", failure{Panic, "", deep("F"), "x"}, failure{Fatal, "", deep("F"), "x"}, false},
		{"another line of the same function", failure{Panic, "", []Call{call("F", 1)}, ""}, failure{Panic, "", []Call{call("F", 2)}, ""}, false},
		{
			"the function has moved in its file",
			failure{Panic, "", []Call{moved(call("F", 1), 3)}, ""},
			failure{Panic, "", []Call{moved(call("F", 9), 3)}, ""},
			true,
		},
		{"one helper, two callers", failure{Panic, "", deep("must", "F"), ""}, failure{Panic, "", deep("must", "G"), ""}, false},
		{"the fourth frame does not count", failure{Panic, "", deep("a", "b", "c", "d"), ""}, failure{Panic, "", deep("a", "b", "c", "e"), ""}, true},
		{
			"reached by two targets",
			failure{Panic, "FuzzX", append(deep("F"), target(1)), ""},
			failure{Panic, "FuzzY", append(deep("F"), target(9)), ""},
			true,
		},
		{
			"reached by two functions of a package",
			failure{Panic, "FuzzX", append(deep("F", "Parse"), target(1)), ""},
			failure{Panic, "FuzzX", append(deep("F", "ParseString"), target(2)), ""},
			true,
		},
		{
			"reached by two functions and helpers of the test",
			failure{Panic, "FuzzX", append(deep("F", "Parse"), inTest("a", 3), target(1)), ""},
			failure{Panic, "FuzzX", append(deep("F", "ParseString"), inTest("b", 5), target(2)), ""},
			true,
		},
		{
			"one helper, two callers below one function",
			failure{Panic, "FuzzX", append(deep("must", "F", "Parse"), target(1)), ""},
			failure{Panic, "FuzzX", append(deep("must", "G", "Parse"), target(1)), ""},
			false,
		},
		{
			"in two functions that the target calls",
			failure{Panic, "FuzzX", append(deep("Parse"), target(1)), ""},
			failure{Panic, "FuzzX", append(deep("ParseString"), target(1)), ""},
			false,
		},
		{
			"one helper of the test, two callers there",
			failure{Panic, "FuzzX", []Call{inTest("must", 3), inTest("a", 7), target(1)}, ""},
			failure{Panic, "FuzzX", []Call{inTest("must", 3), inTest("b", 9), target(1)}, ""},
			false,
		},
		{
			"memory and allocation at one place",
			failure{Memory, "", append(deep("grow", "Parse"), target(1)), "fatal error: memory limit of 1024 MiB exceeded: the heap holds 1100 MiB" + MostAtOnePlace},
			failure{Alloc, "", append(deep("grow", "Parse"), target(1)), "an execution allocates 200 MiB"},
			true,
		},
		{
			"memory that the system does not have and allocation at one place",
			failure{Memory, "", append(deep("grow", "Parse"), target(1)), "runtime: out of memory: cannot allocate 4096-byte block (1024 in use)"},
			failure{Alloc, "", append(deep("grow", "ReadAll"), target(1)), "an execution allocates 200 MiB"},
			true,
		},
		{
			"memory: wherever it was",
			failure{Memory, "", append(deep("leaf", "node", "tree", "Parse"), target(1)), "fatal error: memory limit of 1024 MiB exceeded: the heap holds 1100 MiB"},
			failure{Memory, "", append(deep("other", "node", "tree", "Parse"), target(1)), "fatal error: memory limit of 1024 MiB exceeded: the heap holds 1300 MiB"},
			true,
		},
		{"in the target itself", failure{Panic, "FuzzX", []Call{target(1)}, ""}, failure{Panic, "FuzzX", []Call{target(9)}, ""}, false},
		{"recursion of any depth", failure{Panic, "", deep("F", "G", "F", "G", "H"), ""}, failure{Panic, "", deep("F", "G", "H"), ""}, true},
		{
			"recursion behind the function that fails",
			failure{Panic, "", deep("product", "sum", "unary", "product", "sum", "Eval"), ""},
			failure{Panic, "", deep("product", "sum", "Eval"), ""},
			true,
		},
		{
			"overflow: whoever is on top",
			failure{Fatal, "", deep("F", "G", "F", "G", "F", "G"), "fatal error: stack overflow"},
			failure{Fatal, "", deep("leaf", "G", "F", "G", "F", "G", "F", "G"), "fatal error: stack overflow"},
			true,
		},
		{
			"hang: wherever it was",
			failure{Hang, "", deep("leaf", "loop", "Parse"), "one execution took longer than 10s"},
			failure{Hang, "", deep("other", "leaf", "loop", "Parse"), "one execution took longer than 1m0s"},
			true,
		},
		{
			"hang: deep below three frames",
			failure{Hang, "", deep("leaf", "loop", "list", "Parse"), ""},
			failure{Hang, "", deep("x", "y", "loop", "list", "Parse"), ""},
			true,
		},
		{
			"hang: wherever it was in a recursion",
			failure{Hang, "", deep("sum", "unary", "product", "sum", "Eval"), ""},
			failure{Hang, "", deep("product", "sum", "unary", "product", "sum", "Eval"), ""},
			true,
		},
		{"no frames in two targets", failure{Exit, "p.FuzzX", nil, ""}, failure{Exit, "p.FuzzY", nil, ""}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := Key(tt.a.kind, tt.a.target, tt.a.calls, tt.a.message)
			b := Key(tt.b.kind, tt.b.target, tt.b.calls, tt.b.message)
			if (a == b) != tt.same || (ID(a) == ID(b)) != tt.same {
				t.Errorf("the keys are %q and %q, the same must be %v", a, b, tt.same)
			}
		})
	}
}

func TestWords(t *testing.T) {
	tests := []struct{ name, message, want string }{
		{"numbers", "index out of range [-1] with length 12", "index out of range [#] with length #"},
		{"addresses", "nil pointer at 0xc000012345", "nil pointer at #"},
		{"quoted text", `got "a\"b", want 'x' or ` + "`raw`", `got "", want "" or ""`},
		{"a text in single quotes", `got 'a b', quoted as $'\x01\''`, `got "", quoted as $""`},
		{"an apostrophe", "can't do, won't do", "can't do, won't do"},
		{"a list of numbers", "[]byte{1, 2, 3} and [1 2 3]", "[]byte{#} and [#]"},
		{"floats", "1.5e-7 is not 3; 1e-9 not 2e5; -1.5 not +7", "# is not #; # not #; # not #"},
		{"bytes in hexadecimal", "bad token 717a, want 6F6b6c or DEADBEEF", "bad token #, want # or #"},
		{"words of the same letters", "added a bad face to cafe", "added a bad face to cafe"},
		{"types with numbers", "int64 is no uint8, utf8 no x86", "int# is no uint#, utf# no x#"},
		{"floats that are no numbers", "got 1.4, -Inf, +Inf, Inf, NaN, 1e+06, 1E-7, -Infinity", "got #"},
		{"words with the same letters", "Info for Nancy: Infinite", "Info for Nancy: Infinite"},
		{"complex numbers", "got (1+2i), (-Inf+NaNi) or (1.5e+06-0i)", "got # or #"},
		{"UUIDs", "no 550e8400-e29b-41d4-a716-446655440000 but ABCDEFAB-cafe-babe-dead-abcdefabcdef", "no # but #"},
		{"hexadecimal floats", "got 0x1.8p-02 and -0XFF", "got # and #"},
		{"negative durations", "after -1.5s or 2μs", "after # or #"},
		{"quoted text of several lines", "got \"a\nb\"", `got ""`},
		{"raw text of several lines", "got `a\nb`", `got ""`},
		{"an empty list", "got [], want [1 2]; []byte and []int{}", "got [#], want [#]; []byte and []int{}"},
		{"durations", "took 1.5ms, not 3µs, in 1m2.5s", "took #, not #, in #"},
		{"only the first line", "one\ntwo", "one"},
		{"panic(nil) up to Go 1.26", "panic called with nil argument", "panic called with nil argument"},
		{"panic(nil) with Go 1.27", "runtime error: panic called with nil argument [recovered, repanicked]", "panic called with nil argument"},
		{"a map that two write", "fatal error: concurrent map writes", "fatal error: concurrent map writes"},
		{"a map that two have written", "fatal error: small map with no empty slot (concurrent map writes?)", "fatal error: concurrent map writes"},
		{"another one that says so", "concurrent map writes are fatal", "concurrent map writes are fatal"},
		{"long", strings.Repeat("ü", 100), strings.Repeat("ü", 60)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Words(tt.message); got != tt.want {
				t.Errorf("Words(%q) = %q, want %q", tt.message, got, tt.want)
			}
		})
	}
}

func TestShort(t *testing.T) {
	all := []string{"aaaa1111", "aaaa1122", "bbbb0000", "aaaa1111"}
	for id, want := range map[string]string{"aaaa1111": "aaaa111", "aaaa1122": "aaaa112", "bbbb0000": "bbbb", "cc": "cc"} {
		if got := Short(id, all); got != want {
			t.Errorf("Short(%s) = %s, want %s", id, got, want)
		}
	}
}

func TestKindsHaveNamesInJSON(t *testing.T) {
	for k := Unknown; k <= Memory; k++ {
		text, err := json.Marshal(k)
		if err != nil || string(text) != `"`+k.String()+`"` {
			t.Errorf("%v is %s, %v", k, text, err)
		}
		var back Kind
		if err := json.Unmarshal(text, &back); err != nil || back != k {
			t.Errorf("%s is read as %v, %v", text, back, err)
		}
	}
	var k Kind
	if err := json.Unmarshal([]byte(`"nonsense"`), &k); err == nil {
		t.Error("a name that there is not is a kind")
	}
}

// What a target hands to another function is called by it: where a panic is in that, it is the place, and not the function that calls it.
func TestAFunctionOfTheTargetIsAPlace(t *testing.T) {
	at := func(line int) []Call {
		return []Call{
			{Func: "m.FuzzX.func1.1", File: "x_test.go", Line: line},
			{Func: "m/lib.Each", File: "lib/lib.go", Line: 3},
			{Func: "m.FuzzX.func1", File: "x_test.go", Line: 20},
		}
	}
	if Key(Panic, "m.FuzzX", at(7), "no") == Key(Panic, "m.FuzzX", at(9), "no") {
		t.Error("panics in two lines of a function that the target hands to another one have the same key")
	}
	if Key(Panic, "m.FuzzX", at(7)[1:], "no") != Key(Panic, "m.FuzzY", at(7)[1:2], "no") {
		t.Error("a panic in the function that the target calls has the target in its key")
	}
}

func TestTwoPanicsThatATargetRecoversFromAreTwo(t *testing.T) {
	for _, name := range []string{"recovered_with_its_stack", "recovered_by_a_library"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		key := func(output string) string {
			sig, message, calls := Of(output, 0)
			f := Finding{Kind: sig.Kind, Place: sig.Place, At: calls}
			f.SetOutput(output)
			return Key(sig.Kind, "m.FuzzX", f.Calls(), message)
		}
		one := string(text)
		other := strings.NewReplacer("m.first", "m.second", "p.go:13", "p.go:14", "rapid_test.go:24", "rapid_test.go:27").Replace(one)
		again := strings.NewReplacer("goroutine 25", "goroutine 31", "0x317f97940d8", "0x4", "index out of range [2]", "index out of range [7]").Replace(one)
		if key(one) == key(other) {
			t.Errorf("%s: two places have the key %q", name, key(one))
		}
		if key(one) != key(again) {
			t.Errorf("%s: one place has the keys %q and %q", name, key(one), key(again))
		}
	}
}
