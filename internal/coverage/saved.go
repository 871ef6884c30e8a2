package coverage

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// Store keeps the results of inputs.
type Store interface {
	// Replays returns the data that was saved for the inputs of a target; nil: none was saved. binary is the digest of the test binary and
	// [Task.Conditions].
	Replays(ctx context.Context, binary string, target fuzz.Name) ([]byte, error)
	// SaveReplays saves data for the inputs of a target.
	SaveReplays(ctx context.Context, binary string, target fuzz.Name, data []byte) error
}

// key identifies an input by its arguments.
type key [16]byte

func keyOf(a input.Args) (k key) {
	sum := sha256.Sum256(input.Append(nil, a))
	copy(k[:], sum[:])
	return k
}

// digest returns a digest of texts, in hexadecimal digits. It depends on where each text ends.
func digest(texts ...[]byte) string {
	sum := sha256.New()
	for _, t := range texts {
		_ = binary.Write(sum, binary.BigEndian, uint64(len(t))) // a hash has no errors
		_, _ = sum.Write(t)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// saved is the result of an input in the store.
type saved struct {
	Key    key
	Failed string
	Lost   bool
	Blocks Set
	Counts Counts

	Seed    bool // it was executed as a seed
	Refused string
	Actions [][]byte
}

// savedForm names the form of saved results. It is a part of the key under which they are saved, so results of another form are not read.
const savedForm = "blocks with counts and actions"

// known returns the results that the store has, by the keys of their inputs. It returns none if it cannot decode them.
func (r *replay) known(ctx context.Context) (map[key]saved, error) {
	if r.store == nil {
		return nil, nil
	}
	data, err := r.store.Replays(ctx, r.binary, r.Target)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	var list []saved
	if Unpack(data, &list) != nil {
		return nil, nil
	}
	known := map[key]saved{}
	for _, s := range list {
		known[s.Key] = s
	}
	return known, nil
}

// save saves the results of the entries that are done.
func (r *replay) save(ctx context.Context) error {
	if r.store == nil {
		return nil
	}
	var list []saved
	for i, e := range r.Entries {
		if r.done[i] {
			list = append(list, saved{keyOf(e.Args), e.Failed, e.Lost, e.Blocks, e.Counts, e.Seed, e.Refused, e.Actions})
		}
	}
	data, err := Pack(list)
	if err != nil {
		return fmt.Errorf("encode what the inputs of %s reach: %w", r.Target.Func, err)
	}
	return r.store.SaveReplays(ctx, r.binary, r.Target, data)
}
