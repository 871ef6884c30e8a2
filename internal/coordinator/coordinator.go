// Package coordinator fuzzes one target on behalf of a test process of `go test -fuzz`, which waits for the result at the other end of
// two pipes.
package coordinator

import (
	"context"
	"io"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/event"
	"github.com/gnaw-fuzz/gnaw/internal/probe/host"
	"github.com/gnaw-fuzz/gnaw/internal/session"
)

// Options is what a coordinator has besides its job.
type Options struct {
	Dir      string        // folder of the package: the go command starts test processes there
	Environ  []string      // as os.Environ; GNAW_ variables have what the job does not have
	Notices  io.Writer     // gets a line if temporary files cannot be removed
	Events   *event.Bus    // gets the events of the run; Run and Serve close it
	Interval time.Duration // between two event.Progress; more than 0
}

// Run fuzzes the target of a job until its limits, its first failures, or the end of ctx. All subscribers have had all events when it
// returns.
func Run(ctx context.Context, o Options, job host.Job) host.Result {
	defer o.Events.Close()
	j, err := optionsOf(o, job)
	if err != nil {
		return host.Result{Error: err.Error()}
	}
	if err := checkProfile(ctx, o, j); err != nil {
		return host.Result{Error: err.Error()}
	}
	var b *plainBinary
	if j.plainBuild != nil {
		b = prepare(ctx, o, *j.plainBuild)
		defer b.close(o.Notices)
		j.Plain = b.build
	}
	out, err := session.Run(ctx, j.Options, j.single, o.Events)
	if j.profile != nil && err == nil {
		err = writeProfile(context.WithoutCancel(ctx), o, j, job.Target, b) // ^C is the usual end of a run
	}
	return hostResult(job.Target, out, err)
}
