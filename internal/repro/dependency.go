package repro

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// dependency runs the input of a finding of a dependency in plain go test, in a private copy of its module, at o.Version or at the
// version that the main module has now.
func (o Options) dependency(ctx context.Context) (res Result, err error) {
	r := WithFile(o.Record)
	tc, err := gocommand.FindToolchain(ctx, o.Module.Root, o.Environ)
	if err != nil {
		return Result{}, err
	}
	d, err := open(ctx, tc, o.spec(r), r, o.Version)
	if err != nil {
		return Result{}, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if text := moved(*r.Dependency, d.Target); text != "" {
		fmt.Fprintf(o.Notices, "gnaw: %s\n", text)
	}
	if r.Flags, err = d.GoTestFlags(ctx); err != nil {
		return Result{}, err
	}
	o.Record = r
	return o.goTest(ctx, tc, o.Module.Root)
}

// spec returns the target of a finding of a dependency, and how to run it.
func (o Options) spec(r finding.Record) session.Spec {
	return session.Spec{
		Dir: o.Module.Root, Environ: o.Environ, Package: r.Package, Target: r.Target, Flags: r.Flags, Args: r.Args, Timeout: o.Timeout,
	}
}

// open opens the target of a finding of a dependency at a version of the dependency, and puts the input into the copy of the module. If
// version is empty, it is that of the main module. The caller closes the result.
func open(ctx context.Context, tc gocommand.Toolchain, s session.Spec, r finding.Record, version string) (*session.Dependency, error) {
	d, err := session.OpenDependency(ctx, tc, s, version)
	if err != nil {
		return nil, err
	}
	if r.Path != "" && r.Input != "" {
		file := filepath.Join(d.Target.Work(), "testdata", "fuzz", r.Target, path.Base(r.Path))
		if err := disk.Write(file, []byte(r.Input)); err != nil {
			return nil, errors.Join(err, d.Close())
		}
	}
	return d, nil
}

// moved says that the main module has another version of a dependency now; empty: it does not.
func moved(found finding.Dependency, now build.Target) string {
	if found.Version == now.Outside.Version {
		return ""
	}
	return fmt.Sprintf("the input was found with %s@%s; it runs with %s", found.Module, found.Version, now.Outside.Version)
}
