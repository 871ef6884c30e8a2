package conform

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

// A warmed build cache holds the parts of the standard library that the scripts of a toolchain need, in all the ways
// they need them: plain, instrumented for fuzzing, with the race detector, with cgo, and as the tool under test builds
// them. It is a cache directory of the go command, below the user's cache directory, and can be deleted at any time.

// warmDir is where the warmed cache of a toolchain lies.
func warmDir(version string) (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "gnaw-conform", "go"+version), nil
}

// warmFor: the go command drops cache entries that nobody used for five days.
const warmFor = 4 * 24 * time.Hour

// warmUp fills the warmed cache for b's toolchain and tool unless that was done lately.
func (b *bridge) warmUp(logf func(string, ...any)) error {
	files, err := b.warmFiles()
	if err != nil {
		return err
	}
	stamp, err := b.warmStamp(files)
	if err != nil {
		return err
	}
	if info, err := os.Stat(stamp); err == nil && time.Since(info.ModTime()) < warmFor {
		return nil
	}
	dir, err := os.MkdirTemp("", "gnaw-conform-warm")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	defer endProcesses(dir)
	for _, file := range files {
		name := filepath.Join(dir, filepath.FromSlash(file.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, file.Data, 0o666); err != nil {
			return err
		}
	}
	start := time.Now()
	for _, args := range b.warmCommands() {
		if err := b.warmRun(dir, args); err != nil {
			return err
		}
	}
	logf("go%s: build cache warmed in %.0fs", b.tc.Version, time.Since(start).Seconds())
	return os.WriteFile(stamp, nil, 0o666)
}

// warmCommands are the ways in which the scripts build; "go test" is the tool under test.
func (b *bridge) warmCommands() [][]string {
	cmds := [][]string{
		{"go", "run", "."},
		{"go", "test", "-run=FuzzWarm", "."},
		{"go", "test", "-fuzz=FuzzWarm", "-fuzztime=1x", "."},
		{"go", "test", "-c", "-o", os.DevNull, "."},
	}
	if b.tc.CGO {
		cmds = append(cmds, []string{"go", "test", "-fuzz=FuzzWarm", "-fuzztime=1x", "./cgo"})
	}
	if b.tc.Race && *flagAll { // the script that needs it is a slow one
		cmds = append(cmds, []string{"go", "test", "-race", "-run=FuzzWarm", "."})
	}
	return cmds
}

// warmLimit ends a command that hangs.
const warmLimit = 20 * time.Minute

// warmRun runs one of the commands in the scripts' environment. That the tool under test fails to fuzz is for the
// scripts to say: only the go command has to succeed.
func (b *bridge) warmRun(dir string, args []string) error {
	name, standIn := b.tc.bin("go"), b.tool != "" && args[1] == "test"
	if standIn {
		name = b.tool
	}
	ctx, cancel := context.WithTimeout(context.Background(), warmLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args[1:]...)
	cmd.WaitDelay = time.Second
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GO") }),
		"PATH="+b.path(), "WORK="+dir,
		"HOME="+b.home, "USERPROFILE="+b.home, "GOCACHE="+b.warm, "GOROOT="+b.tc.Root,
		"GOTOOLCHAIN=local", "GOENV=off", "GOPROXY=off", "GOPATH="+filepath.Join(b.home, "go"))
	out, err := cmd.CombinedOutput()
	if err != nil && !standIn {
		return fmt.Errorf("warm build cache: %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return nil
}

// warmFiles is a module whose packages import all that the scripts import.
func (b *bridge) warmFiles() ([]txtar.File, error) {
	imports, err := stdImports(b.tc)
	if err != nil {
		return nil, err
	}
	var list strings.Builder
	for _, path := range imports {
		fmt.Fprintf(&list, "import _ %q\n", path)
	}
	const target = "import \"testing\"\nfunc FuzzWarm(f *testing.F) { f.Add(\"a\"); f.Fuzz(func(*testing.T, string) {}) }\n"
	return []txtar.File{
		{Name: "go.mod", Data: []byte("module warm\n\ngo 1.20\n")},
		{Name: "main.go", Data: []byte("package main\n" + list.String() + "func main() {}\n")},
		{Name: "warm_test.go", Data: []byte("package main\n" + list.String() + target)},
		{Name: "cgo/c.go", Data: []byte("package cgo\nimport \"C\"\n")},
		{Name: "cgo/c_test.go", Data: []byte("package cgo\n" + target)},
	}, nil
}

// stdImports lists the packages of the standard library that the Go files in the scripts import.
func stdImports(tc toolchain) ([]string, error) {
	var imports []string
	for _, script := range tc.Scripts {
		archive, err := txtar.ParseFile(script)
		if err != nil {
			return nil, err
		}
		for _, file := range archive.Files {
			if !strings.HasSuffix(file.Name, ".go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file.Name, file.Data, parser.ImportsOnly)
			if err != nil {
				continue // a script may bring a file that does not compile
			}
			for _, spec := range parsed.Imports {
				path, err := strconv.Unquote(spec.Path.Value)
				if err != nil || path == "testing" || strings.HasPrefix(path, "internal/") {
					continue
				}
				if _, err := os.Stat(filepath.Join(tc.Root, "src", filepath.FromSlash(path))); err == nil {
					imports = append(imports, path)
				}
			}
		}
	}
	slices.Sort(imports)
	return slices.Compact(imports), nil
}

// warmStamp names the file that says: this tool has warmed this cache with these files.
func (b *bridge) warmStamp(files []txtar.File) (string, error) {
	h := sha256.New()
	h.Write(txtar.Format(&txtar.Archive{Files: files}))
	fmt.Fprintf(h, "%q", b.warmCommands())
	if b.tool != "" {
		data, err := os.ReadFile(b.tool)
		if err != nil {
			return "", err
		}
		h.Write(data)
	}
	if err := os.MkdirAll(b.warm, 0o777); err != nil {
		return "", err
	}
	return filepath.Join(b.warm, "warmed-"+hex.EncodeToString(h.Sum(nil)[:8])), nil
}

// fillCache fills the build cache at dst from the warmed one, unless something is there already. After `go clean -cache`
// it is filled again: the scripts cannot tell, because what they build themselves is never in the warmed cache.
//
// Outputs (…-d) are named by their content and can be shared as hard links. The go command rewrites the short action
// entries (…-a) in place, so these are copied.
func fillCache(dst, warm string) error {
	if _, err := os.Stat(filepath.Join(dst, "00")); err == nil || !filepath.IsAbs(dst) {
		return nil
	}
	files, err := filepath.Glob(filepath.Join(warm, "[0-9a-f][0-9a-f]", "*-[ad]"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dst, "00"), 0o777); err != nil {
		return err
	}
	made := "00"
	for _, file := range files {
		shard := filepath.Base(filepath.Dir(file))
		if shard != made {
			if err := os.MkdirAll(filepath.Join(dst, shard), 0o777); err != nil {
				return err
			}
			made = shard
		}
		if err := share(file, filepath.Join(dst, shard, filepath.Base(file))); err != nil {
			return fmt.Errorf("fill build cache: %w", err)
		}
	}
	return nil
}

// share makes src available as dst: linked where that is possible and safe, else copied. Programs that `go run` cached
// are directories and are left out, and so is a file that the go command removed meanwhile.
func share(src, dst string) error {
	info, err := os.Lstat(src)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	if strings.HasSuffix(src, "-d") && os.Link(src, dst) == nil {
		return nil
	}
	data, err := os.ReadFile(src)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.WriteFile(dst, data, 0o666)
}
