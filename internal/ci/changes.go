package ci

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/project"
)

// Changes are the files that a change adds, edits or removes: those of the commits behind the base, and those of the work tree that are not
// committed.
type Changes struct {
	Files []string        // absolute paths, sorted
	has   map[string]bool // by absolute path
	isNew map[string]bool // git does not track the file
}

// FindChanges finds the files that have changed since the base in the work tree that dir is in. Files that git ignores do not count.
func FindChanges(ctx context.Context, environ []string, dir string, base Base) (Changes, error) {
	c := Changes{has: map[string]bool{}, isNew: map[string]bool{}}
	root, err := project.Git(ctx, environ, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return c, err
	}
	root = filepath.FromSlash(root)
	changed, err := project.Git(ctx, environ, root, "diff", "--name-only", "--no-renames", "--no-relative", "--no-ext-diff", "-z", base.Commit, "--")
	if err != nil {
		return c, err
	}
	added, err := project.Git(ctx, environ, root, "ls-files", "--others", "--exclude-standard", "-z", "--")
	if err != nil {
		return c, err
	}
	for i, names := range []string{changed, added} {
		for name := range strings.SplitSeq(names, "\x00") {
			if name == "" {
				continue
			}
			file := filepath.Join(root, filepath.FromSlash(name))
			c.has[file], c.isNew[file] = true, i == 1
			c.Files = append(c.Files, file)
		}
	}
	slices.Sort(c.Files)
	c.Files = slices.Compact(c.Files)
	return c, nil
}

// below returns the first changed file in a folder or below it; empty: there is none.
func (c Changes) below(folder string) string {
	prefix := folder + string(filepath.Separator)
	i, _ := slices.BinarySearch(c.Files, prefix)
	if i < len(c.Files) && strings.HasPrefix(c.Files[i], prefix) {
		return c.Files[i]
	}
	return ""
}
