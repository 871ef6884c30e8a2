// Package many has several parsers, each with a target.
package many

import (
	"errors"

	"gnaw.test/planted/mix"
)

// Token checks a token.
func Token(b []byte) error {
	if len(b) < 6 {
		return errors.New("too short")
	}
	for i := range 3 {
		if err := part(i, b[2*i], b[2*i+1]); err != nil {
			return err
		}
	}
	return nil
}

func part(i int, a, b byte) error {
	switch i {
	case 0:
		if mix.Of(a, b, 11) != 0x2a5 {
			return errors.New("first part")
		}
	case 1:
		if mix.Of(a, b, 11) != 0x133 {
			return errors.New("second part")
		}
	case 2:
		if mix.Of(a, b, 11) == 0x3c1 {
			panic("planted")
		}
	}
	return nil
}
