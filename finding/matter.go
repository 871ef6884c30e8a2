package finding

// Matter says which bytes of one argument of a minimized input matter to the failure. A byte matters if the input does not fail in the same
// way, by kind, place and words of the message, with one of up to four other values of the byte: two of its class, as digits, small letters
// or white space are, and two of other classes. The other bytes of the input stay as they are, so a byte that does not matter may matter if
// others change too.
//
// A range has the offset in bytes of its first byte and that behind its last one. Ranges are in order and do not touch. A number, which is
// tested with its neighbors, zero and one of the other sign, has one range from 0 to the size of its type, or none.
type Matter struct {
	Bytes    [][2]int `json:"bytes,omitempty"`    // that matter
	Untested [][2]int `json:"untested,omitempty"` // that were not tested: there were too many of them, or it took too long
}
