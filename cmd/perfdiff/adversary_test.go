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
	truths    bool     // mutations of what it is are tried, and not of how it is recorded alone
	format    string   // that it is tried in; "" every one
}

// fewJobs are those that every test run tries: with several nodes, with graphs, and
// without steps.
var fewJobs = []unchangedJob{
	{"aa", "baseline", []string{"steps: 30", "steps: 12"}, false, ""},
	{"slow-network", "baseline", []string{"ranks: 8", "ranks: 4", "steps: 24", "steps: 12"}, false, ""},
	{"graphs", "baseline", []string{"ranks: 4", "ranks: 2", "steps: 30", "steps: 12"}, false, ""},
	{"no-steps", "baseline", []string{"steps: 30", "steps: 16"}, false, ""},
	{"aa", "baseline", []string{"ranks: 4", "ranks: 2"}, true, "nsight"},
	{"host-bound", "baseline", []string{"ranks: 4", "ranks: 2"}, true, "kineto"},
}

// manyTruths are jobs of 30 steps that do not stall themselves, communicate and show their kernels.
var manyTruths = []unchangedJob{
	{"aa", "baseline", []string{"ranks: 4", "ranks: 2"}, true, ""},
	{"slow-kernel", "baseline", nil, true, ""},
	{"host-bound", "baseline", nil, true, ""},
	{"straggler-rank3", "candidate", nil, true, ""},
	{"slow-network", "baseline", []string{"steps: 24", "steps: 30"}, true, ""},
	{"pageable-copies", "candidate", nil, true, ""},
}

// allJobs are both sides of every story, one run of each.
func allJobs() (jobs []unchangedJob) {
	for _, name := range testdata.Names() {
		for _, of := range []string{"baseline", "candidate"} {
			jobs = append(jobs, unchangedJob{name, of, []string{"runs: 3\n", "runs: 1\n", "runs: 5\n", "runs: 1\n", "layout: nodes\n", ""}, false, ""})
		}
	}
	return append(jobs, manyTruths...)
}

// trial is a job, a format and a mutation, and what perfdiff said.
type trial struct {
	job      unchangedJob
	format   string
	mutation string
	answer   answer
	wrong    []string
}

// TestAdversary: two runs of an unchanged job are never judged to differ, however one of them was
// recorded, named or laid out; and of one that did change, or of which less is known, nothing is said
// that is not so, and no pass goes in silence. PERFDIFF_ADVERSARY=full tries every story and holds the
// table of all answers (make adversary); without it a few small ones are tried.
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
				if job.format != "" && job.format != format {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%s/%s", job.story, job.of, format, job.kind()), func(t *testing.T) {
					t.Parallel()
					trials := try(t, job, format, as)
					all.Lock()
					defer all.Unlock()
					all.trials = append(all.trials, trials...)
				})
			}
		}
	})
	slices.SortStableFunc(all.trials, func(a, b trial) int { return strings.Compare(a.of(), b.of()) })
	if full {
		golden.Compare(t, goldenDir, "adversary.txt", []byte(adversaryTable(all.trials)))
	}
	holdWrong(t, all.trials)
}

// kind is which mutations are tried on a job.
func (j unchangedJob) kind() string {
	if j.truths {
		return "what it is"
	}
	return "how it is recorded"
}

// of names the job of a trial.
func (x trial) of() string {
	return fmt.Sprintf("%s, %s, %s, %s", x.job.story, x.job.of, x.format, x.job.kind())
}

// try compares the two runs of a job once for each mutation.
func try(t *testing.T, job unchangedJob, format string, as synth.Format) (trials []trial) {
	base, cand := unchanged(t, job.story, job.of, as, strings.NewReplacer(job.edit...))
	world, steps := sizes(t, job)
	list := mutations(steps)
	if job.truths {
		list = truths()
	}
	for _, m := range list {
		if m.format != "" && m.format != format {
			continue
		}
		a := openSide(t, copyTree(t, base), world)
		b := openSide(t, copyTree(t, cand), world)
		if m.base != nil {
			m.base(t, a)
		}
		if m.cand != nil {
			m.cand(t, b)
		}
		x := trial{job: job, format: format, mutation: m.name, answer: compareForAnswer(t, a.dir, b.dir)}
		x.wrong = m.right.wrong(x.answer)
		for _, law := range x.answer.broken {
			x.wrong = append(x.wrong, law.String())
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

// holdWrong reports answers that are wrong to a mutation whose answers are not known to be, and a mutation
// whose answers are, and none is.
func holdWrong(t *testing.T, trials []trial) {
	t.Helper()
	wrong := map[string]bool{}
	for _, x := range trials {
		wrong[x.mutation] = wrong[x.mutation] || len(x.wrong) > 0
		if len(x.wrong) > 0 && stillWrong[x.mutation] == "" {
			t.Errorf("%s: %s: %s: exit %d, %s", x.of(), x.mutation, strings.Join(x.wrong, "; "), x.answer.status, x.answer.headline)
		}
	}
	for mutation := range stillWrong {
		if !wrong[mutation] {
			t.Errorf("%s: all answers are right now: delete it from the list of those that are not", mutation)
		}
	}
}

// adversaryTable is one line for each trial, with what is wrong on a line of its own.
func adversaryTable(trials []trial) string {
	var b strings.Builder
	b.WriteString("Two runs of one job, one of them recorded, named or laid out in another way, or changed in a known one (make adversary).\n" +
		"Goal: the answer that the test has for the change. Of a job that did not change: exit 0 or 3, no verdict but unchanged and\n" +
		"inconclusive, and nothing found to be better or worse.\n")
	last := ""
	for _, x := range trials {
		if of := x.of(); of != last {
			last = of
			fmt.Fprintf(&b, "\n%s\n", of)
		}
		fmt.Fprintf(&b, "  %-43s exit %d  %s\n", x.mutation, x.answer.status, strings.ReplaceAll(x.answer.headline, " ", " "))
		for _, wrong := range x.wrong {
			fmt.Fprintf(&b, "  %43s wrong: %s\n", "", strings.ReplaceAll(wrong, " ", " "))
		}
	}
	return b.String()
}
