// Package fuzz has the name of a fuzz target, which all other packages share.
package fuzz

import (
	"cmp"
	"strings"
)

// Name names a target. The folder of its package is no part of it: the package may have moved since the target was recorded.
type Name struct {
	Package string `json:"package"` // import path
	Func    string `json:"target"`  // name of the function, as in "FuzzParse"; empty: the package is meant
}

// String returns the import path and the name of the function, as in "example.com/m/p.FuzzParse". Without a function it returns the import path.
func (n Name) String() string {
	if n.Func == "" {
		return n.Package
	}
	return n.Package + "." + n.Func
}

// Compare orders names by their packages, and those of one package by their functions.
func (n Name) Compare(other Name) int {
	return cmp.Or(strings.Compare(n.Package, other.Package), strings.Compare(n.Func, other.Func))
}
