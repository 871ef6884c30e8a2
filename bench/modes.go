package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Names of fuzzers, which are heads of columns.
const (
	goName   = "go test -fuzz"
	gnawName = "gnaw"
)

// newLab prepares everything but the subjects.
func newLab(ctx context.Context, o options, dir string, log io.Writer) (*lab, error) {
	b := &builder{Dir: dir, Gnaw: o.Gnaw, Log: log}
	if err := b.prepare(ctx); err != nil {
		return nil, err
	}
	m := &machine{Dir: filepath.Join(dir, "runs"), GnawDir: filepath.Dir(b.Gnaw), MaxProcs: o.MaxProcs, Time: o.time()}
	l := &lab{builder: b, machine: m, log: log}
	l.replayer = &replayer{module: l.module(), binaries: l.bin(), machine: m}
	return l, os.MkdirAll(l.bin(), 0o777)
}

// compare is the program in the modes in which fuzzers are compared by what they cover and solve. A study that is stopped
// prints what it has.
func compare(ctx context.Context, o options, dir string, stdout, stderr io.Writer) error {
	l, err := newLab(ctx, o, dir, stderr)
	if err != nil {
		return err
	}
	conditions := l.conditions(o) // now: the commit may be another one at the end
	list, _ := subjects(o.Targets)
	s := newStudy(l, l.fuzzers(o), list)
	if o.After > 0 {
		s.first = &native{lab: l, tool: l.builder.Gnaw, time: time.Duration(o.After) * time.Second, label: gnawName}
	}
	if err := s.prepare(ctx); err != nil {
		return err
	}
	if o.Mode == modeAblate {
		if err := l.checkWithout(ctx, list[0]); err != nil {
			return err
		}
	}
	err = s.run(ctx, o.Rounds)
	return errors.Join(err, s.print(stdout, o, conditions))
}

// fuzzers are those of the mode.
func (l *lab) fuzzers(o options) (list []fuzzer) {
	goTime := time.Duration(o.GoSecs) * time.Second
	gnaw := native{lab: l, tool: l.builder.Gnaw, time: o.time(), label: gnawName}
	switch o.Mode {
	case modeCoverage:
		return []fuzzer{&native{lab: l, tool: "go", time: goTime, label: goName}, &gnaw}
	case modePeers:
		return []fuzzer{
			&native{lab: l, tool: "go", time: goTime, label: goName}, &gnaw,
			&goFuzz{lab: l, time: o.time()}, &libFuzzer{lab: l, time: o.time()},
		}
	}
	list = append(list, &gnaw)
	for _, name := range o.Techniques {
		without := gnaw
		without.without, without.label = name, withoutName(name)
		list = append(list, &without)
	}
	return list
}

// withoutName is the name of gnaw with a technique off.
func withoutName(technique string) string { return "without " + technique }

// checkWithout makes sure that gnaw knows of techniques: one that ignores GNAW_WITHOUT would be compared with itself.
func (l *lab) checkWithout(ctx context.Context, s subject) error {
	f := &native{lab: l, tool: l.builder.Gnaw, time: time.Second, label: gnawName, without: "no-such-technique"}
	if _, _, err := f.fuzz(ctx, s, campaign{}); err == nil {
		return errors.New("this gnaw ignores GNAW_WITHOUT")
	} else if !strings.Contains(err.Error(), f.without) {
		return fmt.Errorf("try to switch a technique off: %w", err)
	}
	return nil
}
