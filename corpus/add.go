package corpus

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// A File is a file of a folder or an archive. Its name is a path with slashes below the folder.
type File struct {
	Name string
	Data []byte
}

// IsZip reports whether a path names an archive: a file that is there, or a name that ends in .zip.
func IsZip(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return strings.HasSuffix(strings.ToLower(path), ".zip")
	}
	return !info.IsDir()
}

// Export adds inputs to a folder or a zip in a format, and makes it if there is none. What is there stays. It returns how many files are
// new, and the inputs that the format cannot hold.
func Export(path string, f Format, codec Codec, list []Entry) (added int, unfit []Skipped, err error) {
	files := make([]File, 0, len(list))
	names, err := namesIn(path)
	if err != nil {
		return 0, nil, err
	}
	name := f.namer(names)
	for _, e := range list {
		data, err := codec.Marshal(e.Args)
		if err != nil {
			unfit = append(unfit, Skipped{e.Path, err.Error()})
			continue
		}
		files = append(files, File{name(data), data})
	}
	added, err = Add(path, files)
	return added, unfit, err
}

// namesIn returns the names of the files in a folder or a zip; none if it does not exist.
func namesIn(path string) ([]string, error) {
	s, err := OpenSource(path, "", SourceLimits)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.names, s.Close()
}

// Add adds files to a folder or a zip, which it makes if there is none, and returns how many were not there. All other files stay: a
// process that is killed leaves what was there, and possibly some of the new files. Files appear complete, and an archive as a whole. Add
// follows no link out of the folder. Two processes may add to a folder, and to an archive where folders can be locked.
func Add(path string, files []File) (added int, err error) {
	if IsZip(path) {
		return addToZip(path, files)
	}
	byFolder := map[string][]File{}
	var folders []string
	for _, f := range files {
		dir := filepath.Join(path, filepath.Dir(filepath.FromSlash(f.Name)))
		if byFolder[dir] == nil {
			folders = append(folders, dir)
		}
		byFolder[dir] = append(byFolder[dir], f)
	}
	for _, dir := range folders {
		n, err := addToFolder(path, dir, byFolder[dir])
		if added += n; err != nil {
			return added, err
		}
	}
	return added, nil
}

// addToFolder adds files to the folder dir, which is root or below it.
func addToFolder(root, dir string, files []File) (added int, err error) {
	if err := disk.CheckWithin(root, dir); err != nil {
		return 0, err
	}
	var drafts []disk.File
	known := map[string]bool{}
	for _, f := range files {
		to := filepath.Join(dir, path.Base(f.Name))
		has, err := disk.Has(disk.OS{}, to, f.Data)
		if err != nil {
			return 0, disk.Explain("read", to, err)
		}
		if !has && !known[to] {
			known[to] = true
			drafts = append(drafts, disk.File{Path: to, Data: f.Data})
		}
	}
	err = write(disk.OS{}, dir, drafts)
	for _, d := range drafts {
		if d.Done {
			added++
		}
	}
	return added, err
}

// zipWait is how long a process waits for another one that adds to an archive of the same folder.
const zipWait = time.Minute

// addToZip replaces an archive by one that has the files too.
func addToZip(path string, files []File) (added int, err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, disk.Explain("make the folder", dir, err)
	}
	unlock, err := disk.Lock(dir, zipWait)
	if err != nil {
		return 0, err
	}
	defer unlock()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	has, err := copyZip(w, path, files)
	if err != nil {
		return 0, disk.Explain("add to", path, err)
	}
	for _, f := range files {
		if has[f.Name] {
			continue
		}
		has[f.Name] = true
		to, err := w.Create(f.Name)
		if err == nil {
			_, err = to.Write(f.Data)
		}
		if err != nil {
			return 0, disk.Explain("add to", path, err)
		}
		added++
	}
	if err := w.Close(); err != nil {
		return 0, disk.Explain("add to", path, err)
	}
	if _, err := os.Stat(path); added == 0 && err == nil {
		return 0, nil
	}
	return added, disk.Write(path, out.Bytes())
}

// copyZip copies all files of the archive at path, as they are, but those in whose place files come. It returns which of the files are
// there with their content.
func copyZip(w *zip.Writer, path string, files []File) (has map[string]bool, err error) {
	has = map[string]bool{}
	f, err := disk.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return has, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := readZip(f)
	if err != nil {
		return nil, err
	}
	content := map[string][]byte{}
	for _, n := range files {
		content[n.Name] = n.Data
	}
	for _, old := range r.File {
		if data, ok := content[old.Name]; ok {
			if has[old.Name] || !hasContent(old, data) {
				continue
			}
			has[old.Name] = true
		}
		if err := w.Copy(old); err != nil {
			return nil, fmt.Errorf("copy %s: %w", old.Name, err)
		}
	}
	return has, nil
}

// hasContent reports whether a file of an archive has this content.
func hasContent(f *zip.File, data []byte) bool {
	if !f.Mode().IsRegular() || f.UncompressedSize64 != uint64(len(data)) || f.CRC32 != crc32.ChecksumIEEE(data) {
		return false
	}
	r, err := f.Open()
	if err != nil {
		return false
	}
	defer r.Close()
	got, err := io.ReadAll(io.LimitReader(r, int64(len(data))+1))
	return err == nil && bytes.Equal(got, data)
}
