package coverage

import (
	"bytes"
	"compress/gzip"
	"encoding/gob"
	"errors"
)

// Pack returns values as bytes for the history, which [Unpack] reads. Each value is encoded as package gob does.
func Pack(values ...any) ([]byte, error) {
	var data bytes.Buffer
	z, err := gzip.NewWriterLevel(&data, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	to := gob.NewEncoder(z)
	for _, v := range values {
		err = errors.Join(err, to.Encode(v))
	}
	err = errors.Join(err, z.Close()) // before data has the last bytes
	return data.Bytes(), err
}

// Unpack is the inverse of [Pack]. The values are pointers. Data that another version has written may be an error.
func Unpack(data []byte, values ...any) error {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	from := gob.NewDecoder(z)
	for _, v := range values {
		err = errors.Join(err, from.Decode(v))
	}
	return err
}
