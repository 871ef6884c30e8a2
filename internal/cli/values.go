package cli

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// checkTimeout returns an error if the limit for one execution is not above zero.
func checkTimeout(d time.Duration) error {
	if d <= 0 {
		return usagef("-timeout is %v; it must be more than 0", d)
	}
	return nil
}

// positive returns a function that parses a duration above zero.
func positive(d *time.Duration) func(string) error {
	return func(s string) (err error) {
		if *d, err = time.ParseDuration(s); err == nil && *d <= 0 {
			err = errors.New("it must be more than 0")
		}
		return err
	}
}

// pattern returns a function that parses a regular expression.
func pattern(re **regexp.Regexp) func(string) error {
	return func(s string) (err error) {
		*re, err = regexp.Compile(s)
		return err
	}
}

// accepted returns the error of a value without the name of the flag, which package flag prints.
func accepted(err error) error {
	var u *gocommand.UsageError
	if errors.As(err, &u) {
		return errors.New("want " + u.Accepted)
	}
	return err
}

// budget is a time, or a number of executions written as in "1000x".
type budget struct {
	time  time.Duration
	execs uint64
}

// String implements flag.Value.
func (b *budget) String() string {
	if b.execs > 0 {
		return fmt.Sprintf("%dx", b.execs)
	}
	return b.time.String()
}

// Set implements flag.Value.
func (b *budget) Set(s string) error {
	*b = budget{}
	if n, ok := strings.CutSuffix(s, "x"); ok {
		if _, err := fmt.Sscanf(n+"\n", "%d\n", &b.execs); err != nil {
			return errors.New("want a number of executions such as 1000x")
		}
		return nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return errors.New("want a duration such as 30s, or a number of executions such as 1000x")
	}
	b.time = d
	return nil
}

// limit is Set for a budget that must not be zero, as in go test.
func (b *budget) limit(s string) error {
	err := b.Set(s)
	if err == nil && *b == (budget{}) {
		err = errors.New("it must be more than 0; leave -fuzztime out to fuzz until ^C")
	}
	return err
}

// noTarget is the message for patterns of packages that have no target.
const noTarget = "no fuzz target in %s; a target is a function FuzzXxx(f *testing.F) in a file that ends in _test.go"
