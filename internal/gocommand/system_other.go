//go:build !windows

package gocommand

import "os"

// ExeSuffix is what the name of a program ends in.
const ExeSuffix = ""

// isPathVariable reports whether name is the environment variable that lists the folders of programs.
func isPathVariable(name string) bool { return name == "PATH" }

// makeLink makes link a way to the folder target.
func makeLink(target, link string) error { return os.Symlink(target, link) }
