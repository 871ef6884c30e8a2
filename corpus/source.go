package corpus

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// A Source is a folder or a zip with files of a fuzzer, which may come from anywhere, without the hidden ones. It is read within limits:
// links, files of other types, and files of an archive whose names lead out of it, are skipped. The names of files are never used to
// write. One goroutine at a time uses it.
type Source struct {
	Path string

	limits  Limits
	names   []string // paths below the folder, with slashes, or names in the archive
	members map[string]*zip.File
	skipped []Skipped
	file    *os.File // nil: it is a folder
}

// Skipped is a file of a source that is not read as an input.
type Skipped struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// SourceLimits are the limits for a source unless the caller has others: those of a corpus that fuzzers write and people share.
var SourceLimits = Limits{Files: 100_000, File: 64 << 20, Size: 512 << 20}

// maxArchive is the size of the largest archive that is opened, whose list of files is in memory then.
const maxArchive = 1 << 30

// OpenSource opens a folder below the folder at path, or in the zip at path; an empty one, which has slashes otherwise, is all of it. The
// error is [fs.ErrNotExist] if there is nothing at path. The caller closes the source.
func OpenSource(path, folder string, l Limits) (*Source, error) {
	s := &Source{Path: path, limits: l, members: map[string]*zip.File{}}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		s.Path = filepath.Join(path, filepath.FromSlash(folder))
		if err = disk.CheckWithin(path, s.Path); err == nil {
			err = s.walk()
		}
	} else if err == nil {
		err = s.unzip(folder)
	}
	if err != nil {
		return nil, disk.Explain("open", path, err)
	}
	return s, nil
}

// Close closes the archive.
func (s *Source) Close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}

func (s *Source) skip(name, reason string) { s.skipped = append(s.skipped, Skipped{name, reason}) }

// add adds a file, unless there are too many.
func (s *Source) add(name string) bool {
	if len(s.names) == s.limits.Files {
		s.skip(name, fmt.Sprintf("this file and those behind it are more than %d files", s.limits.Files))
		return false
	}
	s.names = append(s.names, name)
	return true
}

// walk lists the files of a folder and of the folders in it.
func (s *Source) walk() error {
	root, err := filepath.EvalSymlinks(s.Path) // the user has named it; links below it are not followed
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, path)
		name := filepath.ToSlash(rel)
		switch {
		case err != nil && path == root:
			return err
		case err != nil:
			s.skip(name, err.Error())
		case d.IsDir() && path != root && isHidden(name):
			return fs.SkipDir
		case d.IsDir() || isHidden(name):
		case d.Type()&fs.ModeSymlink != 0:
			s.skip(name, "a symbolic link")
		case !d.Type().IsRegular():
			s.skip(name, disk.ErrIrregular.Error())
		case !s.add(name):
			return fs.SkipAll
		}
		return nil
	})
}

// unzip lists the files of a folder in an archive.
func (s *Source) unzip(folder string) (err error) {
	if s.file, err = disk.Open(s.Path); err != nil {
		return err
	}
	r, err := readZip(s.file)
	if err != nil {
		_ = s.file.Close() // it was only read
		return err
	}
	for _, f := range r.File {
		name, mode := strings.TrimPrefix(f.Name, "./"), f.Mode()
		switch {
		case leadsOut(name):
			s.skip(name, "the name is no path below the folder of the archive")
		case mode.IsDir() || isHidden(name) || folder != "" && !strings.HasPrefix(name, folder+"/"):
		case mode&fs.ModeSymlink != 0:
			s.skip(name, "a symbolic link")
		case !mode.IsRegular():
			s.skip(name, disk.ErrIrregular.Error())
		case s.members[name] != nil:
			s.skip(name, "the archive has another file of this name")
		case !s.add(name):
			return nil
		default:
			s.members[name] = f
		}
	}
	return nil
}

// leadsOut reports whether the name of a file in an archive is no path below a folder, on any system.
func leadsOut(name string) bool {
	isDrive := len(name) > 1 && name[1] == ':'
	return isDrive || strings.Contains(name, `\`) || !fs.ValidPath(strings.TrimSuffix(name, "/"))
}

// isHidden reports whether a file is hidden, or is in a hidden folder: the state of a fuzzer or of git, and no input.
func isHidden(name string) bool { return strings.HasPrefix(name, ".") || strings.Contains(name, "/.") }

// readZip reads the list of files of an archive.
func readZip(f *os.File) (*zip.Reader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > maxArchive {
		return nil, &disk.SizeError{Limit: maxArchive}
	}
	r, err := zip.NewReader(f, info.Size())
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fmt.Errorf("it is neither a folder nor a zip: %w", err)
	}
	return r, nil
}

// read returns a file, or its first limit bytes if it is larger.
func (s *Source) read(name string, limit int64) ([]byte, error) {
	var r io.ReadCloser
	var err error
	if m := s.members[name]; m != nil {
		r, err = m.Open()
	} else {
		r, err = disk.Open(filepath.Join(s.Path, filepath.FromSlash(name)))
	}
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, limit))
}

// Loaded is what [Source.Load] has read.
type Loaded struct {
	Inputs  int // files that are inputs
	Ignored int // files that the fuzzer keeps beside its inputs
	Skipped []Skipped
}

// Load reads the files that a format has for inputs, in their order, and calls each for those with arguments of the codec. Files that hold
// the same arguments are all passed on. Load ends with the first error of each, or with that of ctx.
func (s *Source) Load(ctx context.Context, f Format, codec Codec, each func(name string, a input.Args) error) (l Loaded, err error) {
	names := f.choose(s.names)
	l = Loaded{Ignored: len(s.names) - len(names), Skipped: append([]Skipped{}, s.skipped...)}
	skip := func(name, reason string) { l.Skipped = append(l.Skipped, Skipped{name, reason}) }
	var size int64
	for i, name := range names {
		if ctx.Err() != nil {
			return l, context.Cause(ctx)
		}
		file, err := s.read(name, s.limits.File+1)
		if size += int64(len(file)); size > s.limits.Size {
			for _, name := range names[i:] {
				skip(name, fmt.Sprintf("the files are more than %d MiB in all", s.limits.Size>>20))
			}
			return l, nil
		}
		if err == nil && int64(len(file)) > s.limits.File {
			err = &disk.SizeError{Limit: s.limits.File}
		}
		if err != nil {
			skip(name, err.Error())
			continue
		}
		a, err := codec.Unmarshal(file)
		if err != nil {
			skip(name, err.Error())
			continue
		}
		l.Inputs++
		if err := each(name, a); err != nil {
			return l, err
		}
	}
	return l, nil
}

// LoadFolder reads the files of a folder as go test does: those of the format v1, with arguments of any kinds, that are in no folder below
// it. It calls each as [Source.Load] does. The names of skipped files are paths. A folder that does not exist has no files.
func LoadFolder(ctx context.Context, dir string, each func(name string, a input.Args) error) (l Loaded, err error) {
	s, err := OpenSource(dir, "", SourceLimits)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return l, err
	}
	defer s.Close()
	s.names = slices.DeleteFunc(s.names, func(name string) bool { return strings.Contains(name, "/") })
	l, err = s.Load(ctx, Format{}, GoTest(nil), each)
	for i, f := range l.Skipped {
		l.Skipped[i].Name = filepath.Join(dir, f.Name)
	}
	return l, err
}

// LoadFitting reads the files of a folder as [LoadFolder] does, and returns those whose arguments have these kinds.
func LoadFitting(ctx context.Context, dir string, kinds []input.Kind) (list []Entry, skipped []Skipped, err error) {
	l, err := LoadFolder(ctx, dir, func(name string, a input.Args) error {
		path := filepath.Join(dir, name)
		if err := input.CheckKinds(a, kinds); err != nil {
			skipped = append(skipped, Skipped{Name: path, Reason: err.Error()})
			return nil
		}
		list = append(list, Entry{Name: name, Path: path, Args: a})
		return nil
	})
	return list, append(skipped, l.Skipped...), err
}

// v1Begin is what each file of the format v1 begins with.
var v1Begin = []byte("go test fuzz v1")

// Detect returns the format of the files for a target with arguments of these kinds. It is v1 if a file begins like one, or afl or go-fuzz
// because of names, or libfuzzer for a single buffer. Nothing in a file tells which wrapper of OSS-Fuzz has made several arguments of it:
// then there is an error.
func (s *Source) Detect(kinds []input.Kind) (Format, error) {
	for _, name := range s.names {
		if head, err := s.read(name, int64(len(v1Begin))); err == nil && bytes.Equal(head, v1Begin) {
			return FormatOf("v1")
		}
	}
	isAFL, isGoFuzz := false, false
	for _, name := range s.names {
		isAFL = isAFL || aflName.MatchString(base(name))
		isGoFuzz = isGoFuzz || isOfGoFuzz(name)
	}
	switch {
	case isAFL:
		return FormatOf("afl")
	case isGoFuzz:
		return FormatOf("go-fuzz")
	case isOneBuffer(kinds):
		return FormatOf("libfuzzer")
	}
	return Format{}, fmt.Errorf("nothing in %s tells how its files hold the arguments %s", s.Path, KindsText(kinds))
}
