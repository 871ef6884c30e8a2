package cli

import (
	"context"
	"errors"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
)

const helpCover = `usage: gnaw cover [flags] [packages] [-args ...]

Shows which statements the inputs of fuzz targets reach: the seeds and the corpus of each target of the packages (default ./...).
The statements are those of go test -cover.

gnaw builds the test binary of each package with -cover and executes the inputs in it. An input that fails, hangs or ends its
process counts with the statements that it reached before. gnaw keeps the results in its history: the next gnaw cover executes new
inputs only, if the code and the flags are the same. -since compares with a campaign or a git revision. See docs/coverage.md.

{flags}

gnaw cover exits with 3 if a package does not build or the inputs of a target cannot be executed. Failing inputs do not change the
exit code.
`

// runCover is `gnaw cover`.
func runCover(ctx context.Context, env Env, args []string) (code int, err error) {
	f, err := parseCoverFlags(env, args)
	if err != nil {
		return 0, err
	}
	if f.since != "" {
		if f.earlier, err = findEarlier(ctx, env, f.since); err != nil {
			return 0, err
		}
		if err := f.checkSince(); err != nil {
			return 0, err
		}
	}
	tc, targets, broken, err := f.find(ctx, env)
	if err != nil {
		return 0, err
	}
	builder, err := build.NewBuilder(ctx, tc, env.Dir, build.Packages(targets), f.build)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, builder.Close()) }()
	kept := &keptReplays{env: env, began: time.Now()}
	defer kept.close()
	list, failed, err := coverage.RunWith(ctx, tc, builder, targets, f.options(env, kept))
	if err != nil {
		return 0, err
	}
	kept.saveSources(ctx, list)
	out := coverReport{env: env, flags: &f, list: list, blocks: coverage.Merge(list, f.by)}
	code, err = f.notes(env, list, failed, broken)
	if err != nil || out.empty() {
		return code, err
	}
	if f.html != "" && f.by == coverage.All {
		x := &stuck{env: env, flags: &f, tc: tc, targets: targets, builder: builder}
		if err := x.explain(ctx, list, ""); err != nil {
			return 0, err
		}
		kept.saveFrontier(ctx, x.found)
		out.branches = x.branches()
	}
	if err := out.write(ctx, tc); err != nil {
		return 0, err
	}
	if f.since != "" {
		return code, out.since(ctx, tc)
	}
	if f.json {
		return code, out.json()
	}
	out.text()
	return code, nil
}
