package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	measured "perfdiff/analyze/run"
	"perfdiff/diff/history"
	"perfdiff/render"
	"perfdiff/render/words"
)

// showHistory says what the runs of main show over time.
func showHistory(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, status := begin("history", args, stdout, stderr, takeHistory)
	if c == nil {
		return status
	}
	switch c.line.Arg(0) {
	case "verify":
		return verifyStore(c.line.Arg(1), stdout, stderr)
	case "bisect":
		return bisect(ctx, c, stdout, stderr)
	}
	jobs, err := loadJobs(c, stderr)
	if err != nil {
		return printError(stderr, err, "")
	}
	h := &render.Jobs{All: jobs, Metric: c.line.text("metric"), Store: pastedStore(c.line.Args(), c.anonymize),
		Tool: version()}
	if err := checkMetric(h, c.line.given("metric")); err != nil {
		return printError(stderr, err, "")
	}
	if c.anonymize {
		history.Anonymize(jobs)
	}
	if err := writeHistory(ctx, c, h, stdout); err != nil {
		return printError(stderr, err, "")
	}
	return historyStatus(c, h, stderr)
}

// historyFiles are the flags that write a history for other programs, and how.
var historyFiles = []struct {
	flag  string
	write func(h *render.Jobs, w io.Writer) error
}{
	{"json", (*render.Jobs).JSON}, {"csv", (*render.Jobs).CSV}, {"openmetrics", (*render.Jobs).OpenMetrics},
}

// takeHistory checks, before anything is read, that all outputs can be written.
func takeHistory(c *command) error {
	l, onStdout := c.line, 0
	if act := l.Arg(0); act == "verify" || act == "bisect" {
		return takeHistoryAct(l, act)
	}
	var errs []error
	for _, name := range bisectFlags {
		if l.given(name) {
			errs = append(errs, fmt.Errorf("--%s is for perfdiff history bisect STORE", name))
		}
	}
	for _, path := range l.list("output") {
		switch format, err := render.FormatOf(path); {
		case path == "-":
			errs = append(errs, errors.New("-o -: the text is printed anyway: name a page, as in -o history.html"))
		case isSite(path):
			errs = append(errs, checkDirectory("-o", path))
		case err != nil || format != render.HTML && format != render.Text:
			errs = append(errs, fmt.Errorf("%s: a history is written as .html or .txt, or into a directory (site/)",
				path))
		default:
			errs = append(errs, checkWritable(path))
		}
	}
	for _, x := range historyFiles {
		if path := l.text(x.flag); path == "-" {
			onStdout++
		} else if path != "" {
			errs = append(errs, flagError("--"+x.flag, checkWritable(path)))
		}
	}
	if onStdout > 1 {
		errs = append(errs,
			errors.New("standard output takes one of --json, --csv and --openmetrics: name files for the others"))
	}
	if path := l.text("sqlite"); path == "-" {
		errs = append(errs, errors.New("--sqlite -: a database is no text for standard output: name a file"))
	} else if path != "" {
		errs = append(errs, flagError("--sqlite", checkWritable(path)))
	}
	if f := l.text("fail-on"); f != "" && f != "level" {
		errs = append(errs, fmt.Errorf("--fail-on %s: a history fails on level", f))
	}
	return errors.Join(append(errs, l.checkOutputs(nil, l.Args()))...)
}

// isSite reports whether an output is a directory, there or by its name.
func isSite(path string) bool {
	if strings.HasSuffix(path, "/") || strings.HasSuffix(path, string(filepath.Separator)) {
		return true
	}
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}

// pastedStore returns the store as commands to paste name it. What leads to it from the root of a machine is nobody
// else's, and may be private.
func pastedStore(paths []string, anonymous bool) string {
	if anonymous || len(paths) != 1 {
		return ""
	}
	dir := filepath.Clean(paths[0])
	if filepath.IsAbs(dir) {
		dir = filepath.Base(dir)
	}
	return render.ShellWord(dir)
}

// checkMetric returns an error where jobs have metrics and none has the one that was asked for; of the default one it
// takes the first of them instead.
func checkMetric(h *render.Jobs, given bool) error {
	var names []string
	for k := range h.All {
		if h.All[k].MetricNamed(h.Metric) != nil {
			return nil
		}
		for _, name := range h.All[k].Names() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if names == nil {
		return nil
	}
	if !given { // what runs print has no step time
		h.Metric = names[0]
		return nil
	}
	return fmt.Errorf("--metric %s: no such metric; there are %s", h.Metric, strings.Join(names, ", "))
}

// writeHistory writes all outputs, each whole, and prints the text unless one of them is printed.
func writeHistory(ctx context.Context, c *command, h *render.Jobs, stdout io.Writer) error {
	for _, path := range c.line.list("output") {
		if err := writeHistoryPage(ctx, path, h); err != nil {
			return err
		}
	}
	if path := c.line.text("sqlite"); path != "" {
		if err := replaceByPath(path, func(path string) error { return h.SQLite(ctx, path) }); err != nil {
			return err
		}
	}
	printed := false
	for _, x := range historyFiles {
		o := output{c.line.text(x.flag), render.JSON}
		if o.path == "" {
			continue
		}
		printed = printed || o.path == "-"
		if err := o.put(ctx, stdout, plainly(func(w io.Writer) error { return x.write(h, w) })); err != nil {
			return err
		}
	}
	if printed {
		return nil
	}
	return writeError(standardOutput, h.Text(stdout, textOptions(stdout)))
}

// writeHistoryPage writes a page, a text or the files of a site.
func writeHistoryPage(ctx context.Context, path string, h *render.Jobs) error {
	if !isSite(path) {
		write := h.Page
		if format, err := render.FormatOf(path); err == nil && format == render.Text {
			write = func(w io.Writer) error { return h.Text(w, render.Options{}) }
		}
		return replaceFile(path, unlessInterrupted(ctx, write))
	}
	if err := makeDirectory("-o", path); err != nil {
		return err
	}
	for _, f := range h.Site() {
		if err := replaceFile(filepath.Join(path, f.Name), unlessInterrupted(ctx, f.Write)); err != nil {
			return err
		}
	}
	return nil
}

// historyStatus returns the exit status: 3 where there is no run with a value, and with --fail-on level 1 where the
// newest change of a job was told of, for the worse, and nobody accepted it.
func historyStatus(c *command, h *render.Jobs, stderr io.Writer) int {
	status, some := statusOK, false
	for k := range h.All {
		j := &h.All[k]
		for i := range j.Metrics {
			m := &j.Metrics[i]
			some = some || m.Now() != nil
			n := len(m.Changes)
			if c.line.text("fail-on") != "level" || !m.Gating {
				continue
			}
			if m.Creep != nil {
				status = statusRegressed
				printMessage(stderr, "regressed", strings.TrimPrefix(j.Name+": ", ": ")+words.MetricText(m.Metric.Name)+" "+words.Crept(j, m))
			}
			if n == 0 || !m.Changes[n-1].Told || m.Changes[n-1].Accepted != nil {
				continue
			}
			status = statusRegressed
			printMessage(stderr, "regressed",
				strings.TrimPrefix(j.Name+": ", ": ")+words.MetricText(m.Metric.Name)+" "+words.LevelChange(j, m, &m.Changes[n-1]))
		}
	}
	if !some {
		printMessage(stderr, words.NotJudged, "no run has a level yet")
		return statusNotJudged
	}
	return status
}

// bisectFlags are the flags of perfdiff history bisect beside --metric.
var bisectFlags = []string{"between", "add", "commit", "commits"}

// takeHistoryAct checks the command line of perfdiff history verify and bisect.
func takeHistoryAct(l *line, act string) error {
	var errs []error
	if l.NArg() != 2 {
		errs = append(errs, fmt.Errorf("expected one STORE, as in: perfdiff history %s perf/", act))
	}
	allowed := append([]string{"metric"}, bisectFlags...)
	if act == "verify" {
		allowed = nil
	}
	l.Visit(func(f *pflag.Flag) {
		if !slices.Contains(allowed, f.Name) {
			errs = append(errs, fmt.Errorf("perfdiff history %s has no --%s", act, f.Name))
		}
	})
	if l.given("add") != l.given("commit") {
		errs = append(errs, errors.New("--add RUNSET and --commit SHA go together: a run is of a commit"))
	}
	return errors.Join(append(errs, (&measured.Origin{Commit: l.text("commit")}).Check())...)
}
