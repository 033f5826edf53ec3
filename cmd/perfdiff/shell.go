package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"perfdiff/cmd/perfdiff/manual"
	"perfdiff/cmd/perfdiff/notices"
	"perfdiff/cmd/perfdiff/recipe"
	"perfdiff/render"
	"perfdiff/testdata"
)

// completionHelp is the help of perfdiff completion.
const completionHelp = `perfdiff completion prints what a shell needs to complete commands, flags and the
words that flags take.

Usage:
  perfdiff completion SHELL

Example:
  perfdiff completion bash

SHELL is bash, zsh or fish. Where the script goes: into
~/.local/share/bash-completion/completions/perfdiff (bash), as _perfdiff into a
directory of $fpath (zsh), or into
~/.config/fish/completions/perfdiff.fish (fish).
`

// manHelp is the help of perfdiff man.
const manHelp = `perfdiff man prints the man page: all that --help prints, of every command.

Usage:
  perfdiff man

Example:
  perfdiff man

Written into a file, man ./FILE shows it; in share/man/man1 it is perfdiff.1.
`

// aboutLine matches the lines of the help that say what a command does.
var aboutLine = regexp.MustCompile(`(?m)^  perfdiff ([a-z]+)\b.*?  +(\S.*)$`)

// commands are the program and its subcommands as the help tells of them, in its order.
func commands() []manual.Command {
	words := flagWords()
	out := []manual.Command{{About: "compare two sets of GPU profiles", Help: help, Words: words[""]}}
	texts := map[string]string{}
	for _, f := range out[0].Flags() {
		texts[f.Name] = f.Text
	}
	for _, m := range aboutLine.FindAllStringSubmatch(help, -1) {
		if !slices.ContainsFunc(out, func(c manual.Command) bool { return c.Name == m[1] }) {
			c := manual.Command{Name: m[1], About: m[2], Help: subHelp[m[1]], Words: words[m[1]], Texts: texts}
			if c.Name == "gate" {
				c.More = strings.Replace(help, "--history ", "", 1) // of which it has its own
			}
			out = append(out, c)
		}
	}
	return out
}

// flagWords are the words that flags take, by command and flag.
func flagWords() map[string]map[string][]string {
	load := map[string][]string{"runs": {"as-nodes", "as-repeats"}}
	compare := maps.Clone(load)
	compare["format"] = render.Names()
	pick := maps.Clone(load)
	pick["format"] = []string{"json", "text"}
	gate := maps.Clone(compare)
	gate["first"] = []string{"pass", "fail"}
	return map[string]map[string][]string{
		"": compare, "gate": gate, "summarize": load, "noise": load, "check": load, "steps": load,
		"pick": pick, "merge": {"runs": load["runs"]}, "ncu": {"format": {"text", "markdown", "json", "html"}},
		"record": {"profiler": recipe.Profilers(), "launcher": recipe.Launchers(), "only": recipe.Kinds()},
		"demo":   {"format": slices.Sorted(maps.Keys(demoFormats)), "story": testdata.Names()},
	}
}

// complete prints a completion script.
func complete(_ context.Context, args []string, stdout, stderr io.Writer) int {
	name, status := onlyArgument("completion", args, stdout, stderr)
	if name == "" {
		return status
	}
	script, ok := manual.Complete(name, commands())
	if !ok {
		return printError(stderr, fmt.Errorf("%s: no such shell is known: must be %s", name, strings.Join(manual.Shells, ", ")), "perfdiff completion --help shows where scripts go")
	}
	return printText(stdout, stderr, script)
}

// onlyArgument is the argument of a command that takes one and no flags, "" with the exit status
// where there is nothing more to do.
func onlyArgument(command string, args []string, stdout, stderr io.Writer) (string, int) {
	f := newFlags()
	help := f.BoolP("help", "h", false, "")
	err := f.Parse(args)
	switch {
	case err == nil && *help:
		return "", printText(stdout, stderr, helpOf(command))
	case err == nil && (f.NArg() != 1 || f.Arg(0) == ""):
		err = fmt.Errorf("expected one argument, got %d", f.NArg())
	}
	if err != nil {
		return "", printError(stderr, err, "perfdiff "+command+" --help shows usage and examples")
	}
	return f.Arg(0), statusOK
}

// man prints the man page.
func man(_ context.Context, args []string, stdout, stderr io.Writer) int {
	f := newFlags()
	help := f.BoolP("help", "h", false, "")
	err := f.Parse(args)
	switch {
	case err == nil && *help:
		return printText(stdout, stderr, helpOf("man"))
	case err == nil && f.NArg() > 0:
		err = errors.New("man takes no arguments")
	}
	if err != nil {
		return printError(stderr, err, "perfdiff man --help shows usage")
	}
	return printText(stdout, stderr, manual.Man(strings.TrimPrefix(version(), "perfdiff "), commands()))
}

// printLicenses prints the notices of all that is linked or carried.
func printLicenses(stdout, stderr io.Writer) int {
	text, err := notices.Text()
	if err != nil {
		return printError(stderr, fmt.Errorf("the licences in this program cannot be read: %w", err), "install perfdiff anew")
	}
	return printText(stdout, stderr, text)
}
