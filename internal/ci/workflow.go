package ci

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// Systems for which gnaw writes a workflow.
const (
	GitHub = "github"
	GitLab = "gitlab"
)

var (
	//go:embed workflow/github.yml
	github []byte
	//go:embed workflow/gitlab.yml
	gitlab []byte
)

// WriteWorkflow writes the workflow for a system below the root of a git work tree, and returns the path of the file. The error is a
// *[usage.Error] if the file exists.
func WriteWorkflow(system, root string) (path string, err error) {
	text, name := github, filepath.Join(".github", "workflows", "gnaw.yml")
	if system == GitLab {
		text, name = gitlab, filepath.Join(".gitlab", "gnaw.yml")
	}
	path = filepath.Join(root, name)
	if _, err := os.Lstat(path); err == nil {
		return "", usage.Errorf("%s exists; gnaw does not change it; remove it to have it written again", path)
	} else if !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if info, err := os.Lstat(filepath.Join(root, dir)); err == nil && !info.IsDir() {
			return "", usage.Errorf("%s is not written, because %s is a link or a file; put a folder in its place", path, dir)
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", fmt.Errorf("write a workflow: %w", err)
	}
	return path, disk.Write(path, text)
}
