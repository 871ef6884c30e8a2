package overlay

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// Merge joins o with the overlay in the user's file, relative to dir as all paths inside it are. The result is a
// file in gnaw's cache folder. An empty name gives o itself.
func (o Overlay) Merge(file, dir string) (Overlay, error) {
	if file == "" {
		return o, nil
	}
	folder, err := cache.Dir()
	if err != nil {
		return Overlay{}, err
	}
	return o.merge(folder, file, dir)
}

func (o Overlay) merge(folder, file, dir string) (Overlay, error) {
	theirs, err := gocommand.ReadOverlay(file, dir)
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
	text := gocommand.EncodeOverlay(theirs)
	part := cache.Merged + "/" + cache.Digest(string(text)) + ".json"
	cache.Use(folder, part)
	merged := filepath.Join(folder, filepath.FromSlash(part))
	if err := writeAtomically(merged, text); err != nil {
		return Overlay{}, err
	}
	o.File, o.Replace, o.parts = merged, theirs, append(slices.Clone(o.parts), part)
	return o, nil
}

// writeAtomically makes sure that the file path holds data: readers see all of it or the file that was there before.
func writeAtomically(path string, data []byte) error {
	if has, err := disk.Has(disk.OS{}, path, data); err == nil && has {
		return nil
	}
	return disk.Write(path, data)
}

// HandOver writes down that the go command, which this process becomes, uses the overlay.
func (o Overlay) HandOver() { cache.HandOver(o.parts) }
