// Package check executes planned targets with the texts of a package's tests, and replaces or drops those whose property does not hold. It
// does not change the files of the package: the go command reads the targets from an overlay.
package check

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/plan"
)

// Options says where and how targets are tried.
type Options struct {
	Go      string        // the go command
	Environ []string      // environment of the go command
	Flags   []string      // build flags, such as -tags
	Root    string        // folder in which the go command runs
	Package string        // import path, as seen from Root
	Dir     string        // folder of the package, in which its tests run
	File    string        // base name of the file that the targets will stand in
	Scratch string        // folder for the overlay and the test binary
	Limit   time.Duration // for the seeds of one target
	Compile bool          // only compile the targets, and execute nothing

	// Untried returns why a target is not executed, a clause such as "it may call os.Remove"; empty: it is. The weaker forms of a target are
	// not executed either.
	Untried func(target *plan.FuzzFunc) string
	// Render returns the source of the file with targets.
	Render func(targets []*plan.FuzzFunc) ([]byte, error)
}

// Verdict is the result for a target that does not pass.
type Verdict string

// The verdicts.
const (
	Weakened Verdict = "weakened" // its property does not hold for a text of the tests, and a weaker target replaces it
	Dropped  Verdict = "dropped"  // it does not compile, or its property does not hold and it has no weaker target
	Panics   Verdict = "panics"   // it panics, or does not end, with a text of the tests
	Untried  Verdict = "untried"  // it may act outside of its process, so gnaw has not executed it
)

// Note tells the user about a target that does not pass.
type Note struct {
	Target  string // name of the target; of Weakened, name of the weaker target
	Covers  string // key of the function that the target checks
	Verdict Verdict
	Seed    string // Go literals of the seed with which it fails; empty: it does not compile or is not tried, or another target shows the failure
	Why     string // first line of the failure; of Untried, the clause of Options.Untried
}

// Result has the targets that can be written.
type Result struct {
	Targets   []*plan.FuzzFunc
	Source    []byte // content of the file; nil: there are no targets
	Notes     []Note
	Unchecked string // why the tests of the package could not be executed; empty: they were
}

// Run tries targets. It returns an error if the go command fails for a reason other than the targets, or ctx ends.
func Run(ctx context.Context, o Options, targets []*plan.FuzzFunc) (r Result, err error) {
	c := &checker{Options: o, targets: slices.Clone(targets), refuted: map[string]bool{}, untried: map[*plan.FuzzFunc]bool{}}
	c.leaveAlone()
	for {
		if r, err = c.round(ctx); err != nil || r.Source != nil || len(c.targets) == 0 {
			r.Targets, r.Notes = c.targets, c.notes
			return r, err
		}
	}
}

type checker struct {
	Options
	targets []*plan.FuzzFunc
	notes   []Note
	refuted map[string]bool // types whose printed form cannot be parsed again
	untried map[*plan.FuzzFunc]bool

	unchecked string // why the tests of the package cannot be executed; empty: they can
}

// leaveAlone replaces the targets that are not executed by those that only check that nothing panics, as nothing shows that their property
// holds.
func (c *checker) leaveAlone() {
	if c.Untried == nil {
		return
	}
	for i, target := range c.targets {
		why := c.Untried(target)
		if why == "" {
			continue
		}
		weakest := weakest(target)
		if weakest == nil {
			c.note(target, Dropped, "", why+", so nothing shows that its property holds")
		} else {
			c.untried[weakest] = true
			c.note(weakest, Untried, "", why)
		}
		c.targets[i] = weakest
	}
	c.targets = slices.DeleteFunc(c.targets, func(x *plan.FuzzFunc) bool { return x == nil })
}

// round builds and executes the targets. The result has no source if a target is replaced or dropped.
func (c *checker) round(ctx context.Context) (r Result, err error) {
	if len(c.targets) == 0 {
		return r, nil
	}
	src, err := c.Render(c.targets)
	if err != nil {
		return r, err
	}
	binary, output, err := c.build(ctx, src)
	if err != nil {
		return r, err
	}
	if binary == "" {
		return r, c.dropBroken(src, output)
	}
	defer os.Remove(binary)
	if c.unchecked != "" || c.Compile || !slices.ContainsFunc(c.targets, func(t *plan.FuzzFunc) bool { return !c.untried[t] }) {
		return Result{Source: src, Unchecked: c.unchecked}, nil
	}
	if out, err := c.execute(ctx, binary, "^$"); err != nil {
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		c.unchecked = cmp.Or(lastLine(out), err.Error())
		c.keepWeakest()
		return r, nil
	}
	changed := false
	for i := 0; i < len(c.targets); i++ {
		if c.untried[c.targets[i]] {
			continue
		}
		again, err := c.try(ctx, binary, i)
		if err != nil {
			return r, err
		}
		changed = changed || again
	}
	c.targets = slices.DeleteFunc(c.targets, func(x *plan.FuzzFunc) bool { return x == nil })
	if changed {
		return r, nil
	}
	return Result{Source: src}, nil
}

// build compiles the tests of the package with the targets. binary is empty if the compiler or vet refuses them.
func (c *checker) build(ctx context.Context, src []byte) (binary string, output []byte, err error) {
	source := filepath.Join(c.Scratch, c.File)
	if err := disk.Write(source, src); err != nil {
		return "", nil, err
	}
	overlay := filepath.Join(c.Scratch, "overlay.json")
	text, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(c.Dir, c.File): source}})
	if err == nil {
		err = disk.Write(overlay, text)
	}
	if err != nil {
		return "", nil, err
	}
	binary = filepath.Join(c.Scratch, "seeds.test")
	args := append([]string{"test", "-c", "-vet=off", "-overlay=" + overlay, "-o", binary}, c.Flags...)
	if output, err = c.run(ctx, append(args, c.Package)...); err != nil {
		return "", output, ctx.Err()
	}
	vet := append([]string{"vet", "-overlay=" + overlay, "-atomic", "-bool", "-buildtags", "-directive", "-errorsas", "-ifaceassert", "-nilfunc", "-printf", "-stringintconv", "-tests"}, c.Flags...)
	if output, err = c.run(ctx, append(vet, c.Package)...); err != nil && bytes.Contains(output, []byte(c.File)) {
		os.Remove(binary)
		return "", output, ctx.Err()
	}
	return binary, nil, ctx.Err()
}

// try executes the seeds of one target. It reports whether the target was replaced or dropped.
func (c *checker) try(ctx context.Context, binary string, i int) (changed bool, err error) {
	target := c.targets[i]
	out, err := c.execute(ctx, binary, "^"+target.Name+"$")
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err == nil && !(target.Kind == plan.Print && c.refuted[target.Type]):
		return false, nil
	}
	seed, why := failure(target, out)
	if isCrash(out) {
		if target.Kind != plan.Parse && target.Weaker != nil {
			c.note(target, Weakened, seed, why)
			c.targets[i] = target.Weaker
			return true, nil
		}
		c.notes = slices.DeleteFunc(c.notes, func(n Note) bool { return n.Target == target.Name && n.Verdict == Weakened })
		c.note(target, Panics, seed, why)
		return false, nil
	}
	if err == nil {
		why, seed = "another function shows that the printed form of a "+target.Type+" cannot be parsed", ""
	}
	if target.Kind == plan.Print {
		c.refuted[target.Type] = true
	}
	if c.weaken(i) {
		c.note(target, Weakened, seed, why)
	} else {
		c.targets[i] = nil
		c.note(target, Dropped, seed, why)
	}
	return true, nil
}

// note adds a note unless there is one for the same target and verdict.
func (c *checker) note(target *plan.FuzzFunc, v Verdict, seed, why string) {
	n := Note{target.Name, target.Covers[0], v, seed, why}
	if v == Weakened {
		n.Target = target.Weaker.Name
	}
	if !slices.ContainsFunc(c.notes, func(m Note) bool { return m.Target == n.Target && m.Verdict == n.Verdict }) {
		c.notes = append(c.notes, n)
	}
}

// weaken replaces a target by its weaker one, and reports whether there is one.
func (c *checker) weaken(i int) bool {
	if w := c.targets[i].Weaker; w != nil {
		c.targets[i] = w
		return true
	}
	return false
}

// keepWeakest replaces or removes all targets that check more than that nothing panics.
func (c *checker) keepWeakest() {
	for i, target := range c.targets {
		c.targets[i] = weakest(target)
	}
	c.targets = slices.DeleteFunc(c.targets, func(x *plan.FuzzFunc) bool { return x == nil })
}

// weakest returns the form of a target that only checks that nothing panics; nil: there is none.
func weakest(target *plan.FuzzFunc) *plan.FuzzFunc {
	for target != nil && !target.Kind.IsWeakest() {
		target = target.Weaker
	}
	return target
}

var (
	position = regexp.MustCompile(`(?m)^(?:vet: )?(?:.*[/\\])?([\w.-]+_test\.go):(\d+):\d+: (.*)$`)
	seedLine = regexp.MustCompile(`(?m)^=== RUN   (Fuzz\w+)/(\S+)$`)
	failLine = regexp.MustCompile(`(?m)^ +--- FAIL: (Fuzz\w+)/(\S+)`)
	message  = regexp.MustCompile(`(?m)^ +[\w.-]+_test\.go:\d+: (.*)$`)
	crash    = regexp.MustCompile(`(?m)^(panic: |fatal error: |runtime: goroutine stack exceeds|SIG[A-Z]+: )(.*)$`)
)

// errBuild means that the tests of a package do not compile for a reason other than the targets.
var errBuild = errors.New("the tests of the package do not compile")

// dropBroken replaces the targets that the compiler or vet names by weaker ones, or drops them.
func (c *checker) dropBroken(src, output []byte) error {
	lines := bytes.Split(src, []byte("\n"))
	dropped := false
	seen := map[string]bool{}
	for _, m := range position.FindAllSubmatch(output, -1) {
		n, _ := strconv.Atoi(string(m[2]))
		name := enclosing(lines, n)
		if string(m[1]) != c.File || seen[name] {
			continue
		}
		seen[name] = true
		for i, target := range c.targets {
			if target != nil && target.Name == name {
				dropped = true
				if !c.weaken(i) {
					c.note(target, Dropped, "", string(m[3]))
					c.targets[i] = nil
				}
			}
		}
	}
	c.targets = slices.DeleteFunc(c.targets, func(x *plan.FuzzFunc) bool { return x == nil })
	if !dropped {
		return fmt.Errorf("%w:\n%s", errBuild, bytes.TrimSpace(output))
	}
	return nil
}

// enclosing returns the name of the function that contains line n, counted from one.
func enclosing(lines [][]byte, n int) string {
	for i := min(n, len(lines)) - 1; i >= 0; i-- {
		if rest, ok := bytes.CutPrefix(lines[i], []byte("func ")); ok {
			name, _, _ := bytes.Cut(rest, []byte("("))
			return string(name)
		}
	}
	return ""
}

// isCrash reports whether a process with this output ended because of a panic, a signal or the limit.
func isCrash(out []byte) bool { return crash.Match(out) }

// failure returns the seed with which a target failed and the reason, as the output of its test says.
func failure(target *plan.FuzzFunc, out []byte) (seed, why string) {
	name := ""
	if m := failLine.FindSubmatch(out); m != nil {
		name = string(m[2])
	}
	if m := crash.FindSubmatch(out); m != nil {
		why = strings.TrimSuffix(string(m[1])+string(m[2]), " [recovered, repanicked]")
		if all := seedLine.FindAllSubmatch(out, -1); all != nil {
			name = string(all[len(all)-1][2])
		}
	} else if m := message.FindSubmatch(out); m != nil {
		why = string(m[1])
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "seed#")); err == nil && n < len(target.Seeds) {
		return strings.Join(target.Seeds[n], ", "), why
	}
	return name, why
}

// maxLine is the length in bytes to which lastLine cuts a line.
const maxLine = 200

// lastLine returns the last line of an output that is not empty.
func lastLine(out []byte) string {
	out = bytes.TrimSpace(out)
	line := out[bytes.LastIndexByte(out, '\n')+1:]
	return strings.ToValidUTF8(string(line[:min(len(line), maxLine)]), "")
}
