package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"perfdiff/analyze"
	measured "perfdiff/analyze/run"
	"perfdiff/analyze/store"
	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/diff"
	"perfdiff/diff/history"
	"perfdiff/render"
	"perfdiff/render/words"
)

// decisions are the flags by which people decide about a commit of main, of which each is a kind of event too.
var decisions = []string{store.Accept, store.Exclude, store.Note}

// takeAct takes what perfdiff gate does without a candidate: it adds what somebody decided to the store, or says what
// the gate finds. It returns false where a candidate is gated.
func (g *gateCommand) takeAct() (bool, error) {
	l := g.line
	var acts []string
	for _, name := range append(slices.Clone(decisions), "plan") {
		if l.given(name) {
			acts = append(acts, "--"+name)
		}
	}
	if len(acts) == 0 {
		for _, name := range []string{"metric", "up-to", "reason", "by", "until"} {
			if l.given(name) {
				return false, fmt.Errorf("--%s is about a decision: name it with --accept, --exclude or --note", name)
			}
		}
		return false, nil
	}
	var errs []error
	if len(acts) > 1 {
		errs = append(errs, fmt.Errorf("%s: give one of them", strings.Join(acts, " ")))
	}
	if l.NArg() > 0 {
		errs = append(errs, fmt.Errorf("%s takes no CANDIDATE", acts[0]))
	}
	for _, name := range []string{"save", "record", "output"} {
		if l.given(name) {
			errs = append(errs, fmt.Errorf("%s: nothing is gated: leave --%s out", acts[0], name))
		}
	}
	if g.store == "" {
		errs = append(errs, fmt.Errorf("--store DIR is missing, as in: perfdiff gate --store perf %s", acts[0]))
	}
	if acts[0] == "--plan" {
		g.plan = true
	} else {
		errs = append(errs, g.takeDecision(strings.TrimPrefix(acts[0], "--")))
	}
	return true, errors.Join(errs...)
}

// takeDecision takes an event. Who decided and why is a must: others have to live with it.
func (g *gateCommand) takeDecision(kind string) error {
	l, now := g.line, policyfile.Now()
	v := &store.Event{Kind: kind, Commit: l.text(kind), Reason: l.text("reason"), By: l.text("by"), At: now.UTC().Truncate(time.Second), Number: 1}
	g.decision = v
	var errs []error
	if v.Reason == "" || v.By == "" {
		errs = append(errs, fmt.Errorf("--%s needs --reason TEXT and --by NAME: who decides, and why", kind))
	} else if strings.Trim(v.Reason, ".") == "" || strings.Trim(v.By, ".") == "" {
		errs = append(errs, errors.New("--reason and --by: say why, and who decides, in place of the dots"))
	}
	if kind == store.Accept {
		v.Metric = cmp.Or(l.text("metric"), measured.StepTime)
	} else if l.given("metric") || l.given("up-to") {
		errs = append(errs, fmt.Errorf("--%s is about all metrics: leave --metric and --up-to out", kind))
	}
	if text := l.text("up-to"); text != "" {
		var err error
		if v.UpTo, err = parseFraction(text); err == nil && v.UpTo <= 0 {
			err = errors.New("must be more than 0, as in 7%")
		}
		errs = append(errs, flagError("--up-to "+text, err))
	}
	if text := l.text("until"); text != "" {
		day, err := time.Parse(time.DateOnly, text)
		if err != nil {
			errs = append(errs, fmt.Errorf("--until %.20s: must be a day, as in 2027-01-31", text))
		}
		v.Until = day.AddDate(0, 0, 1).Add(-time.Second) // that day still counts
	}
	if err := v.Check(); err != nil {
		errs = append(errs, joinedErrors(err)...)
	}
	return errors.Join(errs...)
}

// decide adds a decision to the store and prints what follows from it. One from which nothing follows is not added: a
// commit may be mistyped.
func (g *gateCommand) decide(stdout, stderr io.Writer) int {
	sets, kept, err := analyze.LoadStore(g.store, policyfile.Now(), g.Load)
	if err != nil {
		return printError(stderr, err, "")
	}
	g.kept = kept
	with := eventOf(g.decision)
	counted, _ := store.Counted(kept.Events, kept.Entries, "", true)
	var said, open []string
	for _, in := range jobsIn(kept, sets, counted) {
		before := diff.LineOf(in, g.Policy)
		in.Events = append(in.Events, with)
		after := diff.LineOf(in, g.Policy)
		said = append(said, follows(&before.Job, &after.Job, &with)...)
		open = append(open, openChanges(&before.Job)...)
	}
	switch {
	case len(said) > 0:
	case !g.Policy.Force:
		return printError(stderr, errors.New(g.followsNothing(open)), "--force adds it all the same")
	default:
		said = []string{"nothing in the store yet"}
	}
	v := *g.decision
	v.Number = 0
	if v, err = store.AddEvent(g.store, v, policyfile.Now()); err != nil {
		return printError(stderr, fmt.Errorf("store: %w", err), "")
	}
	text := map[string]string{store.Accept: "accepted: ", store.Exclude: "excluded: ", store.Note: "noted: "}[v.Kind] + strings.Join(said, "; ")
	if v.Kind != store.Note {
		text += ". It counts on main at once, for pull requests from main's next run on"
	}
	_, err = fmt.Fprintln(stdout, render.Line(text+" ("+v.File+")"))
	return printedStatus(stderr, err)
}

// jobsIn returns what the store holds of each of its jobs, in the order of their first runs, with events that count.
func jobsIn(kept *store.Contents, sets []*analyze.Set, events []store.Event) (out []diff.StoreContents) {
	of, at := map[string]string{}, map[string]int{}
	for i := range kept.Entries {
		of[kept.Entries[i].Name] = kept.Entries[i].Job
	}
	for _, set := range sets {
		job := of[set.Label]
		if len(set.Runs) == 0 {
			continue
		}
		if _, ok := at[job]; !ok {
			at[job] = len(out)
			out = append(out, diff.StoreContents{Now: policyfile.Now(), Saved: savedIn(kept, ""), Events: eventsOf(events)})
		}
		out[at[job]].Sets = append(out[at[job]].Sets, set)
	}
	return out
}

// follows says what a decision changes in a job: the changes and the creep that it lets stay, or the runs of its commit.
func follows(before, after *history.Job, v *history.Event) (out []string) {
	if v.Kind != history.Accept {
		n := 0
		for i := range after.Runs {
			if after.Runs[i].From.Is(v.Commit) {
				n++
			}
		}
		if n == 0 {
			return nil
		}
		return []string{countText(n, "run") + " of " + (measured.Origin{Commit: v.Commit}).Short()}
	}
	step := false
	for i := range after.Metrics {
		m := &after.Metrics[i]
		if step && m.Metric.Name == measured.StepTimeMean {
			continue // the median and the mean are two measures of one change
		}
		for k := range m.Changes {
			if c := &m.Changes[k]; c.Accepted != nil && *c.Accepted == *v {
				out = append(out, words.MetricText(m.Metric.Name)+" "+words.Sized(m, c.Size)+" "+words.WhereChanged(after, c))
				step = step || m.Metric.Name == measured.StepTime
			}
		}
		if was := before.MetricNamed(m.Metric.Name); was != nil && was.Creep != nil && m.Creep == nil {
			out = append(out, words.MetricText(m.Metric.Name)+" "+words.Crept(before, was))
			step = step || m.Metric.Name == measured.StepTime
		}
	}
	return out
}

// openChanges lists what main became worse by and nobody accepted, with the commit to accept.
func openChanges(j *history.Job) (out []string) {
	for i := range j.Metrics {
		m := &j.Metrics[i]
		if !m.Gating || m.Metric.Name == measured.StepTimeMean {
			continue
		}
		for k := range m.Changes {
			if c := &m.Changes[k]; c.Told && c.Accepted == nil {
				out = append(out, fmt.Sprintf("%s (%s %s)", words.RunAt(j, c.At), words.MetricText(m.Metric.Name), words.LevelChange(j, m, c)))
			}
		}
		if m.Creep != nil {
			out = append(out, fmt.Sprintf("%s (%s %s)", words.RunAt(j, len(j.Runs)-1), words.MetricText(m.Metric.Name), words.Crept(j, m)))
		}
	}
	return out
}

// followsNothing is the error about a decision from which nothing follows.
func (g *gateCommand) followsNothing(open []string) string {
	v := g.decision
	if v.Kind != store.Accept {
		return fmt.Sprintf("--%s %s: no run in the store is of this commit (seven digits do)", v.Kind, v.Commit)
	}
	text := fmt.Sprintf("--accept %s: no change of %s of the store came with this commit", v.Commit, words.MetricText(v.Metric))
	if v.UpTo > 0 {
		text += ", or it is larger than --up-to " + g.line.text("up-to")
	}
	if open == nil {
		return text + "; none is open"
	}
	return text + "; open: " + strings.Join(open, "; ")
}

// eventWarnings says which decisions do not count and why, and which soon will not.
func (g *gateCommand) eventWarnings(add func(file, text string)) {
	counted, others := g.events()
	say := func(v *store.Event, text string) {
		by, file := " of "+v.By, v.File
		if g.anonymize {
			by, file = "", ""
		}
		add(file, fmt.Sprintf("the decision%s (%s %s) %s", by, v.Kind, measured.Origin{Commit: v.Commit}.Short(), text))
	}
	for i := range others {
		say(&others[i].Event, "does not count: "+others[i].Why)
	}
	for i := range counted {
		v := eventOf(&counted[i])
		last := words.Day(v.Until)
		switch expired, soon := v.Expired(policyfile.Now()); {
		case expired:
			say(&counted[i], "expired on "+last+": it does not count")
		case soon:
			say(&counted[i], "ends after "+last+": fix what it lets stay, or decide anew")
		}
	}
}
