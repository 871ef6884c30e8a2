package write

// bodyText is the text of bodies.
const bodyText = `
{{- define "parse"}}{{template "setup" .}}{{.Blanks}}{{.Call .Arg}}
{{end}}

{{define "setup"}}{{range .Lists}}{{.}}
{{end}}{{with .Setup}}{{.}}
{{end}}{{end}}

{{define "read"}}{{template "setup" .}}{{$r := .Var}}{{if .Fails}}{{$r}}, {{.Flag}} := {{.Call .Arg}}
if {{.Refused}} {
	return
}
{{else}}{{$r}} := {{.Call .Arg}}
{{end}}{{if .Inverse.Name}}for i := 0; i < 1000; i++ {
	{{with .Output}}var v {{.}}
	{{end}}if {{.InvBlanks}}err := {{.Inv $r}}; err != nil {
		return
	}
}
{{else}}_, _ = io.Copy(io.Discard, io.LimitReader({{$r}}, 1<<20))
{{end}}{{end}}

{{define "print"}}{{template "setup" .}}{{.Parsed}}, {{.Flag}} := {{.Call .Arg}}
if {{.Refused}}{{if .Nilable}} || {{.Parsed}} == nil{{end}} {
	return
}
text := {{.Parsed}}.String()
again, {{.Flag}} := {{.Call (.Convert "text" "string" .Input)}}
if {{.Refused}}{{if .Nilable}} || again == nil{{end}} {
	t.Fatalf("{{.Fn.Name}}(%q).String() = %q, which {{.Fn.Name}} rejects{{.Why}}, {{.In}}, text{{.WhyArg}})
}
if got := again.String(); got != text {
	t.Errorf("{{.Fn.Name}}(%q).String() = %q, want %q", text, got, text)
}
{{end}}

{{define "marshal"}}{{template "setup" .}}if err := {{.Call .Arg}}; err != nil{{if .IsJSON}} || !utf8.Valid({{.In}}) || string(bytes.TrimSpace({{.In}})) == "null"{{end}} {
	return
}
{{if .InvFails}}{{.Out}}, err := {{.Inv .Var}}
if err != nil {
	t.Fatalf("{{.Inverse.Name}} after {{.Fn.Name}}({{.InVerb}}): %v", {{.In}}, err)
}
{{else}}{{.Out}} := {{.Inv .Var}}
{{end}}{{.Fresh "again"}}
if err := {{.With (.Call (.Convert .Out .Output .Input)) "again"}}; err != nil {
	t.Fatalf("{{.Fn.Name}} rejects {{.InVerb}}, the output of {{.Inverse.Name}}: %v", {{.Out}}, err)
}
{{if .InvFails}}got, err := {{.Inv "again"}}
if err != nil {
	t.Fatalf("{{.Inverse.Name}} after {{.Fn.Name}}({{.InVerb}}): %v", {{.Out}}, err)
}
if {{else}}if got := {{.Inv "again"}}; {{end}}{{if eq .Output "string"}}got != {{.Out}}{{else}}!bytes.Equal(got, {{.Out}}){{end}} {
	t.Errorf("{{.Inverse.Name}} after {{.Fn.Name}}({{.InVerb}}) = {{.InVerb}}, want {{.InVerb}}", {{.Out}}, got, {{.Out}})
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
	t.Fatalf("{{.Inverse.Name}} rejects {{.OutVerb}}, the result of {{.Fn.Name}}({{.InVerb}})", encoded, {{.In}})
}
if {{else if .InvFails}}got, err := {{.Inv "encoded"}}
if err != nil {
	t.Fatalf("{{.Inverse.Name}} rejects {{.OutVerb}}, the result of {{.Fn.Name}}({{.InVerb}}): %v", encoded, {{.In}}, err)
}
if {{else}}if got := {{.Inv "encoded"}}; {{end}}{{if eq .Input "string"}}got != {{.In}}{{else}}!bytes.Equal(got, {{.In}}){{end}} {
	t.Errorf("{{.Inverse.Name}}({{.OutVerb}}) = {{.InVerb}}, want {{.InVerb}}", encoded, got, {{.In}})
}
{{end}}

{{define "twin"}}{{template "setup" .}}{{if .Fails}}{{if eq (len .Fn.Results) 1}}wantErr := {{.Call .In}}
if err := {{.Inv (.Convert .In "string" "[]byte")}}; (err == nil) != (wantErr == nil) {
	t.Errorf("{{.Inverse.Name}}(%q) = %v, want %v as from {{.Fn.Name}}", {{.In}}, err, wantErr)
}
{{else}}want, {{.WantFlag}} := {{.Call .In}}
got, {{.Flag}} := {{.Inv (.Convert .In "string" "[]byte")}}
if {{if .OK}}ok != wantOK{{else}}(err == nil) != (wantErr == nil){{end}} {
	t.Fatalf("{{.Inverse.Name}}(%q) = _, %v, want _, %v as from {{.Fn.Name}}", {{.In}}, {{.Flag}}, {{.WantFlag}})
}
if {{if .OK}}ok{{else}}err == nil{{end}} && {{if eq .Output "[]byte"}}string(got){{else}}got{{end}} != want {
	t.Errorf("{{.Inverse.Name}}(%q) = {{.Verb}}, want {{.Verb}} as from {{.Fn.Name}}", {{.In}}, got, want)
}
{{end}}{{else}}want := {{.Call .In}}
if got := {{.Inv (.Convert .In "string" "[]byte")}}; {{if eq .Output "[]byte"}}string(got){{else}}got{{end}} != want {
	t.Errorf("{{.Inverse.Name}}(%q) = {{.Verb}}, want {{.Verb}} as from {{.Fn.Name}}", {{.In}}, got, want)
}
{{end}}{{end}}

{{define "idempotent"}}{{template "setup" .}}{{if .Fails}}once, {{.Flag}} := {{.Call .Arg}}
if {{.Refused}} {
	return
}
twice, {{.Flag}} := {{.Call "once"}}
if {{.Refused}} {
	t.Fatalf("{{.Fn.Name}} rejects %q, the result of {{.Fn.Name}}(%q){{.Why}}, once, {{.In}}{{.WhyArg}})
}
if {{else}}once := {{.Call .Arg}}
if twice := {{.Call "once"}}; {{end}}{{if eq .Input "string"}}twice != once{{else}}!bytes.Equal(twice, once){{end}} {
	t.Errorf("{{.Fn.Name}}(%q) = %q, want no change", once, twice)
}
{{end}}

{{define "laws"}}{{$v := .}}{{$x := "a"}}{{$y := "b"}}{{$z := "c"}}{{if .Type}}{{$x = "x"}}{{$y = "y"}}{{$z = "z"}}x, {{.Flag}}X := {{.Inv "a"}}
y, {{.Flag}}Y := {{.Inv "b"}}
z, {{.Flag}}Z := {{.Inv "c"}}
{{if .InvOK}}if !okX || !okY || !okZ {{"{"}}{{else}}if errX != nil || errY != nil || errZ != nil {{"{"}}{{end}}
	return
}
{{if .Nilable}}if x == nil || y == nil || z == nil {
	return
}
{{end}}{{end}}if got := {{.Law .Fn.Expr $x $x}}; got != 0 {
	t.Errorf("{{.Fn.Name}} of %q and itself = %d, want 0", a, got)
}
xy, yx := {{.Law .Fn.Expr $x $y}}, {{.Law .Fn.Expr $y $x}}
if (xy < 0) != (yx > 0) || (xy > 0) != (yx < 0) {
	t.Errorf("{{.Fn.Name}} of %q and %q = %d, the other way round %d", a, b, xy, yx)
}
if yz, xz := {{.Law .Fn.Expr $y $z}}, {{.Law .Fn.Expr $x $z}}; xy <= 0 && yz <= 0 && xz > 0 {
	t.Errorf("%q <= %q and %q <= %q, but %q > %q", a, b, b, c, a, c)
}
{{range .Extra}}if got := {{$v.Law .Expr $x $y}}; got != ({{if eq .Name "Equal"}}xy == 0{{else if eq .Name "GreaterThan"}}xy > 0{{else}}xy < 0{{end}}) {
	t.Errorf("{{.Name}} of %q and %q = %v, but {{$v.Fn.Name}} = %d", a, b, got, xy)
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
	t.Errorf("read %q, want %q", got, {{.In}})
}
{{end}}

{{define "methods"}}{{.Setup}}
for _, call := range calls {
	switch call % {{len .Extra}} {
{{range $i, $op := .Extra}}	case {{$i}}:
		{{$op.Expr}}
{{end}}	}
}
{{end}}
`
