package cli

import (
	"cmp"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// project is the module that gnaw was started in: findings, and the list of known ones, belong to it.
type project struct {
	root   string // absolute folder of go.mod; of go.work if there is no go.mod; the working directory if there is neither
	module string // path of the module; the folder if there is none
}

// findProject looks for the module in dir and above it.
func findProject(dir string) project {
	for _, name := range []string{"go.mod", "go.work"} {
		for at := filepath.Clean(dir); ; at = filepath.Dir(at) {
			text, err := disk.Read(filepath.Join(at, name), disk.MaxList)
			if err == nil {
				return project{at, moduleOf(string(text), at)}
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return project{dir, dir}
}

// moduleOf reads the path of a module from its go.mod. The go command reports what is wrong with the file.
func moduleOf(text, otherwise string) string {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "module" {
			return strings.Trim(f[1], "\"`")
		}
	}
	return otherwise
}

// source says where the code of a package is.
func (p project) source(pkg, dir string) report.Source {
	return report.Source{Root: p.root, Module: p.module, Package: pkg, Dir: dir}
}

// abs is the absolute path of a file or folder of a record.
func (p project) abs(name string) string {
	file := filepath.FromSlash(name)
	if filepath.IsAbs(file) {
		return file
	}
	return filepath.Join(p.root, file)
}

// commit returns the commit of the git work tree, "" if there is none, and whether files of it are changed.
func (p project) commit(ctx context.Context, env Env) (hash string, changed bool) {
	hash, err := git(ctx, env, p.root, "rev-parse", "HEAD")
	if err != nil {
		return "", false
	}
	// What is not tracked may be a failing input that was written by the last campaign.
	changes, err := git(ctx, env, p.root, "status", "--porcelain", "--untracked-files=no")
	return hash, err == nil && changes != ""
}

// ofOtherTree are the variables by which git works on another tree than that of its working directory. Hooks have them.
var ofOtherTree = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY",
	"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE",
}

// git runs git and returns what it prints, without the last newline. The error has what it says.
func git(ctx context.Context, env Env, dir string, args ...string) (string, error) {
	// Its words are read, and it must not wait for an answer.
	plain := []string{"-c", "color.ui=false", "-c", "log.showSignature=false"}
	cmd := exec.Command("git", append(plain, args...)...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(slices.Clone(env.Environ), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(ofOtherTree, name)
	})
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
	var out, said strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &said
	err := group.Run(ctx, cmd)
	text := strings.TrimRight(out.String(), "\n")
	if err != nil {
		if reason := strings.TrimSpace(cmp.Or(said.String(), text)); reason != "" {
			err = fmt.Errorf("%w: %s", err, reason)
		}
		return text, fmt.Errorf("git %s: %w", args[0], err)
	}
	return text, nil
}
