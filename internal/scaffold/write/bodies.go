package write

// bodyText has a template for each kind of target.
const bodyText = `
{{- define "parse"}}{{with .Setup}}{{.}}
{{end}}{{.Blanks}}{{.Call .Arg}}
{{end}}

{{define "read"}}{{if .Fails}}r, {{.Flag}} := {{.Call .Arg}}
if {{.Refused}} {
	return
}
{{else}}r := {{.Call .Arg}}
{{end}}_, _ = io.Copy(io.Discard, io.LimitReader(r, 1<<20))
{{end}}

{{define "print"}}{{with .Setup}}{{.}}
{{end}}{{.Parsed}}, {{.Flag}} := {{.Call .Arg}}
if {{.Refused}}{{if .Nilable}} || {{.Parsed}} == nil{{end}} {
	return
}
text := {{.Parsed}}.String()
again, {{.Flag}} := {{.Call (.Convert "text" "string" .Input)}}
if {{.Refused}}{{if .Nilable}} || again == nil{{end}} {
	t.Fatalf("{{.Fn.Name}}(%q) is printed as %q, which is refused{{.Why}}, {{.In}}, text{{.WhyArg}})
}
if got := again.String(); got != text {
	t.Errorf("{{.Fn.Name}}(%q) is printed as %q, and that as %q", {{.In}}, text, got)
}
{{end}}

{{define "marshal"}}{{.Setup}}
if err := {{.Call .Arg}}; err != nil {
	return
}
{{if .InvFails}}text, err := {{.Inv .Var}}
if err != nil {
	t.Fatalf("{{.Inverse.Name}} after {{.Fn.Name}}(%q): %v", {{.In}}, err)
}
{{else}}text := {{.Inv .Var}}
{{end}}{{.Fresh "again"}}
if err := {{.With (.Call (.Convert "text" .Output .Input)) "again"}}; err != nil {
	t.Fatalf("{{.Fn.Name}}(%q) is written as %q, which is refused: %v", {{.In}}, text, err)
}
{{if .InvFails}}got, err := {{.Inv "again"}}
if err != nil {
	t.Fatalf("{{.Inverse.Name}} after {{.Fn.Name}}(%q): %v", text, err)
}
{{else}}got := {{.Inv "again"}}
{{end}}if {{if eq .Output "string"}}got != text{{else}}!bytes.Equal(got, text){{end}} {
	t.Errorf("{{.Fn.Name}}(%q) is written as %q, and that as %q", {{.In}}, text, got)
}
{{end}}

{{define "pair"}}{{if .Valid}}if !utf8.ValidString({{.In}}) {
	return
}
{{end}}{{if .Fails}}encoded, {{.Flag}} := {{.Call .Arg}}
if {{.Refused}} {
	return
}
{{else}}encoded := {{.Call .Arg}}
{{end}}{{if .InvOK}}got, ok := {{.Inv "encoded"}}
if !ok {
	t.Fatalf("{{.Inverse.Name}} refuses %q, the result of {{.Fn.Name}}(%q)", encoded, {{.In}})
}
{{else if .InvFails}}got, err := {{.Inv "encoded"}}
if err != nil {
	t.Fatalf("{{.Inverse.Name}} refuses %q, the result of {{.Fn.Name}}(%q): %v", encoded, {{.In}}, err)
}
{{else}}got := {{.Inv "encoded"}}
{{end}}if {{if eq .Input "string"}}got != {{.In}}{{else}}!bytes.Equal(got, {{.In}}){{end}} {
	t.Errorf("{{.Inverse.Name}}({{.Fn.Name}}(%q)) = %q", {{.In}}, got)
}
{{end}}

{{define "twin"}}{{with .Setup}}{{.}}
{{end}}{{if .Fails}}{{if eq (len .Fn.Results) 1}}err1 := {{.Call .In}}
err2 := {{.Inv (.Convert .In "string" "[]byte")}}
if (err1 == nil) != (err2 == nil) {
	t.Errorf("{{.Fn.Name}}(%q) = %v, {{.Inverse.Name}} of the same = %v", {{.In}}, err1, err2)
}
{{else}}want, {{.Flag}}1 := {{.Call .In}}
got, {{.Flag}}2 := {{.Inv (.Convert .In "string" "[]byte")}}
if {{if .OK}}ok1 != ok2{{else}}(err1 == nil) != (err2 == nil){{end}} {
	t.Fatalf("{{.Fn.Name}}(%q) = _, %v, {{.Inverse.Name}} of the same = _, %v", {{.In}}, {{.Flag}}1, {{.Flag}}2)
}
if {{if .OK}}ok1{{else}}err1 == nil{{end}} && {{if eq .Output "[]byte"}}string(got){{else}}got{{end}} != want {
	t.Errorf("{{.Fn.Name}}(%q) = {{.Verb}}, {{.Inverse.Name}} of the same = {{.Verb}}", {{.In}}, want, got)
}
{{end}}{{else}}want := {{.Call .In}}
if got := {{.Inv (.Convert .In "string" "[]byte")}}; {{if eq .Output "[]byte"}}string(got){{else}}got{{end}} != want {
	t.Errorf("{{.Fn.Name}}(%q) = {{.Verb}}, {{.Inverse.Name}} of the same = {{.Verb}}", {{.In}}, want, got)
}
{{end}}{{end}}

{{define "idempotent"}}{{with .Setup}}{{.}}
{{end}}{{if .Fails}}once, {{.Flag}} := {{.Call .Arg}}
if {{.Refused}} {
	return
}
twice, {{.Flag}} := {{.Call "once"}}
if {{.Refused}} {
	t.Fatalf("{{.Fn.Name}} refuses %q, its result for %q{{.Why}}, once, {{.In}}{{.WhyArg}})
}
if {{if eq .Input "string"}}twice != once{{else}}!bytes.Equal(twice, once){{end}} {
	t.Errorf("{{.Fn.Name}}(%q) = %q, and {{.Fn.Name}} of that is %q", {{.In}}, once, twice)
}
{{else}}once := {{.Call .Arg}}
if twice := {{.Call "once"}}; {{if eq .Input "string"}}twice != once{{else}}!bytes.Equal(twice, once){{end}} {
	t.Errorf("{{.Fn.Name}}(%q) = %q, and {{.Fn.Name}} of that is %q", {{.In}}, once, twice)
}
{{end}}{{end}}

{{define "laws"}}{{$v := .}}{{$x := "a"}}{{$y := "b"}}{{$z := "c"}}{{if .Type}}{{$x = "x"}}{{$y = "y"}}{{$z = "z"}}x, errX := {{.Inv "a"}}
y, errY := {{.Inv "b"}}
z, errZ := {{.Inv "c"}}
{{if .InvOK}}if !errX || !errY || !errZ {{"{"}}{{else}}if errX != nil || errY != nil || errZ != nil {{"{"}}{{end}}
	return
}
{{if .Nilable}}if x == nil || y == nil || z == nil {
	return
}
{{end}}{{end}}if got := {{.Law .Fn.Expr $x $x}}; got != 0 {
	t.Errorf("{{.Fn.Name}} of %q and itself = %d", a, got)
}
xy, yx := {{.Law .Fn.Expr $x $y}}, {{.Law .Fn.Expr $y $x}}
if (xy < 0) != (yx > 0) || (xy > 0) != (yx < 0) {
	t.Errorf("{{.Fn.Name}} of %q and %q = %d, the other way round %d", a, b, xy, yx)
}
if yz, xz := {{.Law .Fn.Expr $y $z}}, {{.Law .Fn.Expr $x $z}}; xy <= 0 && yz <= 0 && xz > 0 {
	t.Errorf("%q <= %q and %q <= %q, but %q > %q", a, b, b, c, a, c)
}
{{range .Extra}}if got := {{$v.Law .Expr $x $y}}; got != ({{if eq .Name "Equal"}}xy == 0{{else if eq .Name "GreaterThan"}}xy > 0{{else}}xy < 0{{end}}) {
	t.Errorf("{{.Name}} of %q and %q = %v, {{$v.Fn.Name}} = %d", a, b, got, xy)
}
{{end}}{{end}}

{{define "stream"}}var buf bytes.Buffer
{{if .Fails}}w, err := {{.Call "&buf"}}
if err != nil {
	t.Fatal(err)
}
{{else}}w := {{.Call "&buf"}}
{{end}}if _, err := w.Write({{.In}}); err != nil {
	t.Fatal(err)
}
if err := w.Close(); err != nil {
	t.Fatal(err)
}
{{if .InvFails}}r, err := {{.Inv "&buf"}}
if err != nil {
	t.Fatal(err)
}
{{else}}r := {{.Inv "&buf"}}
{{end}}got, err := io.ReadAll(r)
if err != nil {
	t.Fatal(err)
}
if !bytes.Equal(got, {{.In}}) {
	t.Errorf("%q is read as %q", {{.In}}, got)
}
{{end}}

{{define "methods"}}{{.Setup}}
for _, op := range ops {
	switch op % {{len .Extra}} {
{{range $i, $op := .Extra}}	case {{$i}}:
		{{$op.Expr}}
{{end}}	}
}
{{end}}
`
