package mutate

import "github.com/gnaw-fuzz/gnaw/input"

// wholeOperator edits argument i of a tuple of several as a whole. ok=false means that nothing has changed.
type wholeOperator struct {
	name   string
	apply  func(m *Material, a input.Args, i int) (ok bool)
	weight int
}

// wholeOperators: a partner's argument brings something new, the others only remove or move.
var wholeOperators = [...]wholeOperator{
	{"copy-partner-arg", copyPartnerArg, 4},
	{"swap-args", swapArgs, 2},
	{"zero-arg", zeroArg, 1},
}

var wholeWeights = func() (sum int) {
	for i := range wholeOperators {
		sum += wholeOperators[i].weight
	}
	return sum
}()

// mutateWhole applies one of them to a random argument.
func mutateWhole(m *Material, a input.Args) bool {
	c := m.Rand.Intn(wholeWeights)
	for k := range wholeOperators {
		op := &wholeOperators[k]
		if c -= op.weight; c < 0 {
			ok := op.apply(m, a, m.Rand.Intn(len(a)))
			if ok {
				m.trace(op.name)
			}
			return ok
		}
	}
	return false
}

// copyPartnerArg takes over the partner's argument, of a buffer no more than MaxLen bytes.
func copyPartnerArg(m *Material, a input.Args, i int) bool {
	partner := m.tuple()
	if i >= len(partner) || partner[i].Kind != a[i].Kind {
		return false
	}
	v, p := &a[i], &partner[i]
	if !v.Kind.IsBuffer() {
		changed := v.Bits != p.Bits
		v.Bits = p.Bits
		return changed
	}
	data := p.Data[:min(len(p.Data), max(m.MaxLen, 0))]
	if same(v.Data, data) {
		return false
	}
	v.Data = append(v.Data[:0], data...)
	return true
}

// swapArgs exchanges an argument with another one of the same kind. Buffers change places together with their storage.
func swapArgs(m *Material, a input.Args, i int) bool {
	start := m.Rand.Intn(len(a))
	for k := range a {
		j := (start + k) % len(a)
		if j == i || a[j].Kind != a[i].Kind {
			continue
		}
		if a[i].Bits != a[j].Bits || !same(a[i].Data, a[j].Data) {
			a[i], a[j] = a[j], a[i]
			return true
		}
	}
	return false
}

// zeroArg sets an argument to its zero value. An empty buffer is a case of its own for most targets, and here another
// argument is left to go on from.
func zeroArg(_ *Material, a input.Args, i int) bool {
	v := &a[i]
	if v.Bits == 0 && len(v.Data) == 0 {
		return false
	}
	v.Bits, v.Data = 0, v.Data[:0]
	return true
}
