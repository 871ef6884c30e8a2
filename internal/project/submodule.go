package project

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// submodule is a submodule of the commit that a work tree has.
type submodule struct {
	name   string // in .gitmodules
	path   string // of its folder, relative to the root of the work tree, with slashes
	commit string
}

// FillSubmodules puts the files of submodules into a work tree that gnaw has made, as `git submodule update --init --recursive` does, but from
// the repositories that the work tree of the user has of them, without a network. tree is the root of the work tree, and user a folder in that of
// the user. missing is a sentence about submodules whose files these repositories do not have; empty: there are none. The folders of these
// submodules stay empty. The caller calls [EmptySubmodules] before it checks out another commit.
func FillSubmodules(ctx context.Context, environ []string, tree, user string) (missing string, err error) {
	list, err := submodules(ctx, environ, tree)
	if err != nil || len(list) == 0 {
		return "", err
	}
	var homes []string // folders that may have a folder modules
	for _, which := range []string{"--absolute-git-dir", "--git-common-dir"} {
		dir, err := Git(ctx, environ, user, "rev-parse", which)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(user, dir)
		}
		homes = append(homes, dir)
	}
	root, err := Git(ctx, environ, user, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	f := filling{environ: environ, tree: tree}
	if err := f.fill(ctx, tree, root, homes, list); err != nil {
		return "", err
	}
	return f.sentence(), nil
}

// sentence names the submodules that are missing.
func (f *filling) sentence() string {
	const how = "`git submodule update --init --recursive` gets"
	switch len(f.missing) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("the submodule %s is missing in the work tree, because your clone does not have its commit there; %s it", f.missing[0], how)
	}
	return fmt.Sprintf("the submodules %s are missing in the work tree, because your clone does not have their commits there; %s them",
		strings.Join(f.missing, ", "), how)
}

// EmptySubmodules removes the files of submodules from a work tree, so that git can check out another commit.
func EmptySubmodules(ctx context.Context, environ []string, tree string) error {
	list, err := submodules(ctx, environ, tree)
	for _, s := range list {
		dir := filepath.Join(tree, filepath.FromSlash(s.path))
		err = errors.Join(err, os.RemoveAll(dir), os.MkdirAll(dir, 0o777))
	}
	return err
}

// submodules returns the submodules of the commit that is checked out in a work tree, but not theirs.
func submodules(ctx context.Context, environ []string, tree string) (list []submodule, err error) {
	files, err := Git(ctx, environ, tree, "ls-files", "--stage", "-z")
	if err != nil {
		return nil, err
	}
	names := map[string]string{} // by path
	for file := range strings.SplitSeq(files, "\x00") {
		head, path, _ := strings.Cut(file, "\t")
		fields := strings.Fields(head)
		if len(fields) != 3 || fields[0] != "160000" || !filepath.IsLocal(filepath.FromSlash(path)) {
			continue
		}
		list = append(list, submodule{path, path, fields[1]})
	}
	if len(list) == 0 {
		return nil, nil
	}
	// It fails if there is no .gitmodules, or if nobody can read it: then the name of a submodule is its path, as git chooses it.
	text, _ := Git(ctx, environ, tree, "config", "--file", filepath.Join(tree, ".gitmodules"), "--null", "--get-regexp", `^submodule\..*\.path$`)
	for pair := range strings.SplitSeq(text, "\x00") {
		key, path, _ := strings.Cut(pair, "\n")
		names[path] = strings.TrimSuffix(strings.TrimPrefix(key, "submodule."), ".path")
	}
	for i := range list {
		if name := names[list[i].path]; filepath.IsLocal(filepath.FromSlash(name)) {
			list[i].name = name
		}
	}
	return list, ctx.Err()
}

// filling is a call of FillSubmodules.
type filling struct {
	environ []string
	tree    string   // root of the work tree
	missing []string // paths of submodules, relative to tree
}

// fill fills submodules of the work tree tree. root is the work tree of the user that it is like; homes are the git folders of root, which may have
// the repositories of the submodules.
func (f *filling) fill(ctx context.Context, tree, root string, homes []string, list []submodule) error {
	for _, s := range list {
		dir, own := filepath.Join(tree, filepath.FromSlash(s.path)), filepath.Join(root, filepath.FromSlash(s.path))
		var places []string
		for _, home := range homes {
			places = append(places, filepath.Join(home, "modules", filepath.FromSlash(s.name)))
		}
		repository, err := f.checkOut(ctx, dir, s.commit, append(places, filepath.Join(own, ".git")))
		if err != nil {
			return err
		}
		if repository == "" {
			f.missing = append(f.missing, filepath.ToSlash(Relative(f.tree, dir)))
			continue
		}
		inner, err := submodules(ctx, f.environ, dir)
		if err != nil {
			return err
		}
		if err := f.fill(ctx, dir, own, []string{repository}, inner); err != nil {
			return err
		}
	}
	return nil
}

// checkOut puts the files of a commit into a folder, from the first of several places that is a repository with the commit, and returns that place.
// It is empty if there is none; then the folder is, too. The new repository in the folder uses the objects of the other one, and changes nothing there.
func (f *filling) checkOut(ctx context.Context, dir, commit string, places []string) (repository string, err error) {
	for _, place := range places {
		objects := filepath.Join(place, "objects")
		if info, err := os.Stat(objects); err != nil || !info.IsDir() {
			continue
		}
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o777)); err != nil {
			return "", fmt.Errorf("make the folder of a submodule: %w", err)
		}
		if _, err := Git(ctx, f.environ, dir, "init", "--quiet", "--template="); err != nil {
			return "", err
		}
		info := filepath.Join(dir, ".git", "objects", "info")
		if err := os.MkdirAll(info, 0o777); err != nil {
			return "", fmt.Errorf("make the folder of a submodule: %w", err)
		}
		if err := disk.Write(filepath.Join(info, "alternates"), []byte(filepath.ToSlash(objects)+"\n")); err != nil {
			return "", err
		}
		if _, err = Git(ctx, f.environ, dir, "checkout", "--quiet", "--detach", commit); err == nil {
			return place, nil
		}
		if ctx.Err() != nil {
			return "", err
		}
		if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o777)); err != nil {
			return "", fmt.Errorf("empty the folder of a submodule: %w", err)
		}
	}
	return "", nil
}
