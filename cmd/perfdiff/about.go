package main

import (
	"path/filepath"
	"slices"
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

// unheardFlags are flags on which nothing in a report depends, but how it is called, which it
// says elsewhere: the same inputs give the same bytes, whatever these are.
var unheardFlags = []string{
	"output", "format", "write-up", "csv", "sqlite", "perfetto", "brief", "quiet", "anonymize", "jobs", "max-memory", "cache", "no-cache", "timeout", "strict",
	"title", "names", "label", "commit", "link", "markdown", "save", "keep", "record", "first",
}

// pathFlags are flags whose values are paths, of which reports say the last part only.
var pathFlags = []string{"history", "baseline-logs", "candidate-logs", "policy", "store", "ncu"}

// askedFlags are the flags that were given and that a report depends on, in order of name.
func askedFlags(f *pflag.FlagSet) (out []askedFlag) {
	f.Visit(func(x *pflag.Flag) {
		plain := x.NoOptDefVal == "true"
		if slices.Contains(unheardFlags, x.Name) || plain && x.Value.String() != "true" {
			return
		}
		values := []string{x.Value.String()}
		if list, ok := x.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, v := range values {
			out = append(out, askedFlag{x.Name, v, plain, slices.Contains(pathFlags, x.Name)})
		}
	})
	return out
}

// about is what reports say of the comparison: how it is called, and what was asked, with the
// labels of the run sets in place of their paths; of the candidate with that place among all, from 1.
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

// askedWords is a flag as it would be typed. Where names of places are to stay unknown, those
// of files, and what matches them, are not in it.
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
