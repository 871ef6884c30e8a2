package mutate

// insertToken inserts a token, half of the time at the edge of a word.
func insertToken(m *Material, b []byte) ([]byte, bool) {
	t := m.token()
	if len(t) == 0 {
		return b, false
	}
	at := m.place(b)
	return replace(m, b, at, at, t)
}

// overwriteToken writes a token over what is there. It may reach beyond the end if MaxLen allows.
func overwriteToken(m *Material, b []byte) ([]byte, bool) {
	t := m.token()
	if len(t) == 0 || len(b) == 0 {
		return b, false
	}
	at := m.Rand.Intn(len(b))
	if len(b)-at < len(t) && len(t) <= len(b) && m.Rand.Bool() {
		at = len(b) - len(t)
	}
	return replace(m, b, at, min(at+len(t), len(b)), t)
}

// place returns a position to insert at. Half of the time it moves on to where the class of characters changes.
func (m *Material) place(b []byte) int {
	at := m.Rand.Intn(len(b) + 1)
	if m.Rand.Bool() {
		for end := min(at+wordReach, len(b)); at > 0 && at < end && wordClass(b[at-1]) == wordClass(b[at]); {
			at++
		}
	}
	return at
}

// piece returns a random range of the partner of at most limit bytes; nil if there is none.
func (m *Material) piece(limit int) []byte {
	partner := m.buffer()
	n := m.Rand.Length(min(len(partner), limit))
	if n == 0 {
		return nil
	}
	lo := m.Rand.Intn(len(partner) - n + 1)
	return partner[lo : lo+n]
}

// insertPartner inserts a range of the partner.
func insertPartner(m *Material, b []byte) ([]byte, bool) {
	p := m.piece(m.room(b))
	if len(p) == 0 {
		return b, false
	}
	at := m.place(b)
	return replace(m, b, at, at, p)
}

// overwritePartner writes a range of the partner over one of the same length, half of the time at the same offset,
// where a fixed layout has the same field.
func overwritePartner(m *Material, b []byte) ([]byte, bool) {
	partner := m.buffer()
	n := m.Rand.Length(min(len(partner), len(b)))
	if n == 0 {
		return b, false
	}
	from, to := m.Rand.Intn(len(partner)-n+1), m.Rand.Intn(len(b)-n+1)
	if m.Rand.Bool() {
		from = m.Rand.Intn(min(len(partner), len(b)) - n + 1)
		to = from
	}
	return replace(m, b, to, to+n, partner[from:from+n])
}

// crossover keeps a prefix and takes the rest from the partner, or keeps a suffix and takes what comes before.
func crossover(m *Material, b []byte) ([]byte, bool) {
	partner := m.buffer()
	if len(partner) == 0 || len(b) == 0 {
		return b, false
	}
	at := m.Rand.Intn(len(b) + 1)
	from := m.Rand.Intn(len(partner) + 1)
	if m.Rand.Bool() { // the same offset keeps what is addressed by position
		from = min(at, len(partner))
	}
	if m.Rand.Bool() {
		rest := partner[from:]
		return replace(m, b, at, len(b), rest[:min(len(rest), max(m.MaxLen-at, 0))])
	}
	head := partner[:from]
	return replace(m, b, 0, at, head[max(len(head)-max(m.MaxLen-(len(b)-at), 0), 0):])
}
