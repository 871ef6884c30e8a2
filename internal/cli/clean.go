package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/build"
)

// runClean is `gnaw clean`.
func runClean(_ context.Context, env Env, args []string) (int, error) {
	flags := flag.NewFlagSet("clean", flag.ContinueOnError)
	dry := flags.Bool("n", false, "")
	asJSON := flags.Bool("json", false, "")
	rest, err := parseMixed(flags, args)
	if err != nil {
		return 0, err
	}
	if len(rest) > 0 {
		return 0, usagef("clean takes no arguments; `gnaw help clean` says what it removes")
	}
	dir, err := build.CacheDir()
	if err != nil {
		return 0, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("read gnaw's cache folder: %w", err)
	}
	word := "removed"
	if *dry {
		word = "would remove"
	}
	var total int64
	var errs []error
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		size := sizeOf(path)
		if !*dry {
			if err := os.RemoveAll(path); err != nil {
				errs = append(errs, fmt.Errorf("remove a part of the cache: %w", err))
				continue
			}
		}
		total += size
		if *asJSON {
			errs = append(errs, writeJSON(env.Stdout, cleanJSON{path, size, !*dry}))
			continue
		}
		fmt.Fprintf(env.Stdout, "%s %-8s %s\n", word, megabytes(size), path)
	}
	if *asJSON {
		return ExitOK, errors.Join(errs...)
	}
	fmt.Fprintf(env.Stdout, "%s %s in all; inputs in testdata and the corpus of go test -fuzz stay\n", word, megabytes(total))
	return ExitOK, errors.Join(errs...)
}

// cleanJSON is a part of the cache as machines read it.
type cleanJSON struct {
	Path    string `json:"path"` // absolute
	Bytes   int64  `json:"bytes"`
	Removed bool   `json:"removed"` // false: it would be
}

// sizeOf returns the bytes of all files below path. What cannot be read counts nothing.
func sizeOf(path string) (n int64) {
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // the rest counts
		}
		if info, err := d.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
