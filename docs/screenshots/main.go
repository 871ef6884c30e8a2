// Command screenshots draws what a terminal shows as an SVG file. The input is the output of `tmux capture-pane -e -N -p`.
//
//	screenshots [-light] [-width=80] <screen.txt >screen.svg
package main

import (
	"bufio"
	"flag"
	"fmt"
	"html"
	"image/color"
	"io"
	"os"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Sizes in pixels. A cell is as wide as a character of most monospaced fonts at this size.
const (
	cellWidth  = 8.4
	cellHeight = 18
	fontSize   = 14
	baseline   = 13 // from the top of a cell
	margin     = 12
)

// theme has the colors of a terminal.
type theme struct{ foreground, background color.Color }

var (
	dark  = theme{color.RGBA{0xd7, 0xda, 0xe0, 0xff}, color.RGBA{0x16, 0x18, 0x1d, 0xff}}
	light = theme{color.RGBA{0x24, 0x29, 0x2f, 0xff}, color.RGBA{0xff, 0xff, 0xff, 0xff}}
)

func main() {
	isLight := flag.Bool("light", false, "draw a terminal with a light background")
	width := flag.Int("width", 80, "columns of the terminal")
	flag.Parse()
	screen, err := io.ReadAll(os.Stdin)
	if err == nil {
		chosen := dark
		if *isLight {
			chosen = light
		}
		out := bufio.NewWriter(os.Stdout)
		draw(out, strings.TrimRight(string(screen), "\n"), *width, chosen)
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "screenshots:", err)
		os.Exit(1)
	}
}

// draw writes the picture of a screen.
func draw(w io.Writer, screen string, width int, t theme) {
	lines := uv.NewStyledString(screen).Lines(ansi.WcWidth)
	wide, high := float64(width)*cellWidth+2*margin, len(lines)*cellHeight+2*margin
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" viewBox="0 0 %[1]g %[2]d" `+
		`font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="%d" shape-rendering="crispEdges">`+"\n", wide, high, fontSize)
	fmt.Fprintf(w, `<rect x="0.5" y="0.5" width="%.0f" height="%d" rx="6" fill="%s" stroke="#8c959f" stroke-opacity="0.5"/>`+"\n", wide-1, high-1, hex(t.background))
	for y, line := range lines {
		for _, r := range runs(line) {
			r.draw(w, margin+y*cellHeight, t)
		}
	}
	fmt.Fprintln(w, "</svg>")
}

// kind is a kind of characters. Symbols may be from another font than letters.
type kind int

const (
	space kind = iota
	letter
	symbol
)

func kindOf(text string) kind {
	switch {
	case strings.Trim(text, " \u2800") == "": // spaces, and braille characters without dots
		return space
	case strings.ContainsFunc(text, func(r rune) bool { return r >= 0x2000 }):
		return symbol
	}
	return letter
}

// run is a part of a line with one style and one kind of characters.
type run struct {
	kind        kind
	from, cells int
	text        string
	style       uv.Style
}

// runs splits a line.
func runs(line uv.Line) (list []run) {
	at := 0
	for _, c := range line {
		if c.Width == 0 {
			continue // the rest of a wide character
		}
		k := kindOf(c.Content)
		if n := len(list); n > 0 && list[n-1].kind == k && list[n-1].style.Equal(&c.Style) {
			list[n-1].text += c.Content
			list[n-1].cells += c.Width
		} else {
			list = append(list, run{k, at, c.Width, c.Content, c.Style})
		}
		at += c.Width
	}
	return list
}

// draw writes the run with its upper edge at y.
func (r run) draw(w io.Writer, y int, t theme) {
	foreground, background := r.style.Fg, r.style.Bg
	if foreground == nil {
		foreground = t.foreground
	}
	if r.style.Attrs&uv.AttrReverse != 0 {
		if background == nil {
			background = t.background
		}
		foreground, background = background, foreground
	}
	x, width := margin+float64(r.from)*cellWidth, float64(r.cells)*cellWidth
	if background != nil {
		fmt.Fprintf(w, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`+"\n", x, y, width, cellHeight, hex(background))
	}
	if r.kind == space {
		return
	}
	more := ""
	if r.style.Attrs&uv.AttrBold != 0 {
		more += ` font-weight="bold"`
	}
	if r.style.Attrs&uv.AttrFaint != 0 {
		more += ` opacity="0.6"`
	}
	if r.style.Underline != uv.UnderlineNone {
		more += ` text-decoration="underline"`
	}
	fmt.Fprintf(w, `<text x="%.1f" y="%d" textLength="%.1f" lengthAdjust="spacingAndGlyphs" fill="%s"%s>%s</text>`+"\n",
		x, y+baseline, width, hex(foreground), more, html.EscapeString(r.text))
}

// hex returns a color as SVG has it.
func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
