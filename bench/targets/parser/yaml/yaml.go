// Package yaml decodes with gopkg.in/yaml.v3 and encodes the result.
package yaml

import "gopkg.in/yaml.v3"

type record struct {
	Name  string         `yaml:"name"`
	Count int            `yaml:"count,omitempty"`
	List  []float64      `yaml:"list,flow"`
	Map   map[string]any `yaml:",inline"`
}

// Target decodes b into a node and into a struct.
func Target(b []byte) {
	var n yaml.Node
	if yaml.Unmarshal(b, &n) == nil {
		_, _ = yaml.Marshal(&n)
	}
	var r record
	_ = yaml.Unmarshal(b, &r)
}
