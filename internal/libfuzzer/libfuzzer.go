// Package libfuzzer has a gnaw executable with a bundle behind it behave as a fuzzer that was built with libFuzzer: flags, files, lines of
// output and exit codes are those that ClusterFuzz and OSS-Fuzz know.
//
// [Main] chooses by the arguments what to do: fuzz.go fuzzes, reproduce.go executes files, merge.go adds inputs to a folder, and minimize.go
// changes a failing input. Each uses a [subject], which is the bundle, extracted to a folder of this process. The processes of the target are
// those of gnaw, and so are the verdicts.
package libfuzzer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/bundle"
)

// Options is what a run has besides its arguments.
type Options struct {
	Program string // as it was called
	Args    []string
	Environ []string
	Dir     string // working directory
	Bundle  *bundle.Bundle
	Out     io.Writer // gets all lines
}

// The exit codes of libFuzzer.
const (
	ok          = 0
	wrong       = 1 // arguments or files that cannot be used
	timedOut    = 70
	outOfMemory = 71
	Interrupted = 72 // a signal has ended the run
	crashed     = 77
)

// Main does what the arguments ask for and returns the exit code. The end of ctx ends the run with [Interrupted], unless there is a
// failure. The error is about gnaw, the machine, or a file.
func Main(ctx context.Context, o Options) (code int, err error) {
	f, paths, notes, err := parse(o.Args)
	if err != nil {
		fmt.Fprintf(o.Out, "ERROR: %v\n", err)
		return wrong, nil
	}
	for _, n := range notes {
		fmt.Fprintln(o.Out, n)
	}
	if f.help {
		printHelp(o.Out, o.Program, o.Bundle.Manifest.Package+"."+o.Bundle.Manifest.Target)
		return ok, nil
	}
	folders, files, err := sorted(o.Dir, paths)
	if err != nil {
		return wrong, err
	}
	u, err := open(o, f)
	if err != nil {
		return wrong, err
	}
	defer func() { err = errors.Join(err, u.close()) }()
	code, err = u.run(ctx, folders, files)
	if err != nil && code == ok {
		code = wrong
	}
	if ctx.Err() != nil && (code == ok || code == wrong) {
		u.printf("gnaw: run interrupted; exiting\n")
		return Interrupted, nil
	}
	return code, err
}

// run chooses what to do.
func (u *subject) run(ctx context.Context, folders, files []string) (int, error) {
	switch {
	case u.minimize || u.cleanse:
		if len(files) != 1 || len(folders) > 0 {
			return wrong, errors.New("-minimize_crash and -cleanse_crash take one file with a failing input")
		}
		return u.change(ctx, files[0])
	case u.merge || u.setCover:
		if len(folders) == 0 {
			return wrong, errors.New("-merge takes the folder that inputs are added to, and the folders that they come from")
		}
		return u.mergeInto(ctx, folders[0], folders[1:], files)
	case len(files) > 0 && len(folders) == 0:
		return u.reproduce(ctx, files)
	}
	return u.fuzz(ctx, folders, files)
}

// sorted tells folders from files. A folder that does not exist is made if it is the first one, since new inputs are written there; another one is an error.
func sorted(dir string, paths []string) (folders, files []string, err error) {
	for _, p := range paths {
		if !filepath.IsAbs(p) {
			p = filepath.Join(dir, p)
		}
		switch info, err := os.Stat(p); {
		case errors.Is(err, os.ErrNotExist) && len(folders)+len(files) == 0:
			if err := os.MkdirAll(p, 0o777); err != nil {
				return nil, nil, fmt.Errorf("make the folder for new inputs: %w", err)
			}
			folders = append(folders, p)
		case err != nil:
			return nil, nil, fmt.Errorf("read inputs: %w", err)
		case info.IsDir():
			folders = append(folders, p)
		case !info.Mode().IsRegular():
			return nil, nil, fmt.Errorf("%s is neither a file nor a folder", p)
		default:
			files = append(files, p)
		}
	}
	return folders, files, nil
}
