// Package manual makes what shells and man read of the help texts: completions for bash, zsh and
// fish, and a man page. The help is the one source, so that neither can tell of a flag that is not
// there.
package manual

import (
	"regexp"
	"slices"
	"strings"
)

// Command is the program itself, or one of its subcommands.
type Command struct {
	Name  string              // "" the program itself
	About string              // what it does, in some words
	Help  string              // what --help prints
	More  string              // help of another command, all of whose flags it takes too; "" none
	Words map[string][]string // what flags take that take one of some words, by name of the flag
	Texts map[string]string   // of flags that the help names without saying what they are, by name
}

// Flag is a flag as a help text tells of it.
type Flag struct {
	Name  string   // without dashes
	Short string   // one letter; "" none
	Arg   string   // what it takes, as in FILE; "" nothing
	Text  string   // in one line
	Words []string // what it takes, where that is one of some words
}

var (
	flagLine  = regexp.MustCompile(`^ {2,6}((?:-[a-z], )?--[a-z].*)$`)
	flagNames = regexp.MustCompile(`^(?:-([a-z]), )?--([a-z][a-z-]*)(?: ([A-Za-z][A-Za-z|]*))?(,? *)`)
)

// textColumn is from which column on a help text's lines go on with what a flag is.
const textColumn = 20

// Flags are those that the help tells of, in its order, each once: the first time counts where one
// is told of twice.
func (c *Command) Flags() []Flag {
	var out []Flag
	open := 0 // flags that the lines after theirs tell of
	for line := range strings.Lines(c.Help + "\n" + c.More) {
		line = strings.TrimRight(line, "\n")
		if m := flagLine.FindStringSubmatch(line); m != nil {
			from := len(out)
			out = c.appendFlags(out, m[1])
			open = len(out) - from
			continue
		}
		text := strings.TrimLeft(line, " ")
		if text == "" || len(line)-len(text) < textColumn {
			open = 0
		}
		for i := range open {
			f := &out[len(out)-1-i]
			f.Text = strings.TrimSpace(f.Text + " " + text)
		}
	}
	for i := range out {
		if out[i].Text == "" {
			out[i].Text = c.Texts[out[i].Name]
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(out, func(f Flag) bool {
		twice := seen[f.Name]
		seen[f.Name] = true
		return twice
	})
}

// appendFlags reads "-o, --output FILE      write a report", and "--ranks LIST, --rank-name RE".
func (c *Command) appendFlags(out []Flag, line string) []Flag {
	from := len(out)
	for {
		m := flagNames.FindStringSubmatch(line)
		if m == nil {
			break
		}
		out = append(out, Flag{Short: m[1], Name: m[2], Arg: m[3], Words: c.Words[m[2]]})
		line = line[len(m[0]):]
		if !strings.HasPrefix(m[4], ",") {
			break
		}
	}
	for i := range out[from:] {
		out[from+i].Text = strings.TrimSpace(line)
	}
	return out
}

// brief is the first part of a text, for a list: up to its first semicolon, bracket or sentence.
func brief(text string) string {
	for _, end := range []string{"; ", " (", ": ", ". "} {
		text, _, _ = strings.Cut(text, end)
	}
	return strings.TrimRight(text, ",;:")
}

// takesFile reports whether a flag takes a file or a directory.
func (f *Flag) takesFile() bool {
	switch f.Arg {
	case "FILE", "DIR", "PATH":
		return true
	}
	return false
}
