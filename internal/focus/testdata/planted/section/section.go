// Package section has a parser of files with sections of several kinds. Most of its code is about the common kinds.
package section

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"gnaw.test/planted/mix"
)

// Parse reads a file: sections of one byte for the kind, one byte for the length, and the content.
func Parse(data []byte) (sections int, err error) {
	for len(data) >= 2 {
		kind, size := data[0], int(data[1])
		if data = data[2:]; size > len(data) {
			return sections, errors.New("section too long")
		}
		if err := parse(kind, data[:size]); err != nil {
			return sections, err
		}
		data = data[size:]
		sections++
	}
	return sections, nil
}

func parse(kind byte, b []byte) error {
	switch kind {
	case 'J':
		var v any
		return json.Unmarshal(b, &v)
	case 'U':
		u, err := url.Parse(string(b))
		if err != nil {
			return err
		}
		_, err = url.ParseQuery(u.RawQuery)
		return err
	case 'C':
		_, err := csv.NewReader(strings.NewReader(string(b))).ReadAll()
		return err
	case 'A':
		_, err := netip.ParsePrefix(string(b))
		return err
	case 'T':
		_, err := time.ParseDuration(string(b))
		return err
	case 'K':
		return key(b)
	}
	return errors.New("unknown kind")
}

// key parses the rare section.
func key(b []byte) error {
	if len(b) != 8 {
		return errors.New("bad size")
	}
	if mix.Of(b[0], b[1], 9) != 0x0a5 {
		return errors.New("bad key")
	}
	if mix.Of(b[2], b[3], 9) != 0x133 {
		return errors.New("bad salt")
	}
	if mix.Of(b[4], b[5], 9) != 0x1c1 {
		return errors.New("bad check")
	}
	panic("planted")
}
