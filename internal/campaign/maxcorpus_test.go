//go:build unix

package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gnaw-fuzz/gnaw/corpus"
	"github.com/gnaw-fuzz/gnaw/input"
	"github.com/gnaw-fuzz/gnaw/internal/distill"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

func TestACorpusWithTooManyEntriesIsDistilled(t *testing.T) {
	for _, tt := range []struct {
		name        string
		most        int
		needed      int // by the distillation before
		err         error
		said        []string // the notices
		warned      []string
		left, later int // files, and entries that the next distillation compares with
	}{
		{"there is no limit", 0, 0, nil, nil, nil, 6, 0},
		{"as many as allowed", 6, 0, nil, nil, nil, 6, 0},
		{"one too many", 5, 0, nil, []string{"the corpus is distilled: 2 of 6 inputs are kept, 4 removed"}, nil, 2, 2},
		{"most of them are needed, as the last distillation has shown", 5, 5, nil, nil, nil, 6, 5},
		{"it has grown by half", 3, 4, nil, []string{"the corpus is distilled: 2 of 6 inputs are kept, 4 removed"}, nil, 2, 2},
		{"gnaw cannot distill it", 5, 0, errors.New("no process starts"), nil, []string{"the corpus is not distilled: no process starts"}, 6, 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, "never", "p")
			r.Fuzzing.MaxCorpus = tt.most
			c := New(r.Options)
			one := c.targets[0]
			one.needed = tt.needed
			dir := filepath.Join(one.cache(), "FuzzX")
			store := corpus.Open(dir, corpus.GoTest(nil))
			for i := range 6 {
				if _, _, err := store.Save(text(fmt.Sprint(i))); err != nil {
					t.Fatal(err)
				}
			}
			c.distill = func(ctx context.Context, _ *target, dir string) (choice distill.Choice, err error) {
				choice.Entries, _, err = corpus.LoadFitting(ctx, dir, []input.Kind{input.String})
				choice.Keep = []int{1, 4}
				return choice, errors.Join(err, tt.err)
			}
			distillCorpus(t.Context(), one)
			r.bus.Close()
			if got := r.notices(event.Distilled); !slices.Equal(got, tt.said) {
				t.Errorf("the notices are %q, want %q", got, tt.said)
			}
			if got := r.notices(event.Warning); !slices.Equal(got, tt.warned) {
				t.Errorf("the warnings are %q, want %q", got, tt.warned)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) != tt.left || one.needed != tt.later {
				t.Errorf("%d files are left (%v), and %d are needed; want %d and %d", len(left), err, one.needed, tt.left, tt.later)
			}
		})
	}
}
