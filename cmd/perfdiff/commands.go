package main

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"

	"perfdiff/cmd/perfdiff/manual"
	"perfdiff/cmd/perfdiff/notices"
)

// verb is a command: what the first argument of the program can name. A run set with such a name is given as
// ./demo.
type verb struct {
	name  string // "" the comparison, which is the program without a command
	args  string // what follows it, as help shows it
	about string // what it does, in a line
	least int    // how many arguments it takes at least and at most
	most  int
	wants string // the arguments that it takes, as errors name them
	run   func(ctx context.Context, args []string, stdout, stderr io.Writer) int
}

// anyNumber is the most arguments of commands that take any number.
const anyNumber = 1 << 20

// verbs lists the commands as help does.
func verbs() []verb {
	return []verb{
		{"", "[flags] BASELINE CANDIDATE...", "", 2, anyNumber, "BASELINE and CANDIDATE", compareSets},
		{"gate", "--store DIR CANDIDATE", "gate a change by the runs of main", 0, 1, "one CANDIDATE", gate},
		{"summarize", "RUNSET -o FILE", "save a run set without its profiles", 1, 1, "one RUNSET", summarize},
		{"history", "DIR", "main over time, and where it changed", 1, anyNumber, "DIR: a store, or saved summaries of past runs (perfdiff summarize)", showHistory},
		{"report", "RUNSET", "one run set alone, not compared", 1, 1,
			"one RUNSET (perfdiff BASELINE CANDIDATE compares two)", portrait},
		{"check", "RUNSET", "what a comparison would catch", 1, 1, "one RUNSET", check},
		{"steps", "RUNSET [RUNSET]", "what may mark steps, and the flag for it", 1, 2, "one RUNSET or two", steps},
		{"pick", "RUNSET [RUNSET]", "the few steps worth opening, out of many", 1, 2, "one RUNSET or two", pick},
		{"ncu", "BASELINE CANDIDATE", "compare kernels recorded by Nsight Compute", 2, 2, "BASELINE and CANDIDATE", compareKernels},
		{"plan", "RUNSET -o FILE", "divide a run set among many processes", 1, 1, "one RUNSET", plan},
		{"merge", "PARTS... -o FILE", "make one run set of what they left", 1, anyNumber,
			"PARTS, a directory of parts, as in: perfdiff merge parts/ -o run.perfdiff", mergeParts},
		{"policy", "[--policy FILE]", "print what decides", 0, 0, "no arguments", showPolicy},
		{"record", "", "print how to record a job", 0, anyNumber, "", record},
		{"demo", "DIR", "write a sample pair of run sets", 0, 1, "one argument: perfdiff demo DIR", demo},
		{"help", "metrics [NAME]", "what is measured, by which formulas", 0, anyNumber, "", nil},
		{"help", "topics", "the topics of the reference", 0, anyNumber, "", nil},
		{"completion", "SHELL", "completion for bash, zsh and fish", 1, 1, "one argument", complete},
		{"man", "", "the man page", 0, 0, "no arguments", man},
	}
}

// verbNamed returns the command with a name; false if there is none. help does not count: it shows others.
func verbNamed(name string) (verb, bool) {
	all := verbs()
	at := slices.IndexFunc(all, func(v verb) bool { return v.name == name && v.run != nil })
	if at < 0 {
		return verb{}, false
	}
	return all[at], true
}

// namesOfVerbs returns the names of all commands but the comparison, sorted.
func namesOfVerbs() (names []string) {
	for _, v := range verbs() {
		if v.name != "" && v.run != nil {
			names = append(names, v.name)
		}
	}
	slices.Sort(names)
	return names
}

// begin reads the command line of a command by the table of flags and lets check take the values. It returns nil
// with the exit status where there is nothing more to do: a text was asked for, or something is wrong.
func begin(name string, args []string, stdout, stderr io.Writer, check func(*command) error) (*command, int) {
	c, err := readLine(name, args)
	switch {
	case err == nil && c.line.yes("help"):
		return nil, printText(stdout, stderr, helpOf(name))
	case err == nil && c.line.yes("version"):
		info, _ := debug.ReadBuildInfo()
		return nil, printText(stdout, stderr, versionText(info))
	case err == nil && c.line.yes("licenses"):
		return nil, printLicenses(stdout, stderr)
	case err == nil:
		if err = c.checkLine(name); err == nil {
			err = check(c)
		}
	}
	if err != nil {
		return nil, printError(stderr, err, strings.Replace("perfdiff "+name+" --help", "  ", " ", 1)+" shows usage and examples")
	}
	return c, statusOK
}

// readLine parses the command line of a command.
func readLine(name string, args []string) (*command, error) {
	c := newCommand()
	c.line = newLine(cmp.Or(name, compared))
	c.line.SetInterspersed(name != "record") // what follows the program that is recorded is its own
	err := goneFlag(name, c.line.Parse(args))
	c.takeSwitches()
	return c, err
}

// checkLine checks how many arguments there are, and that no flag is empty that must not be.
func (c *command) checkLine(name string) error {
	v, _ := verbNamed(name)
	if n := c.line.NArg(); n < v.least || n > v.most {
		return fmt.Errorf("expected %s, got %s", v.wants, countText(n, "argument"))
	}
	return c.line.checkEmpty()
}

// helpTexts are what help pages say beside flags, by name of the command.
//
//go:embed help/*.txt
var helpTexts embed.FS

// helpOf returns what perfdiff NAME --help prints.
func helpOf(name string) string {
	c := pageOf(name)
	return c.Page()
}

// pageOf returns the help of a command, whose text stands in a file of its name.
func pageOf(name string) manual.Command {
	text, err := helpTexts.ReadFile("help/" + cmp.Or(name, "perfdiff") + ".txt")
	if err != nil {
		panic(err) // a command without a text is found by the first test that lists them
	}
	v, _ := verbNamed(name)
	out := manual.Command{Name: name, About: cmp.Or(v.about, "compare two sets of GPU profiles"), Groups: flagsOnPage(cmp.Or(name, compared))}
	out.Text = strings.Replace(string(text), "{commands}\n", listOfCommands(), 1)
	return out
}

// listOfCommands says for each command in a line what it does.
func listOfCommands() string {
	var b strings.Builder
	for _, v := range verbs()[1:] {
		fmt.Fprintf(&b, "  %-37s %s\n", strings.TrimSpace("perfdiff "+v.name+" "+v.args), v.about)
	}
	return b.String()
}

// commands returns the program and its commands for man page and completion.
func commands() []manual.Command {
	var out []manual.Command
	for _, v := range verbs() {
		switch {
		case v.run != nil:
			out = append(out, pageOf(v.name))
		case out[len(out)-1].Name != v.name:
			out = append(out, manual.Command{Name: v.name, About: v.about})
		}
	}
	return out
}

// flagsOnPage returns the flags of a command as its help shows them: first its own, then the names of those that the
// comparison has too, then what concerns the help itself.
func flagsOnPage(command string) []manual.Group {
	var own, last []manual.Group
	shared := manual.Group{Title: "As for perfdiff BASELINE CANDIDATE", NamesOnly: true}
	for _, g := range flagTable() {
		full := manual.Group{Title: g.title}
		for _, x := range g.flags {
			of := strings.Fields(cmp.Or(x.on, g.on))
			f := manual.Flag{Name: x.name, Short: x.short, Arg: x.takes, Text: strings.Join(strings.Fields(x.about), " "), Words: x.words}
			switch {
			case !slices.Contains(of, command):
			case command != compared && x.name != "help" && slices.Contains(of, compared):
				shared.Flags = append(shared.Flags, f)
			default:
				full.Flags = append(full.Flags, f)
			}
		}
		switch {
		case len(full.Flags) == 0:
		case full.Flags[0].Name == "help" || g.title == "" && full.Flags[0].Name == "quiet":
			last = append(last, full)
		default:
			own = append(own, full)
		}
	}
	if len(shared.Flags) > 0 {
		own = append(own, shared)
	}
	return append(own, last...)
}

// printLicenses prints the notices of all that is linked or included.
func printLicenses(stdout, stderr io.Writer) int {
	text, err := notices.Text()
	if err != nil {
		return printError(stderr, fmt.Errorf("the licences in this program cannot be read: %w", err), "install perfdiff anew")
	}
	return printText(stdout, stderr, text)
}
