// Package js parses a script with github.com/tdewolff/parse/v2/js and prints the result.
package js

import (
	"bytes"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// Target parses b.
func Target(b []byte) {
	ast, err := js.Parse(parse.NewInput(bytes.NewReader(b)), js.Options{})
	if err == nil {
		_ = ast.JSString()
	}
}
