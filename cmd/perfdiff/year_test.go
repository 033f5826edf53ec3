package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze"
	"perfdiff/golden"
)

// merge is one change of a project that comes to its gate.
type merge struct {
	number  int
	planted string  // what is in it; "" nothing
	change  float64 // by how much steps take longer from here on
	node    float64 // by how much those of its first run take longer, and of no other
	driver  string  // of the machine, from here on
	real    bool    // a regression that the gate has to find
	waived  bool    // one that people let through
}

// year is 60 merges of a project whose runs differ by 1 %: three regressions, ten changes
// that each cost too little to be seen, a node that is slow once, a driver that lowers
// clocks, and a regression that people want.
func year() []merge {
	merges := make([]merge, 60)
	for i := range merges {
		merges[i].number = i + 1
		if i >= 33 && i < 43 {
			merges[i].planted, merges[i].change = "creep, +0.4 %", .004
		}
	}
	plant := func(number int, m merge) {
		m.number = number
		merges[number-1] = m
	}
	plant(12, merge{planted: "regression of 6 %", change: .06, real: true})
	plant(18, merge{planted: "bad node, +8 % in one run", node: .08})
	plant(24, merge{planted: "regression of 12 %", change: .12, real: true})
	plant(30, merge{planted: "regression of 4 %", change: .04, real: true})
	plant(57, merge{planted: "new driver, clocks 5 % lower", change: .05, driver: "560.35"})
	plant(50, merge{planted: "waiver, +6 % for safety", change: .06, waived: true})
	return merges
}

// mainline is what a project keeps between merges.
type mainline struct {
	t      *testing.T
	dir    string
	seen   *template
	seed   int     // of its year
	level  float64 // of the step time of main, 1 at the start
	driver string
	waiver bool    // there is one
	crept  float64 // by how much steps take longer for merges that cost too little to be seen
}

// The places of a project's runs: main's past, and those of the candidate.
func (p *mainline) store() string     { return filepath.Join(p.dir, "store") }
func (p *mainline) candidate() string { return filepath.Join(p.dir, "candidate") }

// gate is the command that decides a merge. policy is the project's.
func (p *mainline) gate(policy string) []string {
	return []string{"gate", "--store", p.store(), p.candidate(), "--escalate", "--policy", policy}
}

// moreRuns is how many runs a side decide where one looks slower.
const moreRuns = 3

// ask records so many runs of both sides and runs the gate.
func (p *mainline) ask(m merge, runs int) (status int, first string) {
	level, driver := p.level*(1+m.change), p.driver
	if m.driver != "" {
		driver = m.driver
	}
	os.RemoveAll(p.candidate())
	for i := range runs {
		node := 1.0
		if i == 0 {
			node += m.node
		}
		p.record(p.candidate(), m.number, i, level*node, driver)
	}
	var stdout, stderr bytes.Buffer
	status = run(context.Background(), p.gate(p.policy(m)), &stdout, &stderr)
	if status == statusError {
		p.t.Fatalf("merge %d: %s", m.number, stderr.String())
	}
	first, _, _ = strings.Cut(strings.TrimSpace(stdout.String()), "\n")
	return status, strings.TrimSpace(first)
}

// policy writes what the project asks of a merge: runs with another driver say nothing
// about the code, and what people want passes.
func (p *mainline) policy(m merge) string {
	text := "require_equal: [driver]\n"
	if p.waiver = p.waiver || m.waived; p.waiver { // until it expires
		text += "waivers: [{metric: step_time, up_to: 8%, reason: checked gradients, owner: training team, expires: 2999-12-31}]\n"
	}
	path := filepath.Join(p.dir, "policy.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
	return path
}

// record saves a run of a merge, the same for each number of it.
func (p *mainline) record(dir string, number, repeat int, level float64, driver string) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		p.t.Fatal(err)
	}
	text, err := analyze.Summary(p.seen.capture(p.seed, number, repeat, level, driver))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("main-%02d.%d.perfdiff", number, repeat)), text, 0o600)
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// merge brings a merge to the gate, and onto main unless it fails. It returns the exit
// statuses of the gate and the first line of the last.
func (p *mainline) merge(m merge) (statuses []int, first string) {
	status, first := p.ask(m, 1)
	statuses = append(statuses, status)
	if status == statusMoreRuns {
		status, first = p.ask(m, moreRuns)
		statuses = append(statuses, status)
	}
	if status == statusRegressed || status == statusMoreRuns {
		if !m.real && p.crept > 0 { // main is slower than it was: people look for it, and mend it
			p.level, p.crept = p.level/(1+p.crept), 0
		}
		return statuses, first // it is mended before it is merged
	}
	if p.level *= 1 + m.change; m.change > 0 && !m.waived && m.driver == "" {
		p.crept = (1+p.crept)*(1+m.change) - 1
	}
	if m.driver != "" {
		p.driver = m.driver
	}
	p.record(p.store(), m.number, 0, p.level*(1+m.node), p.driver)
	return statuses, first
}

// trend is what the past of main looks like: every change of level that is seen.
func (p *mainline) trend() string {
	out, _ := mustRun(p.t, statusOK, "history", p.store())
	var changes []string
	for line := range strings.Lines(out) {
		if change := strings.TrimSpace(line); strings.HasPrefix(line, "  ") && (strings.Contains(change, " between ") || strings.Contains(change, " gradually ")) {
			changes = append(changes, change)
		}
	}
	if changes == nil {
		return "one level"
	}
	return strings.Join(changes, ", ")
}

// yearTally is what a year's gate did.
type yearTally struct {
	same, alarms int  // merges that change nothing, and those of them that failed
	missed       int  // regressions that passed at once
	creep        bool // what came onto main unseen was found
}

// yearsPlayed is how many years are played: what chance does to one of them it does not to all.
const yearsPlayed = 5

// TestGoldenYear: what the gate says of every merge of a year is golden, and what it did over
// several. Of what changes nothing next to none fails, real regressions fail or more runs are
// asked for, and what came onto main unseen, as creep does, is found there.
func TestGoldenYear(t *testing.T) {
	tallies, texts, template := make([]yearTally, yearsPlayed), make([]string, yearsPlayed), newTemplate(t)
	t.Run("years", func(t *testing.T) {
		for i := range tallies {
			t.Run(fmt.Sprint(i+1), func(t *testing.T) {
				t.Parallel()
				tallies[i], texts[i] = play(t, template, i+1)
			})
		}
	})
	b := &strings.Builder{}
	b.WriteString("A year of a project: 60 merges, each held to the store of main (perfdiff gate --store); of what looks slower three\n")
	b.WriteString("runs (exit 4) decide. Runs of one job differ by 1 %. What fails is mended and not merged.\n\n")
	b.WriteString(texts[0])
	var all yearTally
	creeps := 0
	for _, y := range tallies {
		all.same, all.alarms, all.missed = all.same+y.same, all.alarms+y.alarms, all.missed+y.missed
		if y.creep {
			creeps++
		}
	}
	fmt.Fprintf(b, "\n%d such years: %d of %d merges that change nothing failed; %d of %d regressions failed, or more runs were asked for;\n"+
		"what came onto main unseen was found in %d.\n", yearsPlayed, all.alarms, all.same, 3*yearsPlayed-all.missed, 3*yearsPlayed, creeps)
	if first := tallies[0]; first.alarms > 0 || first.missed > 0 || all.alarms*100 > 3*all.same || all.missed > 1 || creeps < yearsPlayed {
		t.Errorf("got %+v: want no false alarm and nothing missed in the year that is shown, in all at most 3 %% and one; and what crept found", tallies)
	}
	golden.Compare(t, goldenDir, "year.txt", []byte(strings.ReplaceAll(b.String(), " ", " ")))
}

// play plays a year and writes a line for each of its merges.
func play(t *testing.T, seen *template, seed int) (y yearTally, text string) {
	p := &mainline{t: t, dir: t.TempDir(), seen: seen, seed: seed, level: 1, driver: "550.54"}
	for i := range 8 { // of the year before
		p.record(p.store(), -i, 0, p.level, p.driver)
	}
	b := &strings.Builder{}
	for _, m := range year() {
		crept := p.crept
		statuses, first := p.merge(m)
		exit := strings.Trim(strings.ReplaceAll(fmt.Sprint(statuses), " ", " then "), "[]")
		fmt.Fprintf(b, "%2d  %-29s exit %-8s %s\n", m.number, m.planted, exit, first)
		failed := statuses[len(statuses)-1] == statusRegressed
		switch {
		case m.real:
			if statuses[0] == statusOK {
				y.missed++ // then main is slower, which is found as what crept is
			}
		case failed && crept > 0:
			y.creep = true
			fmt.Fprintf(b, "    main was slower by %.1f %%, which is mended\n", 100*crept)
		case m.change == 0:
			if y.same++; failed {
				y.alarms++
			}
		}
		if m.number%10 == 0 {
			fmt.Fprintf(b, "    trend of main: %s\n", p.trend())
		}
	}
	fmt.Fprintf(b, "\nmain is %.1f %% slower than a year ago\n", 100*(p.level-1))
	return y, b.String()
}
