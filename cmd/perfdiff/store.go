package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze"
	"perfdiff/analyze/store"
	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/diff"
	"perfdiff/diff/history"
	"perfdiff/render"
	"perfdiff/render/words"
)

// gate compares a candidate with the runs of a store, and saves it there if asked.
func gate(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var g *gateCommand
	c, status := begin("gate", args, stdout, stderr, func(c *command) (err error) { g, err = takeGate(c); return err })
	if c == nil {
		return status
	}
	switch {
	case g.decision != nil:
		return g.decide(stdout, stderr)
	case g.plan:
		return g.planStore(stdout, stderr)
	}
	if jobs := g.jobs(); jobs != nil {
		return g.gateJobs(ctx, jobs, stdout, stderr)
	}
	return g.run(ctx, stdout, stderr)
}

// run gates one job.
func (g *gateCommand) run(ctx context.Context, stdout, stderr io.Writer) int {
	sets, kept, err := analyze.LoadStore(g.store, policyfile.Now(), g.Load)
	if err == nil && g.Load.Strict {
		err = kept.Strict()
	}
	if err != nil {
		return printError(stderr, err, "")
	}
	g.kept, sets = kept, ofBranch(sets, kept, g.branch)
	g.Load.Past = analyze.MarkersOf(sets)
	before := g.loadPool()
	for runs := firstRuns(len(before)); ; runs = decidingRuns - len(before) {
		if status := g.recordRuns(ctx, runs, stderr); status != statusOK {
			return status
		}
		own, status := g.candidate(ctx, sets, stderr)
		if own == nil {
			return status
		}
		cand, earlier := diff.Pool(own, before)
		store := diff.NewStore(g.label(), cand, g.contents(sets), g.Policy)
		report := g.compare(cand, sets, store)
		if report != nil && report.Gate.State == diff.GateMoreRuns && len(g.record) > 0 && runs+earlier < decidingRuns {
			printMessage(stderr, "more runs", "it looks slower: two more runs are recorded, and three decide")
			continue
		}
		g.keepPool(own, stderr)
		g.report = report
		return g.finishGate(ctx, cand, store, report, stdout, stderr)
	}
}

// finishGate writes the outputs, saves the candidate and returns the exit status.
func (g *gateCommand) finishGate(
	ctx context.Context, cand *analyze.Set, store *diff.Store, report *diff.Report, stdout, stderr io.Writer,
) (status int) {
	if report == nil {
		status = g.reportEmptyStore(cand, store, stdout, stderr)
	} else {
		status = g.finish(ctx, report, stdout, stderr)
	}
	if g.save && status != statusError && status != statusInterrupted {
		if err := g.saveRun(cand, store, stderr); err != nil {
			return printError(stderr, err, "")
		}
	}
	return status
}

// contents is what the store holds, as a candidate is held to it.
func (g *gateCommand) contents(sets []*analyze.Set) diff.StoreContents {
	counted, _ := g.events()
	events := eventsOf(counted)
	for i := range events {
		if g.anonymize {
			events[i].By, events[i].Reason = "", ""
		}
	}
	return diff.StoreContents{
		Sets: sets, Now: policyfile.Now(), Main: g.save, Saved: savedIn(g.kept, g.branch), Events: events,
		Dir: pastedStore([]string{g.store}, g.anonymize),
	}
}

// events divides the events of the store: those that count, and the others.
func (g *gateCommand) events() ([]store.Event, []store.Uncounted) {
	return store.Counted(g.kept.Events, g.kept.Entries, g.from.Commit, g.save)
}

// eventsOf are events as a history takes them.
func eventsOf(events []store.Event) (out []history.Event) {
	for i := range events {
		out = append(out, eventOf(&events[i]))
	}
	return out
}

// eventOf is an event as a history takes it.
func eventOf(v *store.Event) history.Event {
	out := history.Event{Kind: v.Kind, Commit: v.Commit, Metric: v.Metric, UpTo: v.UpTo, Reason: v.Reason, By: v.By, At: v.At.UnixNano()}
	if !v.Until.IsZero() {
		out.Until = v.Until.UnixNano()
	}
	return out
}

// label returns the store's label in reports.
func (g *gateCommand) label() string {
	if g.anonymize {
		return "baseline"
	}
	return filepath.Base(filepath.Clean(g.store))
}

// candidate loads the candidate and sets its origin. If that fails it prints the error and
// returns nil with the exit status.
func (g *gateCommand) candidate(ctx context.Context, sets []*analyze.Set, stderr io.Writer) (*analyze.Set, int) {
	cand, err := loadNamed(ctx, g.command, g.cand, "candidate", stderr)
	if err != nil || ctx.Err() != nil {
		return nil, failed(ctx, flagError("candidate", err), "", stderr)
	}
	setOrigin(cand, *g.from)
	g.takeSets(stderr, sets, analyze.Named{Label: "candidate", Set: cand})
	return cand, statusOK
}

// compare compares the candidate with the store; nil if the store holds nothing to compare
// with, or is damaged.
func (g *gateCommand) compare(cand *analyze.Set, sets []*analyze.Set, store *diff.Store) *diff.Report {
	if store.Base == nil || g.kept.Damage() != nil {
		return nil
	}
	return diff.CompareStore(cand, store, g.Policy, diff.Options{Tool: version(), About: g.about(1, "perfdiff gate", cand.Label), Warnings: g.warnings(sets, store)})
}

// warnings lists what is wrong with the store: unreadable files in it, the candidate itself in it, and files
// that a pull request can edit.
func (g *gateCommand) warnings(sets []*analyze.Set, store *diff.Store) []diff.Warning {
	var out []diff.Warning
	add := func(file, text string) {
		w := diff.Warning{Count: 1}
		w.File, w.Text = file, text
		out = append(out, w)
	}
	if n := filesInGit(g.store, g.cand); n > 0 {
		add(g.label(), fmt.Sprintf("the store is part of the tree that is checked out (%s of it), where a "+
			"pull request can edit what it is judged by: keep it in a cache, an artifact or a checkout of its own",
			countText(n, "file")))
	}
	if text := unreadPolicy(g.line); text != "" {
		add(policyfile.Name, text)
	}
	for _, set := range sets {
		if len(set.Runs) == 0 && len(set.Files) == 1 && set.Files[0].Err != "" {
			add(set.Files[0].Name, "left out of the store: "+set.Files[0].Err)
		}
	}
	for _, f := range slices.Concat(g.kept.Damaged, g.kept.Warnings) {
		if g.anonymize {
			f.File = ""
		}
		add(f.File, f.Text())
	}
	g.eventWarnings(add)
	if store.CandidateRuns != nil {
		add("", "the candidate is in the store already, as "+words.InStore(store)+": it is compared with the runs before it")
	}
	return out
}

// reportEmptyStore says that there is no run to compare with. That passes only if the user asked for it and the store
// is empty. It does not pass for a store whose runs cannot be used, which was not just begun, nor for one that holds
// only the candidate: a pipeline that always measures the same stale runs would be green for ever.
func (g *gateCommand) reportEmptyStore(cand *analyze.Set, store *diff.Store, stdout, stderr io.Writer) int {
	empty, status := len(store.Line.Runs) == 0, statusNotJudged
	what, hint := words.NotJudged, "keep a run of main first, on main: perfdiff gate --store DIR --save CANDIDATE; "+
		"--first pass lets candidates through until then"
	why := "no run is in the store " + g.label() + " yet: nothing was compared"
	switch damage := g.kept.Damage(); {
	case damage != nil:
		for _, f := range damage.Damaged {
			printMessage(stderr, "damaged", f.String())
		}
		why = damage.Error()
		hint = "perfdiff history verify names what is damaged: remove it, or copy the store again"
	case store.OnlyCandidate():
		why = "the store " + g.label() + " holds the candidate alone, as " + words.InStore(store) + ": nothing was compared"
		hint = "record the candidate anew, or keep another run of main: a run is not compared with itself, and --first pass is for a store without runs"
	case empty && g.save:
		hint = "its run is kept, and the next one is compared with it; --first pass says that this is meant"
	case !empty:
		why = "no run in the store " + g.label() + " can be compared with: " + words.Unlike(store.NoMatch)
		hint = "keep a run of main like the candidate, on main: perfdiff gate --store DIR --save CANDIDATE; " +
			"remove what is damaged"
	}
	if empty && g.emptyStorePasses {
		what, hint, status = "first run", "", statusOK
		if why += "; merge this, and main's own run is what the next change is compared with"; g.save {
			why = "this is main's first run in the store " + g.label() + ": the next change is compared with it"
		}
	}
	if err := g.writeNothing(cand, what, why, status != statusOK, stdout); err != nil {
		return printError(stderr, err, "")
	}
	if g.quiet {
		printMessage(stderr, what, why)
	}
	if hint != "" {
		printMessage(stderr, "hint", hint)
	}
	return status
}

// writeNothing writes the outputs for a run without a comparison; the page shows the candidate alone.
func (g *gateCommand) writeNothing(cand *analyze.Set, what, why string, failed bool, stdout io.Writer) error {
	if err := announceNothing(what, why, failed, stdout); err != nil {
		return err
	}
	outputs := g.outputs
	if !g.quiet && !g.reportOnStdout() {
		outputs = append(outputs, output{"-", render.Text})
	}
	for _, o := range outputs {
		var b strings.Builder
		written, err := render.Nothing(&b, o.format, what, why, failed)
		if o.format == render.HTML {
			said := diff.Warning{Count: 1}
			said.Text = strings.ToUpper(what) + ": " + why
			p := diff.Describe(cand, g.Policy, diff.Options{Tool: version(), Warnings: []diff.Warning{said}})
			written, err = true, render.WritePortrait(&b, p, render.HTML, render.Options{})
		}
		if err != nil || !written {
			continue
		}
		write := func(w io.Writer) error { _, err := io.WriteString(w, b.String()); return err }
		if err := o.put(context.Background(), stdout, plainly(write)); err != nil {
			return err
		}
	}
	return nil
}
