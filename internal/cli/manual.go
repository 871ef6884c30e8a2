package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/gnaw-fuzz/gnaw/internal/disk"
)

// topicTitles are what the pages about topics are about.
var topicTitles = map[string]string{"exit": "exit codes of gnaw", "files": "files of gnaw", "environment": "environment variables of gnaw"}

// writeManual writes the pages of help into a folder as manual pages in the format man(7): gnaw.1, a page for each command, and one for each
// topic in section 7.
func writeManual(dir string, commands []command) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	pages := map[string]string{"gnaw.1": manualOf("gnaw", 1, "coverage-guided fuzzer for Go", helpIntro+commandList(commands)+"\nThe topics:\n\n"+topicList())}
	for _, c := range commands {
		pages["gnaw-"+c.name+".1"] = manualOf("gnaw-"+c.name, 1, c.short, c.page())
	}
	for name, title := range topicTitles {
		pages["gnaw-"+name+".7"] = manualOf("gnaw-"+name, 7, title, topics[name])
	}
	for name, text := range pages {
		if err := disk.Write(filepath.Join(dir, name), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// commandList lists the commands as the page of gnaw help does.
func commandList(commands []command) string {
	var b strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&b, "\tgnaw-%s(1)  %s\n", c.name, c.short)
	}
	return b.String()
}

// topicList lists the pages about topics.
func topicList() string {
	var b strings.Builder
	for _, name := range []string{"exit", "files", "environment"} {
		fmt.Fprintf(&b, "\tgnaw-%s(7)  %s\n", name, topicTitles[name])
	}
	return b.String()
}

// manualOf returns a page of help in the format man(7). If the text begins with "usage: ", its first lines are the synopsis.
func manualOf(name string, section int, title, text string) string {
	version, _ := versionOf()
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s %d %q %q %q\n", strings.ToUpper(roff(name)), section, commitDay(), "gnaw "+version, "gnaw")
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(title))
	if usage, ok := strings.CutPrefix(text, "usage: "); ok {
		usage, text, _ = strings.Cut(usage, "\n\n")
		b.WriteString(".SH SYNOPSIS\n.nf\n")
		for line := range strings.Lines(usage) {
			b.WriteString(roff(strings.TrimSpace(line)) + "\n")
		}
		b.WriteString(".fi\n")
	}
	b.WriteString(".SH DESCRIPTION\n")
	for i, block := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		lines := strings.Split(block, "\n")
		if i > 0 && !strings.HasPrefix(block, "\t") {
			b.WriteString(".PP\n")
		}
		for len(lines) > 0 && !strings.HasPrefix(lines[0], "\t") {
			b.WriteString(roff(lines[0]) + "\n")
			lines = lines[1:]
		}
		writeIndented(&b, lines)
	}
	return b.String()
}

// headed matches an indented line with a head, such as a flag, and the text behind it.
var headed = regexp.MustCompile(`^\t(\S(?:.*?\S)??)  +(\S.*)$`)

// writeIndented writes indented lines: as a list of heads and texts if the first line has a head, where a line with more indentation
// continues a text, and otherwise as they are.
func writeIndented(b *strings.Builder, lines []string) {
	if len(lines) == 0 {
		return
	}
	if !isList(lines) {
		b.WriteString(".RS 4\n.nf\n")
		for _, line := range lines {
			b.WriteString(roff(strings.TrimPrefix(line, "\t")) + "\n")
		}
		b.WriteString(".fi\n.RE\n")
		return
	}
	for _, line := range lines {
		m := headed.FindStringSubmatch(line)
		switch {
		case !isHead(line):
			b.WriteString(roff(strings.TrimSpace(line)) + "\n")
		case m == nil:
			fmt.Fprintf(b, ".TP\n\\fB%s\\fR\n", roff(line[1:]))
		default:
			fmt.Fprintf(b, ".TP\n\\fB%s\\fR\n%s\n", roff(m[1]), roff(m[2]))
		}
	}
}

// isHead reports whether an indented line begins with a head.
func isHead(line string) bool { return !strings.HasPrefix(line, "\t ") }

// isList reports whether indented lines are heads and texts. A head may be so long that its text begins on the next line. Lines with a comment
// behind them are those of a file.
func isList(lines []string) (yes bool) {
	for i, line := range lines {
		m := headed.FindStringSubmatch(line)
		if m != nil && strings.HasPrefix(m[2], "#") {
			return false
		}
		yes = yes || isHead(line) && (m != nil || i+1 < len(lines) && !isHead(lines[i+1]))
	}
	return yes
}

// roff returns a line of text for a manual page.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...").Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}

// commitDay returns the day of the commit that gnaw was built from; empty: the build does not know it.
func commitDay() string {
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			day, _, _ := strings.Cut(s.Value, "T")
			return day
		}
	}
	return ""
}
