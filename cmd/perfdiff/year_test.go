package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"perfdiff/analyze"
	"perfdiff/analyze/store"
	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/golden"
)

// merge is one change of a project that comes to its gate.
type merge struct {
	number  int
	planted string  // what is in it; "" nothing
	change  float64 // by how much steps take longer from here on
	node    float64 // by how much those of the first run of its pull request take longer, and of no other
	odd     float64 // likewise of its first run on main
	driver  string  // of the machine, from here on
	fails   bool    // it is slower, and its pull request has to fail: it is mended and not merged
	forced  bool    // it is slower, and merged all the same: main has to fail
	accept  bool    // it is slower, and people accept that before it is merged
}

// year is 60 merges of a project whose runs differ by 1 %: two regressions that a gate stops and one that is merged all
// the same, nine changes that each cost too little to be seen, nodes that are slow once, a driver that lowers clocks, and
// a regression that people want.
func year() []merge {
	merges := make([]merge, 60)
	for i := range merges {
		merges[i].number = i + 1
		if i >= 31 && i < 49 && i%2 == 1 {
			merges[i].planted, merges[i].change = "creep, +0.4 %", .004
		}
	}
	for _, m := range []merge{
		{number: 12, planted: "regression of 6 %", change: .06, fails: true},
		{number: 18, planted: "bad node, +8 % in one run of the pull request", node: .08},
		{number: 21, planted: "bad node, +10 % in one run of main", odd: .10},
		{number: 24, planted: "regression of 12 %", change: .12, fails: true},
		{number: 30, planted: "regression of 4 %, merged all the same", change: .04, forced: true},
		{number: 50, planted: "+6 % for safety, accepted", change: .06, accept: true},
		{number: 57, planted: "new driver, clocks 5 % lower", change: .05, driver: "560.35"},
	} {
		merges[m.number-1] = m
	}
	return merges
}

// mainline is what a project keeps between merges.
type mainline struct {
	*testing.T
	dir    string
	seen   *template
	seed   int     // of its year
	level  float64 // of the step time of main, 1 at the start
	driver string
	day    int
	runs   int // that were recorded
	newest int // commit of main
}

func (p *mainline) store() string { return filepath.Join(p.dir, "perf") }

func (p *mainline) commit(number int) string { return fmt.Sprintf("%07x", 0xc000000+number) }

// call runs a command. That of a wrong use fails the test.
func (p *mainline) call(args ...string) (status int, stdout string) {
	p.Helper()
	var out, errs bytes.Buffer
	if status = run(context.Background(), args, &out, &errs); status == statusError {
		p.Fatalf("%v: %s", args, errs.String())
	}
	return status, out.String()
}

// policy writes the project's: runs with another driver say nothing about the code.
func (p *mainline) policy() string {
	path := filepath.Join(p.dir, "policy.yaml")
	writeFile(p.T, path, "require_equal: [driver]\n")
	return path
}

// record writes a run of a commit into a directory.
func (p *mainline) record(dir string, number int, level float64) {
	p.Helper()
	p.runs++
	set := p.seen.capture(p.seed, number, p.runs, level, p.driver)
	for i := range set.Runs[0].Ranks {
		set.Runs[0].Ranks[i].Began = policyfile.Now().UnixNano() - 3600e9
	}
	text, err := analyze.Summary(set)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("run-%04d.perfdiff", p.runs)), text, 0o600)
	}
	if err != nil {
		p.Fatal(err)
	}
}

// gate runs the gate of a commit.
func (p *mainline) gate(dir string, number int, more ...string) (status int, said string) {
	p.Helper()
	return p.call(append([]string{"gate", "--store", p.store(), dir, "--policy", p.policy(), "--commit", p.commit(number)}, more...)...)
}

// main gates a commit on main, each of its runs for itself while the gate asks for another one. It returns the exit
// statuses, and what the last gate prints.
func (p *mainline) main(number int, odd float64, more ...string) (statuses []int, said string) {
	p.Helper()
	p.newest = number
	for {
		dir := p.TempDir()
		p.record(dir, number, p.level*(1+odd))
		status, said := p.gate(dir, number, append(more, "--save")...)
		if statuses = append(statuses, status); status != statusMoreRuns || len(statuses) == mostGated {
			return statuses, said
		}
		odd = 0
	}
}

// pull gates a pull request, with two more runs where the gate asks for them, and where it asks for one of main's newest
// commit, after that. It returns the exit statuses, and what the last gate prints.
func (p *mainline) pull(number int, level, odd float64) (statuses []int, said string) {
	p.Helper()
	dir := p.TempDir()
	p.record(dir, number, level*(1+odd))
	for {
		status, said := p.gate(dir, number, "--escalate")
		if statuses = append(statuses, status); status != statusMoreRuns || len(statuses) == mostGated {
			return statuses, said
		}
		if len(statuses) == 1 {
			p.record(dir, number, level)
			p.record(dir, number, level)
		} else {
			p.main(p.newest, 0)
		}
	}
}

// mostGated bounds how often one commit is gated.
const mostGated = 4

// gateLines are the first line that is printed, and what the gate says beside it.
func gateLines(out string) (text string) {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	text = strings.TrimSpace(lines[0])
	for i, line := range lines {
		if strings.Contains(line, "Gate: ") || strings.Contains(line, "Also failing: ") {
			for _, more := range lines[i:] {
				if more = strings.TrimSpace(more); more == "" || strings.HasPrefix(more, "policy: ") {
					break
				}
				text += "\n        " + more
			}
			break
		}
	}
	return text
}

// yearTally is what a year's gate did.
type yearTally struct {
	pulls, alarms   int // pull requests that change nothing, and those of them that failed
	mains, mainFail int // likewise of main
	missed          int // regressions that were not found
	creep           int // times that main failed by what crept

	open  int  // the regression that was merged and that main did not fail by yet; 0 none
	crept bool // main is slower by what crept
}

// yearsPlayed is how many years are played: what chance does to one of them it does not to all.
const yearsPlayed = 2

// TestGoldenYear: what the gate says of every merge of a year, on its pull request and on main, is golden, and what it
// did over several.
func TestGoldenYear(t *testing.T) {
	defer func() { policyfile.Now = time.Now }()
	template := newTemplate(t)
	b := &strings.Builder{}
	b.WriteString("A year of a project: 60 merges, each gated as a pull request (perfdiff gate --store perf --escalate) and then on main\n" +
		"(perfdiff gate --store perf --save), again with more runs while that exits 4: of what is gated, or of main's newest\n" +
		"commit. Runs of one job differ by 1 %. Of what passes the exit status alone is shown.\n\n")
	var all yearTally
	for i := range yearsPlayed {
		y, text := play(t, template, i+1)
		if i == 0 {
			b.WriteString(text)
			if y.alarms+y.mainFail+y.missed > 0 {
				t.Errorf("got %+v: want no false alarm and nothing missed in the year that is shown", y)
			}
		}
		all = yearTally{pulls: all.pulls + y.pulls, alarms: all.alarms + y.alarms, mains: all.mains + y.mains, mainFail: all.mainFail + y.mainFail,
			missed: all.missed + y.missed, creep: all.creep + y.creep}
	}
	fmt.Fprintf(b, "\n%d such years: %d of %d pull requests that change nothing failed, %d of %d mains for nothing;\n"+
		"%d of %d regressions failed, and mains %d times by what crept.\n",
		yearsPlayed, all.alarms, all.pulls, all.mainFail, all.mains, 3*yearsPlayed-all.missed, 3*yearsPlayed, all.creep)
	if all.alarms*100 > 2*all.pulls || all.mainFail > 2 || all.missed > 0 {
		t.Errorf("got %+v", all)
	}
	golden.Compare(t, goldenDir, "year.txt", []byte(strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(b.String())))
}

// play plays a year and writes what its gates say.
func play(t *testing.T, seen *template, seed int) (y yearTally, text string) {
	p := &mainline{T: t, dir: t.TempDir(), seen: seen, seed: seed, level: 1, driver: "550.54"}
	first := time.Date(2030, 1, 7, 8, 0, 0, 0, time.UTC)
	policyfile.Now = func() time.Time { return first.AddDate(0, 0, p.day) }
	for i := range 8 { // of the year before
		p.day++
		p.main(-8+i, 0, "--first", "pass")
	}
	b := &strings.Builder{}
	for _, m := range year() {
		p.day++
		p.merge(&m, &y, b)
	}
	_, out := p.call("history", p.store())
	fmt.Fprintf(b, "\nmain is %.1f %% slower than a year ago. perfdiff history perf:\n\n%s", 100*(p.level-1), shortDigests.ReplaceAllString(out, "-…"))
	return y, b.String()
}

// shortDigests are the ends of names of runs in a store.
var shortDigests = regexp.MustCompile(`-[0-9a-f]{12}\b`)

// merge gates a merge, on its pull request and, unless that fails, on main.
func (p *mainline) merge(m *merge, y *yearTally, b *strings.Builder) {
	if m.driver != "" {
		p.driver = m.driver
	}
	level := p.level * (1 + m.change)
	statuses, said := p.pull(m.number, level, m.node)
	failed := y.pull(m, statuses)
	fmt.Fprintf(b, "%2d  %-46s pull request exit %-15s", m.number, m.planted, then(statuses))
	if m.fails { // it is mended
		fmt.Fprintf(b, "\n        %s\n", gateLines(said))
		return
	}
	if p.level = level; m.accept {
		p.accept(m.number, "checked gradients")
	}
	statuses, onMain := p.main(m.number, m.odd)
	fmt.Fprintf(b, " main exit %s\n", then(statuses))
	if failed {
		fmt.Fprintf(b, "        pull request: %s\n", gateLines(said))
	}
	if y.main(m, statuses) {
		fmt.Fprintf(b, "        main: %s\n", gateLines(onMain))
		if strings.Contains(strings.Join(strings.Fields(onMain), " "), "in no single step") { // people look at it, and let it stay
			p.accept(m.number, "many small features")
		}
	}
}

// accept lets what came with a commit of main stay.
func (p *mainline) accept(number int, reason string) {
	p.Helper()
	e := store.Event{Kind: store.Accept, Commit: p.commit(number), Metric: "step_time", UpTo: .08, Reason: reason, By: "ana"}
	if _, err := store.AddEvent(p.store(), e, policyfile.Now()); err != nil {
		p.Fatal(err)
	}
}

// pull counts what a pull request was told, and reports whether it did not pass.
func (y *yearTally) pull(m *merge, statuses []int) bool {
	last := statuses[len(statuses)-1]
	switch failed := last == statusRegressed; {
	case m.change == 0:
		if y.pulls++; failed {
			y.alarms++
		}
	case m.fails && !failed:
		y.missed++
	}
	return last != statusOK
}

// seenWithin is within how many merges main has to fail by a change.
const seenWithin = 5

// main counts what main was told, and reports whether it did not pass.
func (y *yearTally) main(m *merge, statuses []int) bool {
	last := statuses[len(statuses)-1]
	failed := last == statusRegressed
	if m.forced {
		y.open = m.number
	}
	if m.change != 0 && !m.forced && !m.accept {
		y.crept = true
	}
	y.mains++
	switch {
	case failed && y.open > 0:
		y.open = 0
	case failed && y.crept:
		y.crept, y.creep = false, y.creep+1
	case failed:
		y.mainFail++
	case y.open > 0 && m.number >= y.open+seenWithin:
		y.open, y.missed = 0, y.missed+1
	}
	return last != statusOK
}

// then writes exit statuses in the order in which they came.
func then(statuses []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(statuses), " ", ", then "), "[]")
}
