package libfuzzer

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// flags are the values of the flags, in the units of libFuzzer.
type flags struct {
	limits
	mode
	artifacts
	dict       string
	finalStats bool
	help       bool
}

// limits bound a run and an execution.
type limits struct {
	runs       int64 // executions; below 0: no limit
	totalTime  int64 // seconds; 0: no limit
	maxLen     int64 // bytes; 0: the engine chooses
	lenControl int64 // 0: mutants may have any length at once
	seed       int64 // 0: chance
	timeout    int64 // seconds
	rssMB      int64 // MiB; 0: no limit
	fork       int64
	jobs       int64 // failures until the run ends; 0: one, and it ends
	workers    int64
}

// mode is what to do.
type mode struct {
	merge    bool
	setCover bool
	minimize bool
	cleanse  bool
}

// artifacts says where inputs are written.
type artifacts struct {
	prefix string
	exact  string
}

// option is a flag.
type option struct {
	name  string
	value string // the default, as it is shown
	help  string
	// note is printed if the flag is given, because it has no effect here; empty: it has one.
	note  string
	parse func(f *flags, s string) error
}

// number returns how to read a whole number.
func number(field func(f *flags) *int64) func(*flags, string) error {
	return func(f *flags, s string) (err error) {
		*field(f), err = strconv.ParseInt(s, 10, 64)
		if err != nil {
			return errors.New("it takes a whole number")
		}
		return nil
	}
}

// amount is number without those below 0, and without those that are too large for seconds and MiB.
func amount(field func(f *flags) *int64) func(*flags, string) error {
	const most = 1 << 31
	return func(f *flags, s string) error {
		if err := number(field)(f, s); err != nil || *field(f) < 0 || *field(f) > most {
			return fmt.Errorf("it takes a whole number from 0 to %d", most)
		}
		return nil
	}
}

// leastRSS is the least limit of memory in MiB: a process of a target needs less for itself.
const leastRSS = 16

// memory reads a limit of memory.
func memory(f *flags, s string) error {
	if err := amount(func(f *flags) *int64 { return &f.rssMB })(f, s); err != nil {
		return err
	}
	if f.rssMB > 0 && f.rssMB < leastRSS {
		return fmt.Errorf("it takes at least %d, or 0", leastRSS)
	}
	return nil
}

// boolean returns how to read 0 or 1.
func boolean(field func(f *flags) *bool) func(*flags, string) error {
	return func(f *flags, s string) error {
		n, err := strconv.Atoi(s)
		if err != nil {
			return errors.New("it takes 0 or 1")
		}
		*field(f) = n != 0
		return nil
	}
}

// text returns how to read any text.
func text(field func(f *flags) *string) func(*flags, string) error {
	return func(f *flags, s string) error { *field(f) = s; return nil }
}

func ignored(*flags, string) error { return nil }

// options returns all flags in the order of the help.
func options() []option {
	return []option{
		{"runs", "-1", "number of executions, with those of the inputs that are there; 0: these inputs only; -1: no limit", "", number(func(f *flags) *int64 { return &f.runs })},
		{"max_total_time", "0", "seconds for the whole run; 0: no limit", "", amount(func(f *flags) *int64 { return &f.totalTime })},
		{"max_len", "0", "bytes of the longest argument that is tried; 0: gnaw chooses", "", amount(func(f *flags) *int64 { return &f.maxLen })},
		{"len_control", "100", "0: inputs of any length are tried at once; other values: short inputs first", "", amount(func(f *flags) *int64 { return &f.lenControl })},
		{"seed", "0", "seed of all random choices; 0: a new one", "", amount(func(f *flags) *int64 { return &f.seed })},
		{"dict", "", "dictionary file", "", text(func(f *flags) *string { return &f.dict })},
		{"timeout", "10", "seconds that one execution may take; 0: a day", "", amount(func(f *flags) *int64 { return &f.timeout })},
		{"rss_limit_mb", "2048", "MiB of memory that one execution may use, at least 16; 0: no limit", "", memory},
		{"fork", "0", "number of processes that execute inputs", "", amount(func(f *flags) *int64 { return &f.fork })},
		{"jobs", "0", "the run ends with so many different failures, in place of the first one", "", amount(func(f *flags) *int64 { return &f.jobs })},
		{"workers", "0", "number of processes that execute inputs with -jobs; 0: as many as jobs, at most half of the processors", "", amount(func(f *flags) *int64 { return &f.workers })},
		{"merge", "0", "1: add the inputs of the other folders to the first one that show something new", "", boolean(func(f *flags) *bool { return &f.merge })},
		{"set_cover_merge", "0", "as -merge", "", boolean(func(f *flags) *bool { return &f.setCover })},
		{"merge_control_file", "", "has no effect", "the merge always begins anew", ignored},
		{"minimize_crash", "0", "1: make the failing input of a file smaller, within -runs and -max_total_time", "", boolean(func(f *flags) *bool { return &f.minimize })},
		{"cleanse_crash", "0", "1: replace the bytes of the failing input of a file that do not matter", "", boolean(func(f *flags) *bool { return &f.cleanse })},
		{"artifact_prefix", "./", "what the names of files with failing inputs begin with", "", text(func(f *flags) *string { return &f.prefix })},
		{"exact_artifact_path", "", "the file that the failing input is written to", "", text(func(f *flags) *string { return &f.exact })},
		{"print_final_stats", "0", "1: print statistics at the end", "", boolean(func(f *flags) *bool { return &f.finalStats })},
		{"use_value_profile", "0", "has no effect", "gnaw always derives inputs from comparisons", ignored},
		{"close_fd_mask", "0", "has no effect", "the output of the target is shown for a failure only", ignored},
		{"help", "0", "1: print this", "", boolean(func(f *flags) *bool { return &f.help })},
	}
}

// parse reads the arguments. paths are those that are no flags. notes are for the user. The error names a flag with a wrong value.
func parse(args []string) (f flags, paths, notes []string, err error) {
	f = flags{
		limits: limits{runs: -1, lenControl: 100, timeout: 10, rssMB: 2048}, artifacts: artifacts{prefix: "./"},
	}
	for _, a := range args {
		switch {
		case strings.HasPrefix(a, "--"):
			notes = append(notes, fmt.Sprintf("WARNING: %s is ignored; flags have one dash", a))
			continue
		case !strings.HasPrefix(a, "-") || a == "-":
			paths = append(paths, a)
			continue
		}
		name, value, given := strings.Cut(a[1:], "=")
		if !given && name == "help" {
			value = "1"
		}
		o, known := find(name)
		if !known {
			notes = append(notes, fmt.Sprintf("WARNING: unrecognized flag '%s'; use -help=1 to list all flags", a))
			continue
		}
		if err := o.parse(&f, value); err != nil {
			return f, nil, nil, fmt.Errorf("the flag %s: %w", a, err)
		}
		if o.note != "" {
			notes = append(notes, fmt.Sprintf("INFO: -%s has no effect: %s", o.name, o.note))
		}
	}
	return f, paths, notes, nil
}

func find(name string) (option, bool) {
	for _, o := range options() {
		if o.name == name {
			return o, true
		}
	}
	return option{}, false
}

// processes returns how many processes execute inputs.
func (f flags) processes() int {
	switch {
	case f.fork > 0:
		return int(min(f.fork, maxProcesses))
	case f.workers > 0 && f.jobs > 0:
		return int(min(f.workers, f.jobs, maxProcesses))
	case f.jobs > 0:
		return max(1, min(int(f.jobs), runtime.NumCPU()/2))
	}
	return 1
}

// maxProcesses is how many processes there are at most: more than machines have processors.
const maxProcesses = 1024

// limit returns the limit for one execution.
func (f flags) limit() time.Duration {
	if f.timeout == 0 {
		return 24 * time.Hour
	}
	return time.Duration(f.timeout) * time.Second
}

// total returns the time of the run; 0: no limit.
func (f flags) total() time.Duration { return time.Duration(f.totalTime) * time.Second }

// printHelp prints the flags.
func printHelp(w io.Writer, program, target string) {
	fmt.Fprintf(w, `This file fuzzes %s. It has gnaw and all that the target needs.

usage: %[2]s [-flag=value ...] [FOLDER ...]   fuzzes; new inputs are written to the first folder
       %[2]s [-flag=value ...] FILE ...       executes files

A file is the only argument of the target if that is one []byte or string, and otherwise a corpus file of Go, which always fits too.
Exit codes: 0, 77 after a failure, 70 after one that takes too long, 71 after one that needs too much memory, 72 after a signal.

`, target, filepath.Base(program))
	for _, o := range options() {
		fmt.Fprintf(w, " %-20s %s (default %s)\n", o.name, o.help, map[bool]string{true: "none"}[o.value == ""]+o.value)
	}
}
