package coverage

import (
	"context"
	"errors"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// Process executes inputs of a target in a binary that was built with -cover. It is a *session.Process.
type Process interface {
	Start(ctx context.Context) error // has no effect if a process runs
	Running() bool
	Hello() wire.Hello
	Execute(ctx context.Context, a input.Args) (*finding.Finding, error)
	ExecuteSeed(ctx context.Context, a input.Args) (f *finding.Finding, actions [][]byte, err error)
	Allow(actions [][]byte)
	Refused() string // what the last execution was refused to do outside of the process
	Record() []uint32
	End()
}

// counter executes inputs in a process, and finds the blocks that each of them reaches.
type counter struct {
	Process
	code   code // empty before begin
	around Set  // blocks that code around inputs reaches
}

// result is the result of an execution. Its fields are those of [Entry].
type result struct {
	failed string
	lost   bool
	blocks Set
	counts Counts

	refused string
	actions [][]byte
}

// begin starts a process if none runs, and adds the blocks that it reaches before inputs.
func (c *counter) begin(ctx context.Context) (err error) {
	if c.Running() {
		return nil
	}
	if err := c.Start(ctx); err != nil {
		return err
	}
	if c.code.first == nil {
		if c.code, err = readCode(c.Hello().Packages); err != nil {
			return err
		}
	}
	c.noteAround()
	return nil
}

// noteAround adds the blocks in the record of the process to those that code around inputs reaches.
func (c *counter) noteAround() {
	if s, _, ok := c.code.reached(c.Record()); ok {
		c.around = c.around.union(s)
	}
}

// execute executes an input, which may be a seed. The error is about gnaw or the machine.
func (c *counter) execute(ctx context.Context, a input.Args, seed bool) (r result, err error) {
	if err := c.begin(ctx); err != nil {
		return r, err
	}
	var f *finding.Finding
	if seed {
		f, r.actions, err = c.ExecuteSeed(ctx, a)
	} else {
		f, err = c.Execute(ctx, a)
	}
	r.refused = c.Refused()
	var exit *executor.Exit
	if errors.As(err, &exit) && ctx.Err() == nil {
		return result{failed: Killed, lost: true, refused: r.refused}, nil
	}
	if err != nil {
		return r, err
	}
	if f != nil {
		r.failed = f.Kind.String()
	}
	complete := false
	r.blocks, r.counts, complete = c.code.reached(c.Record())
	r.lost = !complete
	return r, nil
}

// end ends the process, and adds the blocks that it reaches at its end. If the last input has ended the process, end starts another one
// first.
func (c *counter) end(ctx context.Context) error {
	if err := c.begin(ctx); err != nil {
		return err
	}
	c.End()
	c.noteAround()
	return nil
}
