package finding

import (
	"slices"
	"strings"
	"unicode"
)

// Title is the message without the prefix that every error of the runtime has. Where the message only announces what follows, as those of
// assertion libraries do ("Not equal:"), the next lines of the output complete it.
func (r Record) Title() string {
	title := strings.TrimPrefix(strings.TrimPrefix(r.Message, "fatal error: "), "runtime error: ")
	if title == "" {
		return r.Kind.String()
	}
	if r.Kind != Failure {
		return title
	}
	for _, e := range log(strings.Split(r.Output, "\n")) {
		if strings.TrimSpace(e.text) != r.Message || !e.listed && !strings.HasSuffix(title, ":") {
			continue
		}
		if more := e.details(); more != "" {
			return strings.TrimSuffix(title, ":") + ": " + more
		}
	}
	return title
}

// maxDetails is how many lines complete a title.
const maxDetails = 2

// endOfDetails are lines behind which assertion libraries say what a title does not need.
var endOfDetails = []string{"Diff:", "Test:", "Messages:", "Panic stack:", "stack:"}

// details returns what completes the text of an entry: the first lines behind it, or the first that differ if these are a diff.
func (e *logEntry) details() string {
	var plain, differ []string
	label, begun := "", !e.listed
	for _, line := range e.rest {
		line = strings.Join(strings.FieldsFunc(line, unicode.IsSpace), " ")
		switch {
		case !begun:
			begun = strings.TrimSpace(strings.TrimPrefix(line, "Error:")) == strings.TrimSpace(e.text)
			continue
		case slices.ContainsFunc(endOfDetails, func(end string) bool { return strings.HasPrefix(line, end) }):
			return joined(plain, differ)
		case line == "" || line == "-" || line == "+" || strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++"):
			continue
		case line == "got:" || line == "want:":
			label = line + " "
			continue
		case line[0] == '-' || line[0] == '+':
			differ = append(differ, strings.TrimSuffix(line, ","))
		default:
			plain = append(plain, label+strings.Replace(line, " : ", ": ", 1))
		}
		label = ""
	}
	return joined(plain, differ)
}

func joined(plain, differ []string) string {
	if len(differ) > 0 {
		plain = differ
	}
	return strings.Join(plain[:min(maxDetails, len(plain))], ", ")
}
