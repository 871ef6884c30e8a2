package proof

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/group"
)

// Whole is how a run of a target with its seeds ended.
type Whole struct {
	Red     bool     // the process failed
	Unknown string   // why the run shows nothing, as the rest of a sentence; empty: it does
	Failing []string // names of the subtests that failed, and of the last one that began if the target did not come to its end
	Output  string   // the last lines that the process printed, without those of package testing, and how it ended; empty unless Red
}

// whole runs the tests of the pattern as plain go test does, until limit is over. The error is about gnaw or the machine, or that of ctx.
func (t test) whole(ctx context.Context, limit time.Duration) (w Whole, err error) {
	for range attempts {
		var again bool
		if w, again, err = t.wholeOnce(ctx, limit); err != nil || !again {
			break
		}
	}
	return w, err
}

// wholeOnce is [test.whole] with one process. again says that something outside has ended it.
func (t test) wholeOnce(ctx context.Context, limit time.Duration) (w Whole, again bool, err error) {
	bounded, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	out := &output{target: t.target, now: time.Now}
	err = group.RunLeashed(t.command(bounded, out, "-test.paniconexit0"))
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return w, false, ctx.Err()
	case bounded.Err() != nil:
		return Whole{Unknown: fmt.Sprintf("it takes more than %v", limit)}, false, nil
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // what it has left behind holds its output
		return w, false, nil
	case !errors.As(err, &exit):
		return w, false, fmt.Errorf("run %s: %w", t.path, err)
	case signaled(err):
		return Whole{Unknown: fmt.Sprintf("something outside has ended its test process: %v", err)}, true, nil
	}
	return Whole{Red: true, Failing: out.failing(), Output: strings.TrimSpace(out.rest() + "\n" + err.Error())}, false, nil
}
