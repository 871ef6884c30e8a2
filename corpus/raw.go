package corpus

import (
	"bytes"

	"github.com/gnaw-fuzz/gnaw/input"
)

// raw is the codec of files that are the only argument of a target, as those of libFuzzer, AFL and go-fuzz.
type raw struct{ kinds []input.Kind }

func rawCodec(kinds []input.Kind) Codec { return raw{kinds} }

// Marshal returns the content of the argument.
func (c raw) Marshal(a input.Args) ([]byte, error) {
	if err := input.CheckKinds(a, c.kinds); err != nil {
		return nil, err
	}
	return bytes.Clone(a[0].Data), nil
}

// Unmarshal takes any file.
func (c raw) Unmarshal(file []byte) (input.Args, error) {
	return input.Args{{Kind: c.kinds[0], Data: bytes.Clone(file)}}, nil
}
