package build

import "strings"

// testArgs is the command line of `gnaw test`, taken apart.
type testArgs struct {
	first []string          // -C and its value, which go test wants to be first
	rest  []string          // what else go test gets, in the user's order, except for -overlay
	plain []string          // all that go test gets when there is no fuzzing
	bare  []string          // rest without -coverprofile, which go test does not accept together with -fuzz, and the other flags of coverage
	build []string          // the flags that decide what is built
	dicts []string          // the values of -dict
	flags map[string]string // the last value of each flag of go test and of gnaw that has one
}

// parseTestArgs takes the arguments after `gnaw test` apart, by the rules of go test: flags may stand before and after
// one list of packages; behind that list, the first argument that is neither a flag nor may be the value of an
// unknown flag belongs to the test binary, with all that follows, as does everything after -args.
func parseTestArgs(args []string) (testArgs, error) {
	t := testArgs{flags: map[string]string{}}
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
			return testArgs{}, err
		}
		i += n
	}
	return t, nil
}

// flag notes the flag a, which is args[0], and returns how many arguments it takes.
func (t *testArgs) flag(a argument, args []string, isFirst bool) (n int, err error) {
	n = 1
	if (a.kind == valued || a.kind == gnaws) && !a.hasValue && len(args) > 1 {
		n, a.value, a.hasValue = 2, args[1], true
	}
	if a.kind == gnaws && !a.hasValue {
		return 0, usageOf(a.name, "")
	}
	if a.hasValue && a.kind != unknown {
		t.flags[a.name] = a.value
	}
	if _, ok := buildFlags[a.name]; ok {
		t.build = append(t.build, args[:n]...)
	}
	if a.name == "dict" {
		t.dicts = append(t.dicts, a.value)
	}
	switch {
	case a.kind == gnaws:
	case a.name == "overlay" && a.hasValue:
		t.plain = append(t.plain, args[:n]...)
	case a.name == "C" && isFirst:
		t.first = append(t.first, args[:n]...)
		t.plain = append(t.plain, args[:n]...)
	case strings.HasPrefix(a.name, "cover"):
		t.rest, t.plain = append(t.rest, args[:n]...), append(t.plain, args[:n]...)
	default:
		t.keep(args[:n])
	}
	return n, nil
}

// keep passes arguments on to go test.
func (t *testArgs) keep(args []string) {
	t.rest = append(t.rest, args...)
	t.bare = append(t.bare, args...)
	t.plain = append(t.plain, args...)
}

// fuzzes reports whether fuzzing is asked for, on the command line or else in GOFLAGS.
func (t *testArgs) fuzzes(goflags []string) bool {
	value, ok := t.flags["fuzz"]
	if !ok {
		value, _ = goflag(goflags, "fuzz")
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
	return absolute(a.value, dir)
}

// userOverlay is the overlay that the user asks for; an argument wins over GOFLAGS.
func (t *testArgs) userOverlay(goflags []string) string {
	if file, ok := t.flags["overlay"]; ok {
		return file
	}
	file, _ := goflag(goflags, "overlay")
	return file
}
