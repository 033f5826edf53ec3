package steplog

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled on first use. Most jobs have no logs, and compiling the two dozen
// of this package took a quarter of the program's start.
type pattern struct {
	text     string
	once     sync.Once
	compiled *regexp.Regexp
}

// expression returns the pattern of an expression that is part of the program.
func expression(text string) *pattern { return &pattern{text: text} }

func (p *pattern) regexp() *regexp.Regexp {
	p.once.Do(func() { p.compiled = regexp.MustCompile(p.text) })
	return p.compiled
}

func (p *pattern) MatchString(s string) bool { return p.regexp().MatchString(s) }

func (p *pattern) FindStringSubmatch(s string) []string { return p.regexp().FindStringSubmatch(s) }

func (p *pattern) ReplaceAllString(s, by string) string { return p.regexp().ReplaceAllString(s, by) }
