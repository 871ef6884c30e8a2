// Package unsettled has parsers of values that are missing or cannot be printed, and of a type that is made with arguments.
package unsettled

import (
	"encoding/json"
	"strings"
)

// Name is one.
type Name struct{ s string }

// ParseName parses a name; the empty text has none.
func ParseName(s string) (*Name, error) {
	if s == "" {
		return nil, nil
	}
	return &Name{s}, nil
}

// Compare must not get nil.
func (n *Name) Compare(m *Name) int { return strings.Compare(n.s, m.s) }

// Code is one.
type Code struct{ s string }

// ParseCode parses a code.
func ParseCode(s string) (*Code, error) { return &Code{s}, nil }

// String panics if the code is short.
func (c *Code) String() string { return c.s[:2] }

// Unmarshal reads any value.
func Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }

// UnmarshalString is Unmarshal for a string.
func UnmarshalString(s string, v any) error { return json.Unmarshal([]byte(s), v) }

// Tree has hidden state.
type Tree struct{ less func(a, b string) bool }

// NewWithOrder makes a tree.
func NewWithOrder(less func(a, b string) bool) *Tree { return &Tree{less} }

// UnmarshalText needs the order.
func (t *Tree) UnmarshalText(data []byte) error { t.less("", string(data)); return nil }

// Load reads text.
func Load(data []byte) (int, error) { return len(data), nil }
