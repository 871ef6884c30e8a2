package coverage

import (
	"context"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Live finds the blocks that the inputs of a target reach, in several calls with new inputs. The zero value is ready to use. A Live must not
// be used by several goroutines at the same time.
type Live struct {
	counter counter
	reached []bool // by index of a block
}

// Execute starts the process p and executes inputs in it, in order, while more returns true. All calls must use processes of the same binary.
// If there is no error, Execute ends the process; the caller closes it in any case. done is the number of executed inputs. added are the
// blocks that no earlier input and no earlier code around inputs reached. An input that fails adds the blocks that it reached before it
// failed. The error is about gnaw or the machine, never about an input.
func (l *Live) Execute(ctx context.Context, p Process, inputs []input.Args, more func() bool) (done int, added []Block, err error) {
	l.counter.Process = p
	if err := l.counter.begin(ctx); err != nil {
		return 0, nil, err
	}
	for ; done < len(inputs) && more(); done++ {
		r, err := l.counter.execute(ctx, inputs[done])
		if err != nil {
			return done, added, err
		}
		added = l.add(added, r.blocks)
	}
	err = l.counter.end(ctx)
	return done, l.add(added, l.counter.around), err
}

// add appends the blocks of a set that were not reached before.
func (l *Live) add(list []Block, s Set) []Block {
	if l.reached == nil {
		l.reached = make([]bool, len(l.Blocks()))
	}
	for i := range s.All() {
		if !l.reached[i] {
			l.reached[i] = true
			list = append(list, l.Blocks()[i])
		}
	}
	return list
}

// Blocks returns the blocks of the binary; nil before the first Execute. The caller must not change them.
func (l *Live) Blocks() []Block { return l.counter.code.blocks }
