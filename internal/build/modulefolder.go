package build

import (
	"fmt"
	"path/filepath"
)

// modulesDir is the folder of the cache with copies of modules that test binaries are built from. The paths of the copies are the same in
// each process, so the go command does not compile them again.
const modulesDir = "module"

// ModuleFolder returns the folder of gnaw's cache for a copy of a version of a module, and notes that this process uses it. root is the
// folder of the sources. The folder is absent until a process makes the copy.
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
