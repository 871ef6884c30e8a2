package minimize

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strconv"
	"testing"

	"github.com/gnaw-fuzz/gnaw/input"
)

// part is a part with its length before it, in so many bytes, the highest one first.
func counted(width int, part ...[]byte) []byte {
	all := bytes.Join(part, nil)
	return append(binary.BigEndian.AppendUint64(nil, uint64(len(all)))[8-width:], all...)
}

// take returns the part that a length of so many bytes counts, and what follows.
func take(b []byte, width int) (part, rest []byte, ok bool) {
	if len(b) < width {
		return nil, nil, false
	}
	n := 0
	for _, c := range b[:width] {
		n = n<<8 | int(c)
	}
	if b = b[width:]; len(b) < n {
		return nil, nil, false
	}
	return b[:n], b[n:], true
}

type extension struct {
	kind uint16
	data []byte
}

// hello is a message like the first one of TLS: a record in which a message has parts and a list of extensions.
func hello(session, suites []byte, extensions ...extension) []byte {
	var list [][]byte
	for _, e := range extensions {
		list = append(list, binary.BigEndian.AppendUint16(nil, e.kind), counted(2, e.data))
	}
	body := counted(3, []byte{3, 3}, random(32), counted(1, session), counted(2, suites), counted(1, []byte{0}), counted(2, list...))
	return slices.Concat([]byte{22, 3, 1}, counted(2, []byte{1}, body))
}

// extensionsOf reads such a message, as strictly as TLS does.
func extensionsOf(d []byte) (list []extension, ok bool) {
	if len(d) < 3 || d[0] != 22 || d[1] != 3 {
		return nil, false
	}
	d, rest, ok := take(d[3:], 2)
	if !ok || len(rest) > 0 || len(d) == 0 || d[0] != 1 {
		return nil, false
	}
	if d, rest, ok = take(d[1:], 3); !ok || len(rest) > 0 || len(d) < 34 {
		return nil, false
	}
	session, d, ok := take(d[34:], 1)
	if !ok || len(session) > 32 {
		return nil, false
	}
	suites, d, ok := take(d, 2)
	if !ok || len(suites)%2 != 0 {
		return nil, false
	}
	if _, d, ok = take(d, 1); !ok {
		return nil, false
	}
	if d, rest, ok = take(d, 2); !ok || len(rest) > 0 {
		return nil, false
	}
	for len(d) > 0 {
		if len(d) < 2 {
			return nil, false
		}
		e := extension{kind: binary.BigEndian.Uint16(d)}
		if e.data, d, ok = take(d[2:], 2); !ok {
			return nil, false
		}
		list = append(list, e)
	}
	return list, true
}

// helloWith reports whether d is such a message with an extension of which the data have a prefix.
func helloWith(kind uint16, prefix string) func(d []byte) bool {
	return func(d []byte) bool {
		list, ok := extensionsOf(d)
		return ok && slices.ContainsFunc(list, func(e extension) bool { return e.kind == kind && bytes.HasPrefix(e.data, []byte(prefix)) })
	}
}

// usualHello is a message of more than 200 bytes.
func usualHello() []byte {
	name := counted(2, []byte{0}, counted(2, []byte("a.long.name.of.some.server.example.com")))
	return hello(random(32), random(24), extension{0, name}, extension{11, []byte{1, 0}}, extension{10, counted(2, random(12))},
		extension{35, nil}, extension{16, counted(2, counted(1, []byte("h2")), counted(1, []byte("http/1.1")))}, extension{13, counted(2, random(20))},
		extension{43, []byte{2, 3, 4}}, extension{51, counted(2, []byte{0, 29}, counted(2, random(32)))})
}

// minHello is the size of a message with one extension without data.
const minHello = 5 + 4 + 34 + 1 + 2 + 1 + 2 + 4

func withCRC(b []byte) []byte {
	return binary.BigEndian.AppendUint32(slices.Clone(b), crc32.ChecksumIEEE(b))
}

// netstring reads "5:hello,".
func netstring(d []byte) (text, rest []byte, ok bool) {
	digits, d, ok := bytes.Cut(d, []byte(":"))
	n, err := strconv.Atoi(string(digits))
	if !ok || err != nil || n < 0 || len(d) < n+1 || d[n] != ',' {
		return nil, nil, false
	}
	return d[:n], d[n+1:], true
}

// message reads fields as of a protocol buffer: a tag, and a length as a varint.
func message(d []byte) (fields [][]byte, ok bool) {
	for len(d) > 0 {
		n, size := binary.Uvarint(d[1:])
		if size <= 0 || n > uint64(len(d)-1-size) {
			return nil, false
		}
		fields = append(fields, d[1+size:][:n])
		d = d[1+size+int(n):]
	}
	return fields, true
}

// nested reports whether a message has a field with that content, so many levels below its own fields.
func nested(d []byte, levels int, content string) bool {
	fields, ok := message(d)
	return ok && slices.ContainsFunc(fields, func(f []byte) bool {
		if levels == 0 {
			return string(f) == content
		}
		return nested(f, levels-1, content)
	})
}

func field1(data ...[]byte) []byte {
	all := bytes.Join(data, nil)
	return append(binary.AppendUvarint([]byte{10}, uint64(len(all))), all...)
}

var countedRows = []struct {
	name  string
	in    []byte
	check func(d []byte) bool
	size  int // of the smallest
}{
	{"the last extension matters", usualHello(), helloWith(51, ""), minHello},
	{"the first extension matters", usualHello(), helloWith(0, ""), minHello},
	{"an extension in the midst matters, with data", usualHello(), helloWith(16, "\x00\x0c\x02h2"), minHello + 5},
	{"all of the last extension matters", usualHello(), func(d []byte) bool {
		list, ok := extensionsOf(d)
		return ok && slices.ContainsFunc(list, func(e extension) bool { return e.kind == 51 && len(e.data) == 38 })
	}, minHello + 38},
	{"a message with a checksum behind it", withCRC(usualHello()), func(d []byte) bool {
		n := len(d) - 4
		return n > 0 && bytes.Equal(withCRC(d[:n]), d) && helloWith(13, "")(d[:n])
	}, minHello + 4},
	{"a checksum and nothing else", withCRC(random(300)), func(d []byte) bool {
		n := len(d) - 4
		return n > 2 && bytes.Equal(withCRC(d[:n]), d) && bytes.Contains(d[:n], random(300)[77:80])
	}, 7},
	{"a text with its length before it", []byte("31:this is the text that it counts,"), func(d []byte) bool {
		text, rest, ok := netstring(d)
		return ok && len(rest) == 0 && bytes.Contains(text, []byte("x"))
	}, len("1:x,")},
	{"texts with their lengths before them", []byte("5:hello,12:another text,3:end,"), func(d []byte) bool {
		for len(d) > 0 {
			text, rest, ok := netstring(d)
			if !ok {
				return false
			}
			if bytes.Contains(text, []byte("x")) {
				_, last, ok := netstring(rest)
				return len(rest) == 0 || ok && len(last) == 0
			}
			d = rest
		}
		return false
	}, len("1:x,")},
	{
		"nested messages with lengths of one byte or two",
		slices.Concat(field1(random(30)), field1(field1(random(140)), field1(field1([]byte("key"))), field1(random(9)))),
		func(d []byte) bool { return nested(d, 2, "key") }, len(field1(field1(field1([]byte("key"))))),
	},
	{"the size of all in the front", append([]byte{0, 0, 1, 0x2c}, random(296)...), func(d []byte) bool {
		return len(d) > 4 && int(binary.BigEndian.Uint32(d)) == len(d) && bytes.Contains(d[4:], random(296)[100:102])
	}, 6},
	{"a size with its lowest byte first", append([]byte{0x2c, 1, 0, 0}, random(300)...), func(d []byte) bool {
		return len(d) > 4 && int(binary.LittleEndian.Uint32(d)) == len(d)-4 && bytes.Contains(d[4:], random(300)[100:102])
	}, 6},
}

func TestWhatLengthsCountGoes(t *testing.T) {
	for _, r := range countedRows {
		t.Run(r.name, func(t *testing.T) {
			if !r.check(r.in) {
				t.Fatal("the input does not pass its own check")
			}
			a := input.Args{{Kind: input.Bytes, Data: r.in}}
			best, stats := minimize(t, a, func(c input.Args) bool { return r.check(c[0].Data) }, Options{FixLengths: true})
			if len(best[0].Data) != r.size {
				t.Errorf("%d bytes come to %d, want %d: %x\n%+v", len(r.in), len(best[0].Data), r.size, best[0].Data, stats)
			}
		})
	}
}

// What looks like lengths and is none must not cost more than a constant number of checks per byte, and a few for guesses.
func TestHopelessLengthsCostLinearly(t *testing.T) {
	for _, n := range []int{100, 1000, 4000} {
		_, stats := Minimize(input.Args{{Kind: input.Bytes, Data: random(n)}}, Options{FixLengths: true, Check: func(input.Args) bool { return false }})
		if limit := 25*n + 1200; stats.Checks > limit {
			t.Errorf("%d bytes: %d checks, want at most %d: %+v", n, stats.Checks, limit, stats)
		}
	}
}

func TestLengthsStayAsTheyAreIfThatIsNotAskedFor(t *testing.T) {
	in := usualHello()
	check := helloWith(51, "")
	best, _ := minimize(t, input.Args{{Kind: input.Bytes, Data: in}}, func(c input.Args) bool { return check(c[0].Data) }, Options{RemoveOnly: true})
	if len(best[0].Data) != len(in) {
		t.Errorf("%d bytes come to %d with the lengths as they are", len(in), len(best[0].Data))
	}
}
