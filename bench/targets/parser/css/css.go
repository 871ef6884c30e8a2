// Package css parses a style sheet with github.com/tdewolff/parse/v2/css.
package css

import (
	"bytes"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// Target parses b as a style sheet and as the value of an attribute.
func Target(b []byte) {
	for _, inline := range []bool{false, true} {
		p := css.NewParser(parse.NewInput(bytes.NewReader(b)), inline)
		for {
			kind, _, _ := p.Next()
			if kind == css.ErrorGrammar && p.Err() != nil {
				break
			}
			_ = p.Values()
		}
	}
}
