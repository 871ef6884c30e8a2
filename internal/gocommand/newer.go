package gocommand

import (
	"fmt"
	"go/version"
	"runtime"
	"strings"
)

// NewerError says that a toolchain is newer than the Go version that gnaw is built with. The parser and the type checker in gnaw know neither
// the syntax nor the export data of such a toolchain.
type NewerError struct {
	Version string // of the toolchain, as in "go1.27.3"
	Built   string // the version that gnaw is built with
}

// Error names both versions and the command that builds a gnaw for the toolchain.
func (e *NewerError) Error() string {
	with := ""
	if version.IsValid(e.Version) && !strings.Contains(e.Version, "-") { // a development version has no name that GOTOOLCHAIN accepts
		with = "GOTOOLCHAIN=" + e.Version + " "
	}
	return fmt.Sprintf("this gnaw is built with %s and cannot read Go code of %s: run `%sgo install github.com/gnaw-fuzz/gnaw/cmd/gnaw@latest`",
		e.Built, e.Version, with)
}

// Readable returns a *NewerError if gnaw cannot parse and type-check all code that the toolchain compiles. Commands that do so call it first.
func (tc Toolchain) Readable() error {
	if newer := newer(tc.Version); newer != nil {
		return newer
	}
	return nil
}

// newer returns an error if a Go version has a newer language than the one that gnaw is built with; nil: it has not.
func newer(theirs string) *NewerError {
	own := runtime.Version()
	if version.Compare(language(theirs), language(own)) <= 0 {
		return nil
	}
	return &NewerError{released(theirs), released(own)}
}

// released returns a Go version without the experiments that it is built with.
func released(v string) string {
	v, _, _ = strings.Cut(v, " X:")
	return v
}

// language returns the language of a Go version, as in "go1.27" for "go1.27.3" and for "devel go1.27-abc"; empty: it is not known.
func language(v string) string {
	for word := range strings.FieldsSeq(v) {
		word, _, _ = strings.Cut(word, "-")
		if lang := version.Lang(word); lang != "" {
			return lang
		}
	}
	return ""
}

// Unreadable returns the error for a source file that does not parse. In code of a newer toolchain, the reason is most likely its syntax.
func Unreadable(toolchain string, err error) error {
	if newer := newer(toolchain); newer != nil {
		return newer
	}
	return err
}
