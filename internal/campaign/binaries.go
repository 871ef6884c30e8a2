package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// binaries has the test binaries that a campaign fuzzes, executes with the race detector, and counts statements with. It builds each once,
// and publishes that. Its methods may be called from any goroutine.
type binaries struct {
	builder Builder
	events  *event.Bus
	totals  map[Variant]int // packages of the campaign whose binaries are built in a variant

	mu    sync.Mutex
	built map[binaryName]*binary
	order []binaryName // in which the builds began
}

// binaryName names a test binary.
type binaryName struct {
	pkg     string
	variant Variant
}

// binary is a test binary.
type binary struct {
	once sync.Once

	// The mutex of binaries guards these fields.
	began time.Time
	done  bool
	path  string
	code  string // digest; of the instrumented variant only
	err   error
	ready int // packages that are compiled, of all that the binary needs
	needs int
}

func newBinaries(builder Builder, events *event.Bus, totals map[Variant]int) *binaries {
	return &binaries{builder: builder, events: events, totals: totals, built: map[binaryName]*binary{}}
}

// get returns a test binary if its build has ended. The error is that of the build.
func (b *binaries) get(pkg string, v Variant) (path string, ok bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	one := b.built[binaryName{pkg, v}]
	if one == nil || !one.done {
		return "", false, nil
	}
	return one.path, true, one.err
}

// begun reports whether a test binary was built, or is being built.
func (b *binaries) begun(pkg string, v Variant) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.built[binaryName{pkg, v}] != nil
}

// build builds a variant of the test binary of the package of a target, unless it has been, and returns its path and digest.
func (b *binaries) build(ctx context.Context, t build.Target, v Variant) (path, code string, err error) {
	name := binaryName{t.Package, v}
	b.mu.Lock()
	one := b.built[name]
	if one == nil {
		one = &binary{}
		b.built[name] = one
	}
	b.mu.Unlock()
	one.once.Do(func() { b.make(ctx, t, name, one) })
	b.mu.Lock()
	defer b.mu.Unlock()
	return one.path, one.code, one.err
}

// make builds a test binary.
func (b *binaries) make(ctx context.Context, t build.Target, name binaryName, one *binary) {
	b.mu.Lock()
	one.began = time.Now()
	b.order = append(b.order, name)
	number := 0
	for _, earlier := range b.order {
		if earlier.variant == name.variant {
			number++
		}
	}
	b.mu.Unlock()
	b.events.Publish(event.Build{Package: name.pkg, Race: name.variant == Race, Cover: name.variant == Cover, Number: number, Total: b.totals[name.variant]})
	path, err := b.builder.Build(ctx, t, name.variant, func(ready, needed int) {
		b.mu.Lock()
		defer b.mu.Unlock()
		one.ready, one.needs = ready, needed
	})
	code := ""
	if name.variant == Instrumented {
		code = digestOf(path)
	}
	b.mu.Lock()
	one.done, one.path, one.code, one.err = true, path, code, err
	b.mu.Unlock()
	b.events.Publish(b.building(name.variant))
}

// building returns an event that lists the binaries of a variant that are being built.
func (b *binaries) building(v Variant) event.Building {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := event.Building{Race: v == Race, Cover: v == Cover, Total: b.totals[v]}
	for _, name := range b.order {
		if name.variant != v {
			continue
		}
		switch one := b.built[name]; {
		case one.done:
			e.Done++
			continue
		case len(e.Packages) == 0:
			e.Seconds, e.Ready, e.Needed = time.Since(one.began).Seconds(), one.ready, one.needs
		}
		e.Packages = append(e.Packages, name.pkg)
	}
	return e
}

// states returns the state of each binary of a variant, sorted by package.
func (b *binaries) states(v Variant) (list []event.BuildState) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name, one := range b.built {
		if name.variant != v {
			continue
		}
		s := event.BuildState{Package: name.pkg, Race: v == Race, Done: one.done}
		if one.err != nil {
			s.Error = one.err.Error()
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b event.BuildState) int { return strings.Compare(a.Package, b.Package) })
	return list
}

// digestOf returns a digest of a test binary; empty: the file cannot be read, so fuzzing will fail.
func digestOf(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return ""
	}
	return hex.EncodeToString(sum.Sum(nil))[:32]
}
