package solve

// maxSearched is how many bytes each part of a list of edits may search: those of the input, once for each form of each value
// that was compared. That takes about a third of a second. Without a limit, a megabyte of text took five seconds, which looks
// like a hang of the target. The limit is not one of time, so that the same log makes the same list.
const maxSearched = 1 << 28

// budget is how many bytes may still be searched.
type budget struct {
	left  int
	floor int // of left, where the share of the pair at hand ends
}

// grant begins a part of a list, all of whose budget the first search may use.
func (b *budget) grant() {
	b.left = maxSearched
	b.share(1)
}

// share grants the next of n pairs its share. The other pairs get what it does not use.
func (b *budget) share(n int) { b.floor = b.left - max(b.left/n, min(b.left, 1)) }

// spend takes n bytes out of the budget. It reports false once the share is used up. The first search in a share is made,
// however long the input is.
func (b *budget) spend(n int) bool {
	if b.left <= b.floor {
		return false
	}
	b.left -= n
	return true
}
