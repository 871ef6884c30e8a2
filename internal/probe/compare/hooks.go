package compare

// The hooks that the compiler calls. In a test binary the functions of package runtime that it knows call them.

// Cmp1 is called before a comparison of two 8-bit integers.
//
//go:nosplit
//go:norace
func Cmp1(a, b uint8, site uint) {
	if current != nil {
		integer(Int|1<<widthShift, uint64(a), uint64(b), site)
	}
}

// Cmp2 is called before a comparison of two 16-bit integers.
//
//go:nosplit
//go:norace
func Cmp2(a, b uint16, site uint) {
	if current != nil {
		integer(Int|2<<widthShift, uint64(a), uint64(b), site)
	}
}

// Cmp4 is called before a comparison of two 32-bit integers.
//
//go:nosplit
//go:norace
func Cmp4(a, b uint32, site uint) {
	if current != nil {
		integer(Int|4<<widthShift, uint64(a), uint64(b), site)
	}
}

// Cmp8 is called before a comparison of two 64-bit integers.
//
//go:nosplit
//go:norace
func Cmp8(a, b uint64, site uint) {
	if current != nil {
		integer(Int|8<<widthShift, a, b, site)
	}
}

// ConstCmp1 is called before a comparison of an 8-bit integer b with the constant a.
//
//go:nosplit
//go:norace
func ConstCmp1(a, b uint8, site uint) {
	if current != nil {
		integer(ConstInt|1<<widthShift, uint64(a), uint64(b), site)
	}
}

// ConstCmp2 is called before a comparison of a 16-bit integer b with the constant a.
//
//go:nosplit
//go:norace
func ConstCmp2(a, b uint16, site uint) {
	if current != nil {
		integer(ConstInt|2<<widthShift, uint64(a), uint64(b), site)
	}
}

// ConstCmp4 is called before a comparison of a 32-bit integer b with the constant a.
//
//go:nosplit
//go:norace
func ConstCmp4(a, b uint32, site uint) {
	if current != nil {
		integer(ConstInt|4<<widthShift, uint64(a), uint64(b), site)
	}
}

// ConstCmp8 is called before a comparison of a 64-bit integer b with the constant a.
//
//go:nosplit
//go:norace
func ConstCmp8(a, b uint64, site uint) {
	if current != nil {
		integer(ConstInt|8<<widthShift, a, b, site)
	}
}

// StrCmp is called before a comparison of two strings.
//
//go:nosplit
//go:norace
func StrCmp(a, b string, site uint) {
	if l := current; l != nil {
		l.text(Str, a, b, site)
		l.binary(a, b, site)
	}
}

// EqualFold is called before strings.EqualFold.
//
//go:nosplit
//go:norace
func EqualFold(a, b string, site uint) {
	if l := current; l != nil {
		l.text(Fold, a, b, site)
	}
}
