package build

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

// UsageError is a flag of gnaw's own with a value that it cannot have.
type UsageError struct{ Flag, Value, Accepted string }

// Error names the flag and its value, and says what it takes.
func (e *UsageError) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("-%s: no value; it takes %s", e.Flag, e.Accepted)
	}
	return fmt.Sprintf("-%s: bad value %q; it takes %s", e.Flag, e.Value, e.Accepted)
}

// sizes says what [ParseSize] reads.
const sizes = "a number of bytes or of a unit, such as 512MiB or 2GB"

// accepted says what the values of gnaw's flags are.
var accepted = map[string]string{
	"instrument":  "package patterns with commas between them, such as ./...,example.com/dep/...",
	"memlimit":    "off, or at least 16MiB: " + sizes,
	"dict":        "the name of a dictionary file, without " + string(os.PathListSeparator),
	"fuzztimeout": "a duration above zero, such as 500ms or 10s",
	"seed":        "a whole number, such as 1",
	"without":     "names of techniques with commas between them: " + strings.Join(technique.Names(), ", "),
	"std":         "hooks or plain",
}

func usageOf(flag, value string) error { return &UsageError{flag, value, accepted[flag]} }

// Options are the options of [TestCommand].
type Options struct {
	Dir  string // where the command will run; empty means the current folder. -C counts from here
	Gnaw string // the gnaw that a test binary finds its coordinator in; empty means this program
	// Check is called for a command that fuzzes, before anything is built, with the absolute paths of its dictionaries and the packages
	// of its coverage profile. Its error is returned.
	Check func(dictionaries []string, covered CoverOptions) error
}

// TestCommand makes the command line of go test for `gnaw test` with args, and the variables that it needs on top of
// the user's environment.
//
// Without fuzzing it is the user's own command line. With it, an overlay comes first: the user's arguments keep their
// order and all go test flags mean what they do, and only gnaw's flags and the user's -overlay, which is merged, are
// taken out. A bad value of one of gnaw's flags gives a [UsageError].
func TestCommand(tc Toolchain, args []string, opt Options) (argv, env []string, err error) {
	t, err := parseTestArgs(args)
	if err != nil {
		return nil, nil, err
	}
	settings, err := t.settings(TestDir(opt.Dir, t.first))
	if err != nil {
		return nil, nil, err
	}
	plain, err := t.plainBuild(TestDir(opt.Dir, t.first))
	if err != nil {
		return nil, nil, err
	}
	goflags, err := splitGoflags(tc.Flags)
	if err != nil {
		return nil, nil, err
	}
	if !t.fuzzes(goflags) {
		return append([]string{tc.Go, "test"}, t.plain...), slices.Clone(tc.Env), nil
	}
	if opt.Check != nil {
		if err := opt.Check(Dictionaries(settings), t.covered()); err != nil {
			return nil, nil, err
		}
	}
	extra, err := t.instrument(tc, TestDir(opt.Dir, t.first))
	if err != nil {
		return nil, nil, err
	}
	if v, ok := t.flags["std"]; ok {
		tc.Plain = v == "plain"
	}
	if text := CacheNotice(); text != "" && tc.Notices != nil {
		fmt.Fprintf(tc.Notices, "gnaw: %s\n", text)
	}
	o, err := Inject(tc)
	if err != nil {
		return nil, nil, err
	}
	if o, err = o.Merge(t.userOverlay(goflags), TestDir(opt.Dir, t.first)); err != nil {
		return nil, nil, err
	}
	rest := t.rest
	if _, ok := t.flags["coverprofile"]; ok { // gnaw writes the profile
		profile, err := t.profile(TestDir(opt.Dir, t.first))
		if err != nil {
			return nil, nil, err
		}
		rest, settings = t.bare, append(settings, profile)
	}
	o.announce(tc, t.rest)
	o.handOver()
	if opt.Gnaw == "" {
		if opt.Gnaw, err = os.Executable(); err != nil {
			return nil, nil, fmt.Errorf("find gnaw's own program file: %w", err)
		}
	}
	argv = slices.Concat([]string{tc.Go, "test"}, t.first, []string{"-overlay=" + o.File}, extra, rest)
	return argv, slices.Concat(tc.Env, []string{"GNAW=" + opt.Gnaw, plain}, settings), nil
}

// DictEnv is the environment variable with the absolute paths of dictionary files, separated as in PATH.
const DictEnv = "GNAW_DICT"

// Dictionaries returns the paths in the first [DictEnv] of an environment.
func Dictionaries(environ []string) []string {
	for _, pair := range environ {
		if list, ok := strings.CutPrefix(pair, DictEnv+"="); ok {
			return filepath.SplitList(list)
		}
	}
	return nil
}

// settings are the environment variables that carry gnaw's own flags into the test binary, which runs in another folder
// than dir, the one that paths count from.
func (t *testArgs) settings(dir string) (env []string, err error) {
	var dicts []string
	for _, path := range t.dicts {
		if path == "" || strings.ContainsRune(path, os.PathListSeparator) {
			return nil, usageOf("dict", path)
		}
		file, err := filepath.Abs(absolute(path, dir))
		if err != nil {
			return nil, fmt.Errorf("find the folder that -dict=%s counts from: %w", path, err)
		}
		if strings.ContainsRune(file, os.PathListSeparator) {
			return nil, &UsageError{"dict", path, fmt.Sprintf(
				"a file in a folder without %c in its name, unlike %s", os.PathListSeparator, filepath.Dir(file))}
		}
		dicts = append(dicts, file)
	}
	if dicts != nil {
		env = append(env, DictEnv+"="+strings.Join(dicts, string(os.PathListSeparator)))
	}
	if v, ok := t.flags["memlimit"]; ok {
		n, err := ParseMemLimit(v)
		if err != nil {
			return nil, usageOf("memlimit", v)
		}
		env = append(env, "GNAW_MEMLIMIT="+strconv.FormatInt(n, 10))
	}
	if v, ok := t.flags["fuzztimeout"]; ok {
		d, err := time.ParseDuration(v)
		if err != nil || d <= 0 {
			return nil, usageOf("fuzztimeout", v)
		}
		env = append(env, "GNAW_TIMEOUT="+d.String())
	}
	if v, ok := t.flags["seed"]; ok {
		if _, err := strconv.ParseUint(v, 10, 64); err != nil {
			return nil, usageOf("seed", v)
		}
		env = append(env, "GNAW_SEED="+v)
	}
	if v, ok := t.flags["without"]; ok {
		if _, err := technique.Parse(v); err != nil {
			return nil, usageOf("without", v)
		}
		env = append(env, "GNAW_WITHOUT="+v)
	}
	if v, ok := t.flags["std"]; ok {
		if _, err := ParseStd(v); err != nil {
			return nil, err
		}
	}
	if v, ok := t.flags["instrument"]; ok {
		if _, err := InstrumentFlags(v); err != nil {
			return nil, err
		}
	}
	return env, nil
}

// instrument makes the flags for -instrument, if it was given. dir is the folder from which patterns are seen.
func (t *testArgs) instrument(tc Toolchain, dir string) ([]string, error) {
	patterns, ok := t.flags["instrument"]
	if !ok {
		return nil, nil
	}
	_, given := t.flags["gcflags"]
	if err := CheckInstrument(tc, given); err != nil {
		return nil, err
	}
	flags, err := InstrumentFlags(patterns)
	return byImportPath(flags, dir), err
}

// ErrGcflags says that there are -gcflags beside -instrument: one of the two would have no effect.
var ErrGcflags = errors.New("-instrument cannot be used together with -gcflags, by which it is done; remove one of them")

// CheckInstrument returns [ErrGcflags] if -gcflags are given on the command line, or in GOFLAGS.
func CheckInstrument(tc Toolchain, given bool) error {
	goflags, err := splitGoflags(tc.Flags)
	if err != nil {
		return err
	}
	if _, inGoflags := goflag(goflags, "gcflags"); given || inGoflags {
		return ErrGcflags
	}
	return nil
}

// ParseStd reads the value of -std, which says whether functions of the standard library get hooks.
func ParseStd(value string) (plain bool, err error) {
	if value != "hooks" && value != "plain" {
		return false, usageOf("std", value)
	}
	return value == "plain", nil
}

// InstrumentFlags makes the flags of `go test -fuzz` that restrict coverage instrumentation to the packages that match
// patterns, a list with commas. Of these, the ones are instrumented that `go test -fuzz` instruments. They cannot be
// used together with other -gcflags.
//
// The go command puts -d=libfuzzer behind all flags for the compiler that a user can give, so -d=libfuzzer=0 in
// -gcflags has no effect on a package that it instruments. But a flag that wants a value and stands last takes
// -d=libfuzzer as that value: we give -D, the prefix of relative imports, which no module has. Where there is no
// -d=libfuzzer, it takes -nolocalimports, which is just as idle. The last pattern that matches a package decides.
func InstrumentFlags(patterns string) ([]string, error) {
	flags := []string{"-gcflags=all=-D"}
	for p := range strings.SplitSeq(patterns, ",") {
		p = strings.TrimSpace(p)
		if p == "" || strings.ContainsAny(p, "= \t\n") || strings.ContainsAny(p[:1], `-'"`) {
			return nil, usageOf("instrument", patterns)
		}
		flags = append(flags, "-gcflags="+p+"=")
	}
	return flags, nil
}

// units of sizes. As everywhere, the ones with an i, and the bare letters, are powers of 1024.
var units = []struct {
	suffix string
	bytes  float64
}{
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"GiB", 1 << 30},
	{"TiB", 1 << 40},
	{"KB", 1e3},
	{"MB", 1e6},
	{"GB", 1e9},
	{"TB", 1e12},
	{"K", 1 << 10},
	{"M", 1 << 20},
	{"G", 1 << 30},
	{"T", 1 << 40},
	{"B", 1},
}

// ParseSize reads a number of bytes above zero, such as 1.5GiB. "off" is 0. The error says what it takes.
func ParseSize(s string) (int64, error) {
	if s == "off" {
		return 0, nil
	}
	number, factor := s, 1.0
	for _, u := range units {
		if n := len(s) - len(u.suffix); n >= 0 && strings.EqualFold(s[n:], u.suffix) {
			number, factor = s[:n], u.bytes
			break
		}
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if size := x * factor; err == nil && size >= 1 && size < math.MaxInt64 { // false for NaN
		return int64(size), nil
	}
	return 0, errors.New("want " + sizes)
}

// MinMemLimit is the smallest limit for the heap of a worker, in bytes. The test binary and gnaw's engine in it need a part of the heap.
const MinMemLimit = 16 << 20

// ParseMemLimit reads a limit for the heap of a worker in bytes, at least [MinMemLimit]. "off" is 0: no limit. The error says what it
// takes.
func ParseMemLimit(s string) (int64, error) {
	n, err := ParseSize(s)
	if err != nil || n > 0 && n < MinMemLimit {
		return 0, errors.New("want " + accepted["memlimit"])
	}
	return n, nil
}
