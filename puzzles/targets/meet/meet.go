// Package meet opens when the first argument of one seed and the second argument of another meet.
//
// Technique: splice. Each argument is checked by a hash, which nothing can be read from, and stands in no source
// file; but both exist. Blind mutation has to hit eight bytes at once.
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
