// Package wire is the protocol between the coordinator and a worker: framed messages over two pipes.
//
// A frame is one byte with its [Type], four bytes (little endian) with the length of the payload, and the payload. The
// worker says [Hello] first; after that the coordinator sends requests one at a time and the worker answers each with
// any number of [New] and [Failed] and one [Ran], [Done], [Measured] or [Compared]. Both ends are of the same gnaw version: Hello carries a
// hash of the injected sources.
//
// The package is linked into test binaries and used between executions, so it decodes by hand.
package wire

import (
	"errors"
	"fmt"
	"io"
)

// Type is the first byte of a frame. The values lie above ASCII, so that text that a target writes into the pipe is
// recognised as such.
type Type uint8

// The messages. Their payloads are described at the types of the same name.
const (
	TypeHello    Type = 0x80 + iota // worker: ready
	TypeSetup                       // coordinator: limits that hold for the whole run
	TypeEntry                       // coordinator: an entry to remember
	TypeRun                         // coordinator: execute one input
	TypeFuzz                        // coordinator: mutate an entry and execute
	TypeStop                        // coordinator: end the process in good order
	TypeRan                         // worker: result of Run
	TypeNew                         // worker: an input that showed something new
	TypeFailed                      // worker: an input that made the target fail
	TypeDone                        // worker: a Fuzz request is finished
	TypeWords                       // coordinator: words to use in mutants
	TypeMeasure                     // coordinator: have oracles measure one input
	TypeMeasured                    // worker: what they found
	TypeCompare                     // coordinator: execute one input and record its comparisons
	TypeCompared                    // worker: the comparisons
	TypeRefuse                      // coordinator: refuse actions outside of the process
	typeEnd
)

const (
	frameHead = 5
	// maxPayload: no message is longer than the largest input plus its features and output.
	maxPayload = 256 << 20
)

// errGarbage wraps what was read instead of a frame. Its text is that of Go's native engine, whose scripts look for
// it: there, messages were JSON.
type errGarbage byte

func (e errGarbage) Error() string {
	return fmt.Sprintf("invalid character %q looking for beginning of value", rune(e))
}

// IsGarbage reports whether err says that something other than a frame was read from the pipe.
func IsGarbage(err error) bool {
	var g errGarbage
	return errors.As(err, &g)
}

// Message is one of the message types of this package.
type Message interface {
	// encode appends the payload and returns the type.
	encode(c *codec) Type
}

// Writer sends messages. It is not safe for concurrent use.
type Writer struct {
	w     io.Writer
	frame codec
}

// NewWriter returns a Writer that makes one Write per message.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Send writes one message.
func (w *Writer) Send(m Message) error {
	w.frame.b = append(w.frame.b[:0], 0, 0, 0, 0, 0)
	t := m.encode(&w.frame)
	frame := w.frame.b
	n := len(frame) - frameHead
	frame[0], frame[1], frame[2], frame[3], frame[4] = byte(t), byte(n), byte(n>>8), byte(n>>16), byte(n>>24)
	if cap(frame) > 1<<20 {
		w.frame.b = nil
	}
	_, err := w.w.Write(frame)
	return err
}

// Reader receives frames. It is not safe for concurrent use.
type Reader struct {
	r    io.Reader
	head [frameHead]byte
}

// NewReader returns a Reader of r.
func NewReader(r io.Reader) *Reader { return &Reader{r: r} }

// Next reads one frame. The payload belongs to the caller. At the end of the stream the error is io.EOF, within a frame
// io.ErrUnexpectedEOF.
func (r *Reader) Next() (Type, []byte, error) {
	if err := readFull(r.r, r.head[:1]); err != nil {
		return 0, nil, err
	}
	t := Type(r.head[0])
	if t < TypeHello || t >= typeEnd {
		return 0, nil, errGarbage(r.head[0])
	}
	if err := readFull(r.r, r.head[1:]); err != nil {
		return 0, nil, unexpected(err)
	}
	n := uint32(r.head[1]) | uint32(r.head[2])<<8 | uint32(r.head[3])<<16 | uint32(r.head[4])<<24
	if n > maxPayload {
		return 0, nil, fmt.Errorf("message of %d bytes is too long", n)
	}
	payload, err := readPayload(r.r, int(n))
	if err != nil {
		return 0, nil, unexpected(err)
	}
	return t, payload, nil
}

// readPayload reads n bytes. It asks for memory as the bytes come, so that a damaged length costs nothing.
func readPayload(r io.Reader, n int) ([]byte, error) {
	const step = 1 << 20
	payload := make([]byte, min(n, step))
	for read := 0; ; {
		if err := readFull(r, payload[read:]); err != nil {
			return nil, err
		}
		read = len(payload)
		if read == n {
			return payload, nil
		}
		payload = append(payload, make([]byte, min(n-read, read))...)
	}
}

// readFull is io.ReadFull. A worker reads its next message while the target runs, and package io may be instrumented.
func readFull(r io.Reader, p []byte) error {
	for read := 0; read < len(p); {
		n, err := r.Read(p[read:])
		if read += n; read == len(p) {
			return nil
		}
		switch {
		case err == io.EOF && read > 0:
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		}
	}
	return nil
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
