//go:build unix

package campaign

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/engine"
	"github.com/gnaw-fuzz/gnaw/internal/event"
)

func TestEachSubscriberHasAllEntriesInTheSameOrder(t *testing.T) {
	r := newRig(t, "never", "p", "q")
	var mu sync.Mutex
	got := [2]map[string][]string{{}, {}} // by subscriber and package
	for i := range got {
		r.OnEntry = append(r.OnEntry, func(name event.Subject, k engine.Kept) {
			mu.Lock()
			defer mu.Unlock()
			got[i][name.Package] = append(got[i][name.Package], fmt.Sprintf("%s %q %d %v", k.Path, k.Args[0].Data, len(k.Features), k.Given))
			if n := len(got[i][name.Package]); len(got[0][name.Package]) < n {
				t.Errorf("the second subscriber has entry %d of %s before the first one", n, name.Package)
			}
		})
	}
	r.run(t, t.Context())
	for _, pkg := range []string{"p", "q"} {
		if len(got[0][pkg]) < 2 || !slices.Equal(got[0][pkg], got[1][pkg]) {
			t.Errorf("of %s the subscribers have the entries %q and %q", pkg, got[0][pkg], got[1][pkg])
		}
	}
}
