package policyfile

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How long a title and a name of a side may be, in characters: a title is a line at the head of
// a report, and names are heads of columns and marks in pictures.
const (
	longestTitle = 100
	longestName  = 40
)

// TakeTitle takes the title of reports; "" leaves what is there.
func (s *Settings) TakeTitle(title string) error {
	if title == "" {
		return nil
	}
	s.Title = title
	return checkText(title, longestTitle)
}

// TakeNames takes the names of the baseline and of each candidate; none leaves what is there.
func (s *Settings) TakeNames(names []string) error {
	if len(names) == 0 {
		return nil
	}
	if len(names) < 2 {
		return errors.New("expected a name for the baseline and one for each candidate, as in buffered,O_DIRECT: got 1")
	}
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strings.TrimSpace(name)
		if err := checkText(out[i], longestName); err != nil {
			return fmt.Errorf("name %d: %w", i+1, err)
		}
		if slices.ContainsFunc(out[:i], func(other string) bool { return strings.EqualFold(other, out[i]) }) {
			return fmt.Errorf("two sides would be called %q: give names that differ", out[i])
		}
		if strings.EqualFold(out[i], "candidate") && i == 0 || strings.EqualFold(out[i], "baseline") && i > 0 {
			return errors.New("the baseline's name comes first: no side can be named like the other one")
		}
	}
	s.Names = out
	return nil
}

// CheckNames is the error where there are names, and not one for each of so many run sets.
func (s *Settings) CheckNames(sets int) error {
	if len(s.Names) == 0 || len(s.Names) == sets {
		return nil
	}
	return fmt.Errorf("names %s: got %d for %d run sets: give one for the baseline and one for each candidate (--names)",
		strings.Join(s.Names, ","), len(s.Names), sets)
}

// checkText says what is wrong with a text that stands on one line of a report.
func checkText(text string, longest int) error {
	unseen := func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }
	switch {
	case strings.TrimSpace(text) == "":
		return errors.New("is empty")
	case utf8.RuneCountInString(text) > longest:
		return fmt.Errorf("has more than %d characters", longest)
	case strings.ContainsFunc(text, unseen):
		return fmt.Errorf("%q holds what cannot be printed", text)
	}
	return nil
}
