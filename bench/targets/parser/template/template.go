// Package template parses with text/template; what came out is printed, not executed, because it may run for ever.
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
