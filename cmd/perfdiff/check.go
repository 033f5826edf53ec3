package main

import (
	"context"
	"fmt"
	"io"

	"perfdiff/analyze"
	"perfdiff/diff"
	"perfdiff/render"
)

// check compares a run set with itself, and with known changes put into it.
func check(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c := newCommand()
	f := newFlags()
	load := loadFlags(f, c)
	inject := f.StringArray("inject", []string{"3%", "10%"}, "")
	policy := f.String("policy", "", "")
	gate := f.String("gate", "", "")
	reader := f.String("reader", "", "")
	f.StringArrayVar(&c.history, "history", nil, "")
	help := f.BoolP("help", "h", false, "")
	err := f.Parse(args)
	var sizes []float64
	switch {
	case err == nil && *help:
		return printText(stdout, stderr, helpOf("check"))
	case err == nil && f.NArg() != 1:
		err = fmt.Errorf("expected one RUNSET, got %d arguments", f.NArg())
	case err == nil && *reader != "" && *reader != "sqlite":
		err = fmt.Errorf("--reader %s: it must be sqlite", *reader)
	case err == nil:
		if err = c.Read(*policy); err == nil {
			err = load()
		}
		if err == nil {
			err = parseGate(c, *gate)
		}
		c.notePolicySource(f)
		for _, text := range *inject {
			v, wrong := parseFraction(text)
			if wrong != nil && err == nil {
				err = fmt.Errorf("--inject %s: %w", text, wrong)
			}
			sizes = append(sizes, v)
		}
	}
	if err != nil {
		return printError(stderr, err, "perfdiff check --help shows usage and examples")
	}
	if *reader != "" {
		return checkReader(ctx, f.Arg(0), stdout, stderr)
	}
	history, err := analyze.LoadHistory(c.history, c.Load)
	if err != nil {
		return printError(stderr, err, "")
	}
	set, status := c.loadOne(ctx, f.Arg(0), stderr)
	if set == nil {
		return status
	}
	c.anonymizePast(history)
	c.printDoubts(set, stderr)
	printWarnings(stderr, append(c.emptyHistoryWarning(history), c.waiverWarnings()...))
	r := diff.Check(set, c.Policy, diff.Options{Tool: version(), History: history}, sizes)
	if err := render.Check(stdout, r); err != nil {
		return printError(stderr, writeError("standard output", err), "")
	}
	switch {
	case !r.Judged:
		return statusNotJudged
	case !r.OK():
		return statusRegressed
	}
	return statusOK
}

// checkReader reads the databases of a run set both ways, and says whether they agree.
func checkReader(ctx context.Context, path string, stdout, stderr io.Writer) int {
	r, err := analyze.CompareReaders(ctx, path)
	if err != nil {
		return printError(stderr, err, "")
	}
	said, status := fmt.Sprintf("the same %s of %s in %s, whether perfdiff or SQLite reads them\n",
		count(r.Rows, "row"), count(r.Tables, "table"), count(int64(r.Files), "database")), statusOK
	if r.Left > 0 {
		said += fmt.Sprintf("%s: only SQLite reads what is in them\n", count(r.Left, "table"))
	}
	switch {
	case r.Differs != "":
		said, status = fmt.Sprintf("%s: %s\n", r.File, r.Differs), statusRegressed
	case r.Files == 0:
		said, status = fmt.Sprintf("%s: no SQLite database is in it\n", path), statusNotJudged
	case r.Others > 0:
		said += fmt.Sprintf("%s of other formats, which SQLite does not read\n", count(int64(r.Others), "file"))
	}
	if _, err := io.WriteString(stdout, said); err != nil {
		return printError(stderr, writeError("standard output", err), "")
	}
	return status
}

// count is a number of things.
func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
