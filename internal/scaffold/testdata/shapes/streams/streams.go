// Package streams has a writer and a reader.
package streams

import "io"

// Writer changes what is written.
type Writer struct{ w io.Writer }

// NewWriter returns a Writer.
func NewWriter(w io.Writer) *Writer { return &Writer{w} }

// Write writes data with all bits turned.
func (w *Writer) Write(data []byte) (int, error) {
	turned := make([]byte, len(data))
	for i, c := range data {
		turned[i] = ^c
	}
	return w.w.Write(turned)
}

// Close ends the stream.
func (w *Writer) Close() error { return nil }

// Reader undoes Writer.
type Reader struct{ r io.Reader }

// NewReader returns a Reader.
func NewReader(r io.Reader) *Reader { return &Reader{r} }

// Read reads data.
func (r *Reader) Read(data []byte) (int, error) {
	n, err := r.r.Read(data)
	for i := range data[:n] {
		data[i] = ^data[i]
	}
	return n, err
}

// Lines reads lines.
type Lines struct{ r io.Reader }

// NewLines returns Lines.
func NewLines(r io.Reader) (*Lines, error) { return &Lines{r}, nil }

// Read reads data.
func (l *Lines) Read(data []byte) (int, error) { return l.r.Read(data) }
