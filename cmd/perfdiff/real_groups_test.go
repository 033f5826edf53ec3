package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// saved are the runs of a side as summaries, from which groups of them are put together.
func (r repeats) saved(t *testing.T, side string, runs []string) (files []string) {
	t.Helper()
	dir := t.TempDir()
	for i, path := range runs {
		file := filepath.Join(dir, fmt.Sprintf("%s-%02d.perfdiff", side, i+1))
		mustRun(t, statusOK, "summarize", path, "-q", "-o", file)
		files = append(files, file)
	}
	return files
}

// together are summaries as one run set, of repeats.
func together(t *testing.T, files []string) string {
	t.Helper()
	if len(files) == 1 {
		return files[0]
	}
	dir := t.TempDir()
	for _, f := range files {
		if err := os.Link(f, filepath.Join(dir, filepath.Base(f))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// groupsOf are groups of so many runs: those that follow each other, then those that are
// as far apart as may be. Groups of one family share no run.
func groupsOf(runs []string, size int) (families [][][]string) {
	if size == 1 {
		var family [][]string
		for i := range runs {
			family = append(family, runs[i:i+1])
		}
		return [][][]string{family}
	}
	n := len(runs) / size
	near, far := make([][]string, n), make([][]string, n)
	for i := range n * size {
		near[i/size], far[i%n] = append(near[i/size], runs[i]), append(far[i%n], runs[i])
	}
	return [][][]string{near, far}
}

// without are the runs that are in neither group.
func without(runs []string, groups ...[]string) (rest []string) {
	for _, r := range runs {
		if !strings.Contains(fmt.Sprint(groups), r) {
			rest = append(rest, r)
		}
	}
	return rest
}

// groups is the table of all pairs of groups of runs, beside what is simulated.
func (r repeats) groups(t *testing.T) string {
	base, slow := r.saved(t, "base", r.base), r.saved(t, "slow", r.slow)
	var b strings.Builder
	b.WriteString("runs per side      | of one job: pairs  fail  improved  lists | slower loading: pairs  fail  first | simulated: fail   +5 %  +10 %\n")
	for _, row := range []struct {
		size      int
		past      bool
		simulated string
	}{{1, false, "1v1 history 0"}, {1, true, "1v1 history 10"}, {3, false, "3v3 history 0"}, {5, false, "5v5 history 0"}} {
		var same, other tally
		ask := func(c *tally, x, y []string) {
			args := []string{together(t, x), together(t, y)}
			for _, past := range without(base, x, y) {
				if row.past {
					args = append(args, "--history", past)
				}
			}
			c.add(compareForAnswer(t, args...))
		}
		others := groupsOf(slow, row.size)
		for f, family := range groupsOf(base, row.size) {
			for i, x := range family {
				for _, y := range family[i+1:] {
					ask(&same, x, y)
				}
				for _, y := range others[f] {
					ask(&other, x, y)
				}
			}
		}
		name := fmt.Sprintf("%d", row.size)
		if row.past {
			name += fmt.Sprintf(", %d past runs", len(base)-2)
		}
		fmt.Fprintf(&b, "%-16s | %17d %5d %9d %6d | %21d %5d %6d | %s\n", name, same.n, same.status[statusRegressed], same.verdict["improved"], same.changed,
			other.n, other.status[statusRegressed], other.first[slowLoader], simulatedRates(row.simulated))
	}
	b.WriteString("lists: names something better or worse; first: the loader is the first finding; simulated: in %, of a job\n" +
		"whose runs differ by 1 % in all, without a change and with changes of 5 and 10 % (golden/rates.txt)\n")
	return b.String()
}

// simulatedRates are those of a job whose runs differ by 1 % in all, as make rates last found them.
func simulatedRates(cell string) string {
	v := simulatedGate("runs 1% " + cell)
	if v == nil {
		return "–"
	}
	return fmt.Sprintf("%15s %6s %6s", v[0], v[3], v[4])
}

// TestGroups: groups of a family share no run, and the rest is in none.
func TestGroups(t *testing.T) {
	var runs []string
	for i := range 12 {
		runs = append(runs, fmt.Sprintf("run-%02d", i))
	}
	for size, want := range map[int]string{
		1: "[[[run-00] [run-01] [run-02] [run-03] [run-04] [run-05] [run-06] [run-07] [run-08] [run-09] [run-10] [run-11]]]",
		5: "[[[run-00 run-01 run-02 run-03 run-04] [run-05 run-06 run-07 run-08 run-09]] [[run-00 run-02 run-04 run-06 run-08] [run-01 run-03 run-05 run-07 run-09]]]",
	} {
		if got := fmt.Sprint(groupsOf(runs, size)); got != want {
			t.Errorf("groups of %d: got %s, want %s", size, got, want)
		}
	}
	if got := without(runs, runs[:5], runs[6:]); len(got) != 1 || got[0] != "run-05" {
		t.Errorf("without: got %v, want run-05", got)
	}
}
