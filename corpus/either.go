package corpus

import (
	"bytes"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Either returns the codec of files that are the only argument of a target, or a file of go test with the arguments of the target. A target
// with other arguments than one []byte or string has files of go test only.
func Either(kinds []input.Kind) Codec {
	if !isOneBuffer(kinds) {
		return GoTest(kinds)
	}
	return either{raw{kinds}, goTest{kinds}}
}

// either is the codec of files in two formats.
type either struct {
	raw    raw
	goTest goTest
}

// Marshal returns the content of the argument, or a file of go test if it would be read as one.
func (c either) Marshal(a input.Args) ([]byte, error) {
	file, err := c.raw.Marshal(a)
	if err == nil && c.isGoTest(file) {
		return c.goTest.Marshal(a)
	}
	return file, err
}

// Unmarshal takes any file.
func (c either) Unmarshal(file []byte) (input.Args, error) {
	if c.isGoTest(file) {
		return c.goTest.Unmarshal(file)
	}
	return c.raw.Unmarshal(file)
}

// isGoTest reports whether a file is one of go test that fits the target.
func (c either) isGoTest(file []byte) bool {
	if !bytes.HasPrefix(file, v1Begin) {
		return false
	}
	_, err := c.goTest.Unmarshal(file)
	return err == nil
}
