// Package toml decodes with github.com/pelletier/go-toml/v2 and encodes the result.
package toml

import (
	"time"

	"github.com/pelletier/go-toml/v2"
)

type record struct {
	Title string                         `toml:"title"`
	When  time.Time                      `toml:"when"`
	Day   toml.LocalDate                 `toml:"day"`
	Count int                            `toml:"count"`
	Ratio float64                        `toml:"ratio"`
	List  []string                       `toml:"list"`
	Sub   map[string]*struct{ A, B any } `toml:"sub"`
}

// Target decodes b into a struct and into a map.
func Target(b []byte) {
	var r record
	_ = toml.Unmarshal(b, &r)
	var m map[string]any
	if toml.Unmarshal(b, &m) == nil {
		_, _ = toml.Marshal(m)
	}
}
