package marshal

import (
	"encoding/json"
	"testing"
)

func TestLevel(t *testing.T) {
	var l Level
	if err := l.UnmarshalText([]byte("12")); err != nil || l != 12 {
		t.Error(l, err)
	}
}

func TestPoint(t *testing.T) {
	var p Point
	if err := json.Unmarshal([]byte("[1, 2]"), &p); err != nil {
		t.Error(p, err)
	}
	if err := p.UnmarshalJSON([]byte("[3]")); err != nil {
		t.Error(p, err)
	}
}

func TestOnly(t *testing.T) {
	var o Only
	if err := o.UnmarshalBinary([]byte{0xff}); err != nil {
		t.Error(err)
	}
}
