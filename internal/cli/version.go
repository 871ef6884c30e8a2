package cli

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/gnaw-fuzz/gnaw/internal/exitcode"
)

// defineVersion returns the flags of `gnaw version`.
func defineVersion(f *jsonFlag) *flagSet {
	return f.define("version", "print one object: version, go")
}

func runVersion(_ context.Context, env Env, args []string) (int, error) {
	var asJSON jsonFlag
	rest, err := parseMixed(defineVersion(&asJSON), args)
	if err != nil {
		return 0, err
	}
	if len(rest) > 0 {
		return 0, usagef("version takes no arguments")
	}
	version, goVersion := versionOf()
	if asJSON {
		return exitcode.OK, writeJSON(env.Stdout, struct {
			Version string `json:"version"`
			Go      string `json:"go"` // that it was built with
		}{version, goVersion})
	}
	fmt.Fprintf(env.Stdout, "gnaw %s (built with %s)\n", version, goVersion)
	return exitcode.OK, nil
}

// versionOf returns the version of gnaw, and the version of Go that built it.
func versionOf() (version, goVersion string) {
	if info, ok := debug.ReadBuildInfo(); ok {
		return info.Main.Version, info.GoVersion
	}
	return "unknown", ""
}
