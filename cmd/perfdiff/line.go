package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// line is a parsed command line. Its methods take the name of any command's flag: one that this command does not have
// was not given. A name that is not in the table panics.
type line struct {
	*pflag.FlagSet
	command string
	rows    map[string]flag // of this command, by name
	heard   map[string]bool // of them, whether a report depends on it
	all     map[string]bool // names of all flags of all commands
}

// newLine defines the flags of a command.
func newLine(command string) *line {
	l := &line{FlagSet: pflag.NewFlagSet("perfdiff", pflag.ContinueOnError), command: command}
	l.rows, l.heard, l.all = map[string]flag{}, map[string]bool{}, map[string]bool{}
	l.SetOutput(io.Discard) // what pflag would print by itself
	for _, g := range flagTable() {
		for _, x := range g.flags {
			l.all[x.name] = true
			if slices.Contains(strings.Fields(cmp.Or(x.on, g.on)), command) {
				l.rows[x.name], l.heard[x.name] = x, g.heard
				l.define(x)
			}
		}
	}
	return l
}

// define defines one flag as its row says.
func (l *line) define(x flag) {
	switch {
	case x.takes == "":
		l.BoolP(x.name, x.short, false, "")
	case x.kind == aList:
		l.StringArrayP(x.name, x.short, nil, "")
	case x.kind == aPlace:
		l.VarP(&onceValue{}, x.name, x.short, "")
	case x.kind == aCount:
		l.IntP(x.name, x.short, 0, "")
	case x.kind == aFraction:
		l.Float64P(x.name, x.short, 0, "")
	case x.kind == aDuration:
		l.DurationP(x.name, x.short, 0, "")
	default:
		l.StringP(x.name, x.short, "", "")
	}
	if f := l.Lookup(x.name); x.value != "" {
		if err := f.Value.Set(x.value); err != nil {
			panic(err) // the table is wrong
		}
	}
}

// flag returns a flag, nil if the command has none of this name.
func (l *line) flag(name string) *pflag.Flag {
	if !l.all[name] {
		panic("no command has a flag --" + name)
	}
	return l.Lookup(name)
}

// given reports whether a flag was given.
func (l *line) given(name string) bool {
	f := l.flag(name)
	return f != nil && f.Changed
}

// text returns the value of a flag as it was given, or the default in its row.
func (l *line) text(name string) string {
	if f := l.flag(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// yes reports whether a flag without a value is set.
func (l *line) yes(name string) bool { return l.text(name) == "true" }

// list returns all values that were given for a flag, nil if there are none.
func (l *line) list(name string) []string {
	f := l.flag(name)
	if f == nil || !f.Changed {
		return nil
	}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// count returns the value of a flag that takes an integer.
func (l *line) count(name string) (n int) {
	if l.flag(name) != nil {
		n, _ = l.GetInt(name)
	}
	return n
}

// with returns the sorted names of the given flags that have a trait.
func (l *line) with(is trait) (names []string) {
	l.Visit(func(f *pflag.Flag) {
		if l.rows[f.Name].is&is != 0 {
			names = append(names, f.Name)
		}
	})
	return names
}

// checkEmpty returns the error for a flag with an empty value that must not be empty.
func (l *line) checkEmpty() error {
	for _, name := range l.with(filled) {
		for _, v := range l.list(name) {
			if strings.TrimSpace(v) == "" {
				return fmt.Errorf(`--%s "": is empty: give it a value, or leave the flag out (is the variable set?)`, name)
			}
		}
	}
	return nil
}

// onceValue is a flag that names one output, and that is refused where it is repeated: the first
// would be forgotten.
type onceValue struct {
	to    string
	given bool
}

func (v *onceValue) String() string { return v.to }
func (v *onceValue) Type() string   { return "string" }

func (v *onceValue) Set(text string) error {
	if v.given {
		return errors.New("it is given twice, and one is written")
	}
	v.to, v.given = text, true
	return nil
}
