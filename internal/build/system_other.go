//go:build !windows

package build

import "os"

// exeSuffix is what the name of a program ends in.
const exeSuffix = ""

// isPathVariable reports whether name is the environment variable that lists the folders of programs.
func isPathVariable(name string) bool { return name == "PATH" }

// makeLink makes link a way to the folder target.
func makeLink(target, link string) error { return os.Symlink(target, link) }
