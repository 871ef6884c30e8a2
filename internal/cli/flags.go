package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/wrap"
)

// flagSet is the flags of a command, with the text about each for its page of help.
type flagSet struct {
	*flag.FlagSet
	texts []flagText          // in the order in which help shows them
	lists map[string][]string // what flags take of which the argument does not name it; several have commas between them
}

// flagText is what help says about some flags.
type flagText struct {
	names []string
	arg   string // what stands behind the name, empty: nothing
	text  string
}

func newFlags(command string) *flagSet {
	fs := &flagSet{FlagSet: flag.NewFlagSet(command, flag.ContinueOnError), lists: map[string][]string{}}
	fs.SetOutput(io.Discard)
	return fs
}

// describe sets the text of help about some flags, which are defined as well. Spaces separate their names.
func (fs *flagSet) describe(names, arg, text string) {
	fs.texts = append(fs.texts, flagText{strings.Fields(names), arg, text})
}

// Widths of a page of help, in columns.
const (
	maxFlagWidth = 20  // of a name with its argument; a text begins below one that is longer
	pageWidth    = 120 // with a tab of eight in front
)

// String is the part of the page that describes the flags.
func (fs *flagSet) String() string {
	width := 0
	for _, t := range fs.texts {
		if n := len(t.head()); n < maxFlagWidth {
			width = max(width, n)
		}
	}
	width += 2 // spaces behind it
	var b strings.Builder
	for _, t := range fs.texts {
		head := t.head()
		for i, line := range wrap.Lines(t.text, pageWidth-8-width) {
			if i == 0 && len(head) > width-2 {
				fmt.Fprintf(&b, "\t%s\n", head)
				head = ""
			}
			fmt.Fprintf(&b, "\t%-*s%s\n", width, head, line)
			head = ""
		}
	}
	return b.String()
}

// head is the names with the argument, as a person types them.
func (t flagText) head() string {
	text := "-" + strings.Join(t.names, ", -")
	if t.arg != "" {
		text += " " + t.arg
	}
	return text
}

// jsonFlag is the only flag of a command: -json.
type jsonFlag bool

// define returns the flags of the command. text says what is printed with it.
func (f *jsonFlag) define(command, text string) *flagSet {
	fs := newFlags(command)
	fs.describe("json", "", text)
	fs.BoolVar((*bool)(f), "json", false, "")
	return fs
}
