package build

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// stdKey names the packages that are rebuilt because of the hooks in the standard library, by their source and by where
// the go command keeps the result.
func stdKey(tc Toolchain, files map[string][]byte) string {
	key := []string{tc.Version, tc.Root, tc.Cache, tc.OS, tc.Arch, tc.Experiment}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.Contains(name, "testing/") &&
			!strings.HasPrefix(name, "internal/fuzz/") {
			key = append(key, name, string(files[name]))
		}
	}
	return digest(key...)
}

// staleTimeout limits how long the go command may think about what is to be built: it does so for a notice only.
const staleTimeout = 10 * time.Second

// announce says which hooks are left out, and that the standard library is about to be built again if it is. flags are
// those of the build.
func (o Overlay) announce(tc Toolchain, dir string, flags []string) {
	if tc.Notices == nil {
		return
	}
	for _, err := range o.missing {
		var anchor *AnchorError
		if errors.As(err, &anchor) {
			err = fmt.Errorf("%s of %s: anchor %q: %s", anchor.File, anchor.Version, anchor.Anchor, anchor.Reason)
		}
		fmt.Fprintf(tc.Notices, "gnaw: going on without a hook: %v\n", err)
	}
	if o.std == "" {
		return
	}
	cache, err := CacheDir()
	if err != nil {
		return
	}
	race := slices.Contains(flags, "-race") || slices.Contains(flags, "-race=true")
	marker := filepath.Join(cache, "std", digest(o.std, fmt.Sprint(race)))
	if _, err := os.Stat(marker); err == nil {
		return
	}
	if o.stale(tc, dir, race) {
		fmt.Fprintf(tc.Notices, "gnaw: building the standard library of %s with its hooks, once (about a minute); "+
			"-std=plain does without\n", tc.Version)
	}
	_ = writeAtomically(marker, []byte(tc.Version+"\n")) // without it, the question is asked again
}

// stale asks the go command whether the edited runtime is to be built.
func (o Overlay) stale(tc Toolchain, dir string, race bool) bool {
	ctx, cancel := context.WithTimeout(context.Background(), staleTimeout)
	defer cancel()
	out, err := tc.output(ctx, dir, "list", "-f={{.Stale}}", fmt.Sprintf("-race=%t", race), "-overlay="+o.File, "strings")
	return err == nil && strings.TrimSpace(string(out)) == "true"
}
