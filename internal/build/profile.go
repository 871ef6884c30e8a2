package build

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// ProfileEnv is the environment variable with the [Profile] of `gnaw test`, as JSON.
const ProfileEnv = "GNAW_COVERPROFILE"

// Profile says which coverage profile a run of `gnaw test` writes at its end.
type Profile struct {
	File     string   // absolute
	Packages []string // patterns of -coverpkg; none: see [Covered]
}

// profile returns the environment variable for the coverage profile of the command line. The value of -coverprofile is relative to
// -outputdir, which is relative to dir.
func profile(t gocommand.TestArgs, dir string) (variable string, err error) {
	if mode, ok := t.Flags["covermode"]; ok && !slices.Contains([]string{"set", "count", "atomic"}, mode) {
		return "", &gocommand.UsageError{Flag: "covermode", Value: mode, Accepted: "set, count or atomic"}
	}
	if out, ok := t.Flags["outputdir"]; ok {
		dir = gocommand.Absolute(out, dir)
	}
	p := Profile{File: gocommand.Absolute(t.Flags["coverprofile"], dir)}
	if p.File, err = filepath.Abs(p.File); err != nil {
		return "", fmt.Errorf("find the folder %s: %w", dir, err)
	}
	p.Packages = covered(t).Patterns
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // strings can be encoded
	}
	return ProfileEnv + "=" + string(text), nil
}

// covered returns the options for the packages of the coverage profile. They are zero without -coverprofile or without -coverpkg.
func covered(t gocommand.TestArgs) CoverOptions {
	_, profile := t.Flags["coverprofile"]
	list, ok := t.Flags["coverpkg"]
	if !profile || !ok {
		return CoverOptions{}
	}
	return CoverOptions{Patterns: strings.Split(list, ","), Flags: t.Build}
}
