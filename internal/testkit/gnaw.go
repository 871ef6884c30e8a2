package testkit

import (
	"fmt"
	"os/exec"
)

// BuildGnaw builds the command of this module as the file path. The error has what the go command prints.
func BuildGnaw(path string) error {
	if out, err := exec.Command("go", "build", "-o", path, "github.com/gnaw-fuzz/gnaw/cmd/gnaw").CombinedOutput(); err != nil {
		return fmt.Errorf("build gnaw: %w\n%s", err, out)
	}
	return nil
}
