package corpus

import "github.com/gnaw-fuzz/gnaw/input"

// A Codec turns the arguments of an input into the content of a file, and back. Any number of goroutines may call its
// methods at once.
type Codec interface {
	// Marshal returns the content of the file of the arguments. It is the same for equal arguments: a [Store] names the
	// file after it. The error says why the format has no file for these arguments.
	Marshal(a input.Args) ([]byte, error)
	// Unmarshal returns the arguments in a file. The error says that the content is malformed, or that the arguments
	// are not those of the target. The result does not share memory with the file.
	Unmarshal(file []byte) (input.Args, error)
}

// GoTest returns the codec of `go test fuzz v1` files, which Go's own fuzzing reads and writes, for a target with
// arguments of these kinds. Nil kinds are any: Marshal does not need them.
func GoTest(kinds []input.Kind) Codec { return goTest{kinds} }

// goTest is the codec of `go test fuzz v1` files.
type goTest struct{ kinds []input.Kind }

// Marshal returns the text of the arguments.
func (goTest) Marshal(a input.Args) ([]byte, error) { return input.Marshal(a), nil }

// Unmarshal reads the text of arguments of the right kinds.
func (c goTest) Unmarshal(file []byte) (input.Args, error) {
	a, err := input.Unmarshal(file)
	if err == nil && c.kinds != nil {
		err = input.CheckKinds(a, c.kinds)
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}
