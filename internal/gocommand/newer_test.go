package gocommand

import (
	"runtime"
	"strings"
	"testing"
)

func TestAToolchainIsReadableIfItsLanguageIsNotNewer(t *testing.T) {
	own := strings.Fields(runtime.Version())[0]
	for version, want := range map[string]bool{
		"go1.24": true, own: true, own + " X:nodwarf5": true, language(own) + ".99": true, "devel go1.24-abc": true, "": true, "devel +0123": true,
		"go1.99.1": false, "go1.99rc1": false, "devel go1.99-abc": false, "go1.99-devel_abc Fri": false, "go1.99.1 X:greenteagc": false,
	} {
		err := Toolchain{Version: version}.Readable()
		if (err == nil) != want {
			t.Errorf("Readable of %q = %v, want an error: %v", version, err, !want)
		}
	}
}

func TestTheErrorOfANewerToolchainNamesTheCommand(t *testing.T) {
	for version, want := range map[string]string{
		"go1.99.1 X:nodwarf5": "cannot read Go code of go1.99.1: run `GOTOOLCHAIN=go1.99.1 go install github.com/gnaw-fuzz/gnaw/cmd/gnaw@latest`",
		"go1.99-devel_abc":    "cannot read Go code of go1.99-devel_abc: run `go install github.com/gnaw-fuzz/gnaw/cmd/gnaw@latest`",
	} {
		err := Toolchain{Version: version}.Readable()
		if err == nil || !strings.HasPrefix(err.Error(), "this gnaw is built with go1.") || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("Readable of %q = %v, want …%s", version, err, want)
		}
	}
}
