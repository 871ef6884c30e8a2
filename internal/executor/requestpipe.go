package executor

import (
	"errors"
	"os"
	"time"
)

// requestPipe writes to a pipe whose reader may be slow, and gives up if it reads nothing at all.
type requestPipe struct {
	pipe *os.File
	step time.Duration // time for one attempt to write
	most int           // attempts in a row that may write nothing; a time in which gnaw stands still is one of them
}

// Write implements io.Writer. If the other end reads nothing, the error is os.ErrDeadlineExceeded.
func (p requestPipe) Write(b []byte) (written int, err error) {
	for vain := 0; ; {
		_ = p.pipe.SetWriteDeadline(time.Now().Add(p.step)) // without deadlines, it waits
		n, err := p.pipe.Write(b[written:])
		if written += n; n > 0 {
			vain = 0
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return written, err
		}
		if vain++; vain >= p.most {
			return written, err
		}
	}
}
