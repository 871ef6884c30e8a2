package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/summary"
)

// resultFiles are the flags for files with the results of a campaign for other programs. A file without a name is not written.
type resultFiles struct{ sarif, junit, quality string }

// define defines the flags.
func (f *resultFiles) define(fs *flagSet) {
	fs.describe("sarif", "file", "write the findings to this file in SARIF 2.1.0, as GitHub code scanning reads it; see docs/report.md")
	fs.StringVar(&f.sarif, "sarif", "", "")
	fs.describe("junit", "file", "write the targets to this file as test cases in the XML of JUnit")
	fs.StringVar(&f.junit, "junit", "", "")
	fs.describe("codequality", "file", "write the findings to this file as a Code Quality report of GitLab")
	fs.StringVar(&f.quality, "codequality", "", "")
}

// resultFile is a file with its format.
type resultFile struct {
	flag, name string
	write      func(io.Writer, summary.Options) error
}

// list returns the files that are to be written.
func (f resultFiles) list() (list []resultFile) {
	for _, one := range []resultFile{{"-sarif", f.sarif, summary.SARIF}, {"-junit", f.junit, summary.JUnit}, {"-codequality", f.quality, summary.CodeQuality}} {
		if one.name != "" {
			list = append(list, one)
		}
	}
	return list
}

// refuseOutput returns an error for the standard output as a file, because a campaign prints there.
func (f resultFiles) refuseOutput() error {
	for _, one := range f.list() {
		if one.name == "-" {
			return usagef("%s takes a file; `gnaw report %[1]s -` prints it", one.flag)
		}
	}
	return nil
}

// check returns an error if a file cannot be written because it is a folder, before gnaw works for long.
func (f resultFiles) check(env Env) error {
	for _, one := range f.list() {
		if info, err := os.Stat(env.Abs(one.name)); err == nil && info.IsDir() {
			return usagef("%s %s: it is a folder; name a file in it", one.flag, one.name)
		}
	}
	return nil
}

// write writes the files; "-" is the standard output. Each is complete or as it was. The error names all that are not written.
func (f resultFiles) write(env Env, o summary.Options) error {
	var errs []error
	for _, one := range f.list() {
		var text bytes.Buffer
		err := one.write(&text, o)
		switch {
		case err != nil:
		case one.name == "-":
			_, err = env.Stdout.Write(text.Bytes())
		default:
			err = disk.Write(env.Abs(one.name), text.Bytes())
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("the file of %s is not written: %w", one.flag, err))
		}
	}
	return errors.Join(errs...)
}

// prefixOf returns the folder of a module in its git work tree, as in "sub/folder/"; empty: it is the root of one, or in none.
func prefixOf(ctx context.Context, env Env, m project.Module) string {
	prefix, err := project.Git(ctx, env.Environ, m.Root, "rev-parse", "--show-prefix")
	if err != nil {
		return ""
	}
	return prefix
}
