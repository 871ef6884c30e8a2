package campaign

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestWhatIsAShortage(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want bool
	}{
		{nil, false},
		{errors.New("exit status 1"), false},
		{syscall.ENOENT, false},
		{fmt.Errorf("start a worker: %w", syscall.EMFILE), true},
		{fmt.Errorf("start a worker: %w", syscall.ENFILE), true},
		{fmt.Errorf("start a worker: %w", syscall.EAGAIN), true},
	} {
		if got := isShortage(tt.err); got != tt.want {
			t.Errorf("%v is a shortage: %v, want %v", tt.err, got, tt.want)
		}
	}
}

func TestForHowLongATargetWaits(t *testing.T) {
	long := time.Now().Add(-2 * shortageLimit)
	for _, tt := range []struct {
		name    string
		since   time.Time
		limited bool
		want    bool
	}{
		{"at first", time.Time{}, true, true},
		{"for a minute at most if its campaign ends by executions", long, true, false},
		{"for any time if its campaign does not", long, false, true},
	} {
		s := shortage{since: tt.since}
		if got := s.mayWait(tt.limited); got != tt.want {
			t.Errorf("%s: it waits: %v, want %v", tt.name, got, tt.want)
		}
		if s.end(); !s.mayWait(true) {
			t.Errorf("%s: the next shortage is not a new one", tt.name)
		}
	}
}

func TestOneWarningAboutAShortageInACampaign(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var once sync.Once
	var warnings []string
	warn := func(text string) { warnings = append(warnings, text) }
	awaitResources(ctx, time.Nanosecond, syscall.EMFILE, &once, warn)
	cancel()
	awaitResources(ctx, time.Hour, syscall.EMFILE, &once, warn) // which returns because the campaign ends
	if len(warnings) != 1 || !strings.Contains(warnings[0], syscall.EMFILE.Error()) || !strings.Contains(warnings[0], "ulimit -n") {
		t.Errorf("the warnings are %q, want one", warnings)
	}
}
