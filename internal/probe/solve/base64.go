package solve

// base64Edits replaces a value in the decoded base64 text of the buffer. The value may begin at any of the three bytes of a
// group, and a group at any of the first four characters of a run.
func (s *search) base64Edits(p *pair, at place, yield func(e Edit) bool) bool {
	for r := nextRun(at.data, 0); r.n > 0; r = nextRun(at.data, r.at+r.n+r.padding) {
		if r.n < 2 || r.n > maxBase64 || p.Width == 1 || p.Width > 0 && r.n < minNumber64 {
			continue
		}
		phases := min(4, r.n-1)
		if s.random {
			phases = 1 // the others are too rare to be worth the time
		}
		for skip := range phases {
			part := run64{r.at + skip, r.n - skip, r.padding}
			if !s.runEdits(p, part, at, yield) {
				return false
			}
		}
	}
	return true
}

// runEdits replaces a value in one run.
func (s *search) runEdits(p *pair, r run64, at place, yield func(e Edit) bool) bool {
	s.decoded = decode64(s.decoded[:0], at.data[r.at:r.at+r.n])
	s.twinDecoded = s.twinDecoded[:0]
	if len(at.twin) == len(at.data) && len(at.data) > 0 {
		s.twinDecoded = decode64(s.twinDecoded, at.twin[r.at:r.at+r.n])
	}
	if p.Width == 0 {
		return s.needleEdits(p, r, at, p.SeenText, p.twin.seenText, p.WantText, yield)
	}
	for _, enc := range raw64 {
		seen, ok := enc(s.seenBuf[:0], p.Seen, p.Width)
		if !ok || len(seen) < minNeedle && len(seen) != len(s.decoded) || index(s.decoded, seen, 0) < 0 {
			continue
		}
		twin, _ := enc(s.twinBuf[:0], p.twin.seen, p.Width)
		for _, want := range p.wants() {
			text, ok := enc(s.wantBuf[0][:0], want, p.Width)
			if ok && !s.needleEdits(p, r, at, seen, twin, text, yield) {
				return false
			}
		}
	}
	return true
}

// raw64 are the encodings of integers that are looked for in decoded text.
var raw64 = [...]appender{littleEndian, bigEndian, narrow(4, littleEndian), narrow(4, bigEndian), narrow(2, littleEndian), narrow(2, bigEndian)}

// needleEdits replaces seen by want in the decoded text of a run, and yields the run that encodes the result.
func (s *search) needleEdits(p *pair, r run64, at place, seen, twin, want []byte, yield func(e Edit) bool) bool {
	if len(seen) < minNeedle && len(seen) != len(s.decoded) {
		return true
	}
	for pos := index(s.decoded, seen, 0); pos >= 0; pos = index(s.decoded, seen, pos+1) {
		tight := p.twin.ok && standsAt(s.twinDecoded, twin, pos) && len(s.twinDecoded) > 0
		if !s.wanted(tight) {
			continue
		}
		s.wantText = append(s.wantText[:0], s.decoded[:pos]...)
		s.wantText = append(s.wantText, want...)
		s.wantText = append(s.wantText, s.decoded[pos+len(seen):]...)
		e := Edit{Arg: at.arg, At: r.at, Len: r.n + r.padding, Resize: -1, Site: p.Site, Tight: tight}
		for _, padded := range [2]bool{true, false} {
			if padded && r.padding == 0 && r.n%4 != 0 || !padded && r.padding > 0 {
				continue
			}
			for _, alphabet := range [2]string{stdAlphabet, urlAlphabet} {
				s.encoded = encode64(s.encoded[:0], s.wantText, alphabet, padded)
				if e.New = s.encoded; !s.emit(e, yield) {
					return false
				}
				if !special(s.encoded, alphabet) {
					break // both alphabets give the same text
				}
			}
		}
	}
	return true
}

// special reports whether an encoded text has a character that only one alphabet has.
func special(encoded []byte, alphabet string) bool {
	for _, c := range encoded {
		if c == alphabet[62] || c == alphabet[63] {
			return true
		}
	}
	return false
}

const (
	stdAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	urlAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	// maxBase64 is the length in bytes of the longest text that is taken for base64.
	maxBase64 = 4096
	// minNeedle is the length of the shortest value that is looked for inside of a decoded text: a shorter one is in nearly
	// every text, so it must be all of it.
	minNeedle = 3
	// minNumber64 is the length of the base64 text of the narrowest integer that is looked for.
	minNumber64 = 3
)

// sextets has the value of each character of the two alphabets, and 0xff for the others.
var sextets = func() (table [256]byte) {
	for i := range table {
		table[i] = 0xff
	}
	for i := range 64 {
		table[stdAlphabet[i]], table[urlAlphabet[i]] = byte(i), byte(i)
	}
	return table
}()

// run64 is a part of a buffer that may be base64.
type run64 struct {
	at, n   int // the characters
	padding int // the "=" behind them
}

// nextRun returns the first maximal run of base64 characters from position from on; n is 0 if there is none.
func nextRun(b []byte, from int) (r run64) {
	for from < len(b) && sextets[b[from]] == 0xff {
		from++
	}
	r.at = from
	for from < len(b) && sextets[b[from]] != 0xff {
		from++
	}
	r.n = from - r.at
	for r.padding < 2 && from < len(b) && b[from] == '=' {
		r.padding++
		from++
	}
	return r
}

// decode64 appends the decoded bytes; one character too many is left out.
func decode64(dst, chars []byte) []byte {
	var word uint32
	for i, c := range chars {
		word = word<<6 | uint32(sextets[c])
		switch i & 3 {
		case 1:
			dst = append(dst, byte(word>>4))
		case 2:
			dst = append(dst, byte(word>>2))
		case 3:
			dst = append(dst, byte(word))
		}
	}
	return dst
}

// encode64 appends the characters for b.
func encode64(dst, b []byte, alphabet string, padded bool) []byte {
	for len(b) >= 3 {
		w := uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])
		dst = append(dst, alphabet[w>>18], alphabet[w>>12&63], alphabet[w>>6&63], alphabet[w&63])
		b = b[3:]
	}
	switch len(b) {
	case 1:
		dst = append(dst, alphabet[b[0]>>2], alphabet[b[0]&3<<4])
	case 2:
		dst = append(dst, alphabet[b[0]>>2], alphabet[b[0]&3<<4|b[1]>>4], alphabet[b[1]&15<<2])
	}
	for n := len(b); padded && n > 0 && n < 3; n++ {
		dst = append(dst, '=')
	}
	return dst
}
