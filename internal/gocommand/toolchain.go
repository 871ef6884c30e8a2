package gocommand

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// oldestMinor is the oldest Go version that gnaw supports, as in go1.24. Newer ones than we know are tried: the anchors
// decide.
const oldestMinor = 24

// Toolchain is the Go toolchain that a folder's module uses, and how to run it.
type Toolchain struct {
	Go         string   // path of the go command
	Version    string   // as in "go1.26.1"
	Root       string   // GOROOT as the go command sees it; may be a symbolic link
	ModCache   string   // GOMODCACHE
	Cache      string   // GOCACHE
	Flags      string   // GOFLAGS, from the environment or from `go env -w`
	OS, Arch   string   // GOOS and GOARCH
	Experiment string   // GOEXPERIMENT
	Env        []string // to be added to the environment of the go command; usually empty

	// Plain leaves out the hooks in the standard library that show what the compiler does not report: it stays as it is,
	// apart from package testing and what belongs to it.
	Plain bool
	// Notices gets a line for what the user should know before something is built; nil: nobody does.
	Notices io.Writer

	Placed bool              // hooks identify comparisons by addresses of code
	Trace  func(line string) // called with each command that compiles a test binary; may be nil
	base   []string          // the environment it was found with
}

// Environ is the full environment for running the go command: the one given to [FindToolchain], and tc.Env.
func (tc Toolchain) Environ() []string { return slices.Concat(tc.base, tc.Env) }

// Source says where the packages are that patterns in dir match with these build flags.
func (tc Toolchain) Source(dir string, flags []string) code.Source {
	return code.Source{Go: tc.Go, Dir: dir, Environ: tc.Environ(), Flags: flags}
}

// FindToolchain asks the go command in PATH which toolchain it uses in dir, where go.mod and GOTOOLCHAIN may choose
// another one than the one installed. env is the environment to run it in.
//
// A toolchain fetched by GOTOOLCHAIN lies in the module cache, where the go command refuses overlays. It is reached
// through a symbolic link in gnaw's cache folder then, and tc.Env says so to the go command.
func FindToolchain(ctx context.Context, dir string, env []string) (Toolchain, error) {
	tc, err := findToolchain(ctx, "", dir, env)
	if !errors.Is(err, errNoCache) {
		return tc, err
	}
	folder, err := cache.Dir() // which makes the folder: without need, plain go test shall not
	if err != nil {
		return Toolchain{}, err
	}
	return findToolchain(ctx, folder, dir, env)
}

// errNoCache says that a link to a toolchain has no place. Most toolchains need none.
var errNoCache = errors.New("there is no cache folder")

func findToolchain(ctx context.Context, folder, dir string, env []string) (Toolchain, error) {
	gocmd, err := lookGo(env)
	if err != nil {
		return Toolchain{}, err
	}
	tc := Toolchain{Go: gocmd, base: slices.Clone(env)}
	if err := tc.ask(ctx, dir); err != nil {
		return Toolchain{}, err
	}
	if err := supported(tc.Version); err != nil {
		return Toolchain{}, err
	}
	if !Below(tc.Root, tc.ModCache) {
		return tc, nil
	}
	if folder == "" {
		return Toolchain{}, errNoCache
	}
	cache.Use(folder, cache.Roots)
	link, err := linkRoot(filepath.Join(folder, cache.Roots), tc.Version, tc.Root)
	if err != nil {
		return Toolchain{}, err
	}
	tc.Go = filepath.Join(link, "bin", "go"+ExeSuffix)
	tc.Root = link
	tc.Env = []string{"GOROOT=" + link, "GOTOOLCHAIN=local"}
	return tc, nil
}

// lookGo finds the go command in the PATH of env.
func lookGo(env []string) (string, error) {
	const missing = "find the go command: no %q in PATH; install Go 1.24 or newer (https://go.dev/dl) or correct PATH"
	path := ""
	for _, kv := range env {
		if k, v, ok := strings.Cut(kv, "="); ok && isPathVariable(k) {
			path = v
		}
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue // as package os/exec: nothing is run from the current folder by accident
		}
		if file, err := exec.LookPath(filepath.Join(dir, "go"+ExeSuffix)); err == nil {
			return file, nil
		}
	}
	return "", fmt.Errorf(missing, "go"+ExeSuffix)
}

// ask fills tc with what `go env` says in dir.
func (tc *Toolchain) ask(ctx context.Context, dir string) error {
	out, err := tc.Output(ctx, dir, "env", "-json",
		"GOROOT", "GOVERSION", "GOMODCACHE", "GOFLAGS", "GOOS", "GOARCH", "GOCACHE", "GOEXPERIMENT")
	if err != nil {
		return fmt.Errorf("ask the go command for its settings in %s: %w", dir, err)
	}
	var v struct{ GOROOT, GOVERSION, GOMODCACHE, GOFLAGS, GOOS, GOARCH, GOCACHE, GOEXPERIMENT string }
	if err := json.Unmarshal(out, &v); err != nil {
		return fmt.Errorf("read the output of %s env: %w", tc.Go, err)
	}
	if v.GOROOT == "" || v.GOVERSION == "" {
		return fmt.Errorf("%s names no GOROOT and version; reinstall Go or unset GOROOT", tc.Go)
	}
	tc.Root, tc.Version, tc.ModCache, tc.Flags = v.GOROOT, v.GOVERSION, v.GOMODCACHE, v.GOFLAGS
	tc.OS, tc.Arch, tc.Cache, tc.Experiment = v.GOOS, v.GOARCH, v.GOCACHE, v.GOEXPERIMENT
	return nil
}

// supported reports a Go version that is older than those gnaw knows.
func supported(version string) error {
	rest, ok := strings.CutPrefix(version, "go1.")
	if !ok {
		return nil // a development version: the anchors decide
	}
	digits := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if digits < 0 {
		digits = len(rest)
	}
	if minor, err := strconv.Atoi(rest[:digits]); err == nil && minor < oldestMinor {
		return fmt.Errorf("%s is too old for gnaw; use go1.%d or newer, for example with GOTOOLCHAIN=go1.26.0",
			version, oldestMinor)
	}
	return nil
}

// linkRoot makes sure that folder has a link to the toolchain at root and returns its path.
func linkRoot(folder, version, root string) (string, error) {
	link := filepath.Join(folder, strings.Fields(version)[0]+"-"+cache.Digest(root)[:8])
	if disk.Same(link, root) {
		return link, nil
	}
	fail := func(err error) (string, error) {
		return "", fmt.Errorf("link the toolchain %s to %s: %w; make the folder %s writable", root, link, err, folder)
	}
	if err := os.MkdirAll(folder, disk.PrivateDir); err != nil {
		return fail(err)
	}
	tmp, err := os.MkdirTemp(folder, ".tmp-*")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(tmp)
	fresh := filepath.Join(tmp, "goroot")
	if err := makeLink(root, fresh); err != nil {
		return fail(err)
	}
	defer os.Remove(fresh) // before RemoveAll of its folder; gone already when all went well
	if err := os.Rename(fresh, link); err != nil && !disk.Same(link, root) {
		os.Remove(link) // a link to a toolchain that is no more; where a rename does not replace it
		if err := os.Rename(fresh, link); err != nil && !disk.Same(link, root) {
			return fail(err)
		}
	}
	return link, nil
}
