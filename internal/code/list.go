package code

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// Query says what go list lists.
type Query struct {
	Patterns []string
	Deps     bool // with what packages import, directly or not
	Test     bool // with the variants of packages for their tests, and the main packages of test binaries
	Export   bool // compile packages, for their exported types and the errors of the compiler
	Strict   bool // fail if a package has an error, instead of listing the package with it
	Modules  bool // modules, in place of packages
}

// List runs go list and returns what it prints about each package or module. T is a struct, or a pointer to one, with those fields of the
// output that are wanted; the go command computes no others. If the go command fails, the error is a [*CommandError], and the list has what
// was printed nevertheless.
func List[T any](ctx context.Context, s Source, q Query) ([]T, error) {
	out, failed := s.Output(ctx, q.args(fields(reflect.TypeFor[T]()), s.Flags)...)
	list, err := decode[T](out)
	if failed != nil {
		return list, failed
	}
	return list, err
}

// args returns the arguments of the go command.
func (q Query) args(fields, flags []string) []string {
	args := []string{"list"}
	for _, f := range []struct {
		name string
		set  bool
	}{{"-e", !q.Strict && !q.Modules}, {"-deps", q.Deps}, {"-test", q.Test}, {"-export", q.Export}, {"-m", q.Modules}} {
		if f.set {
			args = append(args, f.name)
		}
	}
	return slices.Concat(args, []string{"-json=" + strings.Join(fields, ",")}, flags, []string{"--"}, q.Patterns)
}

// fields returns the names of the fields of a struct, in which those of embedded structs are its own.
func fields(t reflect.Type) (names []string) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for f := range t.Fields() {
		switch {
		case f.Tag.Get("json") == "-":
		case f.Anonymous:
			names = append(names, fields(f.Type)...)
		default:
			names = append(names, f.Name)
		}
	}
	return names
}

// decode decodes one JSON value after the other.
func decode[T any](out []byte) (list []T, err error) {
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var v T
		if err := dec.Decode(&v); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the output of go list: %w", err)
		}
		list = append(list, v)
	}
}

// ListError is an error of the go command, or of the compiler, about a package.
type ListError struct{ Pos, Err string }

// String returns the error on one line.
func (e *ListError) String() string { return e.at(strings.Join(strings.Fields(e.Err), " ")) }

// First returns the first line that has more than the name of the package.
func (e *ListError) First() string { return strings.TrimSpace(telling(e.at(e.Err))) }

func (e *ListError) at(text string) string {
	if e.Pos == "" {
		return text
	}
	return e.Pos + ": " + text
}
