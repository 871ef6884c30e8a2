package fuzz

import (
	"slices"
	"testing"
)

func TestANameIsShown(t *testing.T) {
	for _, tt := range []struct {
		name string
		of   Name
		want string
	}{
		{"a target", Name{"example.com/m/p", "FuzzParse"}, "example.com/m/p.FuzzParse"},
		{"a package", Name{"example.com/m", ""}, "example.com/m"},
		{"nothing", Name{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.of.String(); got != tt.want {
				t.Errorf("%#v is shown as %q, want %q", tt.of, got, tt.want)
			}
		})
	}
}

func TestNamesAreInTheOrderOfPackagesAndFunctions(t *testing.T) {
	want := []Name{{"a", ""}, {"a", "FuzzB"}, {"a/b", "FuzzA"}, {"b", "FuzzA"}}
	got := slices.Clone(want)
	slices.Reverse(got)
	if slices.SortFunc(got, Name.Compare); !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}
