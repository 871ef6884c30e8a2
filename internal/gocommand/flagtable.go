package gocommand

import "strings"

// kind says what follows the name of a flag on the command line.
type kind int

const (
	unknown kind = iota // no flag of go test: it is the test binary's, and where its value is cannot be known
	boolean             // the value, if any, follows a "="
	valued              // the value follows a "=" or is the next argument
	gnaws               // as valued, but gnaw's own: go test does not get it
)

// testFlags lists the flags of `go test`, those of `go build` that it takes as well, and gnaw's. A flag that is missing
// here is taken for one of the test binary, as go test does with flags that it does not know.
var testFlags = tableOf(map[kind]string{
	boolean: `a asan artifacts benchmem buildvcs c cover failfast fullpath json linkshared modcacherw msan n race short
		trimpath v work x`,
	valued: `C asmflags bench benchtime blockprofile blockprofilerate buildmode compiler count covermode coverpkg
		coverprofile cpu cpuprofile debug-actiongraph debug-runtime-trace debug-trace exec fuzz fuzzminimizetime
		fuzztime gccgoflags gcflags installsuffix ldflags list memprofile memprofilerate mod modfile mutexprofile
		mutexprofilefraction o outputdir overlay p parallel pgo pkgdir run shuffle skip tags timeout toolexec trace
		vet`,
	gnaws: `dict instrument memlimit fuzztimeout seed std without`,
})

// forwarded lists the flags that may be written with the prefix "test.", as the test binary knows them.
var forwarded = tableOf(map[kind]string{
	boolean: `artifacts benchmem failfast fullpath short v`,
	valued: `bench benchtime blockprofile blockprofilerate count coverprofile cpu cpuprofile fuzz fuzzminimizetime
		fuzztime list memprofile memprofilerate mutexprofile mutexprofilefraction outputdir parallel run shuffle skip
		timeout trace`,
})

// buildFlags lists those of testFlags that decide what a test binary is made of, coverage apart.
var buildFlags = tableOf(map[kind]string{
	boolean: `asan linkshared msan race trimpath`,
	valued: `asmflags buildmode compiler gccgoflags gcflags installsuffix ldflags mod modfile overlay pgo pkgdir tags
		toolexec`,
})

func tableOf(names map[kind]string) map[string]kind {
	table := map[string]kind{}
	for k, list := range names {
		for name := range strings.FieldsSeq(list) {
			table[name] = k
		}
	}
	return table
}

// argument is one argument of the command line, read as a flag.
type argument struct {
	isFlag   bool
	name     string // without dashes and the prefix "test." where that means the same
	kind     kind
	value    string
	hasValue bool // with "="
}

// readArgument reads one argument as the go command does: one dash or two, and "-" or "-=x" are no flags.
func readArgument(arg string) argument {
	rest, ok := strings.CutPrefix(arg, "-")
	if !ok {
		return argument{}
	}
	rest = strings.TrimPrefix(rest, "-")
	if rest == "" || rest[0] == '-' || rest[0] == '=' {
		return argument{}
	}
	a := argument{isFlag: true}
	a.name, a.value, a.hasValue = strings.Cut(rest, "=")
	if short, ok := strings.CutPrefix(a.name, "test."); ok && forwarded[short] != unknown {
		a.name, a.kind = short, forwarded[short]
	} else {
		a.kind = testFlags[a.name]
	}
	return a
}
