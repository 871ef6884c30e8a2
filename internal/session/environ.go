package session

import (
	"slices"
	"strings"
)

// What variables of the user's say how a test process reports its end, which gnaw reads.
const (
	tracebackEnv = "GOTRACEBACK"
	raceEnv      = "GORACE"
	// readable is a traceback with the stack of the goroutine that fails.
	readable = "single"
)

// raceOptions are those of the race detector that gnaw cannot do with: the process ends with the first race, the report goes to a file,
// or paths are not whole.
var raceOptions = []string{"halt_on_error", "log_path", "strip_path_prefix"}

// ReadableEnviron returns an environment for test processes whose output gnaw reads, and what differs in it from the one given, as
// assignments for the command line of a person.
func ReadableEnviron(environ []string) (changed, differs []string) {
	switch Getenv(environ, tracebackEnv) {
	case "", readable, "all", "1", "system", "2": // more stacks and frames do no harm
	default: // none at all, or a core file
		differs = append(differs, tracebackEnv+"="+readable)
	}
	options := strings.Fields(Getenv(environ, raceEnv))
	kept := slices.DeleteFunc(slices.Clone(options), func(option string) bool {
		name, _, _ := strings.Cut(option, "=")
		return slices.Contains(raceOptions, name)
	})
	if len(kept) < len(options) {
		differs = append(differs, raceEnv+"="+strings.Join(kept, " "))
	}
	if differs == nil {
		return environ, nil
	}
	return slices.Concat(environ, differs), differs
}

// Getenv returns the value of a variable in an environment, "" if it is not set. Of several assignments the last one counts.
func Getenv(environ []string, name string) string {
	for _, pair := range slices.Backward(environ) {
		if k, v, _ := strings.Cut(pair, "="); k == name {
			return v
		}
	}
	return ""
}
