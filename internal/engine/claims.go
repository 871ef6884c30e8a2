package engine

import (
	"cmp"
	"slices"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

const (
	// maxAtPlace is the maximum number of findings of one kind at one place that differ only in the words of their messages. A target
	// that prints its input in its messages would have one finding for each input otherwise.
	maxAtPlace = 4
	// maxBeyond is how many keys are kept of failures at one place that are beyond that.
	maxBeyond = 1000
)

// claimant is what shows a failure.
type claimant struct {
	isMutant bool
	isSeed   bool // what an input of the user shows is a finding however many there are
	again    bool // it has failed in plain go test too
}

// claimantOf returns what shows a failure that the warm-up shows by w; nil: a mutant shows it.
func claimantOf(w *warmEntry) claimant {
	return claimant{isMutant: w == nil, isSeed: w != nil && w.isSeed}
}

// claim is whether a failure is a finding.
type claim uint8

const (
	claimedBefore claim = iota // another finding is the same failure
	claimed                    // it is one
	doubtful                   // the same failure was flaky, or several at its place were: it is one if it fails in plain go test
	beyond                     // there are too many at its place
)

// verdict is what came of a finding.
type verdict uint8

const (
	open   verdict = iota // it is being dealt with
	counts                // plain go test shows it, or nothing is known about that
	flaky
	known // the user has said so
)

// claims has the findings of a target by what distinguishes them. The lock of the ledger guards it.
type claims struct {
	keys     map[string][]*finding.Finding            // by what [keys] makes of them
	places   map[finding.Signature][]*finding.Finding // those at each place
	verdicts map[*finding.Finding]verdict
	seeds    map[*finding.Finding]bool             // those that seeds show
	beyond   map[finding.Signature]map[string]bool // keys of failures that are no finding because there are too many at their place
	untried  map[finding.Signature]int             // inputs at each place that nobody has run again
}

func newClaims() claims {
	return claims{
		keys: map[string][]*finding.Finding{}, places: map[finding.Signature][]*finding.Finding{}, verdicts: map[*finding.Finding]verdict{},
		seeds: map[*finding.Finding]bool{}, beyond: map[finding.Signature]map[string]bool{}, untried: map[finding.Signature]int{},
	}
}

func signatureOf(f *finding.Finding) finding.Signature {
	return finding.Signature{Kind: f.Kind, Place: f.Place}
}

// claim says whether f is a finding if there may be so many at one place. first is the finding that is the same failure; nil: there is
// none. Flaky and known findings and those of seeds do not count as some of too many. A finding that is being dealt with may turn out
// to be flaky: it stands for other inputs meanwhile, but not for a seed, which is executed once only.
func (c *claims) claim(f *finding.Finding, key string, by claimant, most int) (first *finding.Finding, got claim) {
	at := c.places[signatureOf(f)]
	if first := c.standing(key, f.Kind); first != nil && (!by.isSeed || c.verdicts[first] != open) {
		return first, claimedBefore
	}
	counting, unsure := 0, 0
	for _, other := range at {
		switch {
		case c.verdicts[other] == flaky:
			unsure++
		case c.verdicts[other] != known && !c.seeds[other]:
			counting++
		}
	}
	switch {
	case !by.again && (len(c.keys[key]) > 0 && c.standing(key, f.Kind) == nil || !by.isSeed && unsure >= most):
		return nil, doubtful
	case !by.isSeed && counting >= most:
		if i := slices.IndexFunc(at, func(other *finding.Finding) bool {
			return c.verdicts[other] != open && proof.Same(other, f) // one that is being dealt with changes
		}); i >= 0 {
			return at[i], claimedBefore
		}
		c.noteBeyond(f, key)
		return nil, beyond
	}
	return nil, claimed
}

// standing returns the finding with a key that stands for other failures of a kind: it is not flaky. nil: there is none. A finding of too
// much memory may have the key of what an oracle measures, and is announced at the end of the run. So it stands for a measurement, which
// holds whatever the limit is, only if it is known.
func (c *claims) standing(key string, kind finding.Kind) *finding.Finding {
	list := c.keys[key]
	for _, want := range []verdict{counts, known, open} {
		if i := slices.IndexFunc(list, func(f *finding.Finding) bool {
			return c.verdicts[f] == want && (want == known || f.Kind != finding.Memory || !kind.Measured())
		}); i >= 0 {
			return list[i]
		}
	}
	return nil
}

// add adds a finding with its key.
func (c *claims) add(f *finding.Finding, key string, by claimant) {
	sig := signatureOf(f)
	c.keys[key] = append(c.keys[key], f)
	c.places[sig] = append(c.places[sig], f)
	c.seeds[f] = by.isSeed
}

// noteBeyond notes a failure that is no finding because there are too many at its place.
func (c *claims) noteBeyond(f *finding.Finding, key string) {
	sig := signatureOf(f)
	if c.beyond[sig] == nil {
		c.beyond[sig] = map[string]bool{}
	}
	if len(c.beyond[sig]) < maxBeyond {
		c.beyond[sig][key] = true
	}
}

// Beyond is what a target has shown at a place and gnaw has not recorded.
type Beyond struct {
	finding.Signature
	Messages int // different failures beyond the findings there; at most 1000 are counted
	Untried  int // inputs that fail as a flaky finding does and were not run again, for want of time
}

// report lists the places with failures that are not recorded.
func (c *claims) report() (list []Beyond) {
	for sig, keys := range c.beyond {
		list = append(list, Beyond{Signature: sig, Messages: len(keys), Untried: c.untried[sig]})
	}
	for sig, n := range c.untried {
		if c.beyond[sig] == nil {
			list = append(list, Beyond{Signature: sig, Untried: n})
		}
	}
	slices.SortFunc(list, func(a, b Beyond) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Place, b.Place)) })
	return list
}
