// Package usage has the error of a request that cannot be carried out as it is: a wrong argument, or something that the user has to
// change first. Errors of other types are about gnaw or the machine.
package usage

import "fmt"

// Error is a request that cannot be carried out.
type Error struct{ error }

// Errorf returns an *Error with a message as [fmt.Errorf] makes it.
func Errorf(format string, args ...any) error { return &Error{fmt.Errorf(format, args...)} }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.error }
