package board

import (
	"time"

	"github.com/gnaw-fuzz/gnaw/internal/fuzz"
	"github.com/gnaw-fuzz/gnaw/internal/store"
)

// SeriesLen is the largest number of points of a [Series]. It is even.
const SeriesLen = 240

// Series is a number over time in at most SeriesLen points. When a series is full, it joins every two points into one. So its size does not
// grow with the time. The zero value is empty.
type Series struct {
	step   time.Duration // time that a point covers
	points []int         // each is the last value in its time
}

// add adds the value at a time since the beginning. The time must not be less than that of an earlier call.
func (s *Series) add(at time.Duration, value int) {
	if s.step == 0 {
		s.step = time.Second
	}
	i := int(max(0, at) / s.step)
	for i >= SeriesLen {
		s.halve()
		i = int(at / s.step)
	}
	last := 0
	if len(s.points) > 0 {
		last = s.points[len(s.points)-1]
	}
	for len(s.points) <= i { // the value has not changed since the last point
		s.points = append(s.points, last)
	}
	s.points[len(s.points)-1] = value
}

// halve joins every two points into one.
func (s *Series) halve() {
	s.step *= 2
	kept := s.points[:0]
	for i := 1; i < len(s.points); i += 2 {
		kept = append(kept, s.points[i])
	}
	if len(s.points)%2 == 1 {
		kept = append(kept, s.points[len(s.points)-1])
	}
	s.points = kept
}

// Until returns the points up to a time. It repeats the last point of s if that time is later.
func (s *Series) Until(at time.Duration) []int {
	if len(s.points) == 0 || s.step == 0 {
		return nil
	}
	n := min(int(max(0, at)/s.step)+1, SeriesLen)
	points := make([]int, 0, max(n, len(s.points)))
	points = append(points, s.points...)
	for len(points) < n {
		points = append(points, points[len(points)-1])
	}
	return points
}

// Gains divides the time from the beginning to at into n equal parts, and returns how much the number grew in each.
func (s *Series) Gains(at time.Duration, n int) []int {
	points := s.Until(at)
	list, before := make([]int, n), 0
	for i, value := range points {
		list[i*n/len(points)] += max(0, value-before)
		before = value
	}
	return list
}

// IsEmpty reports whether no value was added.
func (s *Series) IsEmpty() bool { return len(s.points) == 0 }

// Gains returns how much the edges of each target grew in each of n equal parts of the time from start to end.
func Gains(points []store.Point, start, end time.Time, n int) map[fuzz.Name][]int {
	all, lines := map[fuzz.Name]*Series{}, map[fuzz.Name][]int{}
	for _, p := range points {
		name := p.Target
		if all[name] == nil {
			all[name] = &Series{}
		}
		all[name].add(p.At.Sub(start), p.Edges)
	}
	for name, s := range all {
		lines[name] = s.Gains(end.Sub(start), n)
	}
	return lines
}
