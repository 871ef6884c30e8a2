// Package growing has targets whose corpus grows all the time.
package growing

import "testing"

// machine has a few registers and instructions, so that every longer program may show something new.
type machine struct {
	reg   [4]uint8
	steps int
}

func (m *machine) run(program []byte) {
	for len(program) >= 2 {
		op, arg := program[0]%10, program[1]
		program = program[2:]
		r := &m.reg[arg%4]
		switch op {
		case 0:
			*r = arg
		case 1:
			*r += arg
		case 2:
			*r ^= m.reg[(arg>>2)%4]
		case 3:
			if *r > 100 {
				m.steps++
			}
		case 4:
			if *r == m.reg[(arg>>2)%4] {
				m.steps += 2
			}
		case 5:
			for range *r % 8 {
				m.steps++
			}
		case 6:
			if *r&3 == 3 && len(program) > 4 {
				program = program[2:]
			}
		case 7:
			if m.steps > 10 {
				*r = 0
			}
		case 8:
			if m.steps > 20 && *r > 200 {
				m.steps = 0
			}
		case 9:
			if len(program) > 20 {
				m.steps++
			}
		}
	}
}

func FuzzGrow(f *testing.F) {
	f.Add([]byte("program"))
	f.Fuzz(func(t *testing.T, program []byte) { new(machine).run(program) })
}

// FuzzFail fails after a while.
func FuzzFail(f *testing.F) {
	f.Add([]byte("program"))
	f.Fuzz(func(t *testing.T, program []byte) {
		m := new(machine)
		m.run(program)
		if m.steps > 12 && m.reg[0] > 150 && m.reg[1] == 7 {
			t.Fatalf("%d steps", m.steps)
		}
	})
}
