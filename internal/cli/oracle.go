package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/probe/oracle"
)

// parseOracles parses the value of -oracles: names of oracles, all, or none. A "-" before a name switches the oracle off, and a limit may
// follow a name after a colon. If the first item has a "-", the list begins with all oracles.
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
		n, err := gocommand.ParseSize(text)
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
