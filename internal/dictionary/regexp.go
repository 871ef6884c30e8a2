package dictionary

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// samplesPerRegexp: strings that are made up for one regular expression.
const samplesPerRegexp = 3

// samples makes up strings that a regular expression matches: the first takes the first choice everywhere, and so on.
// It returns nothing for an expression that does not parse.
func samples(expr string) (found []string) {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil
	}
	for i := range samplesPerRegexp {
		m := sampler{choice: i, steps: maxSteps}
		m.write(tree)
		text := m.text.String()
		// Assertions within, such as \b, are ignored by the sampler.
		if text != "" && len(text) <= maxWord && re.MatchString(text) {
			found = append(found, text)
		}
	}
	return found
}

// maxSteps ends samples of what is nested deep: ((()+)+)+ takes a number of steps that is exponential in its length.
const maxSteps = 1000

// sampler makes up one sample.
type sampler struct {
	text   strings.Builder
	choice int // what is taken of several possibilities
	steps  int // left
}

func (m *sampler) write(re *syntax.Regexp) {
	if m.steps--; m.steps < 0 || m.text.Len() > maxWord {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		m.text.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		m.text.WriteRune(member(re.Rune, m.choice))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		m.text.WriteByte('a' + byte(m.choice))
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			m.write(sub)
		}
	case syntax.OpAlternate:
		m.write(re.Sub[m.choice%len(re.Sub)])
	case syntax.OpStar, syntax.OpQuest:
		m.repeat(re.Sub[0], min(m.choice, 1))
	case syntax.OpPlus:
		m.repeat(re.Sub[0], 1+m.choice)
	case syntax.OpRepeat:
		times := re.Min
		if m.choice > 0 && (re.Max < 0 || re.Max > re.Min) {
			times++
		}
		m.repeat(re.Sub[0], times)
	}
}

func (m *sampler) repeat(re *syntax.Regexp, times int) {
	for range times {
		m.write(re)
	}
}

// member returns a rune of a class, which is a list of pairs. Letters and digits are preferred: the first rune of a
// negated class is a control character.
func member(class []rune, choice int) rune {
	if len(class) < 2 {
		return 'a'
	}
	for _, r := range "a0A-_"[min(choice, 2):] {
		for i := 0; i+1 < len(class); i += 2 {
			if class[i] <= r && r <= class[i+1] {
				return r
			}
		}
	}
	return class[choice%(len(class)/2)*2]
}
