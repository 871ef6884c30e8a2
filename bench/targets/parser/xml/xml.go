// Package xml decodes with encoding/xml, token by token and into a struct, and encodes the result.
package xml

import (
	"bytes"
	"encoding/xml"
	"io"
)

type item struct {
	XMLName xml.Name   `xml:"item"`
	ID      int        `xml:"id,attr"`
	Any     []xml.Attr `xml:",any,attr"`
	Name    string     `xml:"names>name"`
	Price   *float64   `xml:"price"`
	Flag    bool       `xml:"flag"`
	Text    string     `xml:",chardata"`
	Comment string     `xml:",comment"`
	Items   []item     `xml:"item"`
}

// Target decodes b.
func Target(b []byte) {
	d := xml.NewDecoder(bytes.NewReader(b))
	e := xml.NewEncoder(io.Discard)
	for {
		t, err := d.Token()
		if err != nil {
			break
		}
		if e.EncodeToken(t) != nil {
			break
		}
	}
	var v item
	if xml.Unmarshal(b, &v) == nil {
		_, _ = xml.Marshal(v)
	}
	lax := xml.NewDecoder(bytes.NewReader(b))
	lax.Strict, lax.AutoClose, lax.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		if _, err := lax.RawToken(); err != nil {
			return
		}
	}
}
