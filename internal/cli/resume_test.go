package cli

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/campaign"
	"github.com/gnaw-fuzz/gnaw/internal/known"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

func TestTheArgumentsThatTellCampaignsApart(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"limits and patterns", []string{"-fuzztime=5m", "-parallel", "2", "./..."}, "-fuzztime=5m -parallel 2 ./..."},
		{"not what is printed", []string{"-v", "-json", "--json", "-fresh", "./a"}, "./a"},
		{"not what is printed, with a value", []string{"-v=true", "--json=1", "-fresh=false", "./a"}, "./a"},
		{"a value that looks like such a flag", []string{"-tags", "json", "v"}, "-tags json v"},
		{"nothing", nil, ""},
	} {
		if got := sameArgs(tt.args); got != tt.want {
			t.Errorf("%s: sameArgs(%q) = %q, want %q", tt.name, tt.args, got, tt.want)
		}
	}
}

// memberOf is a target of a console that prints into out.
func memberOf(out *bytes.Buffer) *member {
	c := newConsole(Env{Stdout: out, Stderr: out, Dir: "/m"}, fuzzFlags{execs: 100}, build.Toolchain{}, []build.Target{
		{Package: "example.com/m", Name: "FuzzX", Dir: "/m"},
	}, func() {})
	c.ctx, c.history = context.Background(), &history{project: c.project}
	m := c.members[0]
	m.code, m.past = "before", state{Past: campaign.Past{Turns: 3, Execs: 70}, Told: map[string]string{"aa": "bug", "bb": "flaky"}}
	return m
}

func TestATargetGoesOnIfItsCodeIsTheSame(t *testing.T) {
	var out bytes.Buffer
	m := memberOf(&out)
	m.recognize("before")
	if p := m.Past(); p.Turns != 3 || m.limit() != 30 || m.countOf(buggy) != 1 || m.countOf(flaky) != 1 || len(m.console.bugs) != 1 {
		t.Errorf("it goes on with %+v, %d executions, findings %v", p, m.limit(), m.told)
	}
	if strings.Count(out.String(), " of before counts on; the history does not have it any more\n") != 2 || strings.Count(out.String(), "\n") != 2 {
		t.Errorf("without a history it says %q", out.String())
	}
	out.Reset()
	if m.snapshot().Execs != 70 {
		t.Errorf("before its first turn it has %d executions, want those of before", m.snapshot().Execs)
	}
	m = memberOf(&out)
	m.recognize("after")
	if p := m.Past(); p.Turns != 0 || m.limit() != 100 || len(m.told) != 0 {
		t.Errorf("with other code it goes on with %+v, %d executions, findings %v", p, m.limit(), m.told)
	}
	if !strings.Contains(out.String(), "FuzzX has changed since and begins anew\n") {
		t.Errorf("it says %q", out.String())
	}
}

func TestElapsedIsNotOfTheClockOnTheWall(t *testing.T) {
	m := memberOf(new(bytes.Buffer))
	c := m.console
	if c.elapsed() != 0 {
		t.Errorf("before fuzzing begins %v have passed", c.elapsed())
	}
	// A time without its monotonic part is what the clock on the wall says; one with it cannot jump.
	c.begin()
	if c.began.String() == c.began.Round(0).String() {
		t.Errorf("the begin, %v, has no monotonic part", c.began)
	}
	c.spent = time.Hour
	if e := c.elapsed(); e < time.Hour || e > time.Hour+time.Minute {
		t.Errorf("after a kill %v have passed, want an hour", e)
	}
}

func TestExecutionsOfBeforeAKillHaveNoShareInTheRate(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		want       []string
	}{
		{"the same code", "before", []string{"70 execs (0/s)", "70 execs (0/s)"}},
		{"other code, so that what was before is dropped", "after", []string{"70 execs (0/s)", "0 execs (0/s)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			m := memberOf(&out)
			m.console.begin()
			for i, want := range tt.want {
				out.Reset()
				m.console.status()
				if !strings.Contains(out.String(), " "+want) {
					t.Errorf("status line %d is %q, want one with %q", i+1, out.String(), want)
				}
				m.recognize(tt.code) // its binary is built while others are fuzzed
			}
		})
	}
}

// The list of known findings may have been changed since the campaign was killed.
func TestFindingsOfBeforeAKillAreToldByWhatIsKnownNow(t *testing.T) {
	for _, tt := range []struct {
		name  string
		was   string
		known known.List
		want  result
		says  string
	}{
		{"a bug", "bug", known.List{}, buggy, "finding aaaa"},
		{"a bug that was added to the list", "bug", known.List{Entries: []known.Entry{{ID: "aaaa", Reason: "old"}}}, familiar, "known aaaa"},
		{"a bug that was taken from the list", "known", known.List{}, buggy, "finding aaaa"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			m := memberOf(&out)
			c := m.console
			s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), store.FileName))
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			c.history.store, c.known = s, tt.known
			r := finding.Record{ID: "aaaabbbbccccdddd", Kind: finding.Panic, Message: "oops", Target: "FuzzX", Replays: 3, Repeats: 3, Last: time.Now()}
			if _, err := s.Save(t.Context(), 1, c.project.module, r); err != nil {
				t.Fatal(err)
			}
			m.past.Told = map[string]string{r.ID: tt.was}
			m.recognize("before")
			if got := m.told[r.ID]; got != tt.want || (len(c.bugs) > 0) != (tt.want == buggy) {
				t.Errorf("it makes %v of the target, want %v; %d findings count", got, tt.want, len(c.bugs))
			}
			if !strings.HasPrefix(out.String(), tt.says) {
				t.Errorf("it says %q, want %q", out.String(), tt.says)
			}
		})
	}
}

// A target counts as fuzzed if its seeds were executed, now or before the campaign was killed.
func TestATargetWithoutATurnSinceAKill(t *testing.T) {
	for _, tt := range []struct {
		name   string
		seeded bool
		code   string
		want   result
	}{
		{"its seeds were executed", true, "before", clean},
		{"some were not", false, "before", unreached},
		{"its code is another one", true, "after", unreached},
	} {
		m := memberOf(new(bytes.Buffer))
		m.past.Told, m.past.Seeded = nil, tt.seeded
		m.recognize(tt.code)
		if m.judge(); m.result != tt.want {
			t.Errorf("%s: the result is %v (%v), want %v", tt.name, m.result, m.err, tt.want)
		}
	}
}
