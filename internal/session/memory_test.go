package session

import "testing"

func TestTheMemoryLimitFollowsTheMemory(t *testing.T) {
	for _, tt := range []struct {
		name    string
		room    uint64
		workers int
		want    uint64
	}{
		{"nobody knows", 0, 8, 2 << 30},
		{"a large machine", 64 << 30, 16, 2 << 30},
		{"a laptop", 8 << 30, 8, 768 << 20},
		{"a small container", 800 << 20, 2, 300 << 20},
		{"a small container with many workers", 800 << 20, 16, 200 << 20},
		{"a tiny one", 64 << 20, 1, 48 << 20},
	} {
		if got := DefaultMemLimit(tt.room, tt.workers); got != tt.want {
			t.Errorf("%s: %d MiB, want %d", tt.name, got>>20, tt.want>>20)
		}
	}
}

func TestWorkersShareThreeQuartersOfTheMemory(t *testing.T) {
	for _, tt := range []struct {
		room    uint64
		workers int
		want    uint64
	}{
		{0, 8, 0},
		{8 << 30, 1, 6 << 30},
		{8 << 30, 6, 1 << 30},
		{8 << 30, 0, 6 << 30}, // as one worker
		{3, 1, 3},
	} {
		if got := MemoryShare(tt.room, tt.workers); got != tt.want {
			t.Errorf("of %d bytes each of %d workers has %d, want %d", tt.room, tt.workers, got, tt.want)
		}
	}
}
