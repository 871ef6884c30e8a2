package worker

import "testing"

func TestFramesAreThoseOfTheGoroutineThatExecutes(t *testing.T) {
	const (
		other = "goroutine 1 [chan receive]:\nmain.main()\n\t/src/m/main.go:3 +0x1\ncreated by main.go in goroutine 7\n\t/src/m/main.go:9 +0x1\n\n"
		head  = "goroutine 22 [runnable]:\n"
		inner = "m.Wait(...)\n\t/src/m/m.go:107\n"
		outer = "m.FuzzWait.func1(0x0?)\n\t/src/m/m.go:107 +0x5bb\n"
		end   = "created by testing.(*F).Fuzz.func1 in goroutine 1\n\t/go/fuzz.go:328 +0x668\n"
	)
	for _, tt := range []struct {
		name, stacks string
		want         int
	}{
		{"all frames", other + head + inner + outer + end + "\n" + other, 2},
		{"a frame is missing", other + head + outer + end + "\n" + other, 1},
		{"the first goroutine", head + inner + outer + end, 2},
		{"no such goroutine", other, 0},
		{"nothing", "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := frames([]byte(tt.stacks)); got != tt.want {
				t.Errorf("frames = %d, want %d", got, tt.want)
			}
		})
	}
}
