package finding

// Upstream says how the input of a finding of a dependency runs outside of the main module. The input is the one with which gnaw first
// recorded the finding.
type Upstream struct {
	Newest string   `json:"newest,omitempty"`  // newest version of the module; empty: not known
	Result Result   `json:"result,omitempty"`  // of the input with it; empty: the module has no other versions
	Reason string   `json:"reason,omitempty"`  // of NotTried, one line
	Debug  []string `json:"godebug,omitempty"` // GODEBUG settings of the main module, as lines of a godebug block, if the input passes with those of the dependency
}

// Result says whether the newest version of a module has a finding.
type Result string

// The results.
const (
	Fails    Result = "fails"     // the input fails with the newest version too
	Passes   Result = "passes"    // it ran with the newest version in several fresh processes, and passed in each
	IsNewest Result = "is_newest" // the finding is of the newest version, or of a later one
	NotTried Result = "not_tried" // the input did not run with the newest version, or not to its end
)

// Proved reports whether the input ran with the newest version.
func (u *Upstream) Proved() bool { return u != nil && (u.Result == Fails || u.Result == Passes) }
