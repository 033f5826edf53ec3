package manual

import (
	"fmt"
	"strings"
)

// Shells lists the shells that Complete knows.
var Shells = []string{"bash", "zsh", "fish"}

// Complete returns a script that completes the program's commands, flags and their words in a shell;
// false for a shell that it does not know. The first command is the program itself.
func Complete(shell string, all []Command) (script string, ok bool) {
	switch shell {
	case "bash":
		return bash(all), true
	case "zsh":
		return zsh(all), true
	case "fish":
		return fish(all), true
	}
	return "", false
}

// bash completes words by the words before them. Where a file is wanted it leaves the word to the shell, which knows
// files best.
func bash(all []Command) string {
	var b strings.Builder
	b.WriteString("# completion of perfdiff for bash: source this, or put it where bash-completion looks\n" +
		"_perfdiff() {\n\tlocal cur=\"${COMP_WORDS[COMP_CWORD]}\" prev=\"${COMP_WORDS[COMP_CWORD-1]}\" words=\"\"\n\tCOMPREPLY=()\n" +
		"\tcase \"${COMP_WORDS[1]}\" in\n")
	for _, c := range append(append([]Command{}, all[1:]...), all[0]) {
		pattern := c.Name
		if pattern == "" {
			pattern = "*"
		}
		fmt.Fprintf(&b, "\t%s)\n\t\tcase \"$prev\" in\n", pattern)
		var names, free []string // flags, and those of them that take anything
		for _, f := range c.Flags() {
			spelled := "--" + f.Name
			if names = append(names, spelled); f.Short != "" {
				spelled = "-" + f.Short + "|" + spelled
			}
			switch {
			case len(f.Words) > 0:
				fmt.Fprintf(&b, "\t\t%s) words=%s ;;\n", spelled, quote(strings.Join(f.Words, " ")))
			case f.Arg != "":
				free = append(free, spelled)
			}
		}
		if len(free) > 0 {
			fmt.Fprintf(&b, "\t\t%s) return ;;\n", strings.Join(free, "|"))
		}
		fmt.Fprintf(&b, "\t\t*) words=%s ;;\n\t\tesac ;;\n", quote(strings.Join(append(names, c.words(all)...), " ")))
	}
	b.WriteString("\tesac\n\tif [ \"$COMP_CWORD\" -eq 1 ] && [ \"${cur#-}\" = \"$cur\" ]; then words=")
	b.WriteString(quote(strings.Join(commandNames(all), " ")))
	b.WriteString("; fi\n\tCOMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -o default -F _perfdiff perfdiff\n")
	return b.String()
}

// words returns what a command takes instead of files.
func (c *Command) words(all []Command) []string {
	switch c.Name {
	case "completion":
		return Shells
	case "help":
		return commandNames(all)
	}
	return nil
}

func commandNames(all []Command) (names []string) {
	for _, c := range all[1:] {
		names = append(names, c.Name)
	}
	return names
}

// zsh completes with a description of each flag and command.
func zsh(all []Command) string {
	var b strings.Builder
	b.WriteString("#compdef perfdiff\n# completion of perfdiff for zsh: put this as _perfdiff into a directory of $fpath\n" +
		"_perfdiff() {\n\tlocal -a commands\n\tcommands=(\n")
	for _, c := range all[1:] {
		fmt.Fprintf(&b, "\t\t%s\n", quote(c.Name+":"+strings.ReplaceAll(c.About, ":", `\:`)))
	}
	b.WriteString("\t)\n\tcase \"$words[2]\" in\n")
	for _, c := range append(append([]Command{}, all[1:]...), all[0]) {
		first := ""
		if c.Name == "" {
			c.Name, first = "*", " '1: :_perfdiff_first'"
		} else {
			fmt.Fprintf(&b, "\t%s)\n\t\tshift words; (( CURRENT-- ))\n", c.Name)
		}
		if c.Name == "*" {
			b.WriteString("\t*)\n")
		}
		fmt.Fprintf(&b, "\t\t_arguments -s%s", first)
		for _, f := range c.Flags() {
			b.WriteString(" \\\n\t\t\t" + f.zsh())
		}
		if words := c.words(all); len(words) > 0 {
			fmt.Fprintf(&b, " \\\n\t\t\t%s", quote("1: :("+strings.Join(words, " ")+")"))
		}
		b.WriteString(" \\\n\t\t\t'*:run set:_files' ;;\n")
	}
	b.WriteString("\tesac\n}\n_perfdiff_first() { _describe -t commands command commands; _files }\n_perfdiff \"$@\"\n")
	return b.String()
}

// zsh returns the flag as _arguments reads it.
func (f *Flag) zsh() string {
	takes, repeats := "", "*"
	switch {
	case len(f.Words) > 0:
		takes = ":" + f.Arg + ":(" + strings.Join(f.Words, " ") + ")"
	case f.takesFile():
		takes = ":" + f.Arg + ":_files"
	case f.Arg != "":
		takes = ":" + f.Arg + ": "
	default:
		repeats = ""
	}
	text := strings.NewReplacer("[", "(", "]", ")", ":", `\:`).Replace(brief(f.Text))
	if takes != "" {
		takes = "=" + "[" + text + "]" + takes
	} else {
		takes = "[" + text + "]"
	}
	return quote(repeats + "--" + f.Name + takes)
}

// fish completes with a description of each flag and command.
func fish(all []Command) string {
	var b strings.Builder
	b.WriteString("# completion of perfdiff for fish: put this into ~/.config/fish/completions/perfdiff.fish\n")
	names := strings.Join(commandNames(all), " ")
	for _, c := range all[1:] {
		fmt.Fprintf(&b, "complete -c perfdiff -n __fish_is_first_arg -a %s -d %s\n", c.Name, quote(c.About))
	}
	for _, c := range all {
		when := "not __fish_seen_subcommand_from " + names
		if c.Name != "" {
			when = "__fish_seen_subcommand_from " + c.Name
		}
		for _, f := range c.Flags() {
			fmt.Fprintf(&b, "complete -c perfdiff -n %s -l %s", quote(when), f.Name)
			if f.Short != "" {
				b.WriteString(" -s " + f.Short)
			}
			switch {
			case len(f.Words) > 0:
				b.WriteString(" -x -a " + quote(strings.Join(f.Words, " ")))
			case f.takesFile():
				b.WriteString(" -r")
			case f.Arg != "":
				b.WriteString(" -x")
			}
			if text := brief(f.Text); text != "" {
				b.WriteString(" -d " + quote(text))
			}
			b.WriteByte('\n')
		}
		if words := c.words(all); len(words) > 0 {
			fmt.Fprintf(&b, "complete -c perfdiff -n %s -x -a %s\n", quote(when), quote(strings.Join(words, " ")))
		}
	}
	return b.String()
}

// quote returns a text as one word of a shell.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
