package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/executor"
	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
	"github.com/gnaw-fuzz/gnaw/internal/regress"
	"github.com/gnaw-fuzz/gnaw/internal/session"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// parseOracles reads the value of -oracles: names of oracles, all or none; "-" in front of a name takes it away, and a
// limit may follow a name behind a colon. A list that begins by taking away takes from all.
func parseOracles(list string) (l oracle.Limits, err error) {
	l = oracle.Defaults()
	l.On = 0
	for i, item := range strings.Split(list, ",") {
		name, limit, tuned := strings.Cut(item, ":")
		name, off := strings.CutPrefix(name, "-")
		if i == 0 && off {
			l.On = oracle.All
		}
		set, limited, err := oraclesNamed(name)
		if err != nil {
			return l, err
		}
		switch {
		case off && tuned:
			return l, fmt.Errorf("%s is switched off and has a limit", name)
		case off || name == "none":
			l.On &^= set
		default:
			l.On |= set
		}
		if tuned {
			value, err := parseLimit(limited, limit)
			if err != nil {
				return l, fmt.Errorf("%s: %w", item, err)
			}
			l.Set(set, value)
		}
	}
	return l, nil
}

// oraclesNamed returns the oracles that a name stands for, and the limit of a single one.
func oraclesNamed(name string) (oracle.Set, oracle.Limit, error) {
	if name == "all" || name == "none" {
		return oracle.All, oracle.Limit{}, nil
	}
	one, o, ok := oracle.Named(name)
	if !ok {
		return 0, o.Limit, fmt.Errorf("no oracle is called %q; there are all, none, %s", name, strings.Join(oracle.All.Names(), ", "))
	}
	return one, o.Limit, nil
}

// parseLimit reads the limit of one oracle.
func parseLimit(limit oracle.Limit, text string) (uint64, error) {
	switch limit.Unit {
	case oracle.Bytes:
		n, err := build.ParseSize(text)
		if err == nil && n == 0 {
			err = errors.New("it must be more than 0; a \"-\" before the name switches the oracle off")
		}
		return uint64(n), err
	case oracle.Nanoseconds:
		var d time.Duration
		err := positive(&d)(text)
		return uint64(d), err
	}
	return 0, fmt.Errorf("it has no limit; those that have one are %s", limitForms())
}

// limitForms lists how limits are written: alloc:SIZE, …
func limitForms() string {
	var forms []string
	for _, o := range oracle.All.Each() {
		switch o.Limit.Unit {
		case oracle.Bytes:
			forms = append(forms, o.Name+":SIZE")
		case oracle.Nanoseconds:
			forms = append(forms, o.Name+":TIME")
		}
	}
	return listed(forms)
}

// limitDefaults lists the default limits as -oracles reads them: alloc:128MiB,…
func limitDefaults() string {
	var values []string
	for _, o := range oracle.All.Each() {
		switch o.Limit.Unit {
		case oracle.Bytes:
			values = append(values, fmt.Sprintf("%s:%dMiB", o.Name, o.Limit.Default>>20))
		case oracle.Nanoseconds:
			values = append(values, fmt.Sprintf("%s:%v", o.Name, time.Duration(o.Limit.Default)))
		}
	}
	return strings.Join(values, ",")
}

// listed joins words as a sentence lists them.
func listed(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// describeOracles is the help of -oracles.
func describeOracles() string {
	return fmt.Sprintf("oracles that measure inputs that pass: %s; or all, or none; -name turns one off; %s set limits (default all,%s); see docs/findings.md",
		strings.Join(oracle.All.Names(), ", "), limitForms(), limitDefaults())
}

// refuseMeasured says that a command cannot work on a finding with which plain go test passes.
func refuseMeasured(r finding.Record, command string) error {
	switch {
	case r.NotRun != "":
		return usagef("go test does not run this input, so %s has nothing to go by: %s", command, r.NotRun)
	case !r.Kind.Measured():
		return nil
	}
	return usagef("go test passes with this input, so %s has nothing to go by; `gnaw regress %s` writes a test that measures",
		command, r.ID[:min(regressDigits, len(r.ID))])
}

// measure is `gnaw repro` of a finding with which plain go test passes: oracles measure the input in a process of its own.
func (s *stored) measure(ctx context.Context, env Env, r finding.Record, rest []string) (code int, err error) {
	short := finding.Short(r.ID, store.IDs(s.all))
	if len(rest) > 0 {
		return 0, usagef("go test does not show the failure of %s, so gnaw runs the input itself, and there are no flags for that", short)
	}
	if r.Measure == nil && r.NotRun == "" {
		return 0, fmt.Errorf("the history does not say what was measured for %s; find it again with `gnaw fuzz`", short)
	}
	a, err := input.Unmarshal([]byte(r.Input))
	if err != nil {
		return 0, fmt.Errorf("read the input in the history: %w", err)
	}
	m := &minimizing{env: env, target: r.Target, pkg: s.module.Abs(r.Folder), flags: r.Flags, args: r.Args, timeout: defaultTimeout}
	if r.Kind == finding.Memory {
		m.memLimit = session.DefaultMemLimit(executor.MemoryRoom(), 1)
	}
	b, err := m.build(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if r.NotRun != "" {
		return again(ctx, env, b.Process, a, short)
	}
	res, err := b.Process.RunOracles(ctx, measureAgain(r, a))
	if err != nil {
		return 0, err
	}
	for _, report := range res.Reports {
		fmt.Fprintln(env.Stdout, finding.Clean(strings.TrimRight(report.Message+"\n\n"+report.Detail, "\n")))
		return exitcode.Finding, nil
	}
	if res.Failed != nil {
		fmt.Fprint(env.Stdout, finding.Clean(res.Failed.Output))
		return exitcode.Finding, nil
	}
	fmt.Fprintf(env.Stderr, "gnaw: the measurement shows nothing for the input of %s: it is fixed, or needs the flags it was found with\n", short)
	return exitcode.OK, nil
}

// again runs an input in a process and prints what its failure prints.
func again(ctx context.Context, env Env, p *session.Process, a input.Args, short string) (int, error) {
	f, err := p.Execute(ctx, a)
	if err != nil {
		return 0, err
	}
	if f == nil {
		fmt.Fprintf(env.Stderr, "gnaw: the input of %s passes in a fuzzing process: it is fixed, flaky, or needs the flags it was found with\n", short)
		return exitcode.OK, nil
	}
	fmt.Fprintln(env.Stdout, finding.Clean(strings.TrimRight(f.Output, "\n")))
	return exitcode.Finding, nil
}

// measureAgain is the request to measure what was measured for a finding.
func measureAgain(r finding.Record, a input.Args) wire.Measure {
	m := wire.Measure{Input: input.Append(nil, a), Piece: oracle.Piece(r.Measure.Piece)}
	m.Limits.On, _, _ = oracle.Named(r.Kind.String())
	if m.Limits.On != 0 {
		m.Limits.Set(m.Limits.On, r.Measure.Limit)
	}
	return m
}

// regressMeasure is what a test of a finding has to measure; nil if plain go test fails.
func regressMeasure(r finding.Record) *regress.Measure {
	if r.Measure == nil {
		return nil
	}
	p := r.Measure.Piece
	m := &regress.Measure{
		Kind: r.Kind.String(), Limit: r.Measure.Limit,
		Arg: p.Arg, From: p.From, To: p.To, CloseFrom: p.CloseFrom, CloseTo: p.CloseTo,
	}
	if c := r.Measure.Cost; c != nil {
		m.Copies, m.Power = c.Copies, c.Power
	}
	return m
}
