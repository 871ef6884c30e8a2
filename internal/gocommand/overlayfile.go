package gocommand

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// OverlayFile is the form of the file for -overlay.
type OverlayFile struct{ Replace map[string]string }

// UserOverlay is the overlay file that flags or else GOFLAGS name.
func UserOverlay(tc Toolchain, flags []string) (string, error) {
	goflags, err := SplitGoflags(tc.Flags)
	if err != nil {
		return "", err
	}
	t, err := ParseTestArgs(flags)
	return t.UserOverlay(goflags), err
}

// Replacements is the user's overlay, from flags or GOFLAGS: files may exist in it only.
func Replacements(tc Toolchain, dir string, flags []string) (map[string]string, error) {
	file, err := UserOverlay(tc, flags)
	if err != nil || file == "" {
		return nil, err
	}
	return ReadOverlay(file, dir)
}

// ReadOverlay reads a file for -overlay; all paths become absolute, as seen from dir. An empty path in the map stands
// for a deleted file.
func ReadOverlay(file, dir string) (map[string]string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("find the folder %s: %w", dir, err)
	}
	text, err := disk.ReadStream(Absolute(file, dir), disk.MaxSource)
	if err != nil {
		return nil, fmt.Errorf("read the overlay: %w; correct the -overlay flag", err)
	}
	var in OverlayFile
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, fmt.Errorf(`read the overlay %s: %w; it must be {"Replace": {"file": "replacement", ...}}`, file, err)
	}
	out := map[string]string{}
	for from, to := range in.Replace {
		if from == "" {
			return nil, fmt.Errorf("read the overlay %s: it replaces a file without a name; remove that line", file)
		}
		if to != "" {
			to = Absolute(to, dir)
		}
		from = Absolute(from, dir)
		if _, ok := out[from]; ok {
			return nil, fmt.Errorf("read the overlay %s: it replaces %s twice; remove one of the lines", file, from)
		}
		out[from] = to
	}
	return out, nil
}

// EncodeOverlay writes the JSON for -overlay, in sorted order.
func EncodeOverlay(replace map[string]string) []byte {
	text, err := json.MarshalIndent(OverlayFile{replace}, "", "\t")
	if err != nil {
		panic(err) // a map of strings can be encoded
	}
	return append(text, '\n')
}

// Actual is the file that is read for file under an overlay.
func Actual(file string, replaced map[string]string) string {
	if to := replaced[filepath.Clean(file)]; to != "" {
		return to
	}
	return file
}
