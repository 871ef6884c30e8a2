package deps

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/gnaw-fuzz/gnaw/internal/build"
	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// goPolicy is the address of the security policy of the Go project.
const goPolicy = "https://go.dev/doc/security/policy"

// policy returns the places of the security policy of a module: a file in its sources, then an address, each if it is known. It reads
// local files only.
func (u *unit) policy(modCache string) (places []string) {
	for _, dir := range []string{u.root, filepath.Join(u.root, ".github"), filepath.Join(u.root, "docs")} {
		list, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		if i := slices.IndexFunc(list, isPolicy); i >= 0 {
			places = append(places, filepath.Join(dir, list[i].Name()))
			break
		}
	}
	if address := policyAddress(u.module, origin(modCache, u.module, u.version)); address != "" {
		places = append(places, address)
	}
	return places
}

// isPolicy reports whether a file has the usual name of a security policy.
func isPolicy(e os.DirEntry) bool {
	name := strings.ToLower(e.Name())
	return e.Type().IsRegular() && slices.Contains([]string{"security", "security.md", "security.rst", "security.txt"}, name)
}

// policyAddress returns the address of the security policy of a module, or of its repository; empty: neither is known. origin is the
// address of the repository in the module cache; empty: the module cache does not have it.
func policyAddress(path, origin string) string {
	if path == build.StdModule || strings.HasPrefix(path, "golang.org/x/") {
		return goPolicy
	}
	if parts := strings.Split(path, "/"); len(parts) >= 3 && slices.Contains([]string{"github.com", "gitlab.com", "codeberg.org"}, parts[0]) {
		if parts[0] != "gitlab.com" || origin == "" { // the path of a repository on GitLab may be longer
			origin = "https://" + strings.Join(parts[:3], "/")
		}
	}
	origin = strings.TrimSuffix(origin, ".git")
	if strings.HasPrefix(origin, "https://github.com/") {
		return origin + "/security/policy"
	}
	return origin
}

// origin returns the address of the repository that a module in the module cache comes from; empty: it is not known.
func origin(modCache, path, version string) string {
	escaped, err := module.EscapePath(path)
	if err != nil {
		return ""
	}
	escapedVersion, err := module.EscapeVersion(version)
	if err != nil {
		return ""
	}
	text, err := disk.Read(filepath.Join(modCache, "cache", "download", filepath.FromSlash(escaped), "@v", escapedVersion+".info"), disk.MaxList)
	if err != nil {
		return ""
	}
	var info struct{ Origin struct{ URL string } }
	if err := json.Unmarshal(text, &info); err != nil || !strings.HasPrefix(info.Origin.URL, "https://") {
		return ""
	}
	return info.Origin.URL
}
