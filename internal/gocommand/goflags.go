package gocommand

import (
	"errors"
	"fmt"
	"strings"
)

// SplitGoflags splits the value of GOFLAGS into flags, as the go command does: at spaces, except that a flag that
// begins with a quote goes up to the next such quote.
func SplitGoflags(value string) ([]string, error) {
	var flags []string
	for {
		value = strings.TrimLeft(value, " \t\r\n")
		if value == "" {
			return flags, nil
		}
		if q := value[0]; q == '"' || q == '\'' {
			flag, rest, closed := strings.Cut(value[1:], string(q))
			if !closed {
				return nil, fmt.Errorf("read GOFLAGS: a quote %c is not closed; correct GOFLAGS", q)
			}
			flags, value = append(flags, flag), rest
			continue
		}
		end := strings.IndexAny(value, " \t\r\n")
		if end < 0 {
			end = len(value)
		}
		flags, value = append(flags, value[:end]), value[end:]
	}
}

// Goflag is the last value that GOFLAGS has for the flag name, with or without the prefix "test.".
func Goflag(flags []string, name string) (value string, ok bool) {
	for _, f := range flags {
		key, v, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(f, "-"), "-"), "=")
		if key == name || key == "test."+name {
			value, ok = v, true
		}
	}
	return value, ok
}

// ErrExec says that GOFLAGS names a program that is to run test binaries.
var ErrExec = errors.New("GOFLAGS has -exec, and gnaw starts test binaries itself, not by another program; remove -exec from GOFLAGS")

// CheckExec returns [ErrExec] if GOFLAGS has -exec: what runs without that program may behave in another way.
func CheckExec(tc Toolchain) error {
	flags, err := SplitGoflags(tc.Flags)
	if err != nil {
		return err
	}
	if program, _ := Goflag(flags, "exec"); program != "" {
		return ErrExec
	}
	return nil
}
