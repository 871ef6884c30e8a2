//go:build unix

package campaign

import (
	"bytes"
	"context"
	encoding "encoding/binary"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/probe/blocks"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// coverMeta is the meta-data of a package with one function, whose two blocks have 1 and 3 statements.
func coverMeta() []byte {
	table := []byte{5}
	for _, s := range []string{"p", "m/p", "m", "m/p/p.go", "F"} {
		table = append(append(table, byte(len(s))), s...)
	}
	head := make([]byte, 44)
	for i, word := range map[int]uint32{8: 1, 12: 2, 40: 1} { // path, module, number of functions
		encoding.LittleEndian.PutUint32(head[i:], word)
	}
	function := []byte{2, 4, 3, 3, 1, 3, 9, 1, 4, 1, 6, 2, 3}
	return slices.Concat(head, encoding.LittleEndian.AppendUint32(nil, uint32(len(head)+4+len(table))), table, function)
}

// coverProcess reaches the first block when it starts, and the second block with each input that is not empty.
type coverProcess struct {
	startErr error
	running  bool
	record   []uint32
	began    time.Time
	closed   func(took time.Duration)
}

func (p *coverProcess) Start(context.Context) error {
	if p.startErr != nil {
		return p.startErr
	}
	p.running, p.began = true, time.Now()
	p.reach(1, 0)
	return nil
}

func (p *coverProcess) Running() bool { return p.running }

func (p *coverProcess) Hello() wire.Hello {
	return wire.Hello{Packages: []blocks.Package{{ID: 1, Meta: bytes.Clone(coverMeta())}}}
}

func (p *coverProcess) Execute(_ context.Context, a input.Args) (*finding.Finding, error) {
	p.reach(0, uint32(min(1, a.Size())))
	return nil, nil
}

func (p *coverProcess) ExecuteSeed(ctx context.Context, a input.Args) (f *finding.Finding, actions [][]byte, err error) {
	f, err = p.Execute(ctx, a)
	return f, nil, err
}

func (p *coverProcess) Allow([][]byte)   {}
func (p *coverProcess) Refused() string  { return "" }
func (p *coverProcess) Record() []uint32 { return p.record }
func (p *coverProcess) reach(first, second uint32) {
	p.record = []uint32{6, 2, 1, 0, first, second}
}

func (p *coverProcess) End() { p.running = false; p.reach(0, 0) }

func (p *coverProcess) Close() error {
	if p.closed != nil {
		p.closed(time.Since(p.began))
	}
	return nil
}

// runCovered runs the campaign of a rig with processes that open makes.
func (r *rig) runCovered(t *testing.T, open func() closer) {
	t.Helper()
	c := New(r.Options)
	c.coverer.open = func(*target, string) closer { return open() }
	if _, err := c.Run(t.Context()); err != nil {
		t.Error(err)
	}
	r.bus.Close()
}

// lastOf returns the last event of a type.
func lastOf[E event.Event](r *rig) (last E, n int) {
	for _, e := range r.events {
		if e, ok := e.(E); ok {
			last = e
			n++
		}
	}
	return last, n
}

func TestStatementsAreInEventsAndInTheHistory(t *testing.T) {
	r := newRig(t, "never", "p")
	r.Fuzzing.Cover = true
	r.runCovered(t, func() closer { return &coverProcess{} })
	want := event.Reached{Covered: 4, Statements: 4}
	if e, _ := lastOf[event.Start](r); !e.Cover {
		t.Errorf("the start is %+v", e)
	}
	if e, n := lastOf[event.Cover](r); e.Reached != want || e.Subject.Func != "FuzzX" || n == 0 {
		t.Errorf("the last of %d events is %+v, want %+v", n, e, want)
	}
	if e, _ := lastOf[event.Status](r); e.Reached != want {
		t.Errorf("the last status is %+v, want %+v", e, want)
	}
	if e, _ := lastOf[event.TargetEnd](r); e.Reached != want {
		t.Errorf("the result of the target is %+v, want %+v", e, want)
	}
	built := 0
	for _, e := range r.events {
		if e, ok := e.(event.Build); ok && e.Cover {
			built++
		}
	}
	if built != 1 {
		t.Errorf("%d binaries with counters are announced", built)
	}
	db, err := r.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	points, err := db.Coverage(t.Context(), "example.com/m", fuzz.Name{Package: "p", Func: "FuzzX"})
	if err != nil || len(points) == 0 || points[len(points)-1].Covered != 4 || points[len(points)-1].Statements != 4 {
		t.Errorf("the history has %+v (%v)", points, err)
	}
}

func TestACampaignContinuesWithoutStatements(t *testing.T) {
	broken := errors.New("p.go:3:1: syntax error")
	for _, tt := range []struct {
		name     string
		buildErr error
		startErr error
		want     string
	}{
		{"the binary cannot be built", broken, nil, "-cover has no effect for p, and fuzzing continues; correct this error, or leave -cover out: p.go:3:1: syntax error"},
		{"the binary cannot be started", nil, broken, "-cover has no more effect for this target, and fuzzing continues; correct this error, or leave -cover out: p.go:3:1: syntax error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, "never", "p")
			r.Fuzzing.Cover, r.Builder = true, fakeBuilder{coverErr: tt.buildErr}
			r.runCovered(t, func() closer { return &coverProcess{startErr: tt.startErr} })
			if got := r.notices(event.Warning); len(got) != 1 || got[0] != tt.want {
				t.Errorf("the warnings are %q, want %q", got, tt.want)
			}
			if e, _ := lastOf[event.TargetEnd](r); e.Result != event.Clean || e.Execs < 3000 || e.Reached != (event.Reached{}) {
				t.Errorf("the result is %+v", e)
			}
		})
	}
}

func TestTheCovererPausesInProportionToItsVisits(t *testing.T) {
	r := newRig(t, "never", "p")
	r.Limits = Limits{} // the first pause ends the campaign
	r.Fuzzing.Cover = true
	c := New(r.Options)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var mu sync.Mutex
	var visits, pauses []time.Duration
	c.coverer.open = func(*target, string) closer {
		return &coverProcess{closed: func(took time.Duration) { mu.Lock(); visits = append(visits, took); mu.Unlock() }}
	}
	c.coverer.wait = func(d time.Duration, end ...<-chan struct{}) {
		if d == sweepIdle {
			waitFor(d, end...)
			return
		}
		mu.Lock()
		pauses = append(pauses, d)
		mu.Unlock()
		cancel()
	}
	if _, err := c.Run(ctx); err != nil {
		t.Error(err)
	}
	r.bus.Close()
	for i, d := range pauses {
		if least := visits[i] * (coverShare - 1); d < least {
			t.Errorf("after a visit of %v the pause is %v, want at least %v", visits[i], d, least)
		}
	}
	if len(pauses) == 0 {
		t.Error("there is no pause")
	}
}

func TestTheBuildOfABinaryIsShown(t *testing.T) {
	for _, tt := range []struct {
		name    string
		variant Variant
	}{{"for fuzzing", Instrumented}, {"with the race detector", Race}, {"with counters", Cover}} {
		t.Run(tt.name, func(t *testing.T) {
			var during event.Building
			var b *binaries
			show := func() { during = b.building(tt.variant) }
			b = newBinaries(showingBuilder{show}, &event.Bus{}, map[Variant]int{tt.variant: 1})
			path, _, err := b.build(t.Context(), build.Target{Name: fuzz.Name{Package: "example.com/m"}}, tt.variant)
			if got, ok, gotErr := b.get("example.com/m", tt.variant); err != nil || gotErr != nil || !ok || path != "m.test" || got != path {
				t.Fatalf("the binary is %q, %q (%v, %v)", path, got, err, gotErr)
			}
			if !slices.Equal(during.Packages, []string{"example.com/m"}) || during.Ready != 3 || during.Needed != 9 || during.Seconds < 0 || during.Done != 0 || during.Total != 1 {
				t.Errorf("during the build the state is %+v", during)
			}
			if during.Race != (tt.variant == Race) || during.Cover != (tt.variant == Cover) {
				t.Errorf("the state %+v is that of another variant", during)
			}
			if after := b.building(tt.variant); len(after.Packages) != 0 || after.Needed != 0 || after.Done != 1 {
				t.Errorf("after it the state is %+v", after)
			}
		})
	}
}

// showingBuilder builds nothing, and shows how far it is.
type showingBuilder struct{ during func() }

func (b showingBuilder) Build(_ context.Context, _ build.Target, _ Variant, show func(ready, needed int)) (string, error) {
	show(3, 9)
	b.during()
	return "m.test", nil
}

func (showingBuilder) Vet(context.Context, string) (string, error) { return "", nil }

func TestTargetsOfDependenciesAreNotCounted(t *testing.T) {
	l := newLab(t)
	builder := &brokenBuilder{}
	l.binaries = newBinaries(builder, l.Events, nil)
	l.coverer = newCoverer(l.Campaign)
	l.target.Outside = &build.Outside{}
	l.prepareCover(t.Context(), l.target)
	if len(builder.builds) != 0 {
		t.Errorf("the binaries %q are built", builder.builds)
	}
}

func TestAStatementThatTwoTargetsReachCountsOnce(t *testing.T) {
	r := newRig(t, "never", "p", "q")
	r.Fuzzing.Cover = true
	r.runCovered(t, func() closer { return &coverProcess{} })
	if e, _ := lastOf[event.Status](r); e.Reached != (event.Reached{Covered: 4, Statements: 4}) {
		t.Errorf("the last status is %+v", e)
	}
}
