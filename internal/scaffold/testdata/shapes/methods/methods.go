// Package methods has a value that is changed by methods.
package methods

// Stack holds words.
type Stack struct{ words []string }

// NewStack returns an empty stack.
func NewStack() *Stack { return &Stack{} }

// Push adds a word.
func (s *Stack) Push(word string) { s.words = append(s.words, word) }

// Insert puts a word at the bottom.
func (s *Stack) Insert(word string) { s.words = append([]string{word}, s.words...) }

// Pop removes a word; it returns an empty one if there is none.
func (s *Stack) Pop() string {
	if len(s.words) == 0 {
		return ""
	}
	word := s.words[len(s.words)-1]
	s.words = s.words[:len(s.words)-1]
	return word
}

// Len returns the number of words.
func (s *Stack) Len() int { return len(s.words) }

// Must panics if the stack is empty.
func (s *Stack) Must() string { return s.words[0] }
