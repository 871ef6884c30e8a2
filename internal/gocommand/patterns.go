package gocommand

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// gcflagsPrefix begins a flag for the compiler that may have a pattern of packages.
const gcflagsPrefix = "-gcflags="

// ByImportPath returns build flags, as seen from the folder dir, in which -gcflags for patterns with a folder, such as ./..., are for import
// paths. Go 1.27 compares the patterns before it knows the folder of a package, so those with a folder select only packages that the command
// line names (setToolFlags in cmd/go/internal/load).
func ByImportPath(flags []string, dir string) []string {
	list := slices.Clone(flags)
	for i, flag := range list {
		value, ok := strings.CutPrefix(flag, gcflagsPrefix)
		pattern, rest, has := strings.Cut(value, "=")
		if ok && has {
			list[i] = gcflagsPrefix + importPattern(pattern, dir) + "=" + rest
		}
	}
	return list
}

// importPattern returns the pattern of import paths for a pattern with a folder. Other patterns, and those of folders outside of a module,
// stay as they are.
func importPattern(pattern, dir string) string {
	if pattern != "." && pattern != ".." && !strings.HasPrefix(pattern, "./") && !strings.HasPrefix(pattern, "../") {
		return pattern
	}
	folder, rest := pattern, ""
	if i := strings.Index(pattern, "..."); i >= 0 {
		j := strings.LastIndex(pattern[:i], "/")
		folder, rest = pattern[:j], pattern[j+1:]
	}
	folder = filepath.Join(dir, filepath.FromSlash(folder))
	for root := folder; ; root = filepath.Dir(root) {
		text, err := disk.Read(filepath.Join(root, "go.mod"), disk.MaxList)
		if err == nil {
			rel, err := filepath.Rel(root, folder)
			module := modfile.ModulePath(text)
			if err != nil || module == "" {
				return pattern
			}
			return path.Join(module, filepath.ToSlash(rel), rest)
		}
		if root == filepath.Dir(root) {
			return pattern
		}
	}
}
