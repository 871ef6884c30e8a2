package web

import (
	"cmp"
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/board"
	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
)

// sparks keeps the new edges over time of the targets of a few campaigns. It reads a campaign from the history again when the last interval is
// over, because a campaign of a day has many points.
type sparks struct {
	mu    sync.Mutex
	kept  map[int64]sparkLines // by the number of a campaign
	limit time.Duration        // of the time to read the points of a campaign; 0: sparksTime
}

// sparkLines are the new edges in each interval, by target.
type sparkLines struct {
	next  time.Time // when to read them again
	lines map[fuzz.Name][]int
}

const (
	sparkPoints = 60               // intervals
	sparksKept  = 8                // campaigns
	sparksTime  = 2 * time.Second  // to read the points of a campaign; without them pages have no lines
	sparksAtAll = 10 * time.Second // least time between two reads; campaigns record points that often
)

// sparksPage is the new edges over time of the targets of a campaign, by their keys. It is apart from the campaign, because reading all points
// takes most of the time of a page, and a stream would repeat the lines each second.
type sparksPage struct {
	Sparks map[string][]int `json:"sparks"`
}

func (k *sparks) show(s *data, r *http.Request) (sparksPage, error) {
	id := r.PathValue("id")
	var number int64
	var start time.Time
	if s.isLive(id) {
		number, start = s.Live.snapshot().Number, s.Live.began
	} else {
		c, err := s.summary(r.Context(), id)
		if err != nil {
			return sparksPage{}, err
		}
		number, start = c.ID, c.Start
	}
	list := map[string][]int{}
	for name, line := range k.of(r.Context(), s, number, start) {
		list[keyOf(name)] = line
	}
	return sparksPage{list}, nil
}

// of returns the new edges of each target in at most [sparkPoints] equal intervals since the start of a campaign. There are none if the history
// does not have the campaign. If reading takes too long, the result is that of the last read, and the next read is after sparksAtAll, because
// other requests wait for the mutex while one reads.
func (k *sparks) of(ctx context.Context, s *data, campaign int64, start time.Time) map[fuzz.Name][]int {
	h, err := s.history()
	if err != nil || campaign == 0 {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if one, ok := k.kept[campaign]; ok && time.Now().Before(one.next) {
		return one.lines
	}
	end := time.Now()
	if c, ok, err := h.Summary(ctx, campaign); err == nil && ok {
		start = c.Start
		if !c.Seen.IsZero() {
			end = c.Seen
		}
		if !c.Ended.IsZero() {
			end = c.Ended
		}
	}
	length := max(time.Second, end.Sub(start)/sparkPoints+time.Millisecond)
	limited, cancel := context.WithTimeout(ctx, cmp.Or(k.limit, sparksTime))
	defer cancel()
	points, err := h.Points(limited, campaign, length)
	if ctx.Err() != nil {
		return nil // the client is gone; another one may ask
	}
	one := k.kept[campaign]
	if err == nil {
		one.lines = board.Gains(points, start, end, min(sparkPoints, int(end.Sub(start)/length)+1))
	}
	if one.next = end.Add(max(sparksAtAll, length)); err != nil || one.next.Before(time.Now()) {
		one.next = time.Now().Add(sparksAtAll)
	}
	if len(k.kept) >= sparksKept {
		k.kept = nil
	}
	if k.kept == nil {
		k.kept = map[int64]sparkLines{}
	}
	k.kept[campaign] = one
	return one.lines
}
