package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/ui/text"
)

// privateLines prints of a campaign what everybody may read.
type privateLines struct{ out text.Output }

func (p privateLines) event(s event.Stamped) {
	if e, ok := s.Event.(event.Finding); ok {
		fmt.Fprintf(p.out, "finding %s  %s  %s  sha256 %s\n", e.Short, e.Record.Target, e.Title(), hashOf(e.Record))
	}
}

// hashOf returns the SHA-256 of the file of an input, or of the name of a seed of F.Add.
func hashOf(r finding.Record) string {
	data := r.Input
	if data == "" {
		data = r.Seed
	}
	sum := sha256.Sum256([]byte(data))
	return hex.EncodeToString(sum[:])
}
