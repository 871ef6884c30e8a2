package corpus

import (
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/gnaw-fuzz/gnaw/input"
)

// A Format is the way in which a fuzzer keeps inputs in the files of a folder or an archive.
type Format struct {
	Name string // stable, as in "ossfuzz-v2"

	several bool // a file has arguments of any number and kinds
	codec   func(kinds []input.Kind) Codec
	// inputs returns those of the names that may be inputs, in their order. A name is a path with slashes. nil: all are.
	inputs func(names []string) []string
	// naming returns a function that names a file by its content, in a folder that has files with these names. nil: sha1Name.
	naming func(names []string) func(file []byte) string
}

// formats are all formats, in the order in which messages list them.
var formats = []Format{
	{Name: "v1", several: true, codec: GoTest, naming: always(Name)},
	{Name: "libfuzzer", codec: rawCodec},
	{Name: "ossfuzz-v1", several: true, codec: ossFuzz1Codec},
	{Name: "ossfuzz-v2", several: true, codec: ossFuzz2Codec},
	{Name: "afl", codec: rawCodec, inputs: aflInputs, naming: aflNaming},
	{Name: "go-fuzz", codec: rawCodec, inputs: goFuzzInputs},
}

// FormatNames returns the names of all formats.
func FormatNames() (names []string) {
	for _, f := range formats {
		names = append(names, f.Name)
	}
	return names
}

// FormatOf returns the format with that name. The error lists the names of all formats.
func FormatOf(name string) (Format, error) {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, fmt.Errorf("want %s", strings.Join(FormatNames(), ", "))
	}
	return formats[i], nil
}

// Codec returns the codec for a target with arguments of these kinds. The error says that the format cannot hold them.
func (f Format) Codec(kinds []input.Kind) (Codec, error) {
	if !f.several && !isOneBuffer(kinds) {
		return nil, fmt.Errorf("a file of the format %s is one []byte or string, but the target takes %s; v1, ossfuzz-v1 and ossfuzz-v2 hold "+
			"any arguments", f.Name, KindsText(kinds))
	}
	return f.codec(kinds), nil
}

// isOneBuffer reports whether a target has one argument, of bytes or text.
func isOneBuffer(kinds []input.Kind) bool { return len(kinds) == 1 && kinds[0].IsBuffer() }

// KindsText returns kinds as in the parameter list of a function, as in "([]byte, int)".
func KindsText(kinds []input.Kind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		if names[i] = k.String(); k == input.Bytes {
			names[i] = "[]byte"
		}
	}
	return "(" + strings.Join(names, ", ") + ")"
}

// choose returns those of the names that may be inputs.
func (f Format) choose(names []string) []string {
	if f.inputs == nil {
		return names
	}
	return f.inputs(names)
}

// namer returns a function that names a file by its content, in a folder that has files with these names.
func (f Format) namer(names []string) func(file []byte) string {
	if f.naming == nil {
		return sha1Name
	}
	return f.naming(names)
}

func always(name func([]byte) string) func([]string) func([]byte) string {
	return func([]string) func([]byte) string { return name }
}

// sha1Name returns the name that libFuzzer and go-fuzz give to a file with this content.
func sha1Name(file []byte) string {
	sum := sha1.Sum(file)
	return hex.EncodeToString(sum[:])
}

// aflName is the name of a file in a queue of AFL. Where a name cannot have a colon, it has an underscore.
var aflName = regexp.MustCompile(`^id[:_]([0-9]{6,})(,|$)`)

// aflInputs leaves the entries of a queue. In the output folder of AFL, crashes and hangs have such names too.
func aflInputs(names []string) []string {
	names = below("queue", names)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !aflName.MatchString(base(name)) })
}

// aflNaming continues the numbers of a queue. A name has the digest of the content as its origin, so a file is not added twice.
func aflNaming(names []string) func(file []byte) string {
	next, known := 0, map[string]string{} // names by origin
	for _, name := range names {
		m := aflName.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		if n, err := strconv.Atoi(m[1]); err == nil {
			next = max(next, n+1)
		}
		if _, origin, found := strings.Cut(name, "orig"+aflColon); found {
			known[origin] = name
		}
	}
	return func(file []byte) string {
		origin := Name(file)
		if known[origin] == "" {
			known[origin] = fmt.Sprintf("id%s%06d,orig%[1]s%[3]s", aflColon, next, origin)
			next++
		}
		return known[origin]
	}
}

// aflColon separates a key from its value in a name.
var aflColon = map[bool]string{false: ":", true: "_"}[runtime.GOOS == "windows"]

// goFuzzInputs leaves the corpus of the working folder of go-fuzz. In a folder of crashers, the forms of an input for a reader and the
// output of its failure lie beside it.
func goFuzzInputs(names []string) []string {
	names = below("corpus", names)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		for _, suffix := range goFuzzBeside {
			if stem, found := strings.CutSuffix(name, suffix); found && slices.Contains(names, stem) {
				return true
			}
		}
		return false
	})
}

// goFuzzBeside are the endings of the files beside an input that crashed.
var goFuzzBeside = []string{".quoted", ".output"}

// goFuzzName is the name of an input that go-fuzz gives if another one has the same digest in its name.
var goFuzzName = regexp.MustCompile(`^[0-9a-f]{40}-[0-9]+$`)

// isOfGoFuzz reports whether only go-fuzz has such a name.
func isOfGoFuzz(name string) bool {
	for _, folder := range []string{"crashers", "suppressions"} {
		if strings.Contains("/"+name, "/"+folder+"/") {
			return true
		}
	}
	stem := strings.TrimSuffix(strings.TrimSuffix(base(name), goFuzzBeside[0]), goFuzzBeside[1])
	return stem != base(name) && isSHA1(stem) || goFuzzName.MatchString(base(name))
}

// isSHA1 reports whether a name is one of [sha1Name].
func isSHA1(name string) bool {
	_, err := hex.DecodeString(name)
	return err == nil && len(name) == 2*sha1.Size
}

// below returns the names that have the folder in their path; all if none has.
func below(folder string, names []string) (found []string) {
	for _, name := range names {
		if strings.Contains("/"+name, "/"+folder+"/") {
			found = append(found, name)
		}
	}
	if found == nil {
		return names
	}
	return found
}

// base returns the last part of a path with slashes.
func base(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }
