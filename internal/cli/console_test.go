package cli

import (
	"testing"
	"time"
)

func TestStatusLinesBecomeRarer(t *testing.T) {
	for _, tt := range []struct {
		name    string
		json    bool
		elapsed time.Duration
		want    time.Duration
	}{
		{"at the start", false, 5 * time.Second, 5 * time.Second},
		{"after a minute", false, time.Minute, 5 * time.Second},
		{"after five minutes", false, 5 * time.Minute, 25 * time.Second},
		{"after a day", false, 24 * time.Hour, time.Minute},
		{"for a program", true, 24 * time.Hour, 5 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &console{flags: fuzzFlags{json: tt.json}}
			if got := c.statusPause(tt.elapsed); got != tt.want {
				t.Errorf("the next line comes after %v, want %v", got, tt.want)
			}
		})
	}
}

func TestNoStatusLineWhenTheTimeIsUp(t *testing.T) {
	for _, tt := range []struct {
		name  string
		limit time.Duration
		began time.Time
		want  bool
	}{
		{"before fuzzing begins", time.Second, time.Time{}, false},
		{"in time", time.Hour, time.Now(), false},
		{"nearly at the end", time.Hour, time.Now().Add(100*time.Millisecond - time.Hour), true},
		{"at the end", time.Hour, time.Now().Add(-time.Hour), true},
		{"without a limit", 0, time.Now().Add(-time.Hour), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := &console{flags: fuzzFlags{time: tt.limit}, began: tt.began}
			if got := c.ended(); got != tt.want {
				t.Errorf("ended = %v, want %v", got, tt.want)
			}
		})
	}
}
