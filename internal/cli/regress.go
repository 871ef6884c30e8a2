package cli

import (
	"context"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/project"
	"github.com/gnaw-fuzz/gnaw/internal/regress"
	"github.com/gnaw-fuzz/gnaw/internal/report"
	"github.com/gnaw-fuzz/gnaw/internal/repro"
)

// defineRegress returns the flags of `gnaw regress`.
func defineRegress(f *jsonFlag) *flagSet {
	return f.define("regress", "print one object: id, path, test")
}

// regressArgs reads the arguments of `gnaw regress`.
func regressArgs(args []string) (id string, toStdout, asJSON bool, err error) {
	var flag jsonFlag
	args, err = parseMixed(defineRegress(&flag), args)
	asJSON = bool(flag)
	if err != nil {
		return "", false, false, err
	}
	if toStdout = len(args) == 2 && args[1] == "-"; toStdout {
		args = args[:1]
	}
	if toStdout && asJSON {
		return "", false, false, usagef("regress takes -json or -, not both: one says where the test was written, the other prints the test")
	}
	id, err = one("regress", "ID", args)
	return id, toStdout, asJSON, err
}

// runRegress is `gnaw regress`.
func runRegress(ctx context.Context, env Env, args []string) (int, error) {
	id, toStdout, asJSON, err := regressArgs(args)
	if err != nil {
		return 0, err
	}
	s, r, err := picked(ctx, env, id)
	if err != nil {
		return 0, err
	}
	if err := s.refuseDependency(r, "regress"); err != nil {
		return 0, err
	}
	test, err := regress.Of(ctx, s.module.Abs(r.Folder), r, repro.WithVariables(env.Environ, r.Environ))
	if err != nil {
		return 0, err
	}
	if toStdout {
		_, err := env.Stdout.Write(test.Text)
		return exitcode.OK, err
	}
	if err := test.Write(); err != nil {
		return 0, err
	}
	if asJSON {
		return exitcode.OK, writeJSON(env.Stdout, struct {
			ID   string `json:"id"`
			Path string `json:"path"` // absolute
			Test string `json:"test"` // name of the function
		}{r.ID, test.Path, test.Name})
	}
	runs := report.Options{Root: s.module.Root, Dir: env.Dir}.GoTest(r, test.Name)
	fmt.Fprintf(env.Stdout, "wrote %s; `%s` runs it\n", project.Relative(env.Dir, test.Path), runs)
	return exitcode.OK, nil
}
