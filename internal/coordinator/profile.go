package coordinator

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// checkProfile returns an error if the test binary contains no package that matches -coverpkg. It returns nil if gnaw test did not build the
// binary; writeProfile returns an error then.
func checkProfile(ctx context.Context, o Options, j jobOptions) error {
	if j.profile == nil || len(j.profile.Packages) == 0 || j.plainBuild == nil {
		return nil
	}
	tc, err := gocommand.FindToolchain(ctx, j.plainBuild.Dir, o.Environ)
	if err != nil {
		return err
	}
	_, err = coverage.Packages(ctx, tc, j.plainBuild.Dir, o.Dir, build.CoverOptions{Patterns: j.profile.Packages, Flags: j.plainBuild.Flags})
	return err
}

// writeProfile executes the inputs of the target in a test binary with counters for statements, writes the file of -coverprofile, and prints
// the percentage of covered statements as go test does.
func writeProfile(ctx context.Context, o Options, j jobOptions, target string, plain *plainBinary) error {
	blocks, err := replayAll(ctx, o, j, target, plain)
	if errors.Is(err, coverage.ErrNothing) && len(j.profile.Packages) == 0 {
		err = nil // the package has tests only
	}
	var text bytes.Buffer
	if err == nil {
		err = coverage.WriteProfile(&text, blocks)
	}
	if err == nil {
		err = disk.Write(j.profile.File, text.Bytes())
	}
	if err != nil {
		return fmt.Errorf("write the coverage profile: %w", err)
	}
	if total := coverage.Total(blocks); total.Statements == 0 {
		fmt.Fprintln(o.Notices, "coverage: [no statements]")
	} else {
		fmt.Fprintf(o.Notices, "coverage: %.1f%% of statements\n", total.Percent())
	}
	return nil
}

// replayAll returns what the inputs of the target reach.
func replayAll(ctx context.Context, o Options, j jobOptions, target string, plain *plainBinary) ([]coverage.Reach, error) {
	if plain == nil {
		return nil, errors.New("this test binary was not built by gnaw test, so it is not known how to build it")
	}
	builder, err := plain.wait(ctx)
	if err != nil {
		return nil, err
	}
	tc, err := gocommand.FindToolchain(ctx, j.plainBuild.Dir, o.Environ)
	if err != nil {
		return nil, err
	}
	t, err := session.FindTarget(ctx, tc, o.Dir, ".", target, j.plainBuild.Flags)
	if err != nil {
		return nil, err
	}
	list, failed, err := coverage.RunWith(ctx, tc, builder, []build.Target{t}, coverage.Options{
		Dir: j.plainBuild.Dir, Environ: o.Environ, Packages: j.profile.Packages, Flags: j.plainBuild.Flags, Args: proof.UserArgs(j.Config.Args),
		Timeout: j.Config.Timeout, MemLimit: j.MemLimit,
	})
	if err != nil {
		return nil, err
	}
	if len(failed) > 0 {
		return nil, failed[0].Err
	}
	return coverage.Merge(list, coverage.All), nil
}
