package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze"
	measured "perfdiff/analyze/run"
	"perfdiff/analyze/store"
	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/diff"
	"perfdiff/diff/history"
	"perfdiff/diff/policy"
	"perfdiff/render"
	"perfdiff/render/words"
)

// bisection is perfdiff history bisect: it says which commit is worth a run, until one made main slower, or none did.
type bisection struct {
	*command
	dir       string
	in        diff.StoreContents
	line      *history.Line
	good, bad int      // runs of main
	commits   []string // behind good, the last that of bad
}

// bisect prints the next commit to run, or what made main slower.
func bisect(ctx context.Context, c *command, stdout, stderr io.Writer) int {
	b := &bisection{command: c, dir: c.line.Arg(1)}
	err := b.open(ctx)
	if err == nil && c.line.given("add") {
		err = b.keep(ctx)
	}
	var of *history.Bisection
	if err == nil {
		of, err = b.observed(stderr)
	}
	switch {
	case ctx.Err() != nil:
		return statusInterrupted
	case err != nil:
		return printError(stderr, err, "")
	}
	text, status := b.answer(of)
	if _, err := fmt.Fprintln(stdout, render.Line(text)); err != nil {
		return printedStatus(stderr, err)
	}
	return status
}

// open reads the store, and finds the range and its commits.
func (b *bisection) open(ctx context.Context) error {
	in, err := loadHistoryStore(b.command, b.dir)
	if err != nil {
		return err
	}
	b.in = in
	b.line = diff.LineOf(b.in, policy.DefaultPolicy())
	if err := b.findEnds(); err != nil {
		return err
	}
	from, to := b.line.Runs[b.good].From.Commit, b.line.Runs[b.bad].From.Commit
	if from == "" || to == "" {
		return errors.New("the runs at the ends have no commit: name commits with --commit when runs are saved")
	}
	if b.commits, err = b.list(ctx, from, to); err == nil && len(b.commits) == 0 {
		err = fmt.Errorf("no commit lies between %s and %s", from, to)
	}
	return err
}

// findEnds finds the runs between which main became slower: those of --between, or of the newest change that is open.
func (b *bisection) findEnds() error {
	m := b.line.Job.MetricNamed(b.command.line.text("metric"))
	if m == nil {
		return fmt.Errorf("--metric %s: main has no level of it", b.command.line.text("metric"))
	}
	text := b.command.line.text("between")
	if text == "" {
		for i := len(m.Changes) - 1; i >= 0; i-- {
			if c := &m.Changes[i]; c.Told && c.Accepted == nil && c.First > 0 {
				b.good, b.bad = c.Between()
				return nil
			}
		}
		return fmt.Errorf("no change of %s is open: name a range with --between A..B", words.MetricText(m.Metric.Name))
	}
	from, to, ok := strings.Cut(text, "..")
	if !ok || from == "" || to == "" {
		return fmt.Errorf("--between %.80s: must be A..B, two commits of main or names of its runs", text)
	}
	if b.good, b.bad = b.runOf(from, true), b.runOf(to, false); b.good < 0 || b.bad < 0 {
		return fmt.Errorf("--between %.80s: no run of the store has one of these commits or names (seven digits do)", text)
	}
	if b.good >= b.bad {
		return fmt.Errorf("--between %.80s: main ran the second before the first", text)
	}
	return nil
}

// runOf returns the newest run of main, or the oldest, with a commit or a name; -1 where there is none.
func (b *bisection) runOf(tag string, newest bool) int {
	at := -1
	for i := range b.line.Runs {
		if r := &b.line.Runs[i]; r.Name == tag || r.From.Is(tag) {
			if at = i; !newest {
				break
			}
		}
	}
	return at
}

// list returns the commits behind one, up to another, the oldest first: of a file, or as git says.
func (b *bisection) list(ctx context.Context, from, to string) (commits []string, err error) {
	var text []byte
	if file := b.command.line.text("commits"); file != "" {
		text, err = os.ReadFile(file)
		err = flagError("--commits", err)
	} else {
		var said bytes.Buffer
		git := exec.CommandContext(ctx, "git", "rev-list", "--reverse", "--first-parent", from+".."+to)
		git.Stderr = &said
		if text, err = git.Output(); err != nil {
			first, _, _ := strings.Cut(said.String(), "\n")
			err = fmt.Errorf("git rev-list %s..%s: %w: %s (run it in a clone with both commits, or list them with --commits FILE)", from, to, err, first)
		}
	}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 0 {
			commits = append(commits, words[0])
		}
	}
	if first := commitPlace(commits, from); first > 0 {
		commits = commits[first:]
	}
	last := commitPlace(commits, to)
	if err == nil && len(commits) > 0 && last == 0 {
		err = fmt.Errorf("%s is not among the commits", to)
	}
	return commits[:last], err
}

// commitPlace returns the place of a commit in a list, from 1 on; 0 where it is not there. Either may be shortened.
func commitPlace(commits []string, commit string) int {
	return 1 + slices.IndexFunc(commits, func(c string) bool {
		return measured.Origin{Commit: c}.Is(commit) || measured.Origin{Commit: commit}.Is(c)
	})
}

// keep saves a run of a commit beside the store.
func (b *bisection) keep(ctx context.Context) error {
	commit := b.command.line.text("commit")
	if commitPlace(b.commits, commit) == 0 {
		return fmt.Errorf("--commit %s: is none of the %d commits between", commit, len(b.commits))
	}
	set, err := analyze.Load(ctx, b.command.line.text("add"), b.Load)
	if err != nil {
		return fmt.Errorf("--add: %w", err)
	}
	setOrigin(set, analyze.Origin{Commit: commit})
	switch unlike := b.in.Unlike(set); {
	case unlike != nil:
		return fmt.Errorf("--add: %s", words.Unlike(unlike))
	case !set.RunsKnown() || !hasSteps(set):
		return errors.New("--add: no step was measured, or it is not known what the runs are")
	}
	_, err = store.Save(filepath.Join(b.dir, store.BisectDir), set, store.Saving{Now: policyfile.Now()})
	return err
}

// observed takes all runs of the commits between: those of main, and those that were added.
func (b *bisection) observed(stderr io.Writer) (*history.Bisection, error) {
	of, err := b.line.Bisect(b.command.line.text("metric"), b.good, b.bad, len(b.commits))
	if err != nil {
		return nil, err
	}
	for i := b.good + 1; i < b.bad; i++ {
		if k := commitPlace(b.commits, b.line.Runs[i].From.Commit); k > 0 {
			of.OfMain(k, i)
		}
	}
	added, _, err := analyze.LoadStore(filepath.Join(b.dir, store.BisectDir), policyfile.Now(), b.Load)
	if err != nil {
		return nil, err
	}
	for _, set := range added {
		k := 0
		if len(set.Runs) > 0 {
			k = commitPlace(b.commits, set.Runs[0].Origin.Commit)
		}
		if unlike := b.in.Unlike(set); unlike != nil {
			printMessage(stderr, "warning", set.Label+": is left out: "+words.Unlike(unlike))
		} else if k > 0 {
			of.Take(k, set)
		}
	}
	return of, nil
}

// answer says what to run next, or how the bisection ended, in a line whose first word is for scripts: run, found, none
// or stop.
func (b *bisection) answer(of *history.Bisection) (text string, status int) {
	s := of.Next()
	taken := countText(s.Used, "run") + " taken"
	name := func(k int) string { return b.commits[k-1] }
	size := func(k int) string {
		m := b.line.Job.MetricNamed(b.command.line.text("metric"))
		return words.MetricText(m.Metric.Name) + " " + words.Sized(m, of.Size(k))
	}
	share := func(v float64) string { return words.Percent(v, 0) }
	switch {
	case s.End == history.NotYet:
		why := "it parts what is left best"
		if s.Commit == len(b.commits) && s.None > 0.3 {
			why = "whether there is a change at all is open"
		}
		return fmt.Sprintf("run %s (commit %d of %d: %s; none made it with %s, the likeliest with %s; %s)", name(s.Commit), s.Commit,
			len(b.commits), why, share(s.None), share(s.Chance), taken), statusOK
	case s.Commit > 0:
		return fmt.Sprintf("found %s (%s, with %s; %s)", name(s.Commit), size(s.Commit), share(s.Chance), taken), statusRegressed
	case s.End == history.NoneDid:
		return fmt.Sprintf("none (with %s no commit of %d made it slower; %s)", share(s.None), len(b.commits), taken), statusNotJudged
	}
	var left []string
	none := ""
	for _, k := range s.Set {
		if k == 0 {
			none = ", or none did"
			continue
		}
		left = append(left, name(k))
	}
	return fmt.Sprintf("stop %s (one of these with %s%s; %s)", strings.Join(left, " "), share(0.9), none, taken), statusNotJudged
}
