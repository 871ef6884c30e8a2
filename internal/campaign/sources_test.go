//go:build unix

package campaign

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/report"
)

// recorded are sources of which only words are left.
type recorded [][]byte

func (recorded) Present(build.Target) error { return nil }

func (r recorded) Words(context.Context, build.Target) [][]byte { return r }

func TestACampaignNeedsNoSources(t *testing.T) {
	for _, tt := range []struct {
		name    string
		sources Sources
		words   [][]byte // of -dict
	}{
		{"there are none", nil, [][]byte{[]byte("bad")}},
		{"their words are recorded", recorded{[]byte("bad")}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, "bad", "p")
			if err := os.Remove(filepath.Join(r.Targets[0].Dir, "x_test.go")); err != nil {
				t.Fatal(err)
			}
			r.Sources, r.Fuzzing.Words, r.Limits = tt.sources, tt.words, Limits{FailFast: true} // else without an end
			s := r.run(t, t.Context())
			found := r.findings()
			if s.ExitCode() != 1 || len(found) != 1 || len(r.notices(event.Warning))+len(r.notices(event.Aside)) != 0 {
				t.Fatalf("the summary is %+v with %d findings and the warnings %q, want a bug", s, len(found), r.notices(event.Warning))
			}
			if _, err := os.Stat(r.Module.Abs(found[0].Path)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAReportWithoutSourcesSaysWhatItCan(t *testing.T) {
	l := newLab(t)
	f := l.failure("index out of range [3] with length 3", "in")
	f.SetOutput("panic: index out of range [3] with length 3\n\ngoroutine 7 [running]:\nexample.com/m.F(...)\n\texample.com/m/p.go:3\nexample.com/m.FuzzX.func1(0x1)\n\texample.com/m/x_test.go:7\n")
	r := RecordOf(l.Module, l.target.Target, f)
	if len(r.Calls) == 0 || r.Calls[0].Func != "example.com/m.F" || r.Calls[0].File != "p.go" || r.Calls[0].Line != 3 || r.Kind != finding.Panic {
		t.Fatalf("the record has the calls %+v", r.Calls)
	}
	r.Last = time.Now()
	var block bytes.Buffer
	report.Block(&block, r, report.Options{Root: l.Module.Root, Dir: l.Dir})
	for _, want := range []string{"index out of range", "p.go:3", "go test"} {
		if !strings.Contains(block.String(), want) {
			t.Errorf("the block has no %q:\n%s", want, block.String())
		}
	}
}
