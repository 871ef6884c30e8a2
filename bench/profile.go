package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A profile is the content of a coverage profile: for each block, by file and position, its number of statements and
// whether it was run.
type profile map[string]struct {
	Statements int
	Covered    bool
}

// A tally counts blocks and statements.
type tally struct {
	Blocks     int `json:"blocks"`
	Statements int `json:"statements"`
}

// parseProfile reads what -test.coverprofile writes:
//
//	mode: set
//	encoding/json/decode.go:100.42,101.20 2 1
//
// A block that is there more than once is covered if any of its lines says so.
func parseProfile(r io.Reader) (profile, error) {
	p := profile{}
	in := bufio.NewScanner(r)
	if !in.Scan() || !strings.HasPrefix(in.Text(), "mode: ") {
		return nil, errors.Join(errors.New("a coverage profile begins with its mode"), in.Err())
	}
	for in.Scan() {
		head, count, ok := cutLast(in.Text())
		id, statements, ok2 := cutLast(head)
		n, err := strconv.Atoi(statements)
		c, err2 := strconv.ParseUint(count, 10, 64)
		if !ok || !ok2 || !strings.Contains(id, ":") || errors.Join(err, err2) != nil {
			return nil, fmt.Errorf("%q is no line of a coverage profile", in.Text())
		}
		b := p[id]
		b.Statements, b.Covered = n, b.Covered || c > 0
		p[id] = b
	}
	return p, in.Err()
}

// cutLast splits s at its last space.
func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, ' ')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// add marks as covered what is covered in q.
func (p profile) add(q profile) {
	for id, b := range q {
		b.Covered = b.Covered || p[id].Covered
		p[id] = b
	}
}

// total counts all blocks.
func (p profile) total() (t tally) {
	for _, b := range p {
		t.Blocks++
		t.Statements += b.Statements
	}
	return t
}

// covered counts the blocks that were run.
func (p profile) covered() (t tally) {
	for _, b := range p {
		if b.Covered {
			t.Blocks++
			t.Statements += b.Statements
		}
	}
	return t
}
