package main

import (
	"fmt"
	"go/format"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A subject is a package below bench/targets with a function Target([]byte) and a folder of seeds. It is a parser, whose
// coverage is compared, or a puzzle, which is solved or not. What each fuzzer needs around it is generated.
type subject struct {
	Name     string
	Puzzle   bool
	Packages []string // whose coverage counts
}

// parsers are the folders below bench/targets/parser.
var parsers = []subject{
	{Name: "json", Packages: []string{"encoding/json"}},
	{Name: "xml", Packages: []string{"encoding/xml"}},
	{Name: "csv", Packages: []string{"encoding/csv"}},
	{Name: "goparser", Packages: []string{"go/parser", "go/scanner"}},
	{Name: "url", Packages: []string{"net/url"}},
	{Name: "regexp", Packages: []string{"regexp", "regexp/syntax"}},
	{Name: "png", Packages: []string{"image/png"}},
	{Name: "gif", Packages: []string{"image/gif", "compress/lzw"}},
	{Name: "zip", Packages: []string{"archive/zip"}},
	{Name: "template", Packages: []string{"text/template", "text/template/parse"}},
	{Name: "flate", Packages: []string{"compress/flate"}},
	{Name: "x509", Packages: []string{"crypto/x509", "encoding/asn1"}},
	{Name: "yaml", Packages: []string{"gopkg.in/yaml.v3"}},
	{Name: "toml", Packages: []string{"github.com/pelletier/go-toml/v2/..."}},
	{Name: "css", Packages: []string{"github.com/tdewolff/parse/v2", "github.com/tdewolff/parse/v2/css"}},
	{Name: "js", Packages: []string{"github.com/tdewolff/parse/v2", "github.com/tdewolff/parse/v2/js"}},
	{Name: "shell", Packages: []string{"mvdan.cc/sh/v3/syntax"}},
	{Name: "markdown", Packages: []string{"github.com/yuin/goldmark/..."}},
}

// puzzles are the folders below bench/targets/puzzle.
var puzzles = []subject{
	puzzle("magic"), puzzle("number"), puzzle("word"), puzzle("decimal"), puzzle("keyword"),
}

func puzzle(name string) subject {
	return subject{Name: name, Puzzle: true, Packages: []string{"bench.test/puzzle/" + name}}
}

// subjects returns parsers and puzzles by name, in the order of the names. A name that is none of theirs is returned too.
func subjects(names []string) (list []subject, unknown string) {
	for _, name := range names {
		found := false
		for _, s := range append(append([]subject{}, parsers...), puzzles...) {
			if s.Name == name {
				list, found = append(list, s), true
			}
		}
		if !found {
			return nil, name
		}
	}
	return list, ""
}

func namesOf(list []subject) (names []string) {
	for _, s := range list {
		names = append(names, s.Name)
	}
	return names
}

// dir is the folder of the subject's package below that of the targets' module, with slashes.
func (s subject) dir() string {
	if s.Puzzle {
		return "puzzle/" + s.Name
	}
	return "parser/" + s.Name
}

func (s subject) importPath() string { return "bench.test/" + s.dir() }

// harnesses are the generated files, by name below the subject's folder. NAME and PATH stand for the package.
var harnesses = map[string]string{
	"fuzz_test.go": `package NAME

import (
	"testing"

	"bench.test/harness"
)

func FuzzTarget(f *testing.F) {
	f.Fuzz(func(_ *testing.T, b []byte) { harness.Run(Target, b) })
}
`,
	"gofuzz.go": `//go:build gofuzz

package NAME

import "bench.test/harness"

func Fuzz(b []byte) int {
	harness.Run(Target, b)
	return 0
}
`,
	"libfuzzer/main.go": `package main

// #include <stdint.h>
import "C"

import (
	"unsafe"

	"bench.test/harness"
	target "PATH"
)

//export LLVMFuzzerTestOneInput
func LLVMFuzzerTestOneInput(data *C.char, size C.size_t) C.int {
	harness.Run(target.Target, C.GoBytes(unsafe.Pointer(data), C.int(size)))
	return 0
}

func main() {}
`,
}

// writeHarnesses adds the generated files to the copy of the subject's package in module.
func (s subject) writeHarnesses(module string) error {
	for name, text := range harnesses {
		text = strings.NewReplacer("NAME", path.Base(s.dir()), "PATH", s.importPath()).Replace(text)
		source, err := format.Source([]byte(text))
		if err != nil {
			return fmt.Errorf("%s of %s: %w", name, s.Name, err)
		}
		name = filepath.Join(module, filepath.FromSlash(s.dir()), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, source, 0o666); err != nil {
			return err
		}
	}
	return nil
}
