package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"perfdiff/analyze"
	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/diff"
	"perfdiff/render"
	"perfdiff/render/words"
)

// check compares a run set with itself, and with known changes put into it.
func check(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var sizes []float64
	c, status := begin("check", args, stdout, stderr, func(c *command) (err error) {
		if err = c.takeRules(); err == nil {
			err = c.takeReading()
		}
		if err == nil {
			err = parseGate(c, c.line.text("gate"))
		}
		if name := c.line.text("reader"); err == nil && name != "" && name != "sqlite" {
			err = fmt.Errorf("--reader %s: it must be sqlite", name)
		}
		if err == nil {
			sizes, err = injected(c.line.list("inject"))
		}
		return cmp.Or(err, takeListings(c))
	})
	if c == nil {
		return status
	}
	if c.line.text("reader") != "" {
		return checkReader(ctx, c.line.Arg(0), stdout, stderr)
	}
	c.history = c.line.list("history")
	history, err := analyze.LoadHistory(c.history, c.Load)
	if err != nil {
		return printError(stderr, err, "")
	}
	set, status := c.loadOne(ctx, c.line.Arg(0), stderr)
	if set == nil {
		return status
	}
	if set.OfResults() {
		printMessage(stderr, words.NotJudged, "what runs print has no steps to check: compare two run sets")
		return statusNotJudged
	}
	plan, err := c.planOfStore(&history)
	if err != nil {
		return printError(stderr, err, "")
	}
	c.takeSets(stderr, history)
	c.printDoubts(set, stderr)
	printWarnings(stderr, append(c.emptyHistoryWarning(history), c.waiverWarnings()...))
	r := diff.Check(set, c.Policy, diff.Options{Tool: version(), History: history}, sizes)
	if err := c.listings.write(ctx, render.CheckListing(r)); err != nil {
		return printError(stderr, err, "")
	}
	if err := render.Check(stdout, r); err != nil {
		return printedStatus(stderr, err)
	}
	if status := printText(stdout, stderr, plan); status != statusOK {
		return status
	}
	switch {
	case !r.Judged:
		return statusNotJudged
	case !r.OK():
		return statusRegressed
	}
	return statusOK
}

// planOfStore says what a gate finds in the store of --store, whose runs join the history; "" where none is given.
func (c *command) planOfStore(history *[]*analyze.Set) (string, error) {
	dir := c.line.text("store")
	if dir == "" {
		return "", nil
	}
	sets, kept, err := analyze.LoadStore(dir, policyfile.Now(), c.Load)
	if err != nil {
		return "", err
	}
	*history, c.history = append(*history, sets...), append(c.history, dir)
	return "\nA gate with this store (perfdiff gate --plan):\n" + cmp.Or(planOf(kept, sets, &c.Policy), noPlan+"\n"), nil
}

// injected reads the sizes of changes that are put in, 3% and 10% where none is given.
func injected(texts []string) (sizes []float64, err error) {
	if texts == nil {
		texts = []string{"3%", "10%"}
	}
	for _, text := range texts {
		v, err := parseFraction(text)
		if err != nil {
			return nil, fmt.Errorf("--inject %s: %w", text, err)
		}
		sizes = append(sizes, v)
	}
	return sizes, nil
}

// checkReader reads the databases of a run set both ways, and says whether they agree.
func checkReader(ctx context.Context, path string, stdout, stderr io.Writer) int {
	r, err := analyze.CompareReaders(ctx, path)
	if err != nil {
		return printError(stderr, err, "")
	}
	said, status := fmt.Sprintf("the same %s of %s in %s, whether perfdiff or SQLite reads them\n",
		countText(int(r.Rows), "row"), countText(int(r.Tables), "table"), countText(r.Files, "database")), statusOK
	if r.Left > 0 {
		said += fmt.Sprintf("%s: only SQLite reads what is in them\n", countText(int(r.Left), "table"))
	}
	switch {
	case r.Differs != "":
		said, status = fmt.Sprintf("%s: %s\n", r.File, r.Differs), statusRegressed
	case r.Files == 0:
		said, status = fmt.Sprintf("%s: no SQLite database is in it\n", path), statusNotJudged
	case r.Others > 0:
		said += fmt.Sprintf("%s of other formats, which SQLite does not read\n", countText(r.Others, "file"))
	}
	if _, err := io.WriteString(stdout, said); err != nil {
		return printedStatus(stderr, err)
	}
	return status
}
