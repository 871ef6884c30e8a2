//go:build unix

package work

import (
	"fmt"
	"slices"
	"testing"
)

func TestTheOldestWordMakesRoom(t *testing.T) {
	var v vocabulary
	var list [][]byte
	for i := range maxMet + 3 {
		v.add(&list, fmt.Appendf(nil, "word %d", i))
		v.add(&list, fmt.Appendf(nil, "word %d", i))
	}
	if len(list) != maxMet || len(v.known) != maxMet {
		t.Fatalf("%d words are kept and %d known, want %d", len(list), len(v.known), maxMet)
	}
	has := func(word string) bool {
		return slices.ContainsFunc(list, func(b []byte) bool { return string(b) == word })
	}
	if has("word 2") || !has("word 3") || !has(fmt.Sprintf("word %d", maxMet+2)) {
		t.Error("the words that are kept are not the newest ones")
	}
}
