// Package shadow declares json, as packages do that use another one for it.
package shadow

import encoding "encoding/json"

var json = encoding.Valid

// Number is one.
type Number struct{ N int }

// UnmarshalJSON needs encoding/json in its target.
func (n *Number) UnmarshalJSON(data []byte) error {
	for len(data) > 1 && data[0] == '0' {
		data = data[1:]
	}
	return encoding.Unmarshal(data, &n.N)
}

// Check needs nothing.
func Check(s string) error {
	if !json([]byte(s)) {
		return encoding.Unmarshal([]byte(s), new(any))
	}
	return nil
}
