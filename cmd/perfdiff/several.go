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

	"perfdiff/analyze"
	"perfdiff/diff"
	"perfdiff/render"
	"perfdiff/render/words"
)

// maxCandidates is how many candidates one baseline may have. Chosen, not measured: each takes its share of one error
// rate.
const maxCandidates = 16

// checkSeveral checks the arguments besides a baseline and more than one candidate, before any file is read.
func (c *command) checkSeveral(paths []string) error {
	if len(c.more) == 0 {
		return nil
	}
	if err := filesOfTwo(paths); err != nil {
		return err
	}
	if n := len(paths) - 1; n > maxCandidates {
		return fmt.Errorf("expected BASELINE and at most %d candidates, got %d: the more there are, the less is certain of each "+
			"(compare fewer, or each by itself)", maxCandidates, n)
	}
	return errors.Join(sameTwice(paths), c.refuseOfPair(), c.checkPages())
}

// filesOfTwo returns an error if the arguments are the files of two directories, as a shell writes base/* cand/*.
func filesOfTwo(paths []string) error {
	var dirs []string
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			return nil // reading says what is wrong with it
		}
		if dir := filepath.Dir(path); !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) != 2 {
		return nil
	}
	return fmt.Errorf("%d files of two directories were given: a run set is a directory, or one file "+
		"(give the directories: perfdiff %s %s)", len(paths), dirs[0], dirs[1])
}

// sameTwice returns the error for a run set that is given twice.
func sameTwice(paths []string) error {
	seen := map[string]bool{}
	for _, path := range paths {
		at, err := filepath.EvalSymlinks(path)
		if err != nil {
			continue // reading says what is wrong with it
		}
		if at, err = filepath.Abs(at); err == nil && seen[at] {
			return fmt.Errorf("%s: is given twice: name each run set once, the baseline first", path)
		}
		seen[at] = true
	}
	return nil
}

// refuseOfPair returns an error if a flag is about one pair of sides.
func (c *command) refuseOfPair() error {
	refuse := func(what string) error {
		return fmt.Errorf("%s, and there are %d (compare each with the baseline by itself)", what, len(c.more)+1)
	}
	for i, flag := range []string{"--baseline-logs", "--candidate-logs"} {
		if c.logs[i] != "" {
			return refuse(flag + ": is for one candidate, of which it holds the runs without the profiler")
		}
	}
	if c.kernelFiles != "" {
		return refuse("--ncu: is about one candidate")
	}
	for _, o := range c.outputs {
		if o.format == render.SVG {
			return refuse(o.path + ": is the picture of one candidate")
		}
	}
	if c.writeUpDir != "" {
		return refuse("--write-up " + c.writeUpDir + ": is about one candidate")
	}
	for _, x := range c.data.given() {
		return refuse(x[0] + " " + x[1] + ": is of one candidate")
	}
	return nil
}

// checkPages checks that the page of each candidate can be written next to the page of all.
func (c *command) checkPages() error {
	for _, o := range c.outputs {
		if o.format != render.HTML || o.path == "-" {
			continue
		}
		for i := range len(c.more) + 1 {
			page := pageOfCandidate(o.path, i)
			if slices.ContainsFunc(c.outputs, func(o output) bool { return filepath.Clean(o.path) == filepath.Clean(page) }) {
				return fmt.Errorf("%s: is where the page of candidate %d is written: name another file", page, i+1)
			}
			if err := checkWritable(page); err != nil {
				return err
			}
		}
	}
	return nil
}

// pageOfCandidate returns the path of one candidate's page, next to the page of all: report-1.html.
func pageOfCandidate(path string, i int) string {
	ext := filepath.Ext(path)
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(path, ext), i+1, ext)
}

// compareSeveral loads a baseline and several candidates, and compares each with the baseline.
func compareSeveral(ctx context.Context, c *command, stderr io.Writer) (*diff.Several, error) {
	history, err := analyze.LoadHistory(c.history, c.Load)
	if err != nil {
		return nil, err
	}
	c.Load.Past = analyze.MarkersOf(history)
	sets, err := c.loadSeveral(ctx, stderr)
	if err != nil {
		return nil, err
	}
	if len(c.Names) == 0 {
		tellApart(append([]string{c.base, c.cand}, c.more...), sets)
	}
	if err := diff.CheckSeveral(sets[0], sets[1:], len(c.Names) > 0); err != nil {
		return nil, err
	}
	named := []analyze.Named{{Label: "baseline", Set: sets[0]}}
	for i, set := range sets[1:] {
		named = append(named, analyze.Named{Label: fmt.Sprintf("candidate-%d", i+1), Set: set})
	}
	c.takeSets(stderr, history, named...)
	warnings := append(c.emptyHistoryWarning(history), c.waiverWarnings()...)
	var labels []string
	for _, set := range sets {
		labels = append(labels, set.Label)
	}
	slices.Sort(labels[1:]) // the order of candidates changes nothing in a report
	bases, options := make([]*analyze.Set, len(sets)-1), make([]diff.Options, len(sets)-1)
	for i, cand := range sets[1:] {
		bases[i], options[i] = diff.Beside(sets[0], cand, c.Policy, diff.Options{Tool: version(), About: c.about(i+1, "perfdiff", labels...),
			History: history, Warnings: slices.Clone(warnings)})
	}
	return diff.CompareSeveral(sets[1:], c.Policy, bases, options), nil
}

// loadSeveral loads all sides with a progress bar for each, the baseline first.
func (c *command) loadSeveral(ctx context.Context, stderr io.Writer) ([]*analyze.Set, error) {
	bars := newProgress(stderr, c.quiet)
	defer bars.stop()
	sides := []analyze.Side{{Name: "baseline", Path: c.base, Progress: bars.side("baseline")}}
	for i, path := range append([]string{c.cand}, c.more...) {
		name := fmt.Sprintf("candidate %d", i+1)
		sides = append(sides, analyze.Side{Name: name, Path: path, Progress: bars.side(name)})
	}
	return analyze.LoadSeveral(ctx, sides, c.Load)
}

// finishSeveral writes the outputs of a report on several candidates and returns the exit status.
func (c *command) finishSeveral(ctx context.Context, s *diff.Several, stdout, stderr io.Writer) int {
	if err := c.writeSeveral(ctx, s, stdout); err != nil {
		return unwritten(err, stderr)
	}
	status := c.statusOf(s.State)
	if c.quiet {
		c.printPolicyLine(stderr)
		for _, r := range s.Candidates {
			printWarnings(stderr, r.Warnings)
			if c.statusOf(r.Gate.State) != statusOK {
				printMessage(stderr, string(r.Gate.State), strings.TrimSpace(words.Called(r, 1)+": "+words.Headline(&r.Headline)+" "+words.GateLine(r)))
			}
		}
	}
	return status
}

// writeSeveral writes the outputs, each whole or not at all, and the summary.
func (c *command) writeSeveral(ctx context.Context, s *diff.Several, stdout io.Writer) error {
	for _, o := range c.outputs {
		if err := o.writeSeveral(ctx, s, stdout); err != nil {
			return err
		}
	}
	write := func(w io.Writer, format render.Format, opt render.Options) error {
		return render.WriteSeveral(w, s, format, opt)
	}
	annotate := func(w io.Writer) error { return render.AnnotationsOfSeveral(w, s) }
	if err := announce(stdout, c.reportOnStdout(), annotate, write); err != nil {
		return err
	}
	if c.quiet || c.reportOnStdout() {
		return nil
	}
	return printSummary(stdout, c.pageName(), write)
}

// writeSeveral writes one output; if it is a page, also the candidates' own pages, to which it links.
func (o output) writeSeveral(ctx context.Context, s *diff.Several, stdout io.Writer) error {
	var pages []string
	if o.format == render.HTML && o.path != "-" {
		for i, r := range s.Candidates {
			page := output{pageOfCandidate(o.path, s.Given[i]), render.HTML}
			if err := page.write(ctx, r, render.Options{}); err != nil {
				return err
			}
			pages = append(pages, filepath.Base(page.path))
		}
	}
	return o.put(ctx, stdout, func(w io.Writer, format render.Format, opt render.Options) error {
		opt.Pages = pages
		return render.WriteSeveral(w, s, format, opt)
	})
}
