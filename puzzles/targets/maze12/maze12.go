// Package maze12 opens at the end of a path of twelve steps through a small maze.
//
// Technique: none. Each room is a case of its own, so coverage leads the way. It measures the
// scheduling of the corpus: blind mutation without feedback has to guess one path among 16 millions.
package maze12

const maze = "" +
	"#######" +
	"#S.####" +
	"##.#X.#" +
	"#..#.##" +
	"#.##..#" +
	"#.....#" +
	"####.##" +
	"#.....#" +
	"#######"

const width = 7

// Open reports whether s is solved.
func Open(s string) bool {
	at := width + 1
	for _, c := range []byte(s) {
		next := at
		switch c {
		case 'N':
			next -= width
		case 'S':
			next += width
		case 'W':
			next--
		case 'E':
			next++
		default:
			return false
		}
		if maze[next] == '#' {
			return false
		}
		if at = next; enter(at) {
			return true
		}
	}
	return false
}

// visits counts how often each room was entered.
var visits [64]uint8

// enter reports whether the room is the last one.
func enter(room int) bool {
	switch room {
	case 8:
		visits[1]++
	case 9:
		visits[2]++
	case 16:
		visits[3]++
	case 19:
		visits[5]++
	case 22:
		visits[6]++
	case 23:
		visits[7]++
	case 25:
		visits[8]++
	case 29:
		visits[9]++
	case 32:
		visits[10]++
	case 33:
		visits[11]++
	case 36:
		visits[12]++
	case 37:
		visits[13]++
	case 38:
		visits[14]++
	case 39:
		visits[15]++
	case 40:
		visits[16]++
	case 46:
		visits[17]++
	case 50:
		visits[18]++
	case 51:
		visits[19]++
	case 52:
		visits[20]++
	case 53:
		visits[21]++
	case 54:
		visits[22]++
	default:
		return maze[room] == 'X'
	}
	return false
}
