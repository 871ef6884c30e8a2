package coverage

import (
	"context"
	"slices"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
)

// Live finds the blocks that the inputs of a target reach, in several calls with new inputs. The zero value is ready to use. A Live must not
// be used by several goroutines at the same time.
type Live struct {
	counter counter
	sources Sources // of all blocks of the binary
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
	if l.sources == nil {
		for _, b := range l.Blocks() {
			l.sources = append(l.sources, SourceBlock{Block: b})
		}
	}
	for ; done < len(inputs) && more(); done++ {
		r, err := l.counter.execute(ctx, inputs[done], false)
		if err != nil {
			return done, added, err
		}
		added = l.add(added, r.blocks, inputs[done])
	}
	err = l.counter.end(ctx)
	return done, l.add(added, l.counter.around, nil), err
}

// add appends the blocks of a set that were not reached before. a is the input that reaches them; nil: code around inputs does.
func (l *Live) add(list []Block, s Set, a input.Args) []Block {
	name, content := "", ""
	for i := range s.All() {
		one := &l.sources[i]
		if one.Count == 0 {
			list = append(list, one.Block)
		}
		if a == nil {
			one.Count = max(one.Count, 1)
			continue
		}
		if one.Entry == "" {
			if name == "" {
				name, content = corpus.Name(input.Marshal(a)), kept(a)
			}
			one.Count, one.Entry, one.Input = 0, name, content
		}
		one.Count++
	}
	return list
}

// Sources returns the blocks of the binary with the first input that reaches each; nil before the first Execute. Inputs have the names of their
// files in the corpus.
func (l *Live) Sources() Sources { return slices.Clone(l.sources) }

// Blocks returns the blocks of the binary; nil before the first Execute. The caller must not change them.
func (l *Live) Blocks() []Block { return l.counter.code.blocks }
