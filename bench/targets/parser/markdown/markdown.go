// Package markdown renders with github.com/yuin/goldmark and its extensions.
package markdown

import (
	"io"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

var renderer = goldmark.New(
	goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList, extension.Typographer),
	goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithAttribute()),
)

// Target renders b.
func Target(b []byte) {
	_ = renderer.Convert(b, io.Discard)
}
