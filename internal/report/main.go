package report

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/gnaw-fuzz/gnaw/finding"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// Main returns the call that a person should look at first: the top one that is not of the standard library, or the top one. ok is
// false if there is none.
func Main(calls []finding.Call) (c finding.Call, ok bool) {
	for _, c := range calls {
		if !standard(c) {
			return c, true
		}
	}
	if len(calls) == 0 {
		return c, false
	}
	return calls[0], true
}

// standard reports whether a call, as [Source.Locate] returns it or as an older history has it, is of the standard library: no import
// path there begins with a domain, and its sources are in a folder src.
func standard(c finding.Call) bool {
	pkg := packageOf(c.Func)
	if first, _, _ := strings.Cut(pkg, "/"); pkg == "" || strings.Contains(first, ".") {
		return false
	}
	dir := path.Dir(filepath.ToSlash(c.File))
	if filepath.IsAbs(c.File) || path.IsAbs(c.File) {
		return strings.HasSuffix(dir, "/src/"+pkg) || strings.HasSuffix(dir, "/src/"+linked)
	}
	return c.Foreign && (dir == pkg || dir == linked) // with -trimpath
}

// linked is the package whose sources have functions of others too, such as time.Sleep.
const linked = "runtime"

// moduleOf returns the module of a function that is not of the module at hand, by its file: in a module cache, where folders have
// versions, in a vendor folder, or below a folder with a go.mod. It is empty if none of these applies.
func moduleOf(function, file string) string {
	pkg, dir := packageOf(function), path.Dir(filepath.ToSlash(file))
	if before, after, ok := strings.Cut(dir, "@"); ok {
		version, rest, _ := strings.Cut(after, "/")
		if pkg == "main" {
			pkg = path.Base(before)
		}
		return strings.TrimSuffix(pkg, "/"+rest) + "@" + version
	}
	if !filepath.IsAbs(file) {
		return ""
	}
	if root, _, ok := strings.Cut(dir, "/vendor/"); ok {
		return vendored(filepath.Join(filepath.FromSlash(root), "vendor", "modules.txt"), pkg)
	}
	for at := filepath.Dir(file); ; at = filepath.Dir(at) {
		if module := modfile.ModulePath([]byte(textOf(filepath.Join(at, "go.mod")))); module != "" || at == filepath.Dir(at) {
			return module
		}
	}
}

// vendored returns the module of a package by the list in a vendor folder.
func vendored(list, pkg string) (module string) {
	longest := ""
	for line := range strings.Lines(textOf(list)) {
		f := strings.Fields(line) // "# example.com/m v1.2.0"
		if len(f) < 3 || f[0] != "#" || len(f[1]) < len(longest) || pkg != f[1] && !strings.HasPrefix(pkg, f[1]+"/") {
			continue
		}
		if longest, module = f[1], f[1]; strings.HasPrefix(f[2], "v") {
			module += "@" + f[2]
		}
	}
	return module
}

// maxSource is the size in bytes of the largest file that is looked at.
const maxSource = 32 << 20

// readable reports whether a file can be read to its end: the names of generated code are those that it gives itself.
func readable(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular() && info.Size() <= maxSource
}

// textOf returns the content of a file; nothing if it cannot be read.
func textOf(file string) string {
	if !readable(file) {
		return ""
	}
	text, err := disk.Read(file, disk.MaxSource)
	if err != nil {
		return ""
	}
	return string(text)
}
