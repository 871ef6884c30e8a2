package campaign

import (
	"context"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/coverage"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// unrecorded is the history of a campaign that has none.
type unrecorded struct {
	version string // of the toolchain
}

func (unrecorded) Start(context.Context, Options) (k store.Killed, list []store.Progress) {
	return k, nil
}
func (unrecorded) Number() int64                                { return 0 }
func (u unrecorded) Save(r finding.Record) finding.Record       { r.Go = u.version; return r }
func (unrecorded) Renew(finding.Record)                         {}
func (unrecorded) Add(string, ...finding.Sample)                {}
func (unrecorded) Find(string) (r finding.Record, ok bool)      { return r, false }
func (unrecorded) Short(id string) string                       { return finding.Short(id, nil) }
func (unrecorded) Keeps() bool                                  { return false }
func (unrecorded) SaveProgress(time.Duration, []store.Progress) {}
func (unrecorded) SavePoint(store.Point)                        {}
func (unrecorded) SaveTotals(store.Totals, []store.Entry)       {}
func (unrecorded) SaveResults([]store.Result)                   {}
func (unrecorded) SaveSources(build.Target, coverage.Sources)   {}
func (unrecorded) SaveFuzzed(store.Dependency)                  {}
func (unrecorded) End()                                         {}
