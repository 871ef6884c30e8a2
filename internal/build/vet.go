package build

import (
	"context"
	"os"
	"slices"
)

// Vet returns what vet says about a package when go test runs it; empty: nothing. flags are those of go test. The error is about gnaw, the
// machine or ctx.
func (b *Builder) Vet(ctx context.Context, pkg string, flags []string) (string, error) {
	// The command vet has all the checks that go test has, and does not link.
	if _, err := b.tc.Said(ctx, b.dir, slices.Concat([]string{"vet"}, flags, []string{pkg})...); err == nil || ctx.Err() != nil {
		return "", ctx.Err()
	}
	test := slices.Concat([]string{"test", "-c", "-json=false"}, flags, []string{"-o", os.DevNull, pkg})
	text, err := b.tc.Said(ctx, b.dir, test...)
	if err == nil || ctx.Err() != nil {
		return "", ctx.Err()
	}
	if _, err := b.tc.Said(ctx, b.dir, slices.Insert(test, 2, "-vet=off")...); err != nil {
		return "", ctx.Err() // it does not build any more, for another reason
	}
	return text, nil
}
