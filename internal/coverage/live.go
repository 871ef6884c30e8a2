package coverage

import (
	"context"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Live counts the statements that the inputs of a target reach, as the inputs come. The zero value has none. Its methods are called by one
// goroutine at a time.
type Live struct {
	counter counter
	reached []bool // by index of a block
}

// Execute executes inputs in a process that was not started yet, one after the other, as long as more returns true. The process is one of
// the same binary each time; it ends before Execute returns, and the caller closes it. done is how many inputs were executed, and added are
// the blocks that were reached for the first time, by an input or by code around the inputs. How an input fails does not matter. The error
// is about gnaw or the machine.
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

// Blocks returns the blocks of the binary; nil before the first Execute. They must not be changed.
func (l *Live) Blocks() []Block { return l.counter.code.blocks }
