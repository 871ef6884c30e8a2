package store

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

func TestTheResultsOfACampaignAreItsOwn(t *testing.T) {
	s := opened(t, path(t))
	at := time.UnixMilli(1_700_000_000_000)
	first, second := begin(t, s, Campaign{Module: "m", Start: at}), begin(t, s, Campaign{Module: "m", Start: at})
	a, b := Result{Target: fuzz.Name{Package: "m/p", Func: "FuzzA"}}, Result{Target: fuzz.Name{Package: "m/p", Func: "FuzzB"}}
	ended := Result{Target: a.Target, Result: "clean", Rerun: 8, Repeated: 6}
	aside := Result{Target: b.Target, Result: "unusable", Reason: "it does not build"}
	if err := errors.Join(
		s.SaveResults(t.Context(), first, "m", at, []Result{b, a}), s.SaveResults(t.Context(), second, "m", at, []Result{a}),
		s.SaveResults(t.Context(), first, "m", at, []Result{ended, aside}),
	); err != nil {
		t.Fatal(err)
	}
	for campaign, want := range map[int64][]Result{first: {ended, aside}, second: {a}, 99: nil} {
		if got, err := s.Reader().Results(t.Context(), campaign); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("the results of %d are %+v (%v), want %+v", campaign, got, err, want)
		}
	}
}

func TestAResumedCampaignKeepsTheDriftCheckUntilItHasMadeOne(t *testing.T) {
	s := opened(t, path(t))
	id := begin(t, s, Campaign{Module: "m", Start: time.UnixMilli(1000)})
	name := fuzz.Name{Package: "m/p", Func: "FuzzA"}
	for _, step := range []struct{ save, want Result }{
		{Result{name, "", "", 8, 6}, Result{name, "", "", 8, 6}},
		{Result{name, "unreached", "1 seed was not executed", 0, 0}, Result{name, "unreached", "1 seed was not executed", 8, 6}},
		{Result{name, "clean", "", 3, 0}, Result{name, "clean", "", 3, 0}},
	} {
		if err := s.SaveResults(t.Context(), id, "m", time.UnixMilli(1000), []Result{step.save}); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Reader().Results(t.Context(), id); err != nil || !reflect.DeepEqual(got, []Result{step.want}) {
			t.Errorf("after %+v the results are %+v (%v), want %+v", step.save, got, err, step.want)
		}
	}
}

func TestTheBranchesOfAStateAreKept(t *testing.T) {
	s := opened(t, path(t))
	for n := range frontiersKept + 2 {
		if err := s.SaveFrontier(t.Context(), "m", fmt.Sprint("state", n), []byte{byte(n)}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.db.Exec("UPDATE frontiers SET at = ? WHERE state = ?", n, fmt.Sprint("state", n)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name, module, state string
		want                []byte
	}{
		{"a state that was kept", "m", "state5", []byte{5}},
		{"another state, for which the last one stands", "m", "other", []byte{frontiersKept + 1}},
		{"a state before those that are kept", "m", "state0", []byte{frontiersKept + 1}},
		{"another module", "n", "state5", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, err := s.Reader().Frontier(t.Context(), tt.module, tt.state); err != nil || !bytes.Equal(got, tt.want) {
				t.Errorf("Frontier = %v, %v; want %v", got, err, tt.want)
			}
		})
	}
}
