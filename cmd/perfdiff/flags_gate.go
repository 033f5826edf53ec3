package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"perfdiff/analyze"
	"perfdiff/analyze/store"
	"perfdiff/diff"
)

// gateCommand is a parsed command line of perfdiff gate.
type gateCommand struct {
	*command
	store            string
	record           []string // command that records one run; nil: the candidate is there
	emptyStorePasses bool     // exit 0 if the store holds no run
	save             bool
	keep             time.Duration // for which all runs stay in the store; 0: for ever
	kept             *store.Contents
	from             *analyze.Origin
	branch           string       // of main; "" nobody said
	decision         *store.Event // is added to the store in place of gating a candidate; nil: none
	plan             bool         // the gate says what it finds, in place of gating

	report *diff.Report // of the comparison; nil: there was none
}

// takeGate takes the command line of perfdiff gate and checks all of it before any file is read.
func takeGate(c *command) (*gateCommand, error) {
	l := c.line
	g := &gateCommand{command: c, store: l.text("store"), save: l.yes("save"), from: l.origin(), branch: l.text("branch")}
	g.cand = l.Arg(0)
	if err := g.takeVerdict(); err != nil {
		return nil, err
	}
	if err := errors.Join(g.refuseLogs(), g.CheckNames(2)); err != nil {
		return nil, err
	}
	if acts, err := g.takeAct(); acts || err != nil {
		return g, err
	}
	if l.NArg() == 0 {
		return nil, errors.New("expected one CANDIDATE, got 0 arguments")
	}
	g.record = strings.Fields(l.text("record"))
	return g, errors.Join(checkOrigin(g.from), g.parseFirst(l.text("first")), g.parseKeep(l.text("keep")),
		g.checkStore(), g.checkRecord(), l.checkOutputs([]string{g.cand}, nil))
}

// refuseLogs returns an error if logs are given with a store: a store keeps no logs of its runs to compare them with.
func (g *gateCommand) refuseLogs() error {
	for i, flag := range []string{"--baseline-logs", "--candidate-logs"} {
		if g.logs[i] != "" {
			return fmt.Errorf("%s: the runs of a store have no logs beside them: gate logs by a store of their own "+
				"(perfdiff gate --store DIR LOGS), or compare two run sets with their logs "+
				"(perfdiff BASELINE CANDIDATE --baseline-logs LOGS --candidate-logs LOGS)", flag)
		}
	}
	return nil
}

func (g *gateCommand) parseFirst(text string) error {
	if g.emptyStorePasses = text == "pass"; !g.emptyStorePasses && text != "fail" {
		return fmt.Errorf("--first %s: must be pass or fail: what happens while the store holds no run", text)
	}
	return nil
}

// leastKeep is the shortest time for which all runs may be kept: some are needed that are four weeks old. With less
// than store.KeepAll those of sixteen weeks ago are thinned.
const leastKeep = 30 * 24 * time.Hour

// parseKeep reads for how long all runs stay in the store.
func (g *gateCommand) parseKeep(text string) error {
	days, err := strconv.Atoi(strings.TrimSuffix(text, "d"))
	switch g.keep = time.Duration(days) * 24 * time.Hour; {
	case text == "0":
	case err != nil || !strings.HasSuffix(text, "d") || days < 0 || days > maxKeep:
		return fmt.Errorf("--keep %.20s: must be a time in days, as in 120d: for so long all runs stay; 0: for ever", text)
	case g.keep < leastKeep:
		return fmt.Errorf("--keep %s: is too short: main is held to what it was four weeks ago and before (--keep %.0fd or more, "+
			"or 0 for all)", text, leastKeep.Hours()/24)
	}
	return nil
}

// maxKeep bounds a time in days: a hundred years.
const maxKeep = 36_525

// checkStore checks, before anything is read, that the store is there and that a run can be
// saved in it.
func (g *gateCommand) checkStore() error {
	if g.store == "" {
		return errors.New("--store DIR is missing: name the directory that holds the runs of main, " +
			"as in: perfdiff gate --store perf candidate/")
	}
	store, err := filepath.Abs(g.store)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	cand, err := filepath.Abs(g.cand)
	if err != nil {
		return fmt.Errorf("candidate: %w", err)
	}
	switch {
	case isWithin(cand, store):
		return fmt.Errorf("candidate: %s: lies in the store: what is judged and what it is judged by must be apart",
			filepath.Base(g.cand))
	case isWithin(store, cand):
		return fmt.Errorf("store: %s: lies in the candidate's directory, whose files are all read as profiles: "+
			"keep it elsewhere", filepath.Base(g.store))
	case g.save:
		return g.makeStore()
	}
	return nil
}

// isWithin reports whether a path is the directory dir or inside it.
func isWithin(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
