// Package metrics shows the state of a campaign to Prometheus. [Metrics] reads it from a board of the events of the campaign, and answers HTTP
// requests with it. docs/metrics.md lists the names.
package metrics

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

// maxTargets is the number of targets that have series of their own: those that come first in the plan of the campaign. The totals count
// all targets.
const maxTargets = 1000

// Metrics is the state of a campaign as Prometheus sees it. Its methods may be called from any goroutine.
type Metrics struct {
	handler http.Handler
	board   *board.Board
	now     func() time.Time
}

// New returns the metrics of a campaign that has published no event yet.
func New() *Metrics {
	m := &Metrics{board: board.New(), now: time.Now}
	registry := prometheus.NewRegistry()
	registry.MustRegister(m) // panics only if a name is wrong or used twice, and then in each test
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return m
}

// ServeHTTP answers a request with the metrics in a format that Prometheus reads.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.handler.ServeHTTP(w, r) }

// Event updates the metrics with an event.
func (m *Metrics) Event(s event.Stamped) { m.board.Apply(s) }
