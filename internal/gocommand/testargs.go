package gocommand

import "strings"

// TestArgs is the command line of `gnaw test`, taken apart.
type TestArgs struct {
	First []string          // -C and its value, which go test wants to be first
	Rest  []string          // what else go test gets, in the user's order, except for -overlay
	Plain []string          // all that go test gets when there is no fuzzing
	Bare  []string          // rest without -coverprofile, which go test does not accept together with -fuzz, and the other flags of coverage
	Build []string          // the flags that decide what is built
	Dicts []string          // the values of -dict
	Flags map[string]string // the last value of each flag of go test and of gnaw that has one
}

// ParseTestArgs takes the arguments after `gnaw test` apart, by the rules of go test: flags may stand before and after
// one list of packages; behind that list, the first argument that is neither a flag nor may be the value of an
// unknown flag belongs to the test binary, with all that follows, as does everything after -args.
func ParseTestArgs(args []string) (TestArgs, error) {
	t := TestArgs{Flags: map[string]string{}}
	listed, inList, afterUnknown := false, false, false
	for i := 0; i < len(args); {
		if args[i] == "--" || args[i] == "-args" || args[i] == "--args" {
			t.keep(args[i:])
			break
		}
		a := readArgument(args[i])
		wasAfterUnknown := afterUnknown
		afterUnknown = a.isFlag && a.kind == unknown && !a.hasValue
		if !a.isFlag {
			if listed && !inList && !wasAfterUnknown {
				t.keep(args[i:])
				break
			}
			inList = inList || !listed
			listed = true
			t.keep(args[i : i+1])
			i++
			continue
		}
		inList = false
		listed = listed || a.kind == unknown
		n, err := t.flag(a, args[i:], i == 0)
		if err != nil {
			return TestArgs{}, err
		}
		i += n
	}
	return t, nil
}

// flag notes the flag a, which is args[0], and returns how many arguments it takes.
func (t *TestArgs) flag(a argument, args []string, isFirst bool) (n int, err error) {
	n = 1
	if (a.kind == valued || a.kind == gnaws) && !a.hasValue && len(args) > 1 {
		n, a.value, a.hasValue = 2, args[1], true
	}
	if a.kind == gnaws && !a.hasValue {
		return 0, UsageOf(a.name, "")
	}
	if a.hasValue && a.kind != unknown {
		t.Flags[a.name] = a.value
	}
	if _, ok := buildFlags[a.name]; ok {
		t.Build = append(t.Build, args[:n]...)
	}
	if a.name == "dict" {
		t.Dicts = append(t.Dicts, a.value)
	}
	switch {
	case a.kind == gnaws:
	case a.name == "overlay" && a.hasValue:
		t.Plain = append(t.Plain, args[:n]...)
	case a.name == "C" && isFirst:
		t.First = append(t.First, args[:n]...)
		t.Plain = append(t.Plain, args[:n]...)
	case strings.HasPrefix(a.name, "cover"):
		t.Rest, t.Plain = append(t.Rest, args[:n]...), append(t.Plain, args[:n]...)
	default:
		t.keep(args[:n])
	}
	return n, nil
}

// keep passes arguments on to go test.
func (t *TestArgs) keep(args []string) {
	t.Rest = append(t.Rest, args...)
	t.Bare = append(t.Bare, args...)
	t.Plain = append(t.Plain, args...)
}

// Fuzzes reports whether fuzzing is asked for, on the command line or else in GOFLAGS.
func (t *TestArgs) Fuzzes(goflags []string) bool {
	value, ok := t.Flags["fuzz"]
	if !ok {
		value, _ = Goflag(goflags, "fuzz")
	}
	return value != ""
}

// TestDir is the folder that `gnaw test` with args works in when it is started in dir: -C may change it. Look for the
// toolchain there.
func TestDir(dir string, args []string) string {
	if len(args) == 0 {
		return dir
	}
	a := readArgument(args[0])
	if !a.isFlag || a.name != "C" {
		return dir
	}
	if !a.hasValue && len(args) > 1 {
		a.value = args[1]
	}
	return Absolute(a.value, dir)
}

// UserOverlay is the overlay that the user asks for; an argument wins over GOFLAGS.
func (t *TestArgs) UserOverlay(goflags []string) string {
	if file, ok := t.Flags["overlay"]; ok {
		return file
	}
	file, _ := Goflag(goflags, "overlay")
	return file
}
