// Package toolchain finds Go toolchains for tests.
package toolchain

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
)

var flagGo = flag.String("build.go", "", "also try each edit on these `versions` of Go, such as 1.27.3,1.25.0, which the go command fetches")

// Versions returns the Go versions that every edit is tried on, as GOTOOLCHAIN has them; "" is the one that runs the tests.
func Versions() []string {
	list := []string{""}
	for v := range strings.SplitSeq(*flagGo, ",") {
		if v != "" {
			list = append(list, "go"+v)
		}
	}
	return list
}

// Find finds the toolchain of a version for a folder without a module. A package whose tests call it runs them with an own cache.
func Find(t *testing.T, version string) gocommand.Toolchain {
	t.Helper()
	env := append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOWORK=off")
	if version != "" {
		env = append(env, "GOTOOLCHAIN="+version)
	}
	tc, err := gocommand.FindToolchain(t.Context(), t.TempDir(), env)
	if err != nil {
		t.Fatal(err)
	}
	return tc
}

// Each runs a test with every version.
func Each(t *testing.T, f func(t *testing.T, tc gocommand.Toolchain)) {
	for _, v := range Versions() {
		name := v
		if name == "" {
			name = "local"
		}
		t.Run(name, func(t *testing.T) { f(t, Find(t, v)) })
	}
}
