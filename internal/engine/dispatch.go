package engine

// serve has the worker of a slot do tasks until the turn ends.
func (e *engine) serve(s *slot) error {
	defer e.pool.end(s)
	for {
		t := e.turn.choose(e.next)
		if t == nil {
			return nil
		}
		stack := 0
		if !t.wholeStack() {
			stack = e.verifier.overflows.maxStack()
		}
		if err := e.pool.ensureInTurn(s, stack); err != nil {
			err = e.pool.retire(err)
			t.giveBack()
			e.account(t.grant(), 0, 0) // not before: without a grant, others may end the run
			return err
		}
		if err := e.perform(s, t); err != nil {
			return err
		}
	}
}

// perform has the worker of s do a task.
func (e *engine) perform(s *slot, t task) error {
	defer e.account(t.grant(), 0, 0) // not before it is known what came of it: without a grant, others may end the run
	e.refusals.update(s)
	err := t.perform(s)
	e.refusals.look(s)
	e.fail(err) // the reason for which the run ends is this one
	return err
}

// next chooses the next task. Without one, wait says whether there may be one later; err is why there is none. It is called with
// the lock of the turn.
func (e *engine) next() (t task, wait bool, err error) {
	left, promised := e.meter.left()
	closed := e.ledger.isClosed()
	if left == 0 {
		t := e.oracles.next(true)
		return t, promised || closed, nil
	}
	if closed {
		return nil, true, nil // the worker that settles the last finding ends the run
	}
	if w := e.warmup.next(); w != nil {
		return &warmTask{e.warming, w}, false, nil
	}
	if !e.warmup.isOver() {
		return nil, true, nil
	}
	if e.WarmUpOnly {
		return nil, promised, nil
	}
	if t := e.importer.next(); t != nil {
		return t, false, nil
	}
	if t := e.oracles.next(false); t != nil {
		return t, false, nil
	}
	if !e.entries.onlyFailing() {
		return e.requests.choose(left), false, nil
	}
	if t := e.revive(left, promised); t != nil {
		return t, false, nil
	}
	if promised {
		return nil, true, nil
	}
	if !e.KeepGoing && !e.ledger.hasOverLimit() { // there is no input that can be executed
		err = errNothing
	}
	return nil, false, err
}
