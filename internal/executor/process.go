package executor

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/group"
	"github.com/gnaw-fuzz/gnaw/internal/probe/wire"
)

// process is a process of the test binary with its pipes.
type process struct {
	cmd     *exec.Cmd
	in      *os.File // requests
	out     *os.File // answers
	life    *os.File // stays open as long as the process may live
	leash   *os.File // the other end of life, until the process has greeted
	send    *wire.Writer
	frames  chan frame
	waited  chan struct{} // closed when the process is gone and waitErr is set
	waitErr error
}

// startProcess starts a process that writes what it prints to printed and inherits two files besides its pipes. After an error
// nothing of it is left.
func startProcess(cfg Config, printed io.Writer, segment, global *os.File) (p *process, err error) {
	var theirs, ours []io.Closer // what the process inherits, and what is of no use without it
	defer func() {
		if err != nil {
			theirs = append(theirs, ours...)
		}
		for _, c := range theirs {
			err = errors.Join(err, c.Close())
		}
	}()
	pipe := func(toProcess bool) (their, our *os.File, err error) {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, nil, err
		}
		if their, our = w, r; toProcess {
			their, our = r, w
		}
		theirs, ours = append(theirs, their), append(ours, our)
		return their, our, nil
	}
	requests, in, err := pipe(true)
	if err != nil {
		return nil, err
	}
	answers, out, err := pipe(false)
	if err != nil {
		return nil, err
	}
	lifeline, life, err := pipe(true)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(cfg.Path, cfg.Args...)
	cmd.Dir, cmd.Env = cfg.Dir, cfg.Env
	cmd.Stdout, cmd.Stderr = printed, printed // in one, as go test prints it; once it fuzzes, stdout goes nowhere
	cmd.WaitDelay = time.Second
	cmd.ExtraFiles = []*os.File{requests, answers, segment, global, lifeline}
	group.LeaveTerminal()
	group.Own(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if err := group.Leash(lifeline, cmd.Process); err != nil {
		group.End(cmd)
		return nil, errors.Join(err, cmd.Wait())
	}
	theirs = theirs[:len(theirs)-1] // the process is on the leash until it has greeted
	p = &process{
		cmd: cmd, in: in, out: out, life: life, leash: lifeline,
		send:   wire.NewWriter(requestPipe{in, time.Second, int(graceToRead / time.Second)}),
		frames: make(chan frame), waited: make(chan struct{}),
	}
	go p.receive()
	go func() {
		p.waitErr = group.Wait(p.cmd)
		close(p.waited)
	}()
	return p, nil
}

// frame is a message of the process, or the error that ended the stream.
type frame struct {
	kind    wire.Type
	payload []byte
	err     error
}

// receive reads messages into frames until the stream ends. end receives those for which nothing waits.
func (p *process) receive() {
	defer close(p.frames)
	r := wire.NewReader(p.out)
	for {
		kind, payload, err := r.Next()
		p.frames <- frame{kind, payload, err}
		if err != nil {
			return
		}
	}
}

// unleash lets the process live as long as it may. It must have greeted.
func (p *process) unleash() error { return errors.Join(group.Unleash(p.leash), p.leash.Close()) }

// closeLeash closes the leash of a process that has not greeted.
func (p *process) closeLeash() { _ = p.leash.Close() }

// notify writes one of the bytes of package wire to the lifeline. A process that is gone is no error.
func (p *process) notify(b byte) { _, _ = p.life.Write([]byte{b}) }

// kill ends the process, which may be gone already. The end of the stream follows.
func (p *process) kill() { group.End(p.cmd) }

// end ends the process at once, waits for it and closes the pipes.
func (p *process) end() {
	p.kill()
	_ = p.out.Close()    // a child of the process may hold the other end
	for range p.frames { // lets receive end
	}
	<-p.waited
	_ = errors.Join(p.in.Close(), p.life.Close())
}
