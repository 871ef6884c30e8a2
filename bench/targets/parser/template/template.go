// Package template parses with text/template and prints the result. It does not execute it, because that may take for ever.
package template

import "text/template"

// Target parses b.
func Target(b []byte) {
	t, err := template.New("t").Funcs(template.FuncMap{"f": func(...any) int { return 0 }}).Parse(string(b))
	if err != nil {
		return
	}
	for _, t := range t.Templates() {
		_ = t.Root.String()
	}
}
