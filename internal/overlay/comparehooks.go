package overlay

import (
	"fmt"
	"slices"
	"strings"
)

// hooks are the functions that instrumented code calls for comparisons, each with its counterpart in the probe.
var hooks = []struct{ name, probe string }{
	{"libfuzzerTraceCmp1", "Cmp1"},
	{"libfuzzerTraceCmp2", "Cmp2"},
	{"libfuzzerTraceCmp4", "Cmp4"},
	{"libfuzzerTraceCmp8", "Cmp8"},
	{"libfuzzerTraceConstCmp1", "ConstCmp1"},
	{"libfuzzerTraceConstCmp2", "ConstCmp2"},
	{"libfuzzerTraceConstCmp4", "ConstCmp4"},
	{"libfuzzerTraceConstCmp8", "ConstCmp8"},
	{"libfuzzerHookStrCmp", "StrCmp"},
	{"libfuzzerHookEqualFold", "EqualFold"},
}

// hookPragmas keep a comparison hook from being a safe point: see package compare.
const hookPragmas = "//go:nosplit\n//go:norace\n"

// hookEdits gives the comparison hooks bodies that call the probe. site is the expression that identifies the comparison, in which $3 stands
// for the last parameter. imports are the import declarations that the expression needs.
func hookEdits(site, imports string) []edit {
	const file = "internal/fuzz/trace.go"
	list := []edit{{file, "package clause", func(s *source) error {
		s.insert(s.file.Name.End(), "; import compare "+`"`+injectedPath(comparePackage)+`"`+imports)
		return nil
	}}}
	for _, h := range hooks {
		list = append(list, edit{file, h.name, func(s *source) error {
			fn, err := s.function("", h.name)
			if err != nil {
				return err
			}
			names := params(fn.Type)
			if len(names) != 3 || slices.Contains(names, "_") || slices.Contains(names, "compare") {
				return fmt.Errorf("parameters are (%s), not three with names", strings.Join(names, ", "))
			}
			s.insert(fn.Type.Func, hookPragmas)
			s.replaceBody(fn, fmt.Sprintf("compare.%s(%s, %s, %s)", h.probe, names[0], names[1], strings.ReplaceAll(site, "$3", names[2])))
			return nil
		}})
	}
	return list
}
