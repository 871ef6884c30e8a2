package overlay

import (
	"fmt"
	"go/ast"
	"io/fs"
)

// clearing has large buffers cleared without touching pages that are not in memory, on Linux. A parser that allocates what a
// length field says clears up to gigabytes for each mutant of that field, of which it fills a few bytes; to touch a page
// that the collector has given back to the system costs twenty times as much as to clear one that is there.
var clearing = feature{
	{"runtime/malloc.go", "memclrNoHeapPointersChunked", hookClear},
	{"runtime/stubs2.go", "madvise", declaresCall("madvise", "addr", "n", "flags")},
	{"runtime/os_linux.go", "mincore", clearPages},
}

// clearFrom is the size in bytes from which on clearing a buffer is a matter of pages. A smaller one is cleared in the time
// that the kernel takes to list which of its pages are in memory.
const clearFrom = 256 << 10

// hookClear lets another function clear large buffers, if there is one.
func hookClear(s *source) error {
	fn, err := s.function("", "memclrNoHeapPointersChunked")
	if err != nil {
		return err
	}
	if err := takes(fn, "size", "x"); err != nil {
		return err
	}
	s.insert(fn.Body.Lbrace+1, fmt.Sprintf(" if size >= %d && gnawClear != nil { gnawClear(x, size); return };", clearFrom))
	s.insert(s.file.FileEnd, "\nvar gnawClear func(x unsafe.Pointer, n uintptr)\n")
	return nil
}

// clearPages adds the function that does.
func clearPages(s *source) error {
	if err := declaresCall("mincore", "addr", "n", "dst")(s); err != nil {
		return err
	}
	text, err := fs.ReadFile(stdFiles, "inject/std/clear.go.txt")
	if err != nil {
		return err
	}
	s.insert(s.file.FileEnd, string(text))
	return nil
}

// declaresCall makes sure that there is a function without a body that has the given parameters.
func declaresCall(name string, want ...string) func(*source) error {
	return func(s *source) error {
		fn, err := one(all(s.file, func(fn *ast.FuncDecl) bool { return fn.Name.Name == name && fn.Body == nil }))
		if err != nil {
			return err
		}
		return takes(fn, want...)
	}
}
