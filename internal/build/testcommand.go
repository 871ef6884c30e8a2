package build

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/overlay"
	"github.com/gnaw-fuzz/gnaw/internal/probe/technique"
)

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
// taken out. A bad value of one of gnaw's flags gives a [gocommand.UsageError].
func TestCommand(tc gocommand.Toolchain, args []string, opt Options) (argv, env []string, err error) {
	t, err := gocommand.ParseTestArgs(args)
	if err != nil {
		return nil, nil, err
	}
	settings, err := settingsOf(t, gocommand.TestDir(opt.Dir, t.First))
	if err != nil {
		return nil, nil, err
	}
	plain, err := plainBuild(t, gocommand.TestDir(opt.Dir, t.First))
	if err != nil {
		return nil, nil, err
	}
	goflags, err := gocommand.SplitGoflags(tc.Flags)
	if err != nil {
		return nil, nil, err
	}
	if !t.Fuzzes(goflags) {
		return append([]string{tc.Go, "test"}, t.Plain...), slices.Clone(tc.Env), nil
	}
	if opt.Check != nil {
		if err := opt.Check(Dictionaries(settings), covered(t)); err != nil {
			return nil, nil, err
		}
	}
	extra, err := instrument(t, tc, gocommand.TestDir(opt.Dir, t.First))
	if err != nil {
		return nil, nil, err
	}
	if v, ok := t.Flags["std"]; ok {
		tc.Plain = v == "plain"
	}
	if text := cache.Notice(); text != "" && tc.Notices != nil {
		fmt.Fprintf(tc.Notices, "gnaw: %s\n", text)
	}
	o, err := overlay.Inject(tc)
	if err != nil {
		return nil, nil, err
	}
	if o, err = o.Merge(t.UserOverlay(goflags), gocommand.TestDir(opt.Dir, t.First)); err != nil {
		return nil, nil, err
	}
	rest := t.Rest
	if _, ok := t.Flags["coverprofile"]; ok { // gnaw writes the profile
		variable, err := profile(t, gocommand.TestDir(opt.Dir, t.First))
		if err != nil {
			return nil, nil, err
		}
		rest, settings = t.Bare, append(settings, variable)
	}
	o.Announce(tc, t.Rest)
	o.HandOver()
	if opt.Gnaw == "" {
		if opt.Gnaw, err = os.Executable(); err != nil {
			return nil, nil, fmt.Errorf("find gnaw's own program file: %w", err)
		}
	}
	argv = slices.Concat([]string{tc.Go, "test"}, t.First, []string{"-overlay=" + o.File}, extra, rest)
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

// settingsOf returns the environment variables that carry gnaw's own flags into the test binary, which runs in another folder
// than dir, the one that paths count from.
func settingsOf(t gocommand.TestArgs, dir string) (env []string, err error) {
	var dicts []string
	for _, path := range t.Dicts {
		if path == "" || strings.ContainsRune(path, os.PathListSeparator) {
			return nil, gocommand.UsageOf("dict", path)
		}
		file, err := filepath.Abs(gocommand.Absolute(path, dir))
		if err != nil {
			return nil, fmt.Errorf("find the folder that -dict=%s counts from: %w", path, err)
		}
		if strings.ContainsRune(file, os.PathListSeparator) {
			return nil, &gocommand.UsageError{Flag: "dict", Value: path, Accepted: fmt.Sprintf(
				"a file in a folder without %c in its name, unlike %s", os.PathListSeparator, filepath.Dir(file))}
		}
		dicts = append(dicts, file)
	}
	if dicts != nil {
		env = append(env, DictEnv+"="+strings.Join(dicts, string(os.PathListSeparator)))
	}
	if v, ok := t.Flags["memlimit"]; ok {
		n, err := gocommand.ParseMemLimit(v)
		if err != nil {
			return nil, gocommand.UsageOf("memlimit", v)
		}
		env = append(env, "GNAW_MEMLIMIT="+strconv.FormatInt(n, 10))
	}
	if v, ok := t.Flags["fuzztimeout"]; ok {
		d, err := time.ParseDuration(v)
		if err != nil || d <= 0 {
			return nil, gocommand.UsageOf("fuzztimeout", v)
		}
		env = append(env, "GNAW_TIMEOUT="+d.String())
	}
	if v, ok := t.Flags["seed"]; ok {
		if _, err := strconv.ParseUint(v, 10, 64); err != nil {
			return nil, gocommand.UsageOf("seed", v)
		}
		env = append(env, "GNAW_SEED="+v)
	}
	if v, ok := t.Flags["without"]; ok {
		if _, err := technique.Parse(v); err != nil {
			return nil, gocommand.UsageOf("without", v)
		}
		env = append(env, "GNAW_WITHOUT="+v)
	}
	if v, ok := t.Flags["std"]; ok {
		if _, err := gocommand.ParseStd(v); err != nil {
			return nil, err
		}
	}
	if v, ok := t.Flags["instrument"]; ok {
		if _, err := gocommand.InstrumentFlags(v); err != nil {
			return nil, err
		}
	}
	return env, nil
}

// instrument makes the flags for -instrument, if it was given. dir is the folder from which patterns are seen.
func instrument(t gocommand.TestArgs, tc gocommand.Toolchain, dir string) ([]string, error) {
	patterns, ok := t.Flags["instrument"]
	if !ok {
		return nil, nil
	}
	_, given := t.Flags["gcflags"]
	if err := gocommand.CheckInstrument(tc, given); err != nil {
		return nil, err
	}
	flags, err := gocommand.InstrumentFlags(patterns)
	return gocommand.ByImportPath(flags, dir), err
}
