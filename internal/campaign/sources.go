package campaign

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/dictionary"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// Sources is what a campaign takes from the Go sources of targets, besides the lines of a report, which are left out where there are none. Its
// methods may be called from any goroutine.
type Sources interface {
	// Present returns an error that wraps [ErrGone] if the package of a target was deleted. Another error says that this is not known, because of
	// a shortage for example.
	Present(t build.Target) error
	// Words returns words that are worth trying in inputs of a target, the best first. It returns soon when ctx ends.
	Words(ctx context.Context, t build.Target) [][]byte
}

// ErrGone says that the package of a target was deleted after its binary was built.
var ErrGone = errors.New("the folder of the package was deleted or has no Go files")

// noSources are the sources of targets that have none. There is nothing to delete.
type noSources struct{}

func (noSources) Present(build.Target) error                   { return nil }
func (noSources) Words(context.Context, build.Target) [][]byte { return nil }

// Folders are the [Sources] in the folders that targets were built from.
type Folders struct {
	Environ []string // of the go command, which says where modules are

	readDir func(dir string) ([]os.DirEntry, error) // nil: os.ReadDir
}

// Present looks for Go files in the folder of the package.
func (f Folders) Present(t build.Target) error {
	read := f.readDir
	if read == nil {
		read = os.ReadDir
	}
	switch list, err := read(t.Work()); {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
	case err != nil:
		return fmt.Errorf("read the folder of the package: %w", err)
	case slices.ContainsFunc(list, func(e os.DirEntry) bool { return filepath.Ext(e.Name()) == ".go" }):
		return nil
	}
	return fmt.Errorf("%w: %s; restore it and start gnaw again", ErrGone, t.Work())
}

// Words returns the words of the package and of what it imports.
func (f Folders) Words(ctx context.Context, t build.Target) [][]byte {
	return dictionary.Sources(ctx, dictionary.Place{
		Dir: t.Dir, Target: t.Func, Getenv: func(name string) string { return session.Getenv(f.Environ, name) },
	})
}
