package frontier

import (
	"context"
	"path"
	"strings"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// Limits of the recorded executions.
const (
	maxOfRow    = 16   // recorded inputs for each row; the smallest inputs of a target come first
	maxRecorded = 2000 // recorded inputs of a target
	maxOfLine   = 4096 // comparisons after which no more inputs are kept for a line
)

// Process executes inputs in a test binary that build.Builder.Placed builds. It is a *session.Process.
type Process interface {
	Running() bool
	Compare(ctx context.Context, a input.Args) (c wire.Compared, ok bool, err error)
}

// line is a line of a source file.
type line struct {
	file string // as in coverage.Block
	line int
}

// address is a place of the program in a process that executes inputs of a target. Another process may have other addresses.
type address struct {
	target  fuzz.Name
	process int
	site    uint64 // as in wire.Site
}

// fact is a comparison, with the input that makes it.
type fact struct {
	wire.Comparison
	input used
	at    address
}

// Facts are comparisons, by the source line that makes them.
type Facts map[line][]fact

// Targets returns the targets for which the caller must call [Frontier.Record].
func (f *Frontier) Targets() (list []fuzz.Name) {
	seen := map[fuzz.Name]bool{}
	for _, i := range f.chosen() {
		if t := f.reach.inputs[i].target; !seen[t] {
			seen[t] = true
			list = append(list, t)
		}
	}
	return list
}

// chosen returns the indexes of the inputs to record: for each row, some of the inputs that evaluate its condition, and after them the other
// inputs that evaluate a condition with several operands.
func (f *Frontier) chosen() (list []int) {
	seen := map[int]bool{}
	for _, row := range f.Rows {
		n := 0
		for i := range f.reach.inputs { // of each target, the smallest first
			if n == maxOfRow {
				break
			}
			if !row.reached.has(i) || f.reach.inputs[i].entry.Failed != "" {
				continue
			}
			n++
			if !seen[i] {
				seen[i] = true
				list = append(list, i)
			}
		}
	}
	for _, o := range f.operands {
		for i := range f.reach.inputs {
			if o.head.inputs.has(i) && !seen[i] && f.reach.inputs[i].entry.Failed == "" {
				seen[i] = true
				list = append(list, i)
			}
		}
	}
	return list
}

// Record executes inputs of a target, and adds the comparisons that the lines of rows make to facts. It calls progress before each execution;
// progress may be nil. The error is about gnaw, the machine or ctx.
func (f *Frontier) Record(ctx context.Context, p Process, t fuzz.Name, facts Facts, progress func(done, total int)) error {
	wanted := map[line]bool{}
	for _, row := range f.Rows {
		for _, n := range row.lines() {
			wanted[line{row.File, n}] = true
		}
	}
	for _, o := range f.operands {
		for n := o.source.at(o.expr.Pos()).Line; n <= o.source.at(o.expr.End()).Line; n++ {
			wanted[line{o.file, n}] = true
		}
	}
	var inputs []used
	for _, i := range f.chosen() {
		if in := f.reach.inputs[i]; in.target == t && len(inputs) < maxRecorded {
			inputs = append(inputs, in)
		}
	}
	sites, observed, process := map[uint64]line{}, map[uint64]observation{}, 0
	for i, in := range inputs {
		if progress != nil {
			progress(i, len(inputs))
		}
		if !p.Running() {
			clear(sites) // another process has other addresses
			clear(observed)
			process++
		}
		c, ok, err := p.Compare(ctx, in.entry.Args)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		for _, s := range c.Sites {
			if at, ok := f.placeOf(s, wanted); ok {
				sites[s.ID] = at
			} else if o, ok := f.observationAt(s); ok {
				observed[s.ID] = o
			}
		}
		for _, x := range c.List {
			if o, ok := observed[x.Site]; ok {
				o.operand.seen[o.value] = true
			}
			at, ok := sites[x.Site]
			if n := len(facts[at]); ok && (n < maxOfLine || facts[at][n-1].input == in) {
				facts[at] = append(facts[at], fact{x, in, address{t, process, x.Site}})
			}
		}
	}
	return nil
}

// observationAt returns the operand and the value that a place stands for; see [Frontier.Observe].
func (f *Frontier) observationAt(s wire.Site) (observation, bool) {
	for _, frame := range s.Frames {
		if path.Base(strings.ReplaceAll(frame.File, `\`, "/")) == operandsFile {
			return f.observation(packageOf(frame.Function), frame.Line)
		}
	}
	return observation{}, false
}

// placeOf returns the first wanted line among the frames of a site, the innermost frame first. In a call stack it stops at the first covered
// file, because outer callers do not make the comparison. Otherwise the outer frames are the lines into which the function is inlined.
func (f *Frontier) placeOf(s wire.Site, wanted map[line]bool) (line, bool) {
	for _, frame := range s.Frames {
		base := path.Base(strings.ReplaceAll(frame.File, `\`, "/"))
		at := line{packageOf(frame.Function) + "/" + base, frame.Line}
		if wanted[at] {
			return at, true
		}
		if s.Stack && f.reach.files[at.file] != nil {
			break
		}
	}
	return line{}, false
}

// packageOf returns the import path in the name of a function: example.com/p for example.com/p.(*T).Get.
func packageOf(function string) string {
	function, _, _ = strings.Cut(function, "[") // type arguments
	dir, last := path.Split(function)
	name, _, _ := strings.Cut(last, ".")
	return dir + strings.NewReplacer("%2e", ".", "%22", `"`).Replace(name)
}
