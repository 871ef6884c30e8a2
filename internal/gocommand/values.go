package gocommand

import (
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

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

// UsageOf returns the error for a value of one of gnaw's flags; an empty value: there is none.
func UsageOf(flag, value string) error { return &UsageError{flag, value, accepted[flag]} }

// ErrGcflags says that there are -gcflags beside -instrument: one of the two would have no effect.
var ErrGcflags = errors.New("-instrument cannot be used together with -gcflags, by which it is done; remove one of them")

// CheckInstrument returns [ErrGcflags] if -gcflags are given on the command line, or in GOFLAGS.
func CheckInstrument(tc Toolchain, given bool) error {
	goflags, err := SplitGoflags(tc.Flags)
	if err != nil {
		return err
	}
	if _, inGoflags := Goflag(goflags, "gcflags"); given || inGoflags {
		return ErrGcflags
	}
	return nil
}

// ParseStd reads the value of -std, which says whether functions of the standard library get hooks.
func ParseStd(value string) (plain bool, err error) {
	if value != "hooks" && value != "plain" {
		return false, UsageOf("std", value)
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
			return nil, UsageOf("instrument", patterns)
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
