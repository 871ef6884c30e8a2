// Package xmlattr opens for one element with one attribute, decoded by encoding/xml.
//
// Technique: solve, dictionary, tokens. encoding/xml compares the names one by one, as they stand in the input, and
// they are literals. Blind mutation has to hit them in a text that stays well-formed.
package xmlattr

import (
	"encoding/xml"
)

type node struct {
	XMLName xml.Name `xml:"inventory"`
	Item    struct {
		Serial string `xml:"serialno,attr"`
	} `xml:"container"`
}

// Open reports whether b is solved.
func Open(b []byte) bool {
	var n node
	return xml.Unmarshal(b, &n) == nil && n.Item.Serial == "ZX-81/B"
}
