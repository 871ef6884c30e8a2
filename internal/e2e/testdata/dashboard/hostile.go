// Package dashboard has targets whose messages, inputs and file names are markup.
package dashboard

import (
	"errors"
	"fmt"
)

// markup would set the variable hacked in a page that shows it as HTML.
const markup = `</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1"><svg onload="window.hacked=1">`

// Parse fails with each input that has an angle bracket.
func Parse(s string) int {
	n := 0
	for _, c := range s {
		switch {
		case c == '<':
			fmt.Println(markup, s)
			fail(s)
		case c > '0' && c < 'A':
			n++
		}
	}
	return n
}

//line "<img src=x onerror=window.hacked=1>.go":7
func fail(s string) { panic(errors.New(markup + s)) }
