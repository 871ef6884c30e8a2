package usage

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestARequestIsRecognizedBehindOtherErrors(t *testing.T) {
	err := fmt.Errorf("minimize: %w", Errorf("there is no file %s: %w", "a", fs.ErrNotExist))
	var request *Error
	if !errors.As(err, &request) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v is not known as a request, or its cause is lost", err)
	}
	if got, want := err.Error(), "minimize: there is no file a: file does not exist"; got != want {
		t.Errorf("the message is %q, want %q", got, want)
	}
}
