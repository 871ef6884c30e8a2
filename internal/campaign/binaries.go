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

	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// binaries builds test binaries, each once. Its methods may be called from any goroutine.
type binaries struct {
	builder Builder
	flags   []string // for the go command
	race    bool     // with the race detector
	total   int      // number of packages of the campaign
	events  *event.Bus

	mu    sync.Mutex
	built map[string]*binary // by package
	order []string           // packages, in the order in which the builds began
}

// binary is the test binary of a package.
type binary struct {
	once sync.Once
	code string // digest

	// The mutex of binaries guards these fields.
	began time.Time
	done  bool
	err   error
	ready int // packages that are compiled, of all that the binary needs
	needs int
}

func newBinaries(builder Builder, flags []string, race bool, events *event.Bus) *binaries {
	if race {
		flags = append(slices.Clone(flags), raceFlag)
	}
	return &binaries{builder: builder, flags: flags, race: race, events: events, built: map[string]*binary{}}
}

func (b *binaries) path(pkg string) string { return b.builder.Path(pkg, b.flags) }

// begun reports whether the test binary of a package was built, or is being built.
func (b *binaries) begun(pkg string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.built[pkg] != nil
}

// build builds the test binary of a package, unless it has been, and returns its digest.
func (b *binaries) build(ctx context.Context, pkg string) (code string, err error) {
	b.mu.Lock()
	one := b.built[pkg]
	if one == nil {
		one = &binary{}
		b.built[pkg] = one
	}
	b.mu.Unlock()
	one.once.Do(func() {
		b.mu.Lock()
		one.began = time.Now()
		b.order = append(b.order, pkg)
		number := len(b.order)
		b.mu.Unlock()
		b.events.Publish(event.Build{Package: pkg, Race: b.race, Number: number, Total: b.total})
		err := b.builder.Binary(ctx, pkg, b.flags, func(ready, needed int) {
			b.mu.Lock()
			defer b.mu.Unlock()
			one.ready, one.needs = ready, needed
		})
		code := digestOf(b.path(pkg))
		b.mu.Lock()
		one.done, one.err, one.code = true, err, code
		b.mu.Unlock()
		b.events.Publish(b.building())
	})
	b.mu.Lock()
	defer b.mu.Unlock()
	return one.code, one.err
}

// building returns an event that lists the binaries that are being built.
func (b *binaries) building() event.Building {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := event.Building{Race: b.race, Total: b.total}
	for _, pkg := range b.order {
		switch one := b.built[pkg]; {
		case one.done:
			e.Done++
			continue
		case len(e.Packages) == 0:
			e.Seconds, e.Ready, e.Needed = time.Since(one.began).Seconds(), one.ready, one.needs
		}
		e.Packages = append(e.Packages, pkg)
	}
	return e
}

// states returns the state of each binary, sorted by package.
func (b *binaries) states() (list []event.BuildState) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for pkg, one := range b.built {
		s := event.BuildState{Package: pkg, Race: b.race, Done: one.done}
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
