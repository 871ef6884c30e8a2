// Package project finds the module of a folder: its root, its path and its current commit.
package project

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// Module is a module. Findings, and the list of known ones, belong to it.
type Module struct {
	Root string // absolute folder of go.mod; of go.work if there is no go.mod; the working directory if there is neither
	Path string // path of the module; the folder if there is none
}

// Find looks for the module in the folder dir and above it.
func Find(dir string) Module {
	for _, name := range []string{"go.mod", "go.work"} {
		for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
			text, err := disk.Read(filepath.Join(at, name), disk.MaxList)
			if err == nil {
				return Module{at, cmp.Or(modfile.ModulePath(text), at)}
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return Module{dir, dir}
}

// Source returns where the code of a package is, whose folder is dir.
func (m Module) Source(pkg, dir string) report.Source {
	return report.Source{Root: m.Root, Module: m.Path, Package: pkg, Dir: dir}
}

// Abs returns the absolute path of a file or folder of a record.
func (m Module) Abs(name string) string {
	file := filepath.FromSlash(name)
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(m.Root, file)
}

// Commit returns the commit of the git work tree, "" if there is none, and whether files of it are changed.
func (m Module) Commit(ctx context.Context, environ []string) (hash string, changed bool) {
	hash, err := Git(ctx, environ, m.Root, "rev-parse", "HEAD")
	if err != nil {
		return "", false
	}
	// What is not tracked may be a failing input that was written by the last campaign.
	changes, err := Git(ctx, environ, m.Root, "status", "--porcelain", "--untracked-files=no")
	return hash, err == nil && changes != ""
}

// Shares reports whether the history of the module in the folder root is that of m, which has the same path: it is the same folder, or another
// work tree of the same git repository, or a folder that no longer has the module, as after a move. Otherwise it is another project that has the
// same path, or another clone, in which other code may be checked out.
func (m Module) Shares(ctx context.Context, environ []string, root string) bool {
	if root == "" || root == m.Root {
		return true
	}
	there, err := os.Stat(root)
	if err != nil || Find(root) != (Module{root, m.Path}) {
		return true
	}
	if here, err := os.Stat(m.Root); err == nil && os.SameFile(here, there) {
		return true
	}
	own, ok := m.repository(ctx, environ)
	other, also := Module{Root: root}.repository(ctx, environ)
	return ok && also && os.SameFile(own, other)
}

// repository returns the folder of the git repository that the module is in. All work trees of a repository have the same one.
func (m Module) repository(ctx context.Context, environ []string) (folder os.FileInfo, ok bool) {
	name, err := Git(ctx, environ, m.Root, "rev-parse", "--git-common-dir")
	if err != nil {
		return nil, false
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(m.Root, name)
	}
	folder, err = os.Stat(name)
	return folder, err == nil
}

// Ignores reports whether git ignores a file, because of a .gitignore file for example. The file need not exist, but its folder does. Without
// git or a repository there is no such file.
func Ignores(ctx context.Context, environ []string, file string) bool {
	_, err := Git(ctx, environ, filepath.Dir(file), "check-ignore", "--quiet", "--", filepath.Base(file))
	return err == nil
}

// Relative shortens a path to what a person in the folder dir would type.
func Relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// FolderFrom returns a folder of a record as a person in the folder dir would type it, as in "./p".
func (m Module) FolderFrom(dir, folder string) string {
	folder = Relative(dir, m.Abs(folder))
	if !filepath.IsAbs(folder) && folder != "." {
		folder = "." + string(filepath.Separator) + folder
	}
	return folder
}

// ofOtherTree are the variables by which git works on another tree than that of its working directory, which hooks have, and those that
// change which files a pattern means and what git diff prints.
var ofOtherTree = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE",
	"GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_DIFF_OPTS", "GIT_EXTERNAL_DIFF",
}

// OfOwnTree returns an environment without the variables of another tree.
func OfOwnTree(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(ofOtherTree, name)
	})
}

// Git runs git in a folder and returns what it prints, without the last newline. The error has what it prints on its error output.
func Git(ctx context.Context, environ []string, dir string, args ...string) (string, error) {
	var out strings.Builder
	err := GitTo(ctx, environ, dir, &out, args...)
	return strings.TrimRight(out.String(), "\n"), err
}

// plain are the settings of all git commands, which also hold for the git commands that these start. gnaw checks out commits that a program
// tests, and not for a person to work in, so hooks of the user such as linters and installers do not run. Git starts no daemon that watches a
// temporary work tree.
var plain = []string{
	"-c", "color.ui=false", "-c", "log.showSignature=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false",
}

// ShallowHint returns a sentence about the clone that dir is in, if it is shallow: git then does not have older commits. It is empty otherwise.
func ShallowHint(ctx context.Context, environ []string, dir string) string {
	if shallow, err := Git(ctx, environ, dir, "rev-parse", "--is-shallow-repository"); err != nil || shallow != "true" {
		return ""
	}
	return "the clone is shallow, so it does not have the older commits; `git fetch --unshallow` gets them"
}

// GitTo runs git, which prints to out. The error has what it prints on its error output.
func GitTo(ctx context.Context, environ []string, dir string, out io.Writer, args ...string) error {
	cmd := exec.Command("git", slices.Concat(plain, args)...)
	cmd.Dir = dir
	cmd.Env = append(OfOwnTree(environ), "GIT_TERMINAL_PROMPT=0") // it must not wait for an answer
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = out, &said
	err := group.Run(ctx, cmd)
	if err == nil {
		return nil
	}
	if reason := strings.TrimSpace(said.String()); reason != "" {
		err = fmt.Errorf("%w: %s", err, reason)
	}
	return fmt.Errorf("git %s: %w", commandOf(args), err)
}

// commandOf returns the git command that arguments name, behind flags of git itself.
func commandOf(args []string) string {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-c":
			i++ // its setting
		case !strings.HasPrefix(args[i], "-"):
			return args[i]
		}
	}
	return ""
}
