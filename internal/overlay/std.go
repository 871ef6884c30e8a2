package overlay

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/code"
)

// hookHome is the package that hookPackage becomes a part of when functions of the standard library call it. All packages
// of the user's depend on it then, so it must be in a folder that exists: vet works there. And it must be one of those
// that the compiler takes for a part of the runtime, which it does not instrument. This one holds a few variables for
// coverage, and imports nothing.
const hookHome = "internal/coverage/rtcov"

// hookName is the name of package hook in edited files.
const hookName = "gnawhook"

// stdFiles are the functions that are appended to edited files.
//
//go:embed inject/std/*.txt
var stdFiles embed.FS

// Files that have more than one name.
const (
	fast32  = "internal/runtime/maps/runtime_fast32.go|internal/runtime/maps/runtime_fast32_swiss.go"
	fast64  = "internal/runtime/maps/runtime_fast64.go|internal/runtime/maps/runtime_fast64_swiss.go"
	fastStr = "internal/runtime/maps/runtime_faststr.go|internal/runtime/maps/runtime_faststr_swiss.go"
	parse   = "strconv/number.go|strconv/atoi.go"
	parseF  = "strconv/number.go|strconv/atof.go"
)

// stdFeatures are the hooks in functions of the standard library whose comparisons the compiler does not report, and in
// the runtime's random choices, which cost one load and one branch while nobody listens; and what makes large buffers cheap.
var stdFeatures = slices.Concat(
	[]feature{
		mapKeys(),
		{{"runtime/rand.go", "maps_rand", seedMaps}},
		{{"runtime/select.go", "selectgo", seedSelect}},
		pooling,
		clearing,
	},
	callFeatures("strings/strings.go", "Needle($1, $2)", "Index", "LastIndex", "Count", "Cut"),
	callFeatures("bytes/bytes.go", "NeedleBytes($1, $2)", "Index", "LastIndex", "Count"),
	callFeatures("strings/strings.go", `Needle("", $2)`, "IndexAny", "LastIndexAny"),
	callFeatures("bytes/bytes.go", `Needle("", $2)`, "IndexAny", "LastIndexAny"),
	callFeatures("strings/compare.go", "Compare($1, $2)", "Compare"),
	callFeatures("bytes/bytes.go", "CompareBytes($1, $2)", "Compare"),
	callFeatures("bytes/bytes.go", "FoldBytes($1, $2)", "EqualFold"),
	callFeatures(parse, "Number($1)", "ParseInt", "ParseUint", "Atoi"),
	callFeatures(parseF, "Number($1)", "ParseFloat"),
	readerFeatures("bytes/reader.go", "Reader", "int64(len($0.s))", "int64(len($0.s))-$0.i", "s", "i"),
	readerFeatures("strings/reader.go", "Reader", "int64(len($0.s))", "int64(len($0.s))-$0.i", "s", "i"),
	readerFeatures("io/io.go", "SectionReader", "$0.limit-$0.base", "$0.limit-$0.off", "base", "off", "limit"),
	refusing,
	[]feature{{{"io/io.go", "io.ReadAtLeast", shortReads}}, {{"os/proc.go", "os.Exit", tellExit}}, {{"runtime/panic.go", "dopanic_m", tellDeath}}},
)

// callFeatures calls a function of package hook first thing in the functions names of file. In call, $1 and $2 stand for
// the first two parameters.
func callFeatures(file, call string, names ...string) (features []feature) {
	for _, name := range names {
		features = append(features, feature{{file, file[:strings.Index(file, "/")] + "." + name, func(s *source) error {
			fn, err := s.function("", name)
			if err != nil {
				return err
			}
			names := append(params(fn.Type), "_", "_")
			if strings.Contains(call, "$1") && names[0] == "_" || strings.Contains(call, "$2") && names[1] == "_" {
				return fmt.Errorf("parameters are (%s)", strings.Join(params(fn.Type), ", "))
			}
			s.callHook(fn, hookName+"."+strings.NewReplacer("$1", names[0], "$2", names[1]).Replace(call))
			return nil
		}}})
	}
	return features
}

// readerFeatures makes the methods ReadAt and Seek of a type report offsets that are behind the end. size is how much there
// is in all, rest how much behind the current position; in both, $0 stands for the receiver, which has the given fields.
func readerFeatures(file, recv, size, rest string, fields ...string) []feature {
	method := func(name string, param int, call func(offset, size, rest string, names []string) string) feature {
		anchor := file[:strings.Index(file, "/")] + "." + recv + "." + name
		return feature{{file, anchor, func(s *source) error {
			if err := declaresFields(recv, fields...)(s); err != nil {
				return err
			}
			fn, err := s.function(recv, name)
			if err != nil {
				return err
			}
			self, names := fn.Recv.List[0].Names, params(fn.Type)
			if len(self) != 1 || len(names) != 2 || slices.Contains(names, "_") {
				return fmt.Errorf("the receiver or the parameters (%s) have no name", strings.Join(names, ", "))
			}
			of := strings.NewReplacer("$0", self[0].Name)
			s.callHook(fn, call(names[param], of.Replace(size), of.Replace(rest), names))
			return nil
		}}}
	}
	return []feature{
		method("ReadAt", 1, func(offset, size, _ string, _ []string) string {
			return hookName + ".Bound(" + offset + ", " + size + ")"
		}),
		method("Seek", 0, func(offset, size, rest string, names []string) string {
			return "if " + names[1] + " == 1 { " + hookName + ".Bound(" + offset + ", " + rest + ") } else if " +
				names[1] + " == 0 { " + hookName + ".Bound(" + offset + ", " + size + ") }"
		}),
	}
}

// shortReads makes io.ReadAtLeast, and so io.ReadFull, report that there was less to read than wanted.
func shortReads(s *source) error {
	fn, err := s.function("", "ReadAtLeast")
	if err != nil {
		return err
	}
	loop, err := one(all(fn.Body, func(*ast.ForStmt) bool { return true }))
	if err != nil {
		return fmt.Errorf("loop: %w", err)
	}
	names := params(fn.Type)
	if !slices.Equal(names, []string{"r", "buf", "min"}) || fn.Type.Results == nil || len(fn.Type.Results.List) == 0 ||
		len(fn.Type.Results.List[0].Names) != 1 {
		return fmt.Errorf("parameters are (%s), not (r, buf, min), or the results have no names", strings.Join(names, ", "))
	}
	read := fn.Type.Results.List[0].Names[0].Name
	s.useHook()
	s.insert(loop.End(), "; if "+hookName+".Recording && "+read+" < min { "+hookName+".Bound(int64(min), int64("+read+")) }")
	return nil
}

// tellExit makes os.Exit call a function of package hook, if that is set, where nothing keeps the process from its end any more.
func tellExit(s *source) error {
	fn, err := s.function("", "Exit")
	if err != nil {
		return err
	}
	names := params(fn.Type)
	if len(names) != 1 || names[0] == "_" {
		return fmt.Errorf("parameters are (%s)", strings.Join(names, ", "))
	}
	last, err := one(all(fn.Body, func(c *ast.CallExpr) bool { return code.Selector(c.Fun) == "runtime_beforeExit" }))
	if err != nil {
		return fmt.Errorf("call of runtime_beforeExit: %w", err)
	}
	s.useHook()
	s.insert(last.Pos(), "if "+hookName+".OnExit != nil { "+hookName+".OnExit("+names[0]+") }; ")
	return nil
}

// tellDeath makes the runtime call a function of package hook, if that is set, before it prints why it ends the process.
func tellDeath(s *source) error {
	fn, err := s.function("", "dopanic_m")
	if err != nil {
		return err
	}
	s.useHook()
	s.insert(fn.Body.Lbrace+1, " if "+hookName+".OnDeath != nil { "+hookName+".OnDeath() };")
	return nil
}

// callHook makes fn call something first thing, if anybody listens.
func (s *source) callHook(fn *ast.FuncDecl, call string) {
	s.useHook()
	s.insert(fn.Body.Lbrace+1, " if "+hookName+".Recording { "+call+" };")
}

// useHook imports package hook.
func (s *source) useHook() {
	text := "; import " + hookName + ` "` + hookHome + `"`
	if !slices.ContainsFunc(s.splices, func(sp splice) bool { return sp.text == text }) {
		s.insert(s.file.Name.End(), text)
	}
}

// appendStd appends the functions of the embedded file name, after replacing pairs of texts.
func (s *source) appendStd(name string, pairs ...string) error {
	text, err := fs.ReadFile(stdFiles, "inject/std/"+name)
	if err != nil {
		return err
	}
	s.useHook()
	s.insert(s.file.FileEnd, strings.NewReplacer(pairs...).Replace("\n"+string(text)))
	return nil
}

// mapKeys makes lookups in maps by strings and by integers of 32 and 64 bits report keys of the map.
func mapKeys() feature {
	f := feature{
		{"internal/runtime/maps/map.go", "Map.Used", declaresMethod("Map", "Used")},
		{"internal/runtime/maps/table.go", "Iter.Init", declaresMethod("Iter", "Init", "typ", "m")},
		{"internal/runtime/maps/table.go", "Iter.Next", declaresMethod("Iter", "Next")},
		{"internal/runtime/maps/table.go", "Iter.Key", declaresMethod("Iter", "Key")},
		{"internal/runtime/maps/table.go", "Iter.entryOffset", declaresFields("Iter", "entryOffset", "dirOffset")},
		{"internal/runtime/maps/map.go", "Map.writing", declaresFields("Map", "writing")},
		{fastStr, "runtime_mapaccess1_faststr type", func(s *source) error {
			fn, err := s.function("", "runtime_mapaccess1_faststr")
			if err != nil {
				return err
			}
			typ := fn.Type.Params.List[0].Type
			return s.appendStd("maps.go.txt", "*MAPTYPE", string(s.text[s.offset(typ.Pos()):s.offset(typ.End())]))
		}},
	}
	for _, fast := range []struct{ file, name, call string }{
		{fastStr, "faststr", "gnawStringKeys(typ, m, key)"},
		{fast32, "fast32", "gnawIntKeys(typ, m, uint64(key), 4)"},
		{fast64, "fast64", "gnawIntKeys(typ, m, uint64(key), 8)"},
	} {
		for _, n := range []string{"1", "2"} {
			name := "runtime_mapaccess" + n + "_" + fast.name
			f = append(f, edit{fast.file, name, func(s *source) error {
				fn, err := s.function("", name)
				if err != nil {
					return err
				}
				if err := takes(fn, "typ", "m", "key"); err != nil {
					return err
				}
				s.callHook(fn, fast.call)
				return nil
			}})
		}
	}
	return f
}

// declaresMethod checks that there is a method with these parameters.
func declaresMethod(recv, name string, want ...string) func(*source) error {
	return func(s *source) error {
		fn, err := s.function(recv, name)
		if err != nil {
			return err
		}
		return takes(fn, want...)
	}
}

// declaresFields checks that a struct type has these fields.
func declaresFields(name string, want ...string) func(*source) error {
	return func(s *source) error {
		spec, err := one(all(s.file, func(t *ast.TypeSpec) bool { return t.Name.Name == name }))
		if err != nil {
			return err
		}
		st, ok := spec.Type.(*ast.StructType)
		if !ok {
			return errors.New("no struct")
		}
		for _, field := range want {
			if !slices.ContainsFunc(st.Fields.List, func(f *ast.Field) bool {
				return slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return id.Name == field })
			}) {
				return fmt.Errorf("no field %s", field)
			}
		}
		return nil
	}
}

// seedMaps has package hook choose the hash seeds of maps and where a range over one begins.
func seedMaps(s *source) error {
	fn, err := s.function("", "maps_rand")
	if err != nil {
		return err
	}
	s.useHook()
	s.insert(fn.Body.Lbrace+1, " if "+hookName+".Seeded { return "+hookName+".Chance() };")
	return nil
}

// seedSelect has package hook choose the order in which a select looks at its cases.
func seedSelect(s *source) error {
	fn, err := s.function("", "selectgo")
	if err != nil {
		return err
	}
	call, err := one(all(fn.Body, func(c *ast.CallExpr) bool { return code.Selector(c.Fun) == "cheaprandn" && len(c.Args) == 1 }))
	if err != nil {
		return fmt.Errorf("call of cheaprandn: %w", err)
	}
	s.replace(call.Fun.Pos(), call.Fun.End(), "gnawRandn")
	return s.appendStd("select.go.txt")
}

// house makes package hook a part of hookHome.
func (in injection) house() {
	alone := injectedPath(hookPackage)
	for name, text := range maps.Clone(in) {
		text = bytes.ReplaceAll(text, []byte(`"`+alone+`"`), []byte(`hook "`+hookHome+`"`))
		if base, ok := strings.CutPrefix(name, alone+"/"); ok {
			delete(in, name)
			name = hookHome + "/gnaw_" + base // beside the files of the package
			text = bytes.Replace(text, []byte("\npackage hook"), []byte("\npackage "+path.Base(hookHome)), 1)
		}
		in[name] = text
	}
}
