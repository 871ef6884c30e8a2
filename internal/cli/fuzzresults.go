package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/store"
	"github.com/gnaw-fuzz/gnaw/internal/summary"
)

// finish writes the files of a campaign that is over, and tells GitHub Actions about it. It returns the exit code of gnaw, which code is without them.
func (f fuzzFlags) finish(ctx context.Context, env Env, campaign int64, code int) int {
	if len(f.files.list()) == 0 && env.actions == nil {
		return code
	}
	o, err := reportOf(context.WithoutCancel(ctx), env, strconv.FormatInt(campaign, 10)) // ^C ends the campaign, and its results count
	if campaign == 0 || err != nil {
		if campaign == 0 {
			err = errors.New("the history does not have the campaign")
		}
		fmt.Fprintf(env.Stderr, "gnaw: there is no report about the campaign: %v\n", err)
		if len(f.files.list()) > 0 {
			code = orInternal(code)
		}
		return code
	}
	return f.deliver(env, o, code)
}

// finishBroken is finish for a campaign that does not begin because no package can be loaded.
func (f fuzzFlags) finishBroken(ctx context.Context, env Env, broken []build.PackageError) {
	if len(broken) == 0 || len(f.files.list()) == 0 && env.actions == nil {
		return
	}
	m, now, patterns := project.Find(env.Dir), time.Now(), strings.Join(f.patterns, " ")
	o := summary.Options{State: summary.Ended, At: now, Root: m.Root, Prefix: prefixOf(ctx, env, m)}
	o.Version, _ = versionOf()
	o.Campaign.Campaign = store.Campaign{Module: m.Path, Packages: patterns, Args: f.same, Dir: env.Dir, Start: now}
	o.Campaign.Ended = now
	for _, b := range broken {
		o.Results = append(o.Results, store.Result{Target: fuzz.Name{Package: b.Package}, Result: string(event.Unusable), Reason: b.Reason})
	}
	f.deliver(env, o, exitcode.Internal)
}

// deliver writes the files, and tells GitHub Actions about the campaign.
func (f fuzzFlags) deliver(env Env, o summary.Options, code int) int {
	if err := f.files.write(env, o); err != nil {
		fmt.Fprintf(env.Stderr, "gnaw: %v\n", err)
		code = orInternal(code)
	}
	env.actions.report(env, o)
	return code
}

// orInternal returns the exit code of a campaign whose results are not written: a bug is more important than that.
func orInternal(code int) int {
	if code == exitcode.Finding {
		return code
	}
	return exitcode.Internal
}
