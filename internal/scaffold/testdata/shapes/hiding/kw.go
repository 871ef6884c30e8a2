// Package hiding has names that targets must not give to their own variables.
package hiding

// Type is a type whose name is a keyword in lower case.
type Type int

const (
	A Type = iota
	B
)

// Convert takes two values of one type.
func Convert(s string, from, to Type) (int, error) { return len(s) + int(from) - int(to), nil }

// Value is what is parsed.
type Value struct{ text string }

func (v *Value) String() string { return v.text }

// ParseValue has a parameter with the name of a variable of the target.
func ParseValue(s string, v bool) (*Value, error) { return &Value{s}, nil }

// VM is a type whose variable is v.
type VM struct{ Debug bool }

// Compile makes a value.
func (vm *VM) Compile(s string) (*Value, error) { return &Value{s}, nil }

// Config is a type whose variable is c.
type Config struct{ Strict bool }

// Load has a parameter c.
func (x *Config) Load(s string, c bool) (int, error) { return len(s), nil }
