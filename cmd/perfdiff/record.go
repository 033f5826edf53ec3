package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"perfdiff/cmd/perfdiff/recipe"
)

// recordHint is the remedy for a wrong command line of record.
const recordHint = "perfdiff record --help shows usage and examples"

// record prints how a job is recorded. It runs nothing.
func record(_ context.Context, args []string, stdout, stderr io.Writer) int {
	var asked recipe.Request
	c, status := begin("record", args, stdout, stderr, func(c *command) (err error) {
		l := c.line
		if l.yes("list") {
			return nil
		}
		if only := l.text("only"); only != "" && !slices.Contains(recipe.Kinds(), only) {
			return fmt.Errorf("--only %s: must be %s", only, strings.Join(recipe.Kinds(), ", "))
		}
		asked, err = l.recipe()
		return err
	})
	switch {
	case c == nil:
		return status
	case c.line.yes("list"):
		return printText(stdout, stderr, recordList())
	}
	only := c.line.text("only")
	parts, err := recipe.Of(asked)
	if err != nil {
		return printError(stderr, err, recordHint)
	}
	if only != "" {
		return printPart(parts, recipe.Kind(only), stdout, stderr)
	}
	if asked.First == 0 && asked.Last > 0 {
		printMessage(stderr, "warning", "step 0 is recorded: the first steps of a run warm up and are slower: leave some out, as in --steps 11-60")
	}
	text := recipe.Text(asked, parts)
	if c.line.NFlag() == 0 && c.line.NArg() == 0 {
		text += "\n# ---- for others: perfdiff record --launcher NAME --profiler NAME, and --list\n"
	}
	return printText(stdout, stderr, text)
}

// printPart prints one part of a recipe, fit to be written into a file.
func printPart(parts []recipe.Part, kind recipe.Kind, stdout, stderr io.Writer) int {
	for _, p := range parts {
		if p.Kind == kind {
			return printText(stdout, stderr, p.Text)
		}
	}
	return printError(stderr, fmt.Errorf("--only %s: only Kubernetes has one", kind), recordHint)
}

// recipe returns the request for a recipe. The remaining arguments are the program to record.
func (l *line) recipe() (recipe.Request, error) {
	asked := recipe.Default()
	asked.Launcher = l.text("launcher")
	asked.Nodes, asked.PerNode = l.count("nodes"), l.count("ranks-per-node")
	var errs [2]error
	asked.Profiler = recipe.Profiler(l.text("profiler"))
	asked.First, asked.Last, errs[0] = stretchOfSteps(l.text("steps"))
	asked.Ranks, errs[1] = ranksOfList(l.text("ranks"), asked.Nodes*asked.PerNode)
	if l.NArg() > 0 {
		asked.Command = l.Args()
	}
	return asked, cmp.Or(errs[0], errs[1], flagForgotten(l.Args(), l.ArgsLenAtDash() >= 0))
}

// flagForgotten returns the error where the program is the name of a launcher or profiler. Behind "--" it is taken for
// a program all the same.
func flagForgotten(program []string, dashed bool) error {
	if len(program) == 0 || dashed {
		return nil
	}
	for flag, names := range map[string][]string{"launcher": recipe.Launchers(), "profiler": recipe.Profilers()} {
		if slices.Contains(names, program[0]) {
			return fmt.Errorf("%s: stands where the program does: say --%s %s (a program of that name: -- %s)",
				program[0], flag, program[0], program[0])
		}
	}
	return nil
}

// stretchOfSteps reads 11-60.
func stretchOfSteps(s string) (first, last int, err error) {
	from, to, isStretch := strings.Cut(s, "-")
	first, err1 := strconv.Atoi(from)
	last, err2 := strconv.Atoi(to)
	if !isStretch || err1 != nil || err2 != nil {
		return 0, 0, fmt.Errorf("--steps %s: must be the first and the last step that are recorded, as in 11-60", s)
	}
	return first, last, nil
}

// maxListedRanks is how many ranks a script can list.
const maxListedRanks = 4096

// ranksOfList reads 0-3,8 of so many ranks; nil for "", which is all.
func ranksOfList(list string, of int) ([]int, error) {
	c := newCommand()
	if list == "" || of < 1 {
		return nil, nil
	}
	if err := c.TakeRanks(list); err != nil {
		return nil, fmt.Errorf("--ranks: %w", err)
	}
	var out []int
	for rank := range min(of, 1<<24) {
		if c.Load.Ranks(rank) {
			out = append(out, rank)
		}
	}
	switch {
	case len(out) == 0:
		return nil, fmt.Errorf("--ranks %s: the job has ranks 0 to %d (--nodes, --ranks-per-node)", list, of-1)
	case len(out) > maxListedRanks:
		return nil, errors.New("--ranks: more than 4,096 ranks cannot be listed: leave it out, which records all")
	}
	return out, nil
}

// recordList lists the recipes.
func recordList() string {
	var b strings.Builder
	b.WriteString("--profiler\n")
	for _, name := range recipe.Profilers() {
		fmt.Fprintf(&b, "  %-10s %s\n", name, recipe.Tried(name))
	}
	b.WriteString("--launcher   the number of a rank comes from\n")
	for _, name := range recipe.Launchers() {
		fmt.Fprintf(&b, "  %-10s %-21s %s\n", name, recipe.Variable(name), recipe.Tried(name))
	}
	return b.String()
}
