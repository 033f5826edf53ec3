package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/golden"
	"perfdiff/testdata"
)

// unchangedJob is a story of whose sides both do what one of them does.
type unchangedJob struct {
	story, of string
	edit      []string // of the story's text, to make it small
}

// fewJobs are those that every test run tries: with several nodes, with graphs, and
// without steps.
var fewJobs = []unchangedJob{
	{"aa", "baseline", []string{"steps: 30", "steps: 12"}},
	{"slow-network", "baseline", []string{"ranks: 8", "ranks: 4", "steps: 24", "steps: 12"}},
	{"graphs", "baseline", []string{"ranks: 4", "ranks: 2", "steps: 30", "steps: 12"}},
	{"no-steps", "baseline", []string{"steps: 30", "steps: 16"}},
}

// allJobs are both sides of every story, one run of each.
func allJobs() (jobs []unchangedJob) {
	for _, name := range testdata.Names() {
		for _, of := range []string{"baseline", "candidate"} {
			jobs = append(jobs, unchangedJob{name, of, []string{"runs: 3\n", "runs: 1\n", "runs: 5\n", "runs: 1\n", "layout: nodes\n", ""}})
		}
	}
	return jobs
}

// trial is a job, a format and a mutation, and what perfdiff said.
type trial struct {
	job      unchangedJob
	format   string
	mutation string
	answer   answer
}

// TestAdversary: two runs of an unchanged job are never judged to differ, however one
// of them was recorded, named or laid out. PERFDIFF_ADVERSARY=full tries every story
// and holds the table of all answers (make adversary); without it a few small ones are
// tried.
func TestAdversary(t *testing.T) {
	jobs, full := fewJobs, os.Getenv("PERFDIFF_ADVERSARY") == "full"
	if full {
		jobs = allJobs()
	}
	var all struct {
		sync.Mutex
		trials []trial
	}
	t.Run("jobs", func(t *testing.T) {
		for _, job := range jobs {
			for format, as := range map[string]synth.Format{"nsight": synth.Nsight, "kineto": synth.Kineto} {
				t.Run(fmt.Sprintf("%s/%s/%s", job.story, job.of, format), func(t *testing.T) {
					t.Parallel()
					trials := try(t, job, format, as)
					all.Lock()
					defer all.Unlock()
					all.trials = append(all.trials, trials...)
				})
			}
		}
	})
	if full {
		slices.SortStableFunc(all.trials, func(a, b trial) int {
			return strings.Compare(a.job.story+" "+a.job.of+" "+a.format, b.job.story+" "+b.job.of+" "+b.format)
		})
		golden.Compare(t, goldenDir, "adversary.txt", []byte(adversaryTable(all.trials)))
	}
}

// try compares the two runs of a job once for each mutation.
func try(t *testing.T, job unchangedJob, format string, as synth.Format) (trials []trial) {
	base, cand := unchanged(t, job.story, job.of, as, strings.NewReplacer(job.edit...))
	world, steps := sizes(t, job)
	for _, m := range mutations(steps) {
		a := openSide(t, copyTree(t, base), world)
		b := openSide(t, copyTree(t, cand), world)
		if m.base != nil {
			m.base(t, a)
		}
		if m.cand != nil {
			m.cand(t, b)
		}
		x := trial{job, format, m.name, compareForAnswer(t, a.dir, b.dir)}
		if wrong := x.wrong(); wrong != "" {
			t.Errorf("%s: %s: exit %d, %s", m.name, wrong, x.answer.status, x.answer.headline)
		}
		trials = append(trials, x)
		os.RemoveAll(filepath.Dir(a.dir))
		os.RemoveAll(filepath.Dir(b.dir))
	}
	return trials
}

var sizeInStory = regexp.MustCompile(`(?m)^(ranks|steps): (\d+)`)

// sizes are the ranks and steps of a job.
func sizes(t *testing.T, job unchangedJob) (ranks, steps int) {
	text, err := testdata.Story(job.story)
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]int{}
	for _, m := range sizeInStory.FindAllStringSubmatch(strings.NewReplacer(job.edit...).Replace(string(text)), -1) {
		of[m[1]], _ = strconv.Atoi(m[2])
	}
	return max(1, of["ranks"]), of["steps"]
}

// wrong says what must not be said of an unchanged job; "" if nothing was.
func (x trial) wrong() string {
	a := x.answer
	switch changes := a.changes(); {
	case a.status != statusOK && a.status != statusNotJudged:
		return "it does not pass"
	case a.verdict == "improved" || a.verdict == "regressed":
		return "it is judged to be " + a.verdict
	case len(changes) > 0:
		return fmt.Sprintf("%d findings, the first is %s: %s", len(changes), changes[0].Class, changes[0].Text)
	}
	return ""
}

// adversaryTable is one line for each trial, with what is wrong on a line of its own.
func adversaryTable(trials []trial) string {
	var b strings.Builder
	b.WriteString("Two runs of one job that did not change, one of them recorded, named or laid out in another way (make adversary).\n" +
		"Goal: exit 0 or 3, no verdict but unchanged and inconclusive, and nothing found to be better or worse.\n")
	last := ""
	for _, x := range trials {
		if of := fmt.Sprintf("%s, %s, %s", x.job.story, x.job.of, x.format); of != last {
			last = of
			fmt.Fprintf(&b, "\n%s\n", of)
		}
		fmt.Fprintf(&b, "  %-43s exit %d  %s\n", x.mutation, x.answer.status, strings.ReplaceAll(x.answer.headline, " ", " "))
		if wrong := x.wrong(); wrong != "" {
			fmt.Fprintf(&b, "  %43s wrong: %s\n", "", strings.ReplaceAll(wrong, " ", " "))
		}
	}
	return b.String()
}
