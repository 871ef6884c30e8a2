package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A lineParser reads one line of a fuzzer's output; ok is false if it is no progress line.
type lineParser func(line string, at time.Time) (s status, ok bool)

// Times of watch.
const (
	solvedPoll    = 5 * time.Millisecond // how exactly the time of a solution is known
	interruptWait = 10 * time.Second     // what a process has after an interrupt, until it is killed
)

// lateDeadline is what `go test -fuzz` before Go 1.27 says now and then when its time is up, as if the target had failed:
// https://go.dev/issue/75804. The run is as good as others.
const lateDeadline = "    context deadline exceeded\n"

// watch runs a fuzzer until it ends, and reads its progress lines. It is interrupted after limit, unless that is 0, and
// as soon as the file solved exists, unless that is ""; both are no error. An error may come with a run.
func watch(cmd *exec.Cmd, parse lineParser, limit time.Duration, solved string) (r run, err error) {
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return run{}, err
	}
	cmd.Stderr = cmd.Stdout // fuzzers differ in which of the two they print progress to
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return run{}, err
	}
	ended := make(chan struct{})
	stopped := make(chan time.Duration, 1) // holds how long it took to solve, or 0 after the limit, if it was interrupted
	done := make(chan struct{})
	go func() {
		defer close(done)
		supervise(cmd.Process, pipe, start, limit, solved, ended, stopped)
	}()
	lines, rest := readLines(pipe, parse)
	err = cmd.Wait()
	close(ended)
	<-done
	r, ok := summarize(start, lines)
	select {
	case after := <-stopped:
		r.Solved = after.Seconds()
		return r, nil
	default:
	}
	if err != nil && !(ok && strings.Contains(rest, lateDeadline)) {
		return r, fmt.Errorf("%w\n%s", err, rest)
	}
	if !ok {
		return run{}, fmt.Errorf("no executions in its output\n%s", rest)
	}
	return r, nil
}

// supervise interrupts p after limit or when the file solved appears, and kills it if that does not help. It returns when
// p has ended.
func supervise(p *os.Process, output io.Closer, start time.Time, limit time.Duration, solved string,
	ended <-chan struct{}, stopped chan<- time.Duration,
) {
	poll := time.NewTicker(solvedPoll)
	defer poll.Stop()
	for stop := false; !stop; {
		select {
		case <-ended:
			return
		case <-poll.C:
		}
		took := time.Since(start)
		if _, err := os.Stat(solved); solved != "" && err == nil {
			stopped <- took
			stop = true
		} else if limit > 0 && took >= limit {
			stopped <- 0
			stop = true
		}
	}
	_ = p.Signal(os.Interrupt)
	select {
	case <-ended:
	case <-time.After(interruptWait):
		_ = p.Kill()
		_ = output.Close() // processes that it has left behind may hold the other end
		<-ended
	}
}

// restLimit bounds how much of a process's other output is kept for an error message.
const restLimit = 2000

// readLines collects the progress lines with the time of their arrival, and the end of the other output.
func readLines(r io.Reader, parse lineParser) (lines []status, rest string) {
	in := bufio.NewScanner(r)
	for in.Scan() {
		if s, ok := parse(in.Text(), time.Now()); ok {
			lines = append(lines, s)
			continue
		}
		rest += in.Text() + "\n"
		rest = rest[max(0, len(rest)-restLimit):]
	}
	if in.Err() != nil { // a line beyond all measure: the process must not block on a full pipe
		_, _ = io.Copy(io.Discard, r)
	}
	return lines, rest
}
