// Package meet opens for the first argument of one seed with the second argument of another seed.
//
// Technique: splice. The target checks each argument by a hash, which does not reveal it, and no source file contains
// it; but the seeds contain both. Blind mutation has to hit eight bytes at once.
package meet

import (
	"crypto/sha256"

	"github.com/gnaw-fuzz/gnaw/puzzles/targets/derived"
)

var (
	user, key       = derived.Word("user", 8), derived.Word("key", 8)
	userSum, keySum = sum(user), sum(key)
)

// Open reports whether the arguments are solved.
func Open(name, secret string) bool {
	isUser, isKey := sum(name) == userSum, sum(secret) == keySum
	return isUser && isKey
}

func sum(s string) [32]byte { return sha256.Sum256([]byte(s)) }
