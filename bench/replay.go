package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/input"
)

// seedDir is where a fuzz test looks for its seeds, below its working directory.
var seedDir = filepath.Join("testdata", "fuzz", "FuzzTarget")

// replayTimeout bounds one replay of many entries, which takes a second or two.
const replayTimeout = time.Minute

// A replayer measures what a corpus covers, of any fuzzer: plain `go test -cover` runs all of it, without any fuzzer's
// instrumentation.
type replayer struct {
	module   string // folder with the targets
	binaries string // folder for the binaries
	machine  *machine
}

func (r *replayer) binary(s subject) string {
	return filepath.Join(r.binaries, s.Name+".cover.test"+exeSuffix())
}

// build makes the test binary that replays.
func (r *replayer) build(ctx context.Context, s subject) error {
	_, err := output(ctx, r.module, "go", "test", "-c", "-cover", "-covermode=set", "-coverpkg="+strings.Join(s.Packages, ","),
		"-o", r.binary(s), "./"+s.dir())
	return err
}

// replay runs files in the form of `go test fuzz v1`. What ends the process or takes too long is left out; lost is the number
// of such files.
func (r *replayer) replay(ctx context.Context, s subject, files [][]byte) (p profile, lost int, err error) {
	p, lost, err = halve(ctx, files, func(files [][]byte) (profile, error) { return r.try(ctx, s, files) })
	if err != nil {
		return nil, 0, fmt.Errorf("replay %s: %w", s.Name, err)
	}
	return p, lost, nil
}

// halve tries all files, and if that fails both halves of them, down to single ones. That trying nothing fails is an error.
func halve(ctx context.Context, files [][]byte, try func([][]byte) (profile, error)) (p profile, lost int, err error) {
	p, err = try(files)
	if err == nil || len(files) == 0 || ctx.Err() != nil {
		return p, 0, err
	}
	if len(files) == 1 {
		p, err = try(nil)
		return p, 1, err
	}
	p, lost, err = halve(ctx, files[:len(files)/2], try)
	if err != nil {
		return nil, 0, err
	}
	q, more, err := halve(ctx, files[len(files)/2:], try)
	if err != nil {
		return nil, 0, err
	}
	p.add(q)
	return p, lost + more, nil
}

// try replays all files in one process.
func (r *replayer) try(ctx context.Context, s subject, files [][]byte) (p profile, err error) {
	cmd, err := r.machine.command(ctx, r.binary(s), "-test.run=^FuzzTarget$", "-test.coverprofile=cover.out",
		"-test.timeout="+replayTimeout.String())
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(cmd.Dir)
	if err := writeNumbered(filepath.Join(cmd.Dir, seedDir), files); err != nil {
		return nil, err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out[max(0, len(out)-restLimit):])
	}
	file, err := os.Open(filepath.Join(cmd.Dir, "cover.out"))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return parseProfile(file)
}

// writeNumbered writes files into dir, which is created.
func writeNumbered(dir string, files [][]byte) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for i, file := range files {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), file, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// readFiles reads the files of a folder, in the order of their names. A folder that does not exist is empty.
func readFiles(dir string) (files [][]byte, err error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		file, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// fromRaw turns files that are the input itself, as go-fuzz and libFuzzer keep them, into files of `go test fuzz v1`.
func fromRaw(raw [][]byte) (files [][]byte, err error) {
	for _, b := range raw {
		args, err := input.FromValues([]any{b})
		if err != nil {
			return nil, err
		}
		files = append(files, input.Marshal(args))
	}
	return files, nil
}
