// Command dockerfile checks a Dockerfile with the parser and the linter of BuildKit. It exits with 1 and prints why if the file has a fault.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

func main() {
	if err := check(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// check returns what is wrong with a Dockerfile.
func check(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	parsed, err := parser.Parse(file)
	if err != nil {
		return err
	}
	var errs []error
	for _, w := range parsed.Warnings {
		errs = append(errs, errors.New(w.Short))
	}
	rules := linter.New(&linter.Config{Warn: func(rule, _, _, text string, location []parser.Range) {
		errs = append(errs, fmt.Errorf("%s: %s %v", rule, text, location))
	}})
	stages, _, err := instructions.Parse(parsed.AST, rules)
	if err == nil && len(stages) == 0 {
		err = errors.New("there is no stage")
	}
	return errors.Join(append(errs, err)...)
}
