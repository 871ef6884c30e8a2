// Package goparser parses a Go file with go/parser.
package goparser

import (
	"go/parser"
	"go/token"
)

// Target parses b as a file and as an expression.
func Target(b []byte) {
	_, _ = parser.ParseFile(token.NewFileSet(), "", b, parser.ParseComments|parser.AllErrors)
	_, _ = parser.ParseExpr(string(b))
}
