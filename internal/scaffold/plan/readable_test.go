package plan

import (
	"fmt"
	"strings"
	"testing"
)

func TestTargetsAreReadable(t *testing.T) {
	list := []planned{
		{
			"a receiver has its name in the methods of the type", `type ID struct{ s string }
func (id *ID) UnmarshalText(data []byte) error { id.s = string(data[1:]); return nil }`, "",
			"var id ID; id.UnmarshalText($)",
		},
		{
			"a type without hidden state needs no constructor", `type ID [2]byte
func New() ID { return ID{1} }
func (id *ID) UnmarshalText(data []byte) error { id[0] = data[0]; return nil }`, "",
			"var id ID; id.UnmarshalText($)",
		},
		{
			"the constructor that tests call most makes a value", `type Policy struct{ m map[string]bool }
func NewPolicy() *Policy { return &Policy{} }
func StrictPolicy() *Policy { return &Policy{} }
func (p *Policy) Sanitize(s string) string { return s[1:] }`, `func Test(t *testing.T) { StrictPolicy().Sanitize("a") }`,
			`p := StrictPolicy(); p.Sanitize($); s string; "a"`,
		},
		{
			"a width is any small number", `func Wrap(s string, width int) string { return s[:width] }`, `func Test(t *testing.T) { Wrap("a", 3) }`,
			`Wrap($, int(width)); s string, width uint8; "a" uint8(3)`,
		},
		{
			"a number is one of the constants of the tests", `func Parse(text string, base int) (int, error) { return int(text[base]), nil }`,
			`func Test(t *testing.T) { Parse("a", 8); Parse("b", 16) }`,
			`bases := []int{8, 16}; Parse($, bases[int(base)%len(bases)]); s string, base uint8; "a" uint8(0); "b" uint8(0)`,
		},
		{
			"two numbers have lists of their own", `func Parse(s string, x, y int) (int, error) { return int(s[x+y]), nil }`,
			`func Test(t *testing.T) { Parse("a", 1, 3); Parse("a", 2, 4) }`,
			`values := []int{1, 2}; yValues := []int{3, 4}; Parse($, values[int(x)%len(values)], yValues[int(y)%len(yValues)]); s string, x, y uint8; "a" uint8(0) uint8(0)`,
		},
		{
			"two values of one type share a list", `type Kind int
const (
	A Kind = iota
	B
)
func Convert(s string, from, to Kind) (int, error) { return int(s[from-to]), nil }`, "",
			"kinds := []Kind{A, B}; Convert($, kinds[int(from)%len(kinds)], kinds[int(to)%len(kinds)]); s string, from, to uint8",
		},
		{
			"several parameters keep their names", `func Diff(from, to string) (int, error) { return int(from[0] - to[0]), nil }`, `func Test(t *testing.T) { Diff("a", "b") }`,
			`Diff($, to); from, to string; "a" "b"`,
		},
		{
			"texts that are refused come last", `func Parse(s string) (byte, error) { return s[0], nil }`,
			`func Test(t *testing.T) { for _, tt := range []struct { name, in string; err bool }{{"n", "bad", true}, {"m", "good", false}} { Parse(tt.in) } }`,
			`Parse($); s string; "good"; "bad"`,
		},
		{
			"JSON has the texts of the parser in quotes", `type V struct{ s string }
func Parse(s string) (V, error) { return V{s[1:]}, nil }
func (v *V) UnmarshalJSON(data []byte) error { v.s = string(data[1:]); return nil }`, `func Test(t *testing.T) { Parse("1.2") }`,
			"var v V; json.Unmarshal($, &v); data []byte; []byte(`\"1.2\"`)",
		},
		{
			"hexadecimal digits in tests are decoded", `func Parse(data []byte) (byte, error) { return data[0], nil }`,
			`func unhex(s string) []byte { return []byte(s) }
func Test(t *testing.T) { Parse(unhex("00ff")) }`,
			`Parse($); data []byte; []byte("\x00\xff")`,
		},
	}
	packages := load(t, list)
	for i, c := range list {
		targets, _ := Plan(packages[fmt.Sprintf("example.com/p/p%d", i)], nil)
		got := fmt.Sprint(len(targets), " targets")
		for _, target := range targets {
			if got = describe(target); strings.HasPrefix(got, c.want) {
				break
			}
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// describe returns the lists, the setup, the call, the parameters and the seeds of a target on one line.
func describe(t *FuzzFunc) string {
	parts := append([]string{}, t.Lists...)
	if t.Setup != "" {
		parts = append(parts, t.Setup)
	}
	var params strings.Builder
	for i, p := range t.Params {
		if i+1 < len(t.Params) && t.Params[i+1].Type == p.Type {
			params.WriteString(p.Name + ", ")
			continue
		}
		params.WriteString(p.Name + " " + p.Type + ", ")
	}
	parts = append(parts, t.Fn.Expr, strings.TrimSuffix(params.String(), ", "))
	for _, row := range t.Seeds {
		parts = append(parts, strings.Join(row, " "))
	}
	return strings.Join(parts, "; ")
}
