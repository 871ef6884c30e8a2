package worker

import "time"

const (
	// chaseShare: chasing may take 1/chaseShare of the time of a worker, or of its executions if no clock counts. chaseCredit or
	// chaseExecs are granted in any case, for runs of a few seconds.
	chaseShare  = 8
	chaseCredit = 300 * time.Millisecond
	chaseExecs  = 1 << 15
)

// share is what chasing has taken of all requests.
type share struct {
	all, took         time.Duration
	executions, spent uint64
}

// due reports whether there is time to chase. If no clock counts, executions do.
func (s *share) due(noClock bool) bool {
	if noClock {
		return s.spent <= chaseExecs+s.executions/chaseShare
	}
	return s.took <= chaseCredit+s.all/chaseShare
}

// book counts what chasing has taken.
func (s *share) book(took time.Duration, executions uint64) {
	s.took += took
	s.spent += executions
}

// request counts a whole request.
func (s *share) request(took time.Duration, executions uint64) {
	s.all += took
	s.executions += executions
}
