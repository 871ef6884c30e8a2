package compare

// Limits of what is known about places.
const (
	usualBits  = 13 // as many slots as a Log has for places
	usualProbe = 8
	// usualTimes: a place that compared the same for so many inputs, one after the other, does not depend on them. Inputs
	// of one family share much, so two are too few; each one more lets the log of another input be crowded.
	usualTimes = 4
)

// Usual knows the places in the program that compare the same things whatever the input is. Many targets set up something
// in each execution before they look at the input (compile a regular expression, make an interpreter), which may compare
// thousands of times. Its zero value knows no place. It is not safe for concurrent use, but [Usual.Has] may be called
// anywhere while nobody learns.
type Usual struct {
	habits  [1 << usualBits]habit
	session uint32 // of Learn
}

// habit is what a place compares.
type habit struct {
	site    uint
	input   uint64 // of which the place was seen last
	was     uint64 // hash of what it compared then
	now     uint64 // of what it compares in the log that is learned
	session uint32 // in which now is being made
	times   uint8  // inputs that had it compare the same
}

// Learn notes what a log has of an input, which is identified by a number. Another log of the same input, right behind the
// first, adds the places that the first one did not have.
func (u *Usual) Learn(input uint64, records []Record) {
	u.session++
	for i := range records {
		r := &records[i]
		h := u.slot(r.Site)
		if h.site != r.Site {
			*h = habit{site: r.Site, input: ^input}
		}
		if h.session != u.session {
			if h.input == input {
				continue
			}
			h.session, h.now = u.session, 0
		}
		h.now = (hash(hash(h.now^r.A*0x9e3779b97f4a7c15, string(r.SA)), string(r.SB)) ^ r.B) * 0xbf58476d1ce4e5b9
	}
	for i := range records {
		h := u.slot(records[i].Site)
		if h.site != records[i].Site || h.session != u.session {
			continue
		}
		if h.now != h.was {
			h.was, h.times = h.now, 0
		}
		h.times = min(h.times+1, usualTimes)
		h.input, h.session = input, 0
	}
}

// slot returns the slot of a place, or one that it may have instead of another place. Places that nothing is known of give
// way first, so that what depends on the input does not drive out what does not. It runs inside of the hooks.
//
//go:nosplit
//go:norace
func (u *Usual) slot(site uint) *habit {
	at := uint64(site) * 0x9e3779b97f4a7c15 >> (64 - usualBits) // a multiplicative hash
	var spare *habit
	for i := uint64(0); i < usualProbe; i++ {
		h := &u.habits[(at+i)%(1<<usualBits)]
		switch {
		case h.site == site:
			return h
		case spare == nil || h.times < spare.times:
			spare = h
		}
	}
	return spare
}

// Has reports whether a place compares the same whatever the input is. It runs inside of the hooks.
//
//go:nosplit
//go:norace
func (u *Usual) Has(site uint) bool {
	h := u.slot(site)
	return h.site == site && h.times >= usualTimes
}
