package cli

import "testing"

func TestTheValuesOfDeps(t *testing.T) {
	for _, tt := range []struct {
		value string
		want  depsFlag
		fails bool
	}{
		{"true", depsFlag{on: true}, false},
		{"false", depsFlag{}, false},
		{"std", depsFlag{on: true, std: true}, false},
		{"only,fail", depsFlag{on: true, only: true, fail: true}, false},
		{"all,write", depsFlag{on: true, all: true, write: true}, false},
		{"", depsFlag{}, true},
		{"std,write", depsFlag{}, true},
		{"every", depsFlag{}, true},
	} {
		var got depsFlag
		if err := got.set(tt.value); (err != nil) != tt.fails || err == nil && got != tt.want {
			t.Errorf("-deps=%s is %+v (%v), want %+v", tt.value, got, err, tt.want)
		}
	}
}
