package mutate

// insertToken inserts a token, half of the time at the edge of a word.
func insertToken(m *Material, b []byte) ([]byte, bool) {
	t := m.token()
	if len(t) == 0 {
		return b, false
	}
	at := pickPlace(m.Rand, b)
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
	at := pickPlace(m.Rand, b)
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

// crossover keeps a prefix and takes the rest from the partner, or keeps a suffix and takes what comes before. Half of
// the time both cuts are where the two differ, and half of the time at the borders of words.
func crossover(m *Material, b []byte) ([]byte, bool) {
	partner := m.buffer()
	if len(partner) == 0 || len(b) == 0 {
		return b, false
	}
	head, tail := 0, 0
	if m.Rand.Bool() {
		head, tail = common(b, partner)
	}
	at := head + m.Rand.Intn(len(b)-tail-head+1)
	from := head + m.Rand.Intn(len(partner)-tail-head+1)
	if m.Rand.Bool() { // the same offset keeps what is addressed by position
		from = min(at, len(partner))
	}
	if m.Rand.Bool() {
		at, from = border(b, at), border(partner, from)
	}
	if m.Rand.Bool() {
		rest := partner[from:]
		return replace(m, b, at, len(b), rest[:min(len(rest), max(m.MaxLen-at, 0))])
	}
	start := partner[:from]
	return replace(m, b, 0, at, start[max(len(start)-max(m.MaxLen-(len(b)-at), 0), 0):])
}

// common returns how many bytes at the start and how many behind them at the end are the same in both.
func common(a, b []byte) (head, tail int) {
	n := min(len(a), len(b))
	for head+8 <= n && load8(a[head:]) == load8(b[head:]) {
		head += 8
	}
	for head < n && a[head] == b[head] {
		head++
	}
	for tail+8 <= n-head && load8(a[len(a)-tail-8:]) == load8(b[len(b)-tail-8:]) {
		tail += 8
	}
	for tail < n-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// pickWords returns a random range of b that begins and ends at borders of words, mostly a short one.
func pickWords(r *Rand, b []byte) (lo, hi int) {
	lo, hi = pickSpan(r, b)
	lo, _ = wordAt(b, lo)
	_, hi = wordAt(b, hi-1)
	return lo, hi
}

// spliceWords replaces words by words of the partner, or inserts them between words.
func spliceWords(m *Material, b []byte) ([]byte, bool) {
	partner := m.buffer()
	if len(partner) == 0 || len(b) == 0 {
		return b, false
	}
	from, end := pickWords(m.Rand, partner)
	lo, hi := pickWords(m.Rand, b)
	if m.Rand.Bool() {
		lo = hi
	}
	return replace(m, b, lo, hi, partner[from:end])
}
