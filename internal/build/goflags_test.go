package build

import (
	"errors"
	"testing"
)

func TestAProgramThatRunsTestBinariesIsRefused(t *testing.T) {
	for goflags, want := range map[string]bool{"": false, "-tags=exec": false, "-exec=": false, "-exec=time": true, "-mod=mod '-exec=sudo -E'": true, "--exec=time": true} {
		if err := CheckExec(Toolchain{Flags: goflags}); errors.Is(err, ErrExec) != want {
			t.Errorf("CheckExec of GOFLAGS=%s is %v", goflags, err)
		}
	}
}
