//go:build !linux && !darwin

package oracle

// ReadOnly reports that there is no memory that cannot be written to.
func ReadOnly([]byte) (b []byte, ok bool) { return nil, false }
