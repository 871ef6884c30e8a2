package pack

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/usage"
)

// launcherSource is the source of the program that starts the fuzzer.
//
//go:embed launcher.c.txt
var launcherSource []byte

// Suffix is what the name of the fuzzer has behind the name of its launcher.
const Suffix = ".gnaw"

// compileLauncher compiles the launcher as the file, with the compiler CC and the flags CFLAGS of the environment. The file appears complete.
func compileLauncher(ctx context.Context, environ []string, file string) (err error) {
	cc := strings.Fields(cmp.Or(session.Getenv(environ, "CC"), "cc"))
	if len(cc) == 0 {
		return usage.Errorf("-launcher needs a C compiler, but CC is blank; set it, or unset it for cc")
	}
	dir, err := os.MkdirTemp(filepath.Dir(file), disk.TempPrefix)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	source, out := filepath.Join(dir, "launcher.c"), filepath.Join(dir, "launcher")
	if err := disk.Write(source, launcherSource); err != nil {
		return err
	}
	args := append(cc[1:], strings.Fields(session.Getenv(environ, "CFLAGS"))...)
	cmd := exec.Command(cc[0], append(args, "-o", out, source)...)
	var output bytes.Buffer
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = environ, dir, &output, &output
	if err := group.Run(ctx, cmd); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return usage.Errorf("compile the launcher with %s, from CC and CFLAGS: %w\n%s", cc[0], err, strings.TrimSpace(output.String()))
	}
	if err := os.Rename(out, file); err != nil {
		return fmt.Errorf("write the launcher: %w", err)
	}
	return nil
}
