package cache

import (
	"fmt"
	"path/filepath"
)

// ModuleFolder returns the folder of gnaw's cache for a copy of a version of a module, and notes that this process uses it. root is the
// folder of the sources. The folder is absent until a process makes the copy.
func ModuleFolder(module, version, root string) (string, error) {
	cache, err := Dir()
	if err != nil {
		return "", err
	}
	part := modulesDir + "/" + Digest(module, version, root)
	Use(cache, part)
	if cache, err = filepath.EvalSymlinks(cache); err != nil {
		return "", fmt.Errorf("find gnaw's cache folder: %w", err)
	}
	return filepath.Join(cache, filepath.FromSlash(part), filepath.FromSlash(module+"@"+version)), nil
}
