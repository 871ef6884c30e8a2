package cli

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/probe/host"
)

// runTest is `gnaw test`: it becomes the go command.
func runTest(ctx context.Context, env Env, args []string) (int, error) {
	if len(args) == 1 && isHelp(args[0]) {
		return 0, flag.ErrHelp
	}
	tc, err := build.FindToolchain(ctx, build.TestDir(env.Dir, args), env.Environ)
	if err != nil {
		return 0, err
	}
	tc.Notices = env.Stderr
	argv, extra, err := build.TestCommand(tc, args, build.Options{Dir: env.Dir, Check: checkDictionaries})
	if err != nil {
		return 0, err
	}
	extra = append(extra, fmt.Sprintf("%s=%d", host.ParentEnv, os.Getpid()))
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return env.Exec(argv[0], argv, append(tc.Environ(), extra...)), nil
}
