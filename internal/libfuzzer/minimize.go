package libfuzzer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

const (
	// minimizeTime is the time without -max_total_time: that of libFuzzer.
	minimizeTime = 10 * time.Minute
	// rounds is how often all bytes are tried: what one cannot be replaced for may depend on a later one.
	rounds = 5
)

// change makes the failing input of a file smaller, or replaces its bytes that do not matter, and writes the result. The file stays.
func (u *subject) change(ctx context.Context, path string) (code int, err error) {
	one, err := u.read(path)
	if err != nil {
		return wrong, err
	}
	p := u.process()
	defer func() { err = errors.Join(err, p.Close()) }()
	first, _, err := p.ExecuteSeed(ctx, one.args)
	if err != nil {
		return wrong, err
	}
	if first == nil {
		u.printf("ERROR: the input %s did not crash\n", path)
		return wrong, nil
	}
	first.Input = one.args
	original, err := u.file(one.args)
	if err != nil {
		return wrong, err
	}
	search, name := u.smaller, "minimized-from-"
	if u.cleanse {
		search, name = u.cleansed, "cleansed-from-"
	}
	best, err := search(ctx, p, first)
	if err != nil {
		return wrong, err
	}
	// What fails in a process that has executed others may not fail alone.
	p.End()
	if got, err := p.Execute(context.WithoutCancel(ctx), best); err != nil || got == nil || !proof.Same(first, got) {
		u.printf("INFO: the new input does not fail in a process of its own; the old one is written\n")
		best = one.args
	}
	file, err := u.file(best)
	if err != nil {
		return wrong, err
	}
	to := cmp.Or(u.exact, u.prefix+name+sha1Of(original))
	if err := write(u.abs(to), file); err != nil {
		return wrong, err
	}
	if u.minimize {
		u.printf("CRASH_MIN: failed to minimize beyond %s (%d bytes), exiting\n", to, len(file))
	}
	u.printf("artifact_prefix='%s'; Test unit written to %s\n", u.prefix, to)
	return ok, nil
}

// smaller returns a smaller input that fails as first does.
func (u *subject) smaller(ctx context.Context, p *session.Process, first *finding.Finding) (input.Args, error) {
	u.printf("CRASH_MIN: minimizing crash input: (%d bytes)\n", first.Input.Size())
	best, stats, err := p.Minimize(ctx, first, session.Search{Time: cmp.Or(u.total(), minimizeTime), Execs: int(max(0, u.runs))})
	u.printf("CRASH_MIN: %d bytes after %d candidates\n", best.Input.Size(), stats.Checks)
	return best.Input, err
}

// cleansed returns an input that fails as first does, and whose bytes that do not matter are spaces or 0xff.
func (u *subject) cleansed(ctx context.Context, p *session.Process, first *finding.Finding) (input.Args, error) {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(u.total(), minimizeTime))
	defer cancel()
	best := first.Input.Clone()
	for range rounds {
		changed := false
		for i := range best {
			if !best[i].Kind.IsBuffer() {
				continue
			}
			for at := range best[i].Data {
				done, err := u.cleanseByte(ctx, p, first, best, best[i].Data, at)
				if err != nil || ctx.Err() != nil {
					return best, err
				}
				changed = changed || done
			}
		}
		if !changed {
			break
		}
	}
	return best, nil
}

// cleanseByte replaces one byte of an argument of a, and reports whether it did. The error is about gnaw or the machine.
func (u *subject) cleanseByte(ctx context.Context, p *session.Process, first *finding.Finding, a input.Args, data []byte, at int) (bool, error) {
	old := data[at]
	for _, b := range []byte{' ', 0xff} {
		if old == ' ' || old == 0xff {
			return false, nil
		}
		data[at] = b
		got, err := p.Execute(ctx, a.Clone())
		if err == nil && got != nil && proof.Same(first, got) {
			u.printf("CLEANSE: replaced byte %d with 0x%02x\n", at, b)
			return true, nil
		}
		data[at] = old
		if err != nil && ctx.Err() == nil {
			return false, fmt.Errorf("execute a candidate: %w", err)
		}
	}
	return false, nil
}
