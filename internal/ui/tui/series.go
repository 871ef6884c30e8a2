package tui

import "time"

// seriesLen is the number of points of a series. It is even.
const seriesLen = 240

// series is a number over time in at most seriesLen points. When they are full, two neighbors become one, so that a series has the same size
// after a minute and after a week. The zero value is empty.
type series struct {
	step   time.Duration // time of a point
	points []int         // the last value in the time of each point
}

// add notes the value at a time since the beginning. Times do not become less.
func (s *series) add(at time.Duration, value int) {
	if s.step == 0 {
		s.step = time.Second
	}
	i := int(max(0, at) / s.step)
	for i >= seriesLen {
		s.halve()
		i = int(at / s.step)
	}
	last := 0
	if len(s.points) > 0 {
		last = s.points[len(s.points)-1]
	}
	for len(s.points) <= i { // nothing has changed in the meantime
		s.points = append(s.points, last)
	}
	s.points[len(s.points)-1] = value
}

// halve makes one point of two.
func (s *series) halve() {
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

// until returns the points up to a time, of which the last ones may be missing in s.
func (s *series) until(at time.Duration) []int {
	if len(s.points) == 0 || s.step == 0 {
		return nil
	}
	n := min(int(max(0, at)/s.step)+1, seriesLen)
	points := make([]int, 0, max(n, len(s.points)))
	points = append(points, s.points...)
	for len(points) < n {
		points = append(points, points[len(points)-1])
	}
	return points
}

// gains returns by how much a number has grown in each of the n parts of the time from the beginning to at.
func (s *series) gains(at time.Duration, n int) []int {
	points := s.until(at)
	list, before := make([]int, n), 0
	for i, value := range points {
		list[i*n/len(points)] += max(0, value-before)
		before = value
	}
	return list
}
