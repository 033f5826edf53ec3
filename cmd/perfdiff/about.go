package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"perfdiff/diff"
	"perfdiff/render"
)

// parseNames reads the names of all sides, as in buffered,O_DIRECT.
func (c *command) parseNames(list string) error {
	if list == "" {
		return nil
	}
	return flagError("--names "+list, c.TakeNames(strings.Split(list, ",")))
}

// askedFlag is a flag that was given, with its value; plain flags have none.
type askedFlag struct {
	name, value string
	plain, path bool
}

// asked returns the flags that were given and that a report depends on, in order of name.
func (l *line) asked() (out []askedFlag) {
	l.Visit(func(x *pflag.Flag) {
		row := l.rows[x.Name]
		plain := row.takes == ""
		if !l.heard[x.Name] || plain && !l.yes(x.Name) {
			return
		}
		for _, v := range l.list(x.Name) {
			out = append(out, askedFlag{x.Name, v, plain, row.is&isInput != 0})
		}
	})
	return out
}

// about returns what reports say about how the comparison was made: its name, and what was asked, with the labels of
// the run sets instead of their paths. candidate is the number of the candidate among several, from 1.
func (c *command) about(candidate int, command string, labels ...string) diff.About {
	words := []string{command}
	for _, label := range labels {
		words = append(words, render.ShellWord(label))
	}
	for _, f := range c.asked {
		words = append(words, c.askedWords(f))
	}
	out := diff.About{Title: c.Title, Command: strings.Join(words, " ")}
	if len(c.Names) > candidate {
		out.Names = [2]string{c.Names[0], c.Names[candidate]}
	}
	return out
}

// askedWords returns a flag as it would be typed. If places are to stay unknown, the names of files, and patterns that
// match them, are left out.
func (c *command) askedWords(f askedFlag) string {
	switch {
	case f.plain:
		return "--" + f.name
	case c.anonymize && (f.path || f.name == "rank-name"):
		return "--" + f.name + " " + strings.ToUpper(f.name)
	case f.path:
		return "--" + f.name + " " + render.ShellWord(filepath.Base(filepath.Clean(f.value)))
	}
	return "--" + f.name + " " + render.ShellWord(f.value)
}
