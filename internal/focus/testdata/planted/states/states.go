// Package states has a parser of a protocol of lines, in which some commands are allowed only after others.
package states

import (
	"errors"
	"strconv"
	"strings"

	"gnaw.test/planted/mix"
)

type session struct {
	greeted, authorized bool
	user                string
	rooms               map[string]int
	sent                int
}

// Run executes commands, one on each line.
func Run(text string) (s session, err error) {
	s.rooms = map[string]int{}
	for _, line := range strings.Split(text, "\n") {
		command, rest, _ := strings.Cut(line, " ")
		switch command {
		case "HELLO":
			err = s.hello(rest)
		case "AUTH":
			err = s.auth(rest)
		case "JOIN":
			err = s.join(rest)
		case "LEAVE":
			err = s.leave(rest)
		case "SEND":
			err = s.send(rest)
		case "LIST":
			err = s.list(rest)
		case "QUIT":
			return s, nil
		default:
			err = errors.New("unknown command")
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

func (s *session) hello(rest string) error {
	major, minor, ok := strings.Cut(rest, ".")
	if !ok {
		return errors.New("no version")
	}
	a, err := strconv.Atoi(major)
	if err != nil {
		return err
	}
	b, err := strconv.Atoi(minor)
	if err != nil || a < 1 || a > 9 || b < 0 {
		return errors.New("no version")
	}
	s.greeted = true
	return nil
}

func (s *session) auth(rest string) error {
	if !s.greeted {
		return errors.New("say HELLO first")
	}
	if len(rest) < 4 {
		return errors.New("name too short")
	}
	for _, c := range rest {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_':
		default:
			return errors.New("bad name")
		}
	}
	s.user, s.authorized = rest, true
	return nil
}

func (s *session) join(rest string) error {
	if !s.authorized {
		return errors.New("say AUTH first")
	}
	for _, room := range strings.Split(rest, ",") {
		if room == "" || room[0] != '#' {
			return errors.New("bad room")
		}
		s.rooms[room]++
	}
	return nil
}

func (s *session) leave(rest string) error {
	if s.rooms[rest] == 0 {
		return errors.New("not there")
	}
	delete(s.rooms, rest)
	return nil
}

func (s *session) list(rest string) error {
	switch {
	case rest == "":
	case strings.HasPrefix(rest, "rooms"):
	case strings.HasPrefix(rest, "users") && s.authorized:
		if _, err := strconv.ParseFloat(rest[5:], 64); err != nil {
			return err
		}
	case strings.Contains(rest, "*"):
		if _, err := strconv.Unquote(rest); err != nil {
			return err
		}
	default:
		return errors.New("bad filter")
	}
	return nil
}

func (s *session) send(rest string) error {
	if !s.authorized || len(s.rooms) == 0 {
		return errors.New("say JOIN first")
	}
	s.sent++
	return s.deliver([]byte(rest))
}

func (s *session) deliver(m []byte) error {
	if len(m) < 6 {
		return errors.New("too short")
	}
	if mix.Of(m[0], m[1], 8) == 0xa5 {
		s.sent++
		if mix.Of(m[2], m[3], 8) == 0x33 {
			s.sent++
			if mix.Of(m[4], m[5], 8) == 0xc1 {
				panic("planted")
			}
		}
	}
	return nil
}
