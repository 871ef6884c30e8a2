package focus

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// Git runs git in the folder of the module and returns its output. An error contains the error output of git.
type Git func(ctx context.Context, args ...string) (string, error)

// hunk is a change of lines: count lines from old on are replaced by added lines from line on.
type hunk struct{ old, count, line, added int }

// hunkForm is the head of a hunk in the output of git diff -U0.
var hunkForm = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@`)

// changed returns the spots on the lines that a range of revisions changes. `A..` compares A with the files on disk. For `A..B`, changed
// finds where the changed lines of B are in the files on disk, and leaves out those that are no longer there. With three dots the range begins
// at the common ancestor of A and B, or of A and HEAD.
func (f *finder) changed(ctx context.Context, where string) (spots []Spot, err error) {
	revisions, err := f.revisions(ctx, where)
	if err != nil {
		return nil, err
	}
	repo, err := f.repository(ctx)
	if err != nil {
		return nil, err
	}
	now, err := f.diff(ctx, repo, revisions...)
	if err != nil {
		return nil, err
	}
	later := map[string][]hunk{}
	if len(revisions) > 1 {
		if later, err = f.diff(ctx, repo, revisions[1]); err != nil {
			return nil, err
		}
	}
	files, lines, taken := 0, 0, map[int]bool{}
	var outside []string
	for file, hunks := range now {
		switch {
		case len(hunks) == 0 || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
		case !f.concerns(file):
			outside = append(outside, file)
		default:
			files++
			lines += f.addChanged(where, file, hunks, later[file], taken, &spots)
		}
	}
	slices.Sort(outside)
	switch {
	case files == 0 && len(outside) > 0:
		return nil, usage.Errorf("-focus %s: the range changes Go files outside of the module only, and no test binary with a target contains them: %s",
			where, f.names(outside))
	case files == 0:
		return nil, usage.Errorf("-focus %s: the range changes no line of a Go file that is no test", where)
	case len(spots) == 0:
		return nil, usage.Errorf("-focus %s: the range changes no code that a target can reach: %s in %s", where,
			report.Plural(lines, "changed line"), report.Plural(files, "file"))
	}
	slices.SortFunc(spots, order)
	return spots, nil
}

// revisions returns the one or two revisions of a range: A.. and A mean what has changed since A, A..B what has changed between them, and
// A...B what has changed since their common ancestor.
func (f *finder) revisions(ctx context.Context, where string) ([]string, error) {
	from, until, _ := strings.Cut(where, "..")
	until, fork := strings.CutPrefix(until, ".")
	if _, err := f.git(ctx, "rev-parse", "--is-inside-work-tree"); err != nil {
		return nil, usage.Errorf("-focus %s: a range of revisions needs git and a repository: %v", where, err)
	}
	for _, r := range []string{from, until} {
		if r == "" {
			continue
		}
		if _, err := f.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", r+"^{commit}"); err != nil {
			return nil, usage.Errorf("-focus %s: git does not know the revision %s in %s; a shallow clone may lack it, and `git fetch --unshallow` gets it", where, r, f.src.Root)
		}
	}
	if fork {
		base, err := f.git(ctx, "merge-base", from, cmp.Or(until, "HEAD"))
		if err != nil {
			return nil, usage.Errorf("-focus %s: git finds no common ancestor of %s and %s in %s; a shallow clone may lack it, and `git fetch --unshallow` gets it", where, from,
				cmp.Or(until, "HEAD"), f.src.Root)
		}
		from = strings.TrimSpace(base)
	}
	revisions := []string{from}
	if until != "" {
		revisions = append(revisions, until)
	}
	return revisions, nil
}

// concerns reports whether a file is in the module, or in the folder of a package that a test binary with a target contains.
func (f *finder) concerns(file string) bool {
	if rel, err := filepath.Rel(f.src.Root, file); err == nil && filepath.IsLocal(rel) {
		return true
	}
	for built := range f.files {
		if filepath.Dir(built) == filepath.Dir(file) {
			return true
		}
	}
	return false
}

// addChanged adds the spots of the hunks of a file, each node once, and returns the number of lines. A removed line counts as the line behind it.
func (f *finder) addChanged(where, file string, hunks, later []hunk, taken map[int]bool, spots *[]Spot) (lines int) {
	for _, h := range hunks {
		for line := h.line; line < h.line+max(1, h.added); line++ {
			lines++
			at, ok := follow(line, later)
			if h.added == 0 {
				at++
			}
			if !ok {
				continue
			}
			if s, ok := f.spot(where, file, at); ok && !taken[s.node] && f.reachable[s.node] {
				taken[s.node] = true
				*spots = append(*spots, s)
			}
		}
	}
	return lines
}

// follow returns where a line is after some changes; ok is false if one of them replaces it.
func follow(line int, changes []hunk) (at int, ok bool) {
	shift := 0
	for _, h := range changes {
		switch {
		case h.count == 0 && h.old >= line, h.count > 0 && h.old > line:
			return line + shift, true
		case h.count > 0 && line < h.old+h.count:
			return 0, false
		}
		shift += h.added - h.count
	}
	return line + shift, true
}

// repository says where the files of a git repository are.
type repository struct {
	root   string // folder of the module
	prefix string // of the names of its files, with a slash at the end; empty: the module is in the root of the repository
	top    string // root of the repository, without links
}

// repository returns the repository of the module.
func (f *finder) repository(ctx context.Context) (r repository, err error) {
	r.root = f.src.Root
	up, err := f.git(ctx, "rev-parse", "--show-cdup")
	if err == nil {
		r.prefix, err = f.git(ctx, "rev-parse", "--show-prefix")
	}
	if err != nil {
		return r, fmt.Errorf("find the root of the repository: %w", err)
	}
	real, err := filepath.EvalSymlinks(r.root)
	r.top = filepath.Join(real, filepath.FromSlash(up))
	return r, err
}

// path returns the absolute path of a file by its name in the repository. A file of the module is below the folder of the module, which may
// be a link.
func (r repository) path(name string) string {
	if own, ok := strings.CutPrefix(name, r.prefix); ok {
		return filepath.Join(r.root, filepath.FromSlash(own))
	}
	return filepath.Join(r.top, filepath.FromSlash(name))
}

// diffOptions have git print the same lines whatever the user's settings and the attributes of the files are.
var diffOptions = []string{
	"-c", "core.quotePath=false", "-c", "diff.relative=false", "diff", "--unified=0", "--inter-hunk-context=0", "--diff-algorithm=myers",
	"--indent-heuristic", "--text", "--no-textconv", "--no-ext-diff", "--no-renames", "--no-color", "--submodule=short", "-O" + os.DevNull,
	"--src-prefix=a/", "--dst-prefix=b/",
}

// diff returns the changes of files between two revisions, or between one and the files on disk, by absolute path.
func (f *finder) diff(ctx context.Context, r repository, revisions ...string) (map[string][]hunk, error) {
	out, err := f.git(ctx, slices.Concat(diffOptions, revisions, []string{"--", ":(top)*.go"})...)
	if err != nil {
		return nil, fmt.Errorf("list what %s changes: %w", strings.Join(revisions, ".."), err)
	}
	return parseDiff(r, out), nil
}

// parseDiff reads the output of git diff -U0.
func parseDiff(r repository, out string) map[string][]hunk {
	all := map[string][]hunk{}
	file, changed := "", 0 // changed counts the lines that are left of a hunk: such a line may look like a head
	for line := range strings.Lines(out) {
		if changed > 0 && !strings.HasPrefix(line, `\`) {
			changed--
			continue
		}
		line = strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutPrefix(line, "+++ b/"); ok {
			file = r.path(strings.TrimSuffix(name, "\t")) // which stands behind a name with blanks
		} else if strings.HasPrefix(line, "+++ ") {
			file = "" // deleted
		}
		m := hunkForm.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		number := func(s string, missing int) int {
			if n, err := strconv.Atoi(s); err == nil {
				return n
			}
			return missing
		}
		h := hunk{number(m[1], 0), number(m[2], 1), number(m[3], 0), number(m[4], 1)}
		changed = h.count + h.added
		if file != "" {
			all[file] = append(all[file], h)
		}
	}
	return all
}
