package coverage

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"encoding/hex"
	"fmt"

	"github.com/gnaw-fuzz/gnaw/input"
)

// Store keeps what inputs reach.
type Store interface {
	// Replays returns what was saved for a target in a binary, which a digest names; nil: nothing.
	Replays(ctx context.Context, binary, pkg, target string) ([]byte, error)
	// SaveReplays saves it.
	SaveReplays(ctx context.Context, binary, pkg, target string, data []byte) error
}

// key identifies an input by its arguments.
type key [16]byte

func keyOf(a input.Args) (k key) {
	sum := sha256.Sum256(input.Append(nil, a))
	copy(k[:], sum[:])
	return k
}

// digest returns a digest of texts.
func digest(texts ...[]byte) string {
	sum := sha256.New()
	for _, t := range texts {
		_ = binary.Write(sum, binary.BigEndian, uint64(len(t))) // a hash has no errors
		_, _ = sum.Write(t)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// saved is what is kept about an input.
type saved struct {
	Key    key
	Failed string
	Lost   bool
	Blocks Set
}

// known returns what the store has about the inputs, by their keys. What it cannot read counts as nothing.
func (r *replay) known(ctx context.Context) (map[key]saved, error) {
	if r.store == nil {
		return nil, nil
	}
	data, err := r.store.Replays(ctx, r.binary, r.Target.Package, r.Target.Name)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, nil
	}
	var list []saved
	if err := gob.NewDecoder(z).Decode(&list); err != nil {
		return nil, nil
	}
	known := map[key]saved{}
	for _, s := range list {
		known[s.Key] = s
	}
	return known, nil
}

// save keeps what is known about the entries.
func (r *replay) save(ctx context.Context) error {
	if r.store == nil {
		return nil
	}
	var list []saved
	for i, e := range r.Entries {
		if r.done[i] {
			list = append(list, saved{keyOf(e.Args), e.Failed, e.Lost, e.Blocks})
		}
	}
	var data bytes.Buffer
	z, err := gzip.NewWriterLevel(&data, gzip.BestSpeed)
	if err == nil {
		err = gob.NewEncoder(z).Encode(list)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return fmt.Errorf("encode what the inputs of %s reach: %w", r.Target.Name, err)
	}
	return r.store.SaveReplays(ctx, r.binary, r.Target.Package, r.Target.Name, data.Bytes())
}
