package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/probe/host"
)

// runTest is `gnaw test`: it becomes the go command.
func runTest(ctx context.Context, env Env, args []string) (int, error) {
	if len(args) == 1 && isHelp(args[0]) {
		return 0, flag.ErrHelp
	}
	dir := gocommand.TestDir(env.Dir, args)
	tc, err := gocommand.FindToolchain(ctx, dir, env.Environ)
	if err != nil {
		return 0, err
	}
	tc.Notices = env.Stderr
	argv, extra, err := build.TestCommand(tc, args, build.Options{
		Dir: env.Dir, Check: func(dictionaries []string, covered build.CoverOptions) error {
			return errors.Join(checkDictionaries(dictionaries), build.CheckCovered(ctx, tc, dir, covered))
		},
	})
	if err != nil {
		return 0, err
	}
	extra = append(extra, fmt.Sprintf("%s=%d", host.ParentEnv, os.Getpid()))
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return env.Exec(argv[0], argv, append(tc.Environ(), extra...)), nil
}
