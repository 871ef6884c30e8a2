package deps

import (
	"context"
	"errors"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// ErrNoTarget says that a package does not have a target.
var ErrNoTarget = errors.New("the package has no such target")

// Locate finds one target of a dependency, at the version that the main module in the folder root has now. linked are the paths of the
// modules that the main module contains. The error is [ErrNoTarget] if the package does not have the target.
func Locate(ctx context.Context, tc gocommand.Toolchain, root, pkg, name string, flags []string) (t build.Target, linked []string, err error) {
	tc, flags = tc.Offline(), gocommand.OutsideFlags(flags)
	packages, err := gocommand.Linked(ctx, tc, root, []string{"./...", pkg}, flags)
	if err != nil {
		return t, nil, err
	}
	f := finder{tc: tc, Options: Options{Dir: root, Root: root, Flags: flags}, reach: map[string]Reach{}, linked: map[string]gocommand.LinkedPackage{}}
	units := f.units(packages)
	for _, p := range packages {
		if p.ImportPath != pkg {
			continue
		}
		f.Std = p.Standard
		for _, u := range f.units([]gocommand.LinkedPackage{p}) {
			if err := f.find(ctx, u); err != nil {
				return t, nil, err
			}
		}
	}
	for _, found := range f.list.Targets {
		if found.Package == pkg && found.Func == name {
			return found.Target, paths(units), nil
		}
	}
	if len(f.list.LeftOut) > 0 {
		return t, nil, f.list.LeftOut[0]
	}
	return t, nil, fmt.Errorf("%s of %s: %w", name, pkg, ErrNoTarget)
}

func paths(units []*unit) (list []string) {
	for _, u := range units {
		list = append(list, u.path)
	}
	return list
}
