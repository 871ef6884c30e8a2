package report

import (
	"testing"

	"github.com/gnaw-fuzz/gnaw/finding"
)

func TestTheMainCallIsNotOfTheStandardLibrary(t *testing.T) {
	own := finding.Call{Func: "example.com/m/p.F", File: "p/p.go", Line: 3}
	for _, tt := range []struct {
		name string
		top  finding.Call
		want string
	}{
		{"strings.Repeat", finding.Call{Func: "strings.Repeat", File: "/usr/local/go/src/strings/strings.go", Foreign: true}, own.Func},
		{"time.Sleep, which the runtime has", finding.Call{Func: "time.Sleep", File: "/usr/local/go/src/runtime/time.go", Foreign: true}, own.Func},
		{"sync.fatal, with -trimpath", finding.Call{Func: "sync.fatal", File: "runtime/panic.go", Foreign: true}, own.Func},
		{"strings.Repeat, with -trimpath", finding.Call{Func: "strings.Repeat", File: "strings/strings.go", Foreign: true}, own.Func},
		{"a dependency", finding.Call{Func: "example.org/d.G", File: "/go/pkg/mod/example.org/d@v1.0.0/d.go", Foreign: true}, "example.org/d.G"},
		{"a package with the name of one", finding.Call{Func: "time.Sleep", File: "/home/me/time/time.go"}, "time.Sleep"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if c, ok := Main([]finding.Call{tt.top, own}); !ok || c.Func != tt.want {
				t.Errorf("Main = %s, want %s", c.Func, tt.want)
			}
		})
	}
}
