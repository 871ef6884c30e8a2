package repro

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// Upstream runs the input of a finding of a dependency as its maintainers would run it: with the newest version of the module, which the go
// command may have to download, and with the GODEBUG settings of the module's own go.mod. If the input cannot run with the newest version,
// the result is [finding.NotTried] with a reason. If the record has the result for the newest version, the input does not run with it again.
// Notices, Version and the fields for go test are not used.
func (o Options) Upstream(ctx context.Context) finding.Upstream {
	r := WithFile(o.Record)
	tc, err := gocommand.FindToolchain(ctx, o.Module.Root, o.Environ)
	if err != nil {
		return finding.Upstream{Result: finding.NotTried, Reason: reason(ctx, err)}
	}
	tc.Env = append(tc.Env, "GOTOOLCHAIN=local") // the newest version may need a newer toolchain, which the go command would download
	u := o.newest(ctx, tc, r)
	if !r.Kind.Measured() && r.NotRun == "" {
		u.Debug = o.debug(ctx, tc, r)
	}
	return u
}

// newest runs the input with the newest version of the module.
func (o Options) newest(ctx context.Context, tc gocommand.Toolchain, r finding.Record) (u finding.Upstream) {
	if !report.HasVersions(r) {
		return u
	}
	latest, err := gocommand.NewestVersion(ctx, tc, o.Module.Root, r.Dependency.Module)
	if err != nil {
		return finding.Upstream{Result: finding.NotTried, Reason: reason(ctx, err)}
	}
	u.Newest = latest
	switch {
	case semver.Compare(r.Dependency.Version, latest) >= 0:
		u.Result = finding.IsNewest
	case r.Upstream.Proved() && r.Upstream.Newest == latest:
		return *r.Upstream
	case r.Kind.Measured() || r.NotRun != "":
		u.Result, u.Reason = finding.NotTried, "go test does not show the failure"
	default:
		fails, err := o.fails(ctx, tc, r, latest)
		switch {
		case err != nil:
			u.Result, u.Reason = finding.NotTried, reason(ctx, err)
		case fails:
			u.Result = finding.Fails
		default:
			u.Result = finding.Passes
		}
	}
	return u
}

// fails reports whether the input fails with a version of the module.
func (o Options) fails(ctx context.Context, tc gocommand.Toolchain, r finding.Record, version string) (fails bool, err error) {
	s := o.spec(r)
	d, err := open(ctx, tc, s, r, version)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return d.Fails(ctx, s, name(r), failure(r))
}

// debug returns the GODEBUG settings of the main module if the input passes with those of the dependency's own go.mod. It returns nil if
// the input fails or cannot run with those.
func (o Options) debug(ctx context.Context, tc gocommand.Toolchain, r finding.Record) []string {
	s := o.spec(r)
	d, err := open(ctx, tc.Offline(), s, r, "")
	if err != nil {
		return nil
	}
	defer func() { _ = d.Close() }() // the next gnaw removes what is left
	flag, ours, err := d.Debug(ctx)
	if err != nil || flag == "" {
		return nil
	}
	if fails, err := d.Fails(ctx, s, name(r), failure(r), flag); err != nil || fails {
		return nil
	}
	return ours
}

// failure returns what of a finding says how plain go test shows it.
func failure(r finding.Record) *finding.Finding {
	return &finding.Finding{Kind: r.Kind, Count: r.Count}
}

// name returns the name of the file or the seed with the input.
func name(r finding.Record) string {
	if r.Path == "" {
		return r.Seed
	}
	return path.Base(r.Path)
}

// reason returns the reason for [finding.NotTried] as one line. The output of the go command may have several.
func reason(ctx context.Context, err error) string {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "there was no time left"
	case ctx.Err() != nil:
		return "gnaw ended"
	case strings.Contains(err.Error(), "GOPROXY=off"):
		return "GOPROXY=off"
	}
	var gone *session.NoTargetError
	if errors.As(err, &gone) {
		return "it has no " + gone.Target
	}
	text, prefix := err.Error(), ""
	var failed *build.BuildError
	if errors.As(err, &failed) {
		text, prefix = cmp.Or(failed.Output, failed.Err.Error()), "it does not build: "
	}
	isPackage := func(line string) bool { return strings.HasPrefix(line, "# ") }
	lines := slices.DeleteFunc(strings.Split(text, "\n"), isPackage)
	return report.Line(prefix + strings.Join(strings.Fields(strings.Join(lines, " ")), " "))
}
