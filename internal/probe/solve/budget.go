package solve

// maxSearched is how many bytes each part of a list of edits is searched for at most: those of the input, once for each form of
// each value that was compared. That takes about a third of a second. A megabyte of text took five seconds, which looks like a
// hang of the target. It is no limit of time, since the same log makes the same list.
const maxSearched = 1 << 28

// grant begins a list, all of whose budget the first search may use.
func (t *Table) grant() {
	t.budget = maxSearched
	t.share(1)
}

// share grants the next of n pairs its share of the budget: what it does not use is for the others.
func (t *Table) share(n int) { t.floor = t.budget - max(t.budget/n, min(t.budget, 1)) }

// search takes n bytes out of the budget. It reports false, and what needs them is left out, once the share is used up. The
// first search in a share is made, however long the input is. Random has no budget.
func (t *Table) search(n int) bool {
	if t.random {
		return true
	}
	if t.budget <= t.floor {
		return false
	}
	t.budget -= n
	return true
}
