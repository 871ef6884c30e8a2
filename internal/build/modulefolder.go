package build

import (
	"fmt"
	"path/filepath"
)

// modulesDir is the folder of the cache with copies of modules that test binaries are built from. As their paths stay the same, so do the
// entries of the build cache.
const modulesDir = "module"

// ModuleFolder returns the folder of gnaw's cache for a copy of the sources of a version of a module, which are in the folder root, and notes
// that this process uses it. The folder exists if a process has made the copy, and is complete then, except for what others have removed.
func ModuleFolder(module, version, root string) (string, error) {
	cache, err := CacheDir()
	if err != nil {
		return "", err
	}
	part := modulesDir + "/" + digest(module, version, root)
	use(cache, part)
	if cache, err = filepath.EvalSymlinks(cache); err != nil {
		return "", fmt.Errorf("find gnaw's cache folder: %w", err)
	}
	return filepath.Join(cache, filepath.FromSlash(part), filepath.FromSlash(module+"@"+version)), nil
}
