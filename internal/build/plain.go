package build

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
)

// Plain builds the test binary of the package pkg, an import path as seen from dir or its absolute folder, as `go test -c`
// does: without instrumentation and without the probe. It returns where that is, in gnaw's cache. flags are build flags such
// as -tags, an -overlay among them. What the compiler says is in the [BuildError].
func Plain(ctx context.Context, tc Toolchain, pkg, dir string, flags []string) (string, error) {
	out, err := binaryPath(tc, pkg, dir, append([]string{"without instrumentation"}, flags...))
	if err != nil {
		return "", err
	}
	return out, compile(ctx, tc, pkg, dir, flags, out)
}

// PlainEnv is the environment variable with the [PlainBuild] of `gnaw test`, as JSON. A test binary that was built by
// `gnaw test -c` runs without it.
const PlainEnv = "GNAW_PLAIN"

// PlainBuild is how a test binary is built without instrumentation.
type PlainBuild struct {
	Dir   string   // absolute: where paths in flags count from
	Flags []string // the user's build flags
}

// plainBuild is the variable for the command line, whose paths count from dir.
func (t *testArgs) plainBuild(dir string) (variable string, err error) {
	p := PlainBuild{Flags: t.build}
	if p.Dir, err = filepath.Abs(dir); err != nil {
		return "", fmt.Errorf("find the folder %s: %w", dir, err)
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // strings can be encoded
	}
	return PlainEnv + "=" + string(text), nil
}

// Binary builds the test binary of the package in the folder pkg, which is absolute, by the go command of environ; see
// [Plain].
func (p PlainBuild) Binary(ctx context.Context, environ []string, pkg string) (string, error) {
	tc, err := FindToolchain(ctx, p.Dir, environ)
	if err != nil {
		return "", err
	}
	return Plain(ctx, tc, pkg, p.Dir, p.Flags)
}
