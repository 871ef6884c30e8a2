package deps

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/build"
)

func TestTheAddressOfASecurityPolicy(t *testing.T) {
	for _, tt := range []struct{ name, path, origin, want string }{
		{"GitHub", "github.com/o/r", "", "https://github.com/o/r/security/policy"},
		{"a folder of a repository, and a major version", "github.com/o/r/p/v2", "", "https://github.com/o/r/security/policy"},
		{"another path for GitHub", "go.example.com/r", "https://github.com/o/r.git", "https://github.com/o/r/security/policy"},
		{"GitLab", "gitlab.com/o/r", "", "https://gitlab.com/o/r"},
		{"a group of GitLab", "gitlab.com/o/g/r", "https://gitlab.com/o/g/r.git", "https://gitlab.com/o/g/r"},
		{"another host", "example.com/r", "https://git.example.com/r", "https://git.example.com/r"},
		{"nothing is known", "example.com/r", "", ""},
		{"the Go project", "golang.org/x/net", "https://go.googlesource.com/net", goPolicy},
		{"the standard library", build.StdModule, "", goPolicy},
	} {
		if got := policyAddress(tt.path, tt.origin); got != tt.want {
			t.Errorf("%s: the address is %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestASecurityPolicyInTheSources(t *testing.T) {
	for _, name := range []string{"SECURITY.md", "security.txt", ".github/SECURITY.md", "docs/Security.md"} {
		u := unit{module: "example.com/d", version: "v1.0.0", root: t.TempDir()}
		write(t, u.root, map[string]string{name: "", "README.md": ""})
		if got, want := u.policy(t.TempDir()), []string{filepath.Join(u.root, filepath.FromSlash(name))}; !slices.Equal(got, want) {
			t.Errorf("%s: the places are %q, want %q", name, got, want)
		}
	}
}

func TestTheOriginOfAModule(t *testing.T) {
	cache := t.TempDir()
	write(t, cache, map[string]string{
		"cache/download/example.com/!d/@v/v1.0.0.info": `{"Version":"v1.0.0","Origin":{"VCS":"git","URL":"https://git.example.com/d"}}`,
		"cache/download/example.com/!d/@v/v1.1.0.info": `{"Version":"v1.1.0"}`,
		"cache/download/example.com/!d/@v/v1.2.0.info": `{"Version":"v1.2.0","Origin":{"VCS":"git","URL":"ssh://git.example.com/d"}}`,
		"cache/download/example.com/!d/@v/v1.3.0.info": `no JSON`,
	})
	for version, want := range map[string]string{
		"v1.0.0": "https://git.example.com/d", "v1.1.0": "", "v1.2.0": "", "v1.3.0": "", "v1.4.0": "", build.LocalVersion: "",
	} {
		if got := origin(cache, "example.com/D", version); got != want {
			t.Errorf("%s: the origin is %q, want %q", version, got, want)
		}
	}
}
