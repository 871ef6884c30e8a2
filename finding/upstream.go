package finding

// Upstream says how the input of a finding of a dependency runs outside of the main module. It is about the input that the finding had when
// gnaw recorded it first.
type Upstream struct {
	Newest string   `json:"newest,omitempty"`  // newest version of the module; empty: not known
	Result Result   `json:"result,omitempty"`  // of the input with it; empty: the module has no other versions
	Reason string   `json:"reason,omitempty"`  // of NotTried, one line
	Debug  []string `json:"godebug,omitempty"` // lines for a godebug block of the module's own go.mod, without which the input passes there
}

// Result says whether the newest version of a module has a finding.
type Result string

// The results.
const (
	Fails    Result = "fails"     // the input fails with the newest version too
	Passes   Result = "passes"    // it ran with the newest version in several fresh processes, and passed in each
	IsNewest Result = "is_newest" // the finding is of the newest version, or of a later one
	NotTried Result = "not_tried" // nothing is known: it was not run, or not to its end
)

// Proved reports whether the input ran with the newest version.
func (u *Upstream) Proved() bool { return u != nil && (u.Result == Fails || u.Result == Passes) }
