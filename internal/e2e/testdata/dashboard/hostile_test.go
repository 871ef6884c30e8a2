package dashboard

import "testing"

func FuzzParse(f *testing.F) {
	f.Add("1a")
	f.Add("<script>window.hacked=1</script>")
	f.Fuzz(func(t *testing.T, s string) { Parse(s) })
}

func FuzzQuiet(f *testing.F) {
	f.Add("a")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 3 && s[0] == 'q' {
			t.Log(s)
		}
	})
}
