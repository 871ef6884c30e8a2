// Package magic reads records. Its bug: it does not check the length of a record.
package magic

import (
	"encoding/binary"
	"errors"
)

// Decode returns the record after a magic number of four bytes and a length of one byte.
func Decode(data []byte) ([]byte, error) {
	if len(data) < 5 || binary.BigEndian.Uint32(data) != 0x9e3779b9 {
		return nil, errors.New("no record")
	}
	return data[5 : 5+int(data[4])], nil
}
