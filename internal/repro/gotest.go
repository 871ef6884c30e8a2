package repro

import (
	"context"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/internal/gocommand"
	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/proof"
)

// goTest runs the input in plain go test, in a folder.
func (o Options) goTest(ctx context.Context, tc gocommand.Toolchain, folder string) (Result, error) {
	group.LeaveTerminal() // otherwise the terminal stops a test that reads its standard input
	c := proof.GoCommand{Go: tc.Go, Dir: folder, Env: tc.Environ(), Record: o.Record, Run: group.RunTests}
	code, ran, err := c.Show(ctx, o.Stdin, o.Stdout, o.Stderr, o.Flags...)
	if err == nil && !ran {
		err = fmt.Errorf("go test passes, but it does not run the input of %s: the target may be skipped, or the test process may "+
			"run in another folder", o.ID)
	}
	return Result{Failed: code > 0, Code: code}, err
}
