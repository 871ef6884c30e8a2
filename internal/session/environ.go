package session

import (
	"slices"
	"strings"
)

// Variables of the user that change how a test process reports its end. gnaw reads that report.
const (
	tracebackEnv = "GOTRACEBACK"
	raceEnv      = "GORACE"
	// readable is the traceback with the stack of the goroutine that failed.
	readable = "single"
)

// raceOptions are the options of the race detector that gnaw removes: they end the process at the first race, write the report to a file,
// or shorten paths.
var raceOptions = []string{"halt_on_error", "log_path", "strip_path_prefix"}

// ReadableEnviron returns an environment for test processes whose output gnaw can read. differs has the assignments that differ from the
// given environment, as a person types them on a command line.
func ReadableEnviron(environ []string) (changed, differs []string) {
	switch Getenv(environ, tracebackEnv) {
	case "", readable, "all", "1", "system", "2": // gnaw can read more stacks and frames
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

// buildVariables are variables that decide which program the go command builds, or how it behaves.
var buildVariables = []string{"GOEXPERIMENT", "GOARCH", "CGO_ENABLED", "GOFLAGS", "GODEBUG"}

// RerunEnviron returns the assignments that a person with another environment types in front of go test to see the same failure: those with
// which [ReadableEnviron] replaces others, and those of the given environment that decide which program is built and how it behaves.
func RerunEnviron(environ []string) []string {
	_, needed := ReadableEnviron(environ)
	for _, name := range buildVariables {
		if value := Getenv(environ, name); value != "" {
			needed = append(needed, name+"="+value)
		}
	}
	return needed
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
