package engine

import (
	"context"
	"time"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/minimize"
)

const (
	// maxMatterChecks is how many inputs are executed to find the bytes of a finding that matter. A byte takes four if it does not
	// matter, and most others take one. The findings in testdata/planted and examples take at most 22, in up to 35 ms.
	maxMatterChecks = 512
	// maxMatterDeaths is how many of them may end the process, each of which costs the start of another.
	maxMatterDeaths = 32
	// maxMatterTime ends it if executions, or starts of the process, are slow.
	maxMatterTime = 2 * time.Second
)

// matter finds which bytes of the minimized input matter, and notes them in the finding. It tests no finding that would take too long, as a
// hang or a stack overflow does, which take about a second each time, and no race, which a process reports once.
func (m *minimization) matter() {
	f := m.f
	if m.broken != nil || m.differs() || f.Kind == finding.Memory || f.Kind == finding.Race {
		return
	}
	limit := maxMatterChecks
	if m.MinimizeLimit > 0 { // the last one executes the input itself
		limit = min(limit, m.MinimizeLimit-m.checks-1)
	}
	if limit <= 0 {
		return
	}
	outer := m.turn.verifying()
	ctx, cancel := context.WithTimeout(outer, m.matterTime())
	defer cancel()
	m.ctx, m.until = ctx, 0
	deaths := 0
	list := minimize.Matters(f.Input, minimize.Options{
		MaxChecks: limit,
		Deadline:  func() bool { return m.stop() || deaths >= maxMatterDeaths },
		Check: func(a input.Args) bool {
			same := m.check(a, false)
			if m.slot.worker == nil {
				deaths++
			}
			return same
		},
	})
	m.ctx = outer
	if !m.check(f.Input, true) { // what was executed has changed how the target behaves
		return
	}
	for _, one := range list {
		f.Matter = append(f.Matter, finding.Matter(one))
	}
}

// matterTime returns how long the test of the bytes of one finding may take.
func (m *minimizer) matterTime() time.Duration {
	if m.MinimizeTime > 0 {
		return min(m.MinimizeTime, maxMatterTime)
	}
	return maxMatterTime
}
