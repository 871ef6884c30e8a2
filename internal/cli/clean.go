package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// cleanFlags are the flags of `gnaw clean`.
type cleanFlags struct {
	dry, history, json bool
}

func (f *cleanFlags) define() *flagSet {
	fs := newFlags("clean")
	fs.describe("n", "", "print what gnaw clean would remove, and remove nothing")
	fs.BoolVar(&f.dry, "n", false, "")
	fs.describe("history", "", "remove the history too; the inputs of known findings are only there and are lost, but .gnaw/known.toml stays")
	fs.BoolVar(&f.history, "history", false, "")
	fs.describe("json", "", "print one object for each part: path, bytes, kept_bytes (in use), removed")
	fs.BoolVar(&f.json, "json", false, "")
	return fs
}

// runClean is `gnaw clean`.
func runClean(_ context.Context, env Env, args []string) (int, error) {
	var f cleanFlags
	rest, err := parseMixed(f.define(), args)
	if err != nil {
		return 0, err
	}
	if len(rest) > 0 {
		return 0, usagef("clean takes no arguments; `gnaw help clean` says what it removes")
	}
	dir, err := cache.Dir()
	if err != nil {
		return 0, err
	}
	keep := []string{store.FileName}
	if f.history {
		keep = nil
		if cache.Busy(dir) {
			return 0, errors.New("clean the history: a gnaw is running that writes to it; end that process, or leave -history out")
		}
	}
	cleaned, err := cache.Clean(dir, f.dry, keep...)
	errs := []error{err}
	word := "removed"
	if f.dry {
		word = "would remove"
	}
	var total int64
	for _, c := range cleaned {
		total += c.Bytes
		if f.json {
			errs = append(errs, writeJSON(env.Stdout, cleanJSON{c.Path, c.Bytes, c.Kept, !f.dry && c.Whole}))
			continue
		}
		note := ""
		if !c.Whole {
			note = fmt.Sprintf(", but for %s that a running gnaw uses", megabytes(c.Kept))
		}
		fmt.Fprintf(env.Stdout, "%s %-8s %s%s\n", word, megabytes(c.Bytes), c.Path, note)
	}
	if f.json {
		return exitcode.OK, errors.Join(errs...)
	}
	stays := "inputs in testdata, the corpus of go test -fuzz and the history of findings stay"
	if f.history {
		stays = "inputs in testdata and the corpus of go test -fuzz stay"
	}
	fmt.Fprintf(env.Stdout, "%s %s in all; %s\n", word, megabytes(total), stays)
	return exitcode.OK, errors.Join(errs...)
}

// cleanJSON is the JSON form of a part of the cache.
type cleanJSON struct {
	Path    string `json:"path"` // absolute
	Bytes   int64  `json:"bytes"`
	Kept    int64  `json:"kept_bytes,omitempty"` // bytes that a running gnaw uses
	Removed bool   `json:"removed"`              // false with -n, or if a part is kept
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
