package build

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// Merge joins o with the overlay in the user's file, relative to dir as all paths inside it are. The result is a
// file in gnaw's cache folder. An empty name gives o itself.
func (o Overlay) Merge(file, dir string) (Overlay, error) {
	if file == "" {
		return o, nil
	}
	cache, err := CacheDir()
	if err != nil {
		return Overlay{}, err
	}
	return o.merge(cache, file, dir)
}

func (o Overlay) merge(cache, file, dir string) (Overlay, error) {
	theirs, err := readOverlay(file, dir)
	if err != nil {
		return Overlay{}, err
	}
	for name := range o.Replace {
		if _, ok := theirs[name]; ok {
			return Overlay{}, fmt.Errorf("merge the overlay %s: it replaces %s, and so does gnaw; "+
				"take that file out of the overlay, or try -std=plain, with which gnaw replaces fewer", file, name)
		}
	}
	maps.Copy(theirs, o.Replace)
	text := encodeOverlay(theirs)
	part := mergedDir + "/" + digest(string(text)) + ".json"
	use(cache, part)
	merged := filepath.Join(cache, filepath.FromSlash(part))
	if err := writeAtomically(merged, text); err != nil {
		return Overlay{}, err
	}
	o.File, o.Replace, o.parts = merged, theirs, append(slices.Clone(o.parts), part)
	return o, nil
}

// readOverlay reads a file for -overlay; all paths become absolute, as seen from dir. An empty path in the map stands
// for a deleted file.
func readOverlay(file, dir string) (map[string]string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find the folder %s: %w", dir, err)
	}
	text, err := disk.ReadStream(absolute(file, dir), disk.MaxSource)
	if err != nil {
		return nil, fmt.Errorf("read the overlay: %w; correct the -overlay flag", err)
	}
	var in overlayJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, fmt.Errorf(`read the overlay %s: %w; it must be {"Replace": {"file": "replacement", ...}}`, file, err)
	}
	out := map[string]string{}
	for from, to := range in.Replace {
		if from == "" {
			return nil, fmt.Errorf("read the overlay %s: it replaces a file without a name; remove that line", file)
		}
		if to != "" {
			to = absolute(to, dir)
		}
		from = absolute(from, dir)
		if _, ok := out[from]; ok {
			return nil, fmt.Errorf("read the overlay %s: it replaces %s twice; remove one of the lines", file, from)
		}
		out[from] = to
	}
	return out, nil
}

// absolute is path as seen from dir.
func absolute(path, dir string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
