package compare

// The functions in this file run inside of the hooks: see the package comment for what they must not do. They read the
// fields of a Log once each, because another goroutine may change them meanwhile, and they check an index as an unsigned
// number, so that no value of it needs the runtime's help to fail.

// widthShift makes one number of an Op and the width of the integers.
const widthShift = 4

// integer records two integers of a place in the log that records, unless the place has too many records or is left out. A function of the
// program that is go:nosplit itself may leave less than 72 bytes of its stack to the hook, so this one calls nothing and keeps all in
// registers: its frame is empty, and four arguments make a small one of the hook. It looks up the place as [Usual.Has] does.
//
//go:nosplit
//go:norace
//go:noinline
func integer(what Op, a, b uint64, site uint) {
	l := current
	if l == nil {
		return
	}
	hash := uint64(site) * 0x9e3779b97f4a7c15
	for i, session := uint64(0), l.session; i < placeProbe; i++ {
		p := &l.places[(hash>>(64-placeBits)+i)%(1<<placeBits)]
		if p.session != session {
			p.site, p.session, p.records = site, session, 0
		}
		if p.site == site {
			if p.records++; p.records > maxOfSite {
				return
			}
			break
		}
	}
	if u := l.omit; u != nil {
		for i := uint64(0); i < usualProbe; i++ {
			if h := &u.habits[(hash>>(64-usualBits)+i)%(1<<usualBits)]; h.site == site {
				if h.times >= usualTimes {
					return
				}
				break
			}
		}
	}
	n := uint(l.n)
	if n >= maxRecords {
		return
	}
	r := &l.raw[n]
	r.site, r.op, r.width = site, what&(1<<widthShift-1), uint8(what>>widthShift)
	r.a, r.b = a, b
	r.at, r.la, r.lb = 0, 0, 0
	l.n = int(n) + 1
}

// put records two integers of which a place may have any number.
//
//go:nosplit
//go:norace
func (l *Log) put(op Op, width uint8, a, b uint64, site uint) {
	n := l.n
	if uint(n) >= maxRecords || l.omits(site) {
		return
	}
	r := &l.raw[n]
	r.site, r.op, r.width = site, op, width
	r.a, r.b = a, b
	r.at, r.la, r.lb = 0, 0, 0
	l.n = n + 1
}

// text records two strings, cut to maxOperand bytes.
//
//go:nosplit
//go:norace
func (l *Log) text(op Op, a, b string, site uint) {
	n, used := l.n, l.used
	la, lb := min(len(a), maxOperand), min(len(b), maxOperand)
	if uint(n) >= maxRecords || uint(used) > arenaSize || used+la+lb > arenaSize || l.omits(site) {
		return
	}
	l.keep(used, a, la)
	l.keep(used+la, b, lb)
	r := &l.raw[n]
	r.site, r.op, r.width = site, op, 0
	r.a, r.b = 0, 0
	r.at, r.la, r.lb = uint32(used), uint8(la), uint8(lb)
	l.n, l.used = n+1, used+la+lb
}

// keep copies the first n bytes of s, which may alias memory that the target changes later. It does so by hand, because
// the race detector sees what copy does.
//
//go:nosplit
//go:norace
func (l *Log) keep(at int, s string, n int) {
	for i := 0; i < n && i < len(s) && uint(at+i) < arenaSize; i++ {
		l.arena[at+i] = s[i]
	}
}

// binary records two strings of the length of an integer that are no text as one, too: checksums are compared so, in the
// byte order that is not that of the input as often as not. A checksum that is right may look like text by chance, so equal
// ones are recorded in any case. Like strings they have no limit for each place.
//
//go:nosplit
//go:norace
func (l *Log) binary(a, b string, site uint) {
	n := len(a)
	if n != len(b) || n != 2 && n != 4 && n != 8 {
		return
	}
	var x, y uint64
	text := true
	for i := 0; i < n; i++ {
		x, y = x<<8|uint64(a[i]), y<<8|uint64(b[i])
		text = text && a[i]-' ' < 0x7f-' ' && b[i]-' ' < 0x7f-' '
	}
	if !text || x == y && n >= 4 {
		l.put(Int, uint8(n), x, y, site^binarySite)
	}
}

// binarySite makes the place of an integer from that of the strings that it is read from.
const binarySite = ^(^uint(0) >> 1)

// place counts the records of one place in the program, in one recording.
type place struct {
	site    uint
	session uint32
	records uint32
}

// omits reports whether a place is left out.
//
//go:nosplit
//go:norace
func (l *Log) omits(site uint) bool {
	u := l.omit
	return u != nil && u.Has(site)
}
