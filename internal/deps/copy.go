package deps

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/cache"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

// Copies are private copies of modules, in a folder of one process. Tests may write to them. Its methods may be called from any goroutine.
type Copies struct {
	Dir string // absolute; what is below it is removed by its owner

	without []string // absolute folders that no copy contains
	mu      sync.Mutex
	done    map[string]*copied // by folder
}

// copied is a copy that was begun.
type copied struct {
	once sync.Once
	err  error
}

// NewCopies returns the copies of a process with a site, which are below the folder of the site. A folder that a replace directive names may
// contain the caches of gnaw and of the go command: no copy has them, because they are large, change meanwhile, and contain the copies.
func NewCopies(site *cache.Site, tc gocommand.Toolchain) *Copies {
	return &Copies{Dir: filepath.Join(site.Dir, "deps"), without: []string{filepath.Dir(site.Dir), tc.Cache, tc.ModCache}}
}

// Place returns the target with the folder in which its test processes run, and with the folder of the copy that its test binary is built
// from, if it needs one. [Copies.Make] makes both.
func (c *Copies) Place(t build.Target) (build.Target, error) {
	rel, err := filepath.Rel(t.Outside.Root, t.Dir)
	if err != nil {
		return t, fmt.Errorf("find the folder of %s in its module: %w", t.Package, err)
	}
	outside := *t.Outside
	outside.Work = filepath.Join(c.root(t), rel)
	if len(outside.Written) > 0 && outside.Version != build.LocalVersion {
		if outside.Copy, err = cache.ModuleFolder(outside.Module, outside.Version, outside.Root); err != nil {
			return t, err
		}
	}
	t.Outside = &outside
	return t, nil
}

// root returns the folder of the copy of a module.
func (c *Copies) root(t build.Target) string {
	return filepath.Join(c.Dir, filepath.FromSlash(t.Outside.Module+"@"+t.Outside.Version))
}

// Make copies the module of a target, unless that was done, and the failing inputs of the target that are kept, so that they are seeds. Of
// the standard library it copies the folder below the root that has the package. If ctx ends before a copy is complete, later calls for
// the same module return the error too.
func (c *Copies) Make(ctx context.Context, t build.Target) error {
	from, to := t.Outside.Root, c.root(t)
	if t.Outside.Module == build.StdModule {
		family, _, _ := strings.Cut(t.Package, "/")
		from, to = filepath.Join(from, family), filepath.Join(to, family)
	}
	if err := c.once(to, func() error { return os.CopyFS(to, newSources(ctx, from, c.without)) }); err != nil {
		return fmt.Errorf("copy the module of %s: %w", t.Package, err)
	}
	if folder := t.Outside.Copy; folder != "" {
		if err := c.once(folder, func() error { return placeModule(ctx, folder, t.Outside.Root, t.ModulePath()) }); err != nil {
			return fmt.Errorf("copy the module of %s: %w", t.Package, err)
		}
	}
	return copyKept(t)
}

// once calls copy for a folder the first time, and returns the error of that call each time.
func (c *Copies) once(folder string, copy func() error) error {
	c.mu.Lock()
	one := c.done[folder]
	if one == nil {
		one = &copied{}
		if c.done == nil {
			c.done = map[string]*copied{}
		}
		c.done[folder] = one
	}
	c.mu.Unlock()
	one.once.Do(func() { one.err = copy() })
	return one.err
}

// sources is a folder of sources without what is neither a folder nor a regular file, without the data of git, and without some folders.
// After the end of its context, each method returns the error of the context.
type sources struct {
	fs.FS
	ctx     context.Context // the methods of [fs.FS] have no parameter for it
	without []fs.FileInfo
}

func newSources(ctx context.Context, dir string, without []string) sources {
	s := sources{FS: os.DirFS(dir), ctx: ctx}
	for _, name := range without {
		if info, err := os.Stat(name); err == nil {
			s.without = append(s.without, info)
		}
	}
	return s
}

// Open implements [fs.FS].
func (s sources) Open(name string) (fs.File, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	f, err := s.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return sourceFile{f, s.ctx}, nil
}

// sourceFile is a file of [sources].
type sourceFile struct {
	fs.File
	ctx context.Context
}

// Read implements [io.Reader].
func (f sourceFile) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	return f.File.Read(p)
}

// ReadDir implements [fs.ReadDirFS].
func (s sources) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	list, err := fs.ReadDir(s.FS, name)
	return slices.DeleteFunc(list, s.leavesOut), err
}

func (s sources) leavesOut(e fs.DirEntry) bool {
	if !e.IsDir() || e.Name() == ".git" {
		return !e.Type().IsRegular() || e.Name() == ".git"
	}
	info, err := e.Info()
	return err == nil && slices.ContainsFunc(s.without, func(w fs.FileInfo) bool { return os.SameFile(w, info) })
}

// copyKept copies the failing inputs of a target that are kept to the copy of its module. A file of the module stays as it is.
func copyKept(t build.Target) error {
	seeds := filepath.Join("testdata", "fuzz", t.Func)
	kept := filepath.Join(t.Home(), seeds)
	list, err := os.ReadDir(kept)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read the failing inputs of %s that are kept: %w", t.Func, err)
	}
	for _, e := range list {
		if !e.Type().IsRegular() {
			continue
		}
		text, err := disk.Read(filepath.Join(kept, e.Name()), disk.MaxInput)
		if err != nil {
			return err
		}
		if err := disk.Create(filepath.Join(t.Work(), seeds, e.Name()), text); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// ignoreText is the content of the file that keeps failing inputs of dependencies out of git: they may show vulnerabilities of others.
const ignoreText = "# Failing inputs of dependencies may show vulnerabilities. gnaw made this file; it does not write it again.\ntestdata/\n"

// Keep writes a file to the home of a target of a dependency: a failing input, or a file with targets. If it makes [Folder] in the main
// module, it writes a .gitignore into it. It is an error if a symbolic link leads the path out of o.Keeper.
func Keep(o build.Outside, path string, text []byte) (err error) {
	root, folder := o.Keeper, filepath.FromSlash(Folder)
	rel, err := filepath.Rel(root, filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("keep a failing input: %w", err)
	}
	module, err := os.OpenRoot(root)
	if err != nil {
		return fmt.Errorf("keep a failing input: %w", err)
	}
	defer func() { err = errors.Join(err, module.Close()) }()
	_, missing := module.Stat(folder)
	if err := module.MkdirAll(rel, 0o777); err != nil {
		return fmt.Errorf("keep a failing input: %w", err)
	}
	if errors.Is(missing, fs.ErrNotExist) && strings.HasPrefix(rel, folder) {
		ignore := filepath.Join(root, folder, ".gitignore")
		if err := disk.Create(ignore, []byte(ignoreText)); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return disk.Write(path, text)
}
