package ci

import (
	"context"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/bisect"
)

// Verdict is what the base of a change says about a finding of the change.
type Verdict struct {
	Old  bool   // the base fails in the same way, so the change has not introduced it
	Base string // a part of a sentence about the base, as in "the base a1b2c3 fails too"
}

// Judge runs the input of a finding in the base. A finding is new unless the base fails in the same way. folder is the absolute folder of its
// package. The error is about git or the toolchain, or that of ctx.
func (b Base) Judge(ctx context.Context, past *bisect.Past, folder string, r finding.Record) (Verdict, error) {
	if r.NotRun != "" {
		return Verdict{Base: "plain go test does not run this input, so the base cannot be asked"}, nil
	}
	v, _, err := past.Test(ctx, folder, r)
	switch {
	case err != nil:
		return Verdict{}, err
	case v == bisect.Fails:
		return Verdict{true, fmt.Sprintf("the base %s fails too", b.Short())}, nil
	case v == bisect.Passes:
		return Verdict{Base: fmt.Sprintf("the base %s passes", b.Short())}, nil
	}
	return Verdict{Base: fmt.Sprintf("the base %s cannot run this input", b.Short())}, nil
}
