package code

import (
	"bytes"
	"context"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// Types returns an importer that has the exported types of packages and of all that these and their tests import. The go command compiles the
// packages. Importing one that does not compile is an error.
func (s Source) Types(ctx context.Context, paths []string) (types.Importer, error) {
	list, err := List[struct{ ImportPath, ForTest, Export string }](ctx, s, Query{Deps: true, Test: true, Export: true, Patterns: paths})
	if err != nil {
		return nil, fmt.Errorf("find the types of the packages: %w", err)
	}
	files := map[string]string{}
	for _, p := range list {
		if p.ForTest == "" && p.Export != "" {
			files[p.ImportPath] = p.Export
		}
	}
	return careful{importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("the types of %s are not known", path)
		}
		text, err := disk.Read(files[path], disk.MaxInput)
		return io.NopCloser(bytes.NewReader(text)), err
	})}, nil
}

// careful returns an error for export data of a version that the importer does not know. The importer panics there.
type careful struct{ types.Importer }

// Import implements types.Importer.
func (c careful) Import(path string) (pkg *types.Package, err error) {
	defer func() {
		if r := recover(); r != nil {
			pkg, err = nil, fmt.Errorf("read the types of %s: %v", path, r)
		}
	}()
	return c.Importer.Import(path)
}
