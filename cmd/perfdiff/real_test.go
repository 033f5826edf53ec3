package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repeats are real runs of two jobs, as .real/record.sh writes them: slow loads its
// samples more slowly than base and differs in nothing else.
type repeats struct {
	dir        string
	base, slow []string // directories of the runs, in the order of recording
	machine    []string // lines about what they were recorded with
}

func findRepeats(t *testing.T, dir string) repeats {
	t.Helper()
	r := repeats{dir: dir}
	for side, to := range map[string]*[]string{"base": &r.base, "slow": &r.slow} {
		*to, _ = filepath.Glob(filepath.Join(dir, side, "run*"))
		slices.SortFunc(*to, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	}
	text, err := os.ReadFile(filepath.Join(dir, "machine.txt"))
	if err != nil || len(r.base) < 2 || len(r.base) != len(r.slow) {
		t.Fatalf("got %d and %d runs and error %v, want as many on both sides: record them with .real/record.sh",
			len(r.base), len(r.slow), err)
	}
	r.machine = strings.Split(strings.TrimSpace(string(text)), "\n")
	return r
}

// TestReal holds perfdiff to real runs that anyone can repeat (make real): runs of one
// job pass in pairs, and a slower loader is the first that is found. The table is
// written to PERFDIFF_REAL_FILE if all of it holds.
func TestReal(t *testing.T) {
	dir := os.Getenv("PERFDIFF_REAL")
	if dir == "" {
		t.Skip("no real runs here: make real records them")
	}
	r := findRepeats(t, dir)
	pairs := r.pairs(t)
	singles := r.singles(t)
	all := compareForAnswer(t, filepath.Join(dir, "base"), filepath.Join(dir, "slow"))

	groups := r.groups(t)
	if pairs.status[statusOK] != pairs.n {
		t.Errorf("pairs of runs of one job: exit %s, want 0 of all %d", pairs.exits(), pairs.n)
	}
	if all.status != statusRegressed || first(all) != slowLoader {
		t.Errorf("all runs: exit %d, %s, first finding %q, want %d and %q",
			all.status, all.headline, first(all), statusRegressed, slowLoader)
	}
	table := r.table(pairs, singles, all, groups)
	t.Log("\n" + table)
	if path := os.Getenv("PERFDIFF_REAL_FILE"); path != "" && !t.Failed() {
		if err := os.WriteFile(filepath.Join(root, path), []byte(table), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// slowLoader is the kind of finding that the slower loader is.
const slowLoader = "input-wait"

func first(a answer) string {
	if len(a.findings) == 0 {
		return "none"
	}
	return a.findings[0].Kind
}

// tally counts what perfdiff said of several pairs.
type tally struct {
	n       int
	status  map[int]int
	verdict map[string]int
	first   map[string]int // metric of the first finding
	changed int            // pairs with a finding that something got better or worse
}

func (c *tally) add(a answer) {
	if c.n++; c.status == nil {
		c.status, c.verdict, c.first = map[int]int{}, map[string]int{}, map[string]int{}
	}
	c.status[a.status]++
	c.verdict[a.verdict]++
	c.first[first(a)]++
	if len(a.changes()) > 0 {
		c.changed++
	}
}

func (c *tally) write(b *strings.Builder, what string) {
	fmt.Fprintf(b, "%s: %d pairs\n  exit     %s\n  verdict  %s\n  first    input wait in %d\n", what, c.n, c.exits(), c.verdicts(), c.first[slowLoader])
	fmt.Fprintf(b, "  changes  found in %d, better or worse\n\n", c.changed)
}

func (c *tally) exits() string {
	var parts []string
	for _, status := range []int{statusOK, statusRegressed, statusError, statusNotJudged} {
		if c.status[status] > 0 {
			parts = append(parts, fmt.Sprintf("%d of %d", status, c.status[status]))
		}
	}
	return strings.Join(parts, ", ")
}

func (c *tally) verdicts() string {
	var parts []string
	for _, v := range []string{"unchanged", "inconclusive", "improved", "regressed"} {
		parts = append(parts, fmt.Sprintf("%s %d", v, c.verdict[v]))
	}
	return strings.Join(parts, ", ")
}

// pairs compares every run of the base with each later one.
func (r repeats) pairs(t *testing.T) (c tally) {
	for i, a := range r.base {
		for _, b := range r.base[i+1:] {
			c.add(compareForAnswer(t, a, b))
		}
	}
	return c
}

// singles compares the runs of both sides that were recorded one after the other.
func (r repeats) singles(t *testing.T) (c tally) {
	for i := range r.base {
		c.add(compareForAnswer(t, r.base[i], r.slow[i]))
	}
	return c
}

// table is the evidence as text; its first paragraph is quoted in the README.
func (r repeats) table(pairs, singles tally, all answer, groups string) string {
	var b strings.Builder
	n := len(r.base)
	fmt.Fprintf(&b, "Real runs of two ranks and 40 steps (%s), %d a side:\n", strings.Join(r.machine, "; "), n)
	fmt.Fprintf(&b, "%d of %d pairs of runs of one job pass. Loading that takes 0.6 in place of 0.2 ms a sample is the\n",
		pairs.status[statusOK], pairs.n)
	fmt.Fprintf(&b, "first finding of all runs together and of %d of %d single pairs, of which %d fail\n\n",
		singles.first[slowLoader], singles.n, singles.status[statusRegressed])
	b.WriteString(groups + "\n")
	pairs.write(&b, "Runs of one job, each with every later one")
	singles.write(&b, "One run per side, slower loading")
	fmt.Fprintf(&b, "All runs, slower loading\n  exit     %d\n  verdict  %s\n", all.status, all.headline)
	for _, f := range all.findings {
		fmt.Fprintf(&b, "  finding  %s\n", f.Text)
	}
	return strings.ReplaceAll(b.String(), " ", " ")
}
