// Package project finds the module of a folder: its root, its path and its current commit.
package project

import (
	"cmp"
	"context"
	"fmt"
	"io"
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

// ofOtherTree are the variables by which git works on another tree than that of its working directory. Hooks have them.
var ofOtherTree = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE",
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

// GitTo runs git, which prints to out. The error has what it prints on its error output.
func GitTo(ctx context.Context, environ []string, dir string, out io.Writer, args ...string) error {
	plain := []string{"-c", "color.ui=false", "-c", "log.showSignature=false"}
	cmd := exec.Command("git", append(plain, args...)...)
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
	return fmt.Errorf("git %s: %w", args[0], err)
}
