package cli

import (
	"strings"
	"testing"
)

func TestTextBecomesAManualPage(t *testing.T) {
	const name = ".SH NAME\ngnaw\\-x \\- do x\n"
	for _, tt := range []struct{ name, text, want string }{
		{"usage and a paragraph", "usage: gnaw x [-n]\n       gnaw x add\n\nDoes x\nand y.\n", ".SH SYNOPSIS\n.nf\ngnaw x [\\-n]\ngnaw x add\n.fi\n.SH DESCRIPTION\nDoes x\nand y.\n"},
		{"flags", "Does x.\n\n\t-n      a\n\t        b\n\t-long name\n\t        c\n", ".SH DESCRIPTION\nDoes x.\n.TP\n\\fB\\-n\\fR\na\nb\n.TP\n\\fB\\-long name\\fR\nc\n"},
		{"lines as they are", "Run:\n\n\tgnaw x\n\tgnaw y\n", ".SH DESCRIPTION\nRun:\n.RS 4\n.nf\ngnaw x\ngnaw y\n.fi\n.RE\n"},
		{"lines of a file", "Format:\n\n\tid = 1  # a number\n", ".SH DESCRIPTION\nFormat:\n.RS 4\n.nf\nid = 1  # a number\n.fi\n.RE\n"},
		{"characters that are commands of roff", ".x\n'y\na\\b\n", ".SH DESCRIPTION\n\\&.x\n\\&'y\na\\eb\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			title, got, _ := strings.Cut(manualOf("gnaw-x", 1, "do x", tt.text), "\n")
			if !strings.HasPrefix(title, `.TH GNAW\-X 1 "`) || got != name+tt.want {
				t.Errorf("the page is\n%s\n%s\nwant\n%s", title, got, name+tt.want)
			}
		})
	}
}
