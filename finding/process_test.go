package finding

import "testing"

func TestAFailureOfTheRuntimeWhileAnotherOneEndsTheProcessIsNotTheCause(t *testing.T) {
	const output = "fatal error: concurrent map writes\npanic during panic\nSIGSEGV: segmentation violation\nPC=0x42d2c1 m=6 sigcode=1 addr=0x4\n\n" +
		"goroutine 23 [running]:\nexample.com/m.F()\n\t/m/m.go:3 +0xcf\n"
	if sig, message := OfProcess(output, Unknown); sig.Kind != Fatal || message != "fatal error: concurrent map writes" {
		t.Errorf("the failure is %+v, %q", sig, message)
	}
}
