// Package marshal has types that are written and read.
package marshal

import (
	"encoding/json"
	"errors"
	"strconv"
)

// Level is a number with a name.
type Level int

// UnmarshalText reads a level.
func (l *Level) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 0 {
		return errors.New("no level")
	}
	*l = Level(n)
	return nil
}

// MarshalText writes a level.
func (l Level) MarshalText() ([]byte, error) { return strconv.AppendInt(nil, int64(l), 10), nil }

// Point is a place.
type Point struct{ X, Y int }

// UnmarshalJSON reads a point as an array.
func (p *Point) UnmarshalJSON(data []byte) error {
	var list [2]int
	if err := json.Unmarshal(data, &list); err != nil {
		return err
	}
	p.X, p.Y = list[0], list[1]
	return nil
}

// MarshalJSON writes a point as an array.
func (p Point) MarshalJSON() ([]byte, error) { return json.Marshal([2]int{p.X, p.Y}) }

// Flag is on or off.
type Flag struct{ on bool }

// Set reads a flag.
func (f *Flag) Set(s string) (err error) {
	f.on, err = strconv.ParseBool(s)
	return err
}

// String writes a flag.
func (f *Flag) String() string { return strconv.FormatBool(f.on) }

// Only can be read.
type Only struct{ n int }

// UnmarshalBinary reads one byte.
func (o *Only) UnmarshalBinary(data []byte) error {
	if len(data) != 1 {
		return errors.New("not one byte")
	}
	o.n = int(data[0])
	return nil
}
