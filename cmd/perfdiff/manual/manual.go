// Package manual makes what people, shells and man read of commands and their flags: help pages, a man page, and
// completions for bash, zsh and fish.
package manual

import (
	"fmt"
	"strings"
)

// Command is the program itself, or one of its subcommands.
type Command struct {
	Name   string // "" the program itself
	About  string // what it does, in some words
	Text   string // its help page, with a line "{flags}" where its flags stand; "" it has no page of its own
	Groups []Group
}

// Group is a stretch of flags on a help page.
type Group struct {
	Title     string // "" none
	NamesOnly bool   // another page says what they are
	Flags     []Flag
}

// Flag is a flag of a command.
type Flag struct {
	Name  string   // without dashes
	Short string   // one letter; "" none
	Arg   string   // what it takes, as in FILE; "" nothing
	Text  string   // what it is, in one line
	Words []string // what it takes, where that is one of some words
}

// Flags returns all flags of the command, in the order of its page.
func (c *Command) Flags() (out []Flag) {
	for _, g := range c.Groups {
		out = append(out, g.Flags...)
	}
	return out
}

// The column at which the description of a flag begins on help pages, and the width of lines.
const (
	textColumn = 25
	lastColumn = 83
)

// flagsHere stands in a page's text for the flags.
const flagsHere = "{flags}\n"

// Page returns what --help prints.
func (c *Command) Page() string {
	var b strings.Builder
	for i, g := range c.Groups {
		if i > 0 && g.Title != "" {
			b.WriteByte('\n')
		}
		if g.Title != "" {
			b.WriteString(g.Title + ":\n")
		}
		if g.NamesOnly {
			writeFolded(&b, "      ", 6, g.names())
			continue
		}
		for _, f := range g.Flags {
			head := fmt.Sprintf("  %-*s", textColumn-3, f.spelled())
			if len(head) >= textColumn {
				head += "\n" + strings.Repeat(" ", textColumn-1)
			}
			writeFolded(&b, head+" ", textColumn, strings.Fields(f.Text))
		}
	}
	return strings.Replace(c.Text, flagsHere, b.String(), 1)
}

// spelled returns the flag as it is typed, with its value: "-o, --output FILE".
func (f *Flag) spelled() string {
	out := "    --" + f.Name
	if f.Short != "" {
		out = "-" + f.Short + ", --" + f.Name
	}
	return strings.TrimRight(out+" "+f.Arg, " ")
}

// names returns the flags of a group as they are typed, with commas after all but the last.
func (g *Group) names() (names []string) {
	for _, f := range g.Flags {
		names = append(names, strings.TrimSpace(f.spelled())+",")
	}
	last := len(names) - 1
	names[last] = strings.TrimSuffix(names[last], ",")
	return names
}

// writeFolded writes words after head in lines that begin at a column.
func writeFolded(b *strings.Builder, head string, column int, words []string) {
	at := column
	b.WriteString(head)
	for i, word := range words {
		n := len([]rune(word))
		switch {
		case i == 0:
		case at+1+n > lastColumn:
			b.WriteString("\n" + strings.Repeat(" ", column))
			at = column
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	b.WriteByte('\n')
}

// brief returns the first part of a text, for a list: up to its first semicolon, bracket or sentence.
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
