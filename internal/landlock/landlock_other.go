//go:build !linux

package landlock

import "errors"

// ABI returns an error: this system has no Landlock.
func ABI() (int, error) { return 0, errors.New("only Linux has Landlock") }

func do(Rules, func() error) error {
	_, err := ABI()
	return err
}
