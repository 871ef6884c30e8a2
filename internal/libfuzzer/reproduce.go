package libfuzzer

import (
	"context"
	"errors"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// reproduce executes files, each as often as -runs says, until one fails.
func (u *subject) reproduce(ctx context.Context, files []string) (code int, err error) {
	p := u.process()
	defer func() { err = errors.Join(err, p.Close()) }()
	begin := time.Now()
	total := int64(0)
	for _, path := range files {
		one, err := u.read(path)
		if err != nil {
			return wrong, err
		}
		u.printf("Running: %s\n", path)
		code, err := u.repeat(ctx, p, one, &total)
		if err != nil || code != ok {
			return code, err
		}
	}
	u.printf("***\n*** NOTE: fuzzing was not performed, only the given files were executed.\n***\n")
	if u.finalStats {
		u.printf("stat::number_of_executed_units: %d\n", total)
		u.printf("stat::average_exec_per_sec:     %d\n", total/max(1, int64(time.Since(begin).Seconds())))
	}
	return ok, nil
}

// repeat executes an input as often as -runs says, and counts the executions.
func (u *subject) repeat(ctx context.Context, p *session.Process, one unit, total *int64) (int, error) {
	begin := time.Now()
	for range max(1, u.runs) {
		f, _, err := p.ExecuteSeed(ctx, one.args)
		if err != nil {
			return wrong, err
		}
		*total++
		if f != nil {
			f.Target, f.Input = u.name.Func, one.args
			u.report(f)
			return codeOf(f), nil
		}
	}
	u.printf("Executed %s in %d ms\n", one.path, time.Since(begin).Milliseconds())
	return ok, nil
}
