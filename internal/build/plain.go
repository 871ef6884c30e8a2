package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// Plain builds the test binary of the package pkg, an import path as seen from dir or its absolute folder, as `go test -c`
// does: without instrumentation and without the probe, into the file out. flags are build flags such as -tags, an -overlay
// among them. What the compiler says is in the [BuildError].
func Plain(ctx context.Context, tc gocommand.Toolchain, pkg, dir string, flags []string, out string) error {
	return compile(ctx, tc, pkg, dir, flags, out)
}

// PlainEnv is the environment variable with the [PlainBuild] of `gnaw test`, as JSON. A test binary that was built by
// `gnaw test -c` runs without it.
const PlainEnv = "GNAW_PLAIN"

// PlainBuild is how a test binary is built without instrumentation.
type PlainBuild struct {
	Dir   string    // absolute: where paths in flags count from
	Flags []string  // the user's build flags
	Begun time.Time // before anything was built
}

// plainBuild is the variable for a command line, whose paths count from dir.
func plainBuild(t gocommand.TestArgs, dir string) (variable string, err error) {
	p := PlainBuild{Flags: t.Build, Begun: time.Now()}
	if p.Dir, err = filepath.Abs(dir); err != nil {
		return "", fmt.Errorf("find the folder %s: %w", dir, err)
	}
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // strings can be encoded
	}
	return PlainEnv + "=" + string(text), nil
}

// Builder makes a builder of the binary for the package in the folder pkg, which is absolute, by the go command of environ. The
// error says so if a source has changed since the test binary was built that runs.
func (p PlainBuild) Builder(ctx context.Context, environ []string, pkg string) (*Builder, error) {
	tc, err := gocommand.FindToolchain(ctx, p.Dir, environ)
	if err != nil {
		return nil, err
	}
	b, err := NewBuilder(ctx, tc, p.Dir, []string{pkg}, p.Flags)
	if err != nil {
		return nil, err
	}
	if name := b.sources.since(p.Begun); name != "" {
		err := fmt.Errorf("%s has changed since gnaw test was started, so there is no way to build what it runs once more", name)
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}
