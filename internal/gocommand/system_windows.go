package gocommand

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// ExeSuffix is what the name of a program ends in.
const ExeSuffix = ".exe"

// isPathVariable reports whether name is the environment variable that lists the folders of programs.
func isPathVariable(name string) bool { return strings.EqualFold(name, "PATH") }

// makeLink makes link a way to the folder target. Symbolic links need a privilege that most users do not have, a
// junction does not; only the command interpreter makes one without calls of our own into the system.
func makeLink(target, link string) error {
	first := os.Symlink(target, link)
	if first == nil {
		return nil
	}
	out, err := exec.Command("cmd", "/c", "mklink", "/J", link, target).CombinedOutput()
	if err != nil {
		return errors.Join(first, fmt.Errorf("make a junction: %w: %s", err, strings.TrimSpace(string(out))))
	}
	return nil
}
