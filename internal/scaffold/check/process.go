package check

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/landlock"
)

// run runs the go command and returns what it printed.
func (c *checker) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.Command(c.Go, args...)
	var out output
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.Root, c.Environ, &out, &out
	err := group.Run(ctx, cmd)
	return out.bytes(), err
}

// execute runs the tests that match a pattern twice, ends all processes that they start, and returns what they printed. The tests may take
// Limit, and the package may take Limit before they begin.
func (c *checker) execute(ctx context.Context, binary, pattern string) ([]byte, error) {
	home := filepath.Join(c.Scratch, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, 2*c.Limit)
	defer cancel()
	cmd := exec.CommandContext(limited, binary, "-test.run="+pattern, "-test.v", "-test.count=2", "-test.timeout="+c.Limit.String())
	var out output
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = c.Dir, &out, &out, time.Second
	cmd.Env = append(slices.Clone(c.Environ), "TMPDIR="+home, "HOME="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home)
	err := confined(home, func() error { return group.RunLeashed(cmd) })
	if errors.Is(err, exec.ErrWaitDelay) { // the tests have ended, but a process that they started still holds the output
		err = nil
	}
	text := out.bytes()
	if ctx.Err() == nil && limited.Err() != nil {
		text = fmt.Appendf(text, "\npanic: the tests do not end within %v\n", 2*c.Limit)
	}
	return text, err
}

// confined calls run, and has the processes that it starts write to a folder only, where the system can do that.
func confined(folder string, run func() error) error {
	if _, err := landlock.ABI(); err != nil {
		return run()
	}
	return landlock.Do(landlock.Rules{Writable: []string{folder}}, run)
}
