package cli

import (
	"errors"
	"fmt"
)

// defineRefuse defines the flag that says what inputs may do outside of their process.
func (fs *flagSet) defineRefuse(refuse *bool) {
	fs.describe("refuse", "on|off", "on (default): refuse what inputs do outside of their process, unless a seed does it too: start programs, change "+
		"files outside of temporary folders and testdata, connect to other machines; off: let them do it; see docs/campaigns.md")
	fs.Func("refuse", "", func(s string) error {
		if s != "on" && s != "off" {
			return errors.New("it takes on or off")
		}
		*refuse = s == "on"
		return nil
	})
}

// refusedText says that an input of a target was refused an action.
func refusedText(target, action string) string {
	return fmt.Sprintf("an input of %s tried to %s, and gnaw refused it, so it may reach less; -refuse=off allows everything", target, action)
}
