package policyfile

import (
	"errors"
	"fmt"
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

// adoptNames takes what a file says of how reports are called.
func (s *Settings) adoptNames(p *file, d *document) error {
	if err := d.said(s.TakeTitle(p.Title), "title", "title"); err != nil {
		return err
	}
	return d.said(s.TakeNames(p.Names), "names", "names")
}

// TakeTitle takes the title of reports; "" leaves what is there.
func (s *Settings) TakeTitle(title string) error {
	if title == "" {
		return nil
	}
	s.Title = title
	return checkText(title, longestTitle)
}

// TakeNames takes the names of baseline and candidate; none leaves what is there.
func (s *Settings) TakeNames(names []string) error {
	if len(names) == 0 {
		return nil
	}
	if len(names) != 2 {
		return fmt.Errorf("expected two names, of the baseline and of the candidate, as in buffered,O_DIRECT: got %d", len(names))
	}
	var out [2]string
	for i, name := range names {
		out[i] = strings.TrimSpace(name)
		if err := checkText(out[i], longestName); err != nil {
			return fmt.Errorf("%s name: %w", [2]string{"first", "second"}[i], err)
		}
	}
	switch {
	case strings.EqualFold(out[0], out[1]):
		return fmt.Errorf("both sides would be called %q: give two names that differ", out[0])
	case strings.EqualFold(out[0], "candidate"), strings.EqualFold(out[1], "baseline"):
		return errors.New("the baseline's name comes first: a side cannot be called like the other one")
	}
	s.Names = out
	return nil
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
