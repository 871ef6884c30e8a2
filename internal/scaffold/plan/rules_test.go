package plan

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gnaw-fuzz/gnaw/internal/code"
	"github.com/gnaw-fuzz/gnaw/internal/scaffold/survey"
)

// planned is a package and the wanted plan.
type planned struct {
	name, code, tests string
	want              string // kinds and names of targets, and the reasons of functions without targets
}

var cases = []planned{
	{
		"a function that compares a text with constants", `func ParseColor(s string) (int, error) { switch s { case "red": return 1, nil }; return 0, errors.New("no color") }`, "",
		"ParseColor: there is nothing in it that can fail",
	},
	{
		"a function that gives its text to the standard library", `func ParseNumber(s string) (int, error) { return strconv.Atoi(s) }`, "",
		"ParseNumber: there is nothing in it that can fail",
	},
	{
		"a function to which another one passes its text", `func Parse(s string) (byte, error) { return ParseBytes([]byte(s)) }
func ParseBytes(data []byte) (byte, error) { return data[0], nil }`, "",
		"parse FuzzParse; ParseBytes: FuzzParse executes the same code",
	},
	{
		"functions that share what can fail", `func Parse(s string) (byte, error) { return first(s) }
func ParseStrict(s string) (byte, error) { return first(strings.TrimSpace(s)) }
func first(s string) (byte, error) { return s[0], nil }`, "",
		"parse FuzzParse; ParseStrict: FuzzParse executes the same code",
	},
	{
		"a function whose code an existing target executes", `func Parse(s string) (byte, error) { return ParseBytes([]byte(s)) }
func ParseBytes(data []byte) (byte, error) { return data[0], nil }`, `func FuzzParse(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { Parse(s) }) }`,
		"Parse: FuzzParse calls it; ParseBytes: FuzzParse executes the same code",
	},
	{
		"a parser that only calls another one", `type T struct{ s string }
func (t T) String() string { return t.s }
func Parse(s string) (T, error) { return T{s[1:]}, nil }
func Make(s string) (T, error) { return Parse(s) }`, "",
		"print FuzzParse; Make: FuzzParse executes the same code",
	},
	{
		"a function that formats", `func Errorf(format string, a ...any) error { return errors.New(format[len(a):]) }`, "",
		"Errorf: it takes a format, and refuses none",
	},
	{
		"a lexer that runs in a goroutine", `type Lexer struct{ items chan string }
func (l *Lexer) Next() string { return <-l.items }
func Scan(input string) *Lexer { return scan(input) }
func scan(input string) *Lexer { l := &Lexer{items: make(chan string)}; go func() { l.items <- input[1:] }(); return l }`, "",
		"Scan: it starts a goroutine for its result",
	},
	{
		"a constructor that needs a name and loaders", `type Loader interface{ Load(name string) string }
type Set struct{ loaders []Loader }
func NewSet(name string, loaders ...Loader) *Set { return &Set{loaders} }
func (s *Set) Parse(text string) (string, error) { return s.loaders[0].Load(text), nil }`, "",
		"Set.Parse: the constructor of Set takes arguments",
	},
	{
		"a constructor that returns an interface", `type Loader interface{ Load(text string) (byte, error) }
type FileLoader struct{ files []string }
func NewFileLoader(files []string) Loader { return &FileLoader{files} }
func (l *FileLoader) Load(text string) (byte, error) { return l.files[0][len(text)], nil }`, "",
		"FileLoader.Load: the constructor of FileLoader takes arguments",
	},
	{
		"a constructor that takes options", `type Option interface{ apply(*Parser) }
type Parser struct{ strict bool }
func NewParser(options ...Option) *Parser { return &Parser{} }
func (p *Parser) Parse(text string) (byte, error) { return text[0], nil }`, "",
		"parse FuzzParserParse",
	},
	{
		"a String method for people", `type T struct{ s string }
// String is a summary of t.
func (t T) String() string { return t.s }
func Parse(s string) (T, error) { return T{s[1:]}, nil }`, "",
		"parse FuzzParse",
	},
	{
		"a parser of binary data", `type ID [2]byte
func (id ID) String() string { return string(id[:]) }
func FromBytes(data []byte) (ID, error) { return ID{data[0]}, nil }`, "",
		"parse FuzzFromBytes",
	},
	{
		"a method that returns a value of its own type", `type Set struct{ m map[string]bool }
func NewSet() *Set { return &Set{} }
func (s *Set) String() string { return "" }
func (s *Set) Parse(pattern string) (*Set, error) { return s, errors.New(pattern[:1]) }`, "",
		"parse FuzzSetParse",
	},
	{
		"a lookup in an empty value", `type Set struct{ m map[string]int }
func NewSet() *Set { return &Set{} }
func (s *Set) Get(name string) (int, error) { return s.m[name[1:]], nil }
func (s *Set) Set(name, value string) error { s.m[name[1:]] = len(value); return nil }`, "",
		"",
	},
	{
		"a buffer that is written", `func Encode(dst []byte) (int, error) { return int(dst[0]), nil }
type R struct{}
func (R) Read(p []byte) (int, error) { return int(p[0]), nil }`, "",
		"",
	},
	{
		"a source of random bytes", `func New(entropy io.Reader) (byte, error) { data, err := io.ReadAll(entropy); return data[0], err }`, "",
		"",
	},
	{
		"a twin that only calls the other one", `func Count(s string) int { return CountBytes([]byte(s)) }
func CountBytes(data []byte) int { return int(data[0]) }`, "",
		"parse FuzzCount; CountBytes: FuzzCount executes the same code",
	},
	{
		"a setter of a list", `type List []string
func (l *List) Set(s string) error { *l = append(*l, s[1:]); return nil }
func (l *List) String() string { return strings.Join(*l, ",") }`, "",
		"parse FuzzListSet",
	},
	{
		"vague words without texts", `func FormatName(s string) string { return s[1:] }
func ParseName(s string) (string, error) { return s[1:], nil }`, "",
		"parse FuzzFormatName; parse FuzzParseName",
	},
	{
		"vague words with texts", `func FormatName(s string) string { return s[1:] }
func ParseName(s string) (string, error) { return s[1:], nil }`, `func Test(t *testing.T) { FormatName("a") }`,
		"pair FuzzFormatNameParseName; parse FuzzParseName",
	},
	{
		"only one method that changes the value", `type T struct{ s string }
func New() *T { return &T{} }
func (t *T) Put(s string) { t.s = s }
func (t *T) Same(s string) bool { return t.s == s }
func (t *T) Len() int { return len(t.s) }`, "",
		"",
	},
	{
		"a constructor that takes the alphabet of an encoding", `type Encoding struct{ digits map[rune]int }
func NewEncoding(alphabet string) (*Encoding, error) { return &Encoding{map[rune]int{rune(alphabet[0]): 0}}, nil }
func (e *Encoding) Decode(s string) (int, error) { return e.digits[rune(s[0])], nil }`, "",
		"parse FuzzNewEncoding; Encoding.Decode: the constructor of Encoding takes arguments",
	},
	{
		"a constructor that parses a text, and a method that sets the value", `type Set struct{ list []string }
func NewSet(s string) (*Set, error) { set := &Set{}; return set, set.Load(s) }
func (set *Set) Load(s string) error { set.list = append(set.list, s[1:]); return nil }`, "",
		"parse FuzzNewSet; Set.Load: FuzzNewSet executes the same code",
	},
	{
		"methods that the standard library calls on an empty value", `type D struct{ digits []byte }
func New(n int) *D { return &D{make([]byte, n)} }
func (d *D) UnmarshalText(data []byte) error { d.digits = data[1:]; return nil }
func (d *D) Load(data []byte) error { d.digits = data[2:]; return nil }`, "",
		"parse FuzzDUnmarshalText; D.Load: the constructor of D takes arguments",
	},
	{
		"a method that the standard library calls on an empty value, and that needs what the constructor has made", `type Ring struct{ list []byte }
func New(n int) *Ring { return &Ring{make([]byte, n)} }
func (r *Ring) Add(b byte) { r.list[0] = b }
func (r *Ring) UnmarshalText(data []byte) error { r.Add(data[0]); return nil }`, "",
		"Ring.UnmarshalText: the constructor of Ring takes arguments",
	},
	{
		"a constructor that takes a writer, and a function that returns a value without one", `type Encoder struct{ w io.Writer }
func NewEncoder(w io.Writer) *Encoder { return &Encoder{w} }
func GetEncoder() *Encoder { return &Encoder{} }
func (e *Encoder) EncodeString(s string) (int, error) { return e.w.Write([]byte(s[1:])) }`, "",
		"Encoder.EncodeString: the constructor of Encoder takes arguments",
	},
	{
		"a pair of nouns", `func FastEncoding(data []byte) string { return string(data[:len(data)]) }
func FastDecoding(s string) ([]byte, error) { return []byte(s[:len(s)]), nil }`, "",
		"pair FuzzFastEncodingFastDecoding; parse FuzzFastDecoding",
	},
	{
		"two names of a comparison, one of which has a target", `type T struct{ s string }
func Parse(s string) (T, error) { return T{s[1:]}, nil }
func (a T) Cmp(b T) int { return len(a.s) - int(b.s[0]) }
func (a T) Compare(b T) int { return a.Cmp(b) }`,
		`func FuzzOrder(f *testing.F) { f.Fuzz(func(t *testing.T, a, b string) { x, _ := Parse(a); y, _ := Parse(b); x.Cmp(y) }) }`,
		"Parse: FuzzOrder calls it; T.Cmp: FuzzOrder calls it; T.Compare: FuzzOrder executes the same code",
	},
	{
		"a parser with a target that prints nothing", `type T struct{ s string }
func (a T) String() string { return a.s }
func Parse(s string) (T, error) { return T{s[1:]}, nil }
func (a *T) UnmarshalText(data []byte) (err error) { *a, err = Parse(string(data)); return err }
func (a T) MarshalText() ([]byte, error) { return []byte(a.String()), nil }`,
		`func FuzzParse(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { Parse(s) }) }`,
		"marshal FuzzTUnmarshalText; Parse: FuzzParse calls it",
	},
	{
		"a parser with a target that prints", `type T struct{ s string }
func (a T) String() string { return a.s }
func Parse(s string) (T, error) { return T{s[1:]}, nil }
func (a *T) UnmarshalText(data []byte) (err error) { *a, err = Parse(string(data)); return err }
func (a T) MarshalText() ([]byte, error) { return []byte(a.String()), nil }`,
		`func FuzzParse(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { a, _ := Parse(s); Parse(a.String()) }) }`,
		"T.String: FuzzParse calls it; Parse: FuzzParse calls it; T.UnmarshalText: FuzzParse executes the same code",
	},
	{
		"a function that takes any number of texts, and a twin of the one that it calls", `func Get(json, path string) byte { return json[len(path)] }
func GetBytes(json []byte, path string) byte { return Get(string(json), path) }
func GetAll(json string, paths ...string) (list []byte) { for _, p := range paths { list = append(list, Get(json, p)) }; return list }`, "",
		"parse FuzzGetBytes; Get: FuzzGetBytes executes the same code; GetAll: FuzzGetBytes executes the same code",
	},
	{
		"a function that takes any number of texts, and the one that it calls", `func Get(json, path string) byte { return json[len(path)] }
func GetAll(json string, paths ...string) (list []byte) { for _, p := range paths { list = append(list, Get(json, p)) }; return list }`, "",
		"parse FuzzGet; GetAll: FuzzGet executes the same code",
	},
	{
		"two names of a comparison", `type T struct{ s string }
func Parse(s string) (T, error) { return T{s[1:]}, nil }
func (a T) Cmp(b T) int { return len(a.s) - int(b.s[0]) }
func (a T) Compare(b T) int { return a.Cmp(b) }`, "",
		"parse FuzzParse; laws FuzzTCmp; T.Compare: FuzzTCmp executes the same code",
	},
	{
		"a constructor of a decoder", `type Decoder struct{ r io.Reader }
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r} }
func (d *Decoder) Decode() (byte, error) { var b []byte; _, err := d.r.Read(b); return b[0], err }`, "",
		"read FuzzDecoder",
	},
	{
		"a decoder that stores values and has other arguments", `type Decoder struct{ r io.Reader }
func New(r io.Reader, strict bool) (*Decoder, error) { return &Decoder{r}, nil }
func (d *Decoder) Decode(v any) error { var b []byte; _, err := d.r.Read(b); _ = b[0]; return err }`, "",
		"read FuzzDecoder",
	},
	{
		"a decoder with a target", `type Decoder struct{ r io.Reader }
func NewDecoder(r io.Reader) *Decoder { return &Decoder{r} }
func (d *Decoder) Decode() (byte, error) { var b []byte; _, err := d.r.Read(b); return b[0], err }`,
		`func FuzzD(f *testing.F) { f.Fuzz(func(t *testing.T, s string) { d := &Decoder{}; d.Decode() }) }`,
		"NewDecoder: FuzzD calls Decoder.Decode; Decoder.Decode: FuzzD calls it",
	},
	{
		"a constructor of a value that reads nothing", `type Source struct{ r io.Reader }
func NewSource(r io.Reader) *Source { return &Source{r} }
func (s *Source) Next() byte { var b []byte; s.r.Read(b); return b[0] }`, "",
		"NewSource: its result is no io.Reader, and has no method such as Decode",
	},
	{
		"a handler", `func WidthHandler(s string) bool { return s[0] == 'a' }`, "",
		"",
	},
}

// load surveys one package for each case, and returns the packages by their import paths.
func load(t *testing.T, list []planned) map[string]*survey.Package {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/p\n\ngo 1.24\n")
	for i, c := range list {
		imports := ""
		for _, name := range []string{"errors", "io", "strconv", "strings"} {
			if strings.Contains(c.code, name+".") {
				imports += fmt.Sprintf("import %q\n", name)
			}
		}
		write(fmt.Sprintf("p%d/p.go", i), "package p\n\n"+imports+"\n"+c.code+"\n")
		if c.tests != "" {
			write(fmt.Sprintf("p%d/p_test.go", i), "package p\n\nimport \"testing\"\n\n"+c.tests+"\n")
		}
	}
	loaded, err := survey.Load(context.Background(), code.Source{Dir: dir, Environ: append(os.Environ(), "GOWORK=off", "GOFLAGS=")}, []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	packages := map[string]*survey.Package{}
	for _, p := range loaded {
		if p.Problem != "" {
			t.Errorf("%s: %s", p.Path, p.Problem)
		}
		packages[p.Path] = p
	}
	return packages
}

func TestPackagesArePlanned(t *testing.T) {
	packages := load(t, cases)
	for i, c := range cases {
		targets, skipped := Plan(packages[fmt.Sprintf("example.com/p/p%d", i)], nil)
		var got []string
		for _, target := range targets {
			got = append(got, string(target.Kind)+" "+target.Name)
		}
		for _, s := range skipped {
			got = append(got, s.Key+": "+s.Reason)
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, text, c.want)
		}
	}
}

func TestAnImportedNameIsNotDeclaredInThePackage(t *testing.T) {
	packages := load(t, []planned{
		{code: "type Options struct{ Strict bool }"},
		{code: "import other \"example.com/p/p0\"\n\nvar p = 1\n\nfunc Parse(s string, o other.Options) (byte, error) { return s[p], nil }"},
	})
	targets, skipped := Plan(packages["example.com/p/p1"], nil)
	if want := (Skipped{"Parse", "it takes a p.Options, and this package declares p"}); len(targets) != 0 || len(skipped) != 1 || skipped[0] != want {
		t.Errorf("%d targets, and %v are skipped; want %v", len(targets), skipped, want)
	}
}
