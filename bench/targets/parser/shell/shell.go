// Package shell parses a script with mvdan.cc/sh/v3/syntax and prints the result.
package shell

import (
	"bytes"
	"io"

	"mvdan.cc/sh/v3/syntax"
)

// Target parses b in two dialects.
func Target(b []byte) {
	for _, lang := range []syntax.LangVariant{syntax.LangBash, syntax.LangMirBSDKorn} {
		f, err := syntax.NewParser(syntax.KeepComments(true), syntax.Variant(lang)).Parse(bytes.NewReader(b), "")
		if err == nil {
			_ = syntax.NewPrinter().Print(io.Discard, f)
		}
	}
}
