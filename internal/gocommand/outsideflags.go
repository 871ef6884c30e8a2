package gocommand

import (
	"slices"
	"strings"
)

// readonlyFlag keeps the go command from changing go.mod and go.sum, and from using a vendor folder, which has no tests.
const readonlyFlag = "-mod=readonly"

// OutsideFlags returns build flags for packages outside of the main modules.
func OutsideFlags(flags []string) []string { return append(slices.Clone(flags), readonlyFlag) }

// Offline returns a toolchain whose go command does not download modules.
func (tc Toolchain) Offline() Toolchain {
	tc.Env = append(slices.Clone(tc.Env), "GOPROXY=off")
	return tc
}

// LacksModule reports whether the go command says that a module is missing in go.mod or go.sum.
func LacksModule(output string) bool {
	return slices.ContainsFunc([]string{
		"missing go.sum entry", "no required module provides package", "cannot find module providing package", "updates to go.mod needed",
	}, func(text string) bool { return strings.Contains(output, text) })
}
