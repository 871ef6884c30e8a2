package project

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// ReadSource returns the content of a source file of the module, and when the file was changed. pkg is the import path of its package, and file
// is the import path and the base name, as in profiles. ReadSource follows no link out of the module. The error is one sentence.
func (m Module) ReadSource(pkg, file string) (text []byte, changed time.Time, err error) {
	if path.Dir(file) != pkg || m.Root == "" {
		return nil, changed, fmt.Errorf("gnaw does not know where the file %q is", file)
	}
	rest, ok := strings.CutPrefix(file, m.Path+"/")
	if !ok {
		return nil, changed, fmt.Errorf("the file %q is not in the module %s, and is not shown", file, m.Path)
	}
	root, err := os.OpenRoot(m.Root)
	if err != nil {
		return nil, changed, fmt.Errorf("the folder of the module cannot be opened: %w", err)
	}
	defer root.Close()
	f, err := root.Open(filepath.FromSlash(rest))
	if err != nil {
		return nil, changed, fmt.Errorf("the file cannot be opened: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > disk.MaxSource {
		return nil, changed, fmt.Errorf("%q is no file that can be shown", file)
	}
	var data bytes.Buffer
	if _, err := f.WriteTo(&data); err != nil {
		return nil, changed, fmt.Errorf("the file cannot be read: %w", err)
	}
	return data.Bytes(), info.ModTime(), nil
}
