package cover

import "testing"

func TestFeaturesAreOfOneBinary(t *testing.T) {
	a, b, unknown := Digest{1}, Digest{2}, Digest{}
	for _, tt := range []struct {
		name     string
		of, in   Digest
		features bool
	}{
		{"the same binary", a, a, true},
		{"another binary", a, b, false},
		{"features of an unknown binary", unknown, a, false},
		{"in an unknown binary", a, unknown, false},
		{"two unknown binaries", unknown, unknown, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Shown{tt.of, []Feature{7}}.In(tt.in)
			if ok != tt.features || (len(got) == 1) != tt.features {
				t.Errorf("In = %v, %v", got, ok)
			}
		})
	}
}
