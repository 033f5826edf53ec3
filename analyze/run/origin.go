package run

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Origin is what people say about where a run comes from, which no profile says; "" where they say nothing.
type Origin struct {
	Label  string `json:",omitempty" report:"label"`  // what they call it: "v1.2", "nightly"
	Commit string `json:",omitempty" report:"commit"` // of the code that ran, in hex
	Link   string `json:",omitempty" report:"link"`   // where more is said of it: http or https
}

// How long an origin may be, in characters: it stands in headings and file names do not
// hold it.
const (
	longestLabel = 100
	longestLink  = 500
	shortCommit  = 7  // what people still call a commit
	longCommit   = 64 // SHA-256
)

// Check returns the first fault of an origin. The runs of a summary were checked by whoever made it; see Trusted.
func (o Origin) Check() error {
	for _, err := range []error{checkLabel(o.Label), checkCommit(o.Commit), checkLink(o.Link)} {
		if err != nil {
			return err
		}
	}
	return nil
}

// Trusted returns the part of an origin that passes Check: anybody may have made a summary.
func (o Origin) Trusted() Origin {
	if checkLabel(o.Label) != nil {
		o.Label = ""
	}
	if checkCommit(o.Commit) != nil {
		o.Commit = ""
	}
	if checkLink(o.Link) != nil {
		o.Link = ""
	}
	return o
}

func checkLabel(s string) error { return checkText("label", s) }

// checkText checks a name on one line; what is the word for it.
func checkText(what, s string) error {
	unseen := func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }
	switch {
	case utf8.RuneCountInString(s) > longestLabel:
		return fmt.Errorf("%s: has more than %d characters (a name is enough, as in v1.2)", what, longestLabel)
	case strings.ContainsFunc(s, unseen):
		return fmt.Errorf("%s %q: holds what cannot be printed (a name on one line is enough, as in v1.2)", what, s)
	case s != strings.TrimSpace(s):
		return fmt.Errorf("%s %q: begins or ends with a blank", what, s)
	}
	return nil
}

func checkCommit(s string) error {
	if s == "" {
		return nil
	}
	if strings.Trim(s, "0123456789abcdefABCDEF") != "" || len(s) < shortCommit || len(s) > longCommit {
		return fmt.Errorf("commit %.80q: is no commit: give %d to %d hexadecimal digits, as git rev-parse HEAD prints them",
			s, shortCommit, longCommit)
	}
	return nil
}

func checkLink(s string) error {
	if s == "" {
		return nil
	}
	u, err := url.Parse(s)
	switch {
	case len(s) > longestLink:
		return fmt.Errorf("link: has more than %d characters", longestLink)
	case err != nil, u.Host == "", u.Scheme != "https" && u.Scheme != "http",
		strings.ContainsFunc(s, notInLinks):
		return fmt.Errorf("link %.80q: is no address of a page, as in https://example.org/builds/7", s)
	case u.User != nil: // a token of a build server, which all readers would get
		return errors.New("link: holds a user or a password, and everybody who reads the report would see it: leave it out")
	}
	return nil
}

// notInLinks reports whether a character must be escaped in an address, or ends one in
// Markdown.
func notInLinks(r rune) bool {
	return r <= ' ' || r > '~' || strings.ContainsRune("<>\"'`()[]{}|\\^", r)
}

// Short returns the commit as people write it, "" if it is not known.
func (o Origin) Short() string { return o.Commit[:min(len(o.Commit), shortCommit+2)] }

// Is reports whether tag means this origin: it is the label, or the commit or its beginning.
func (o Origin) Is(tag string) bool {
	if tag == "" {
		return false
	}
	return o.Label == tag || len(tag) >= shortCommit && o.Commit != "" &&
		strings.HasPrefix(strings.ToLower(o.Commit), strings.ToLower(tag))
}
