package overlay

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// stdKey names the packages that are rebuilt because of the hooks in the standard library, by their source and by where
// the go command keeps the result.
func stdKey(tc gocommand.Toolchain, files map[string][]byte) string {
	// A cache may be made of links into another one. One that was never used has no folder 00.
	shard := filepath.Join(tc.Cache, "00")
	if real, err := filepath.EvalSymlinks(shard); err == nil {
		shard = real
	}
	key := []string{tc.Version, tc.Root, shard, tc.OS, tc.Arch, tc.Experiment}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !strings.HasPrefix(name, "testing/") && !strings.HasPrefix(name, "internal/fuzz/") {
			key = append(key, name, string(files[name]))
		}
	}
	return cache.Digest(key...)
}

// Announce says which hooks are left out, and that the standard library is about to be built again, unless that was
// said before. It may be wrong: what the go command has in its cache cannot be asked. flags are those of the build.
func (o Overlay) Announce(tc gocommand.Toolchain, flags []string) {
	if tc.Notices == nil {
		return
	}
	said := map[string]bool{}
	for _, err := range o.missing {
		var anchor *AnchorError
		if errors.As(err, &anchor) {
			err = fmt.Errorf("%s of %s: anchor %q: %s", anchor.File, anchor.Version, anchor.Anchor, anchor.Reason)
		}
		if line := err.Error(); !said[line] { // a file that does not parse has several hooks
			said[line] = true
			fmt.Fprintf(tc.Notices, "gnaw: continuing without a hook: %s\n", line)
		}
	}
	if o.std == "" {
		return
	}
	folder, err := cache.Dir()
	if err != nil {
		return
	}
	race := slices.Contains(flags, "-race") || slices.Contains(flags, "-race=true")
	marker := filepath.Join(folder, cache.Std, cache.Digest(o.std, fmt.Sprint(race)))
	if _, err := os.Stat(marker); err == nil {
		return
	}
	fmt.Fprintf(tc.Notices, "gnaw: building an instrumented standard library for %s; this happens once "+
		"(with -std=plain, gnaw fuzz and gnaw test use the original)\n", tc.Version)
	_ = writeAtomically(marker, []byte(tc.Version+"\n")) // without it, this is said again
}
