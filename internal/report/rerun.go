package report

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/finding"
)

// Rerun is the command that shows the finding, as typed in o.Dir: plain go test, unless that passes.
func (o Options) Rerun(r finding.Record) string {
	if r.Kind.Measured() || r.Why != "" || r.NotRun != "" || r.Dependency != nil {
		return "gnaw repro " + cmp.Or(o.ID, r.ID)
	}
	environ := ""
	for _, v := range r.Environ {
		name, value, _ := strings.Cut(v, "=")
		environ += name + "=" + Quoted(value) + " "
	}
	return environ + o.GoTest(r, shownPattern(r))
}

// CountFlag is the flag with which go test runs an input as often as the Count of the finding says.
func CountFlag(r finding.Record) string { return fmt.Sprintf("-count=%d", r.Count) }

// GoTest is the command that runs tests in the package of the finding, as typed in o.Dir, with the flags that it needs.
func (o Options) GoTest(r finding.Record, pattern string) string {
	pkg := r.Package
	if dir := o.shown(r.Folder); !filepath.IsAbs(dir) {
		pkg = "./" + filepath.ToSlash(dir)
		if dir == "." {
			pkg = "."
		}
	}
	flags := ""
	if r.Count > 0 {
		flags = " " + CountFlag(r)
	}
	for _, f := range r.Flags {
		flags += " " + Quoted(f)
	}
	args := ""
	if len(r.Args) > 0 {
		args = " -args"
	}
	for _, a := range r.Args {
		args += " " + Quoted(a)
	}
	return fmt.Sprintf("go test%s -run=%s %s%s", flags, Quoted(pattern), pkg, args)
}

// Quoted quotes an argument for the shell, if that is needed.
func Quoted(s string) string {
	if strings.Trim(s, "-_=,./:@abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
