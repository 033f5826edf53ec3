package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"perfdiff/golden"
)

// mostSurvivors is how many edits may live, each with the sentence that says why.
const mostSurvivors = 3

// TestMutants makes every edit in turn and runs the tests that should see it. It is what
// "make mutate" does; MUTANTS is a pattern of "package: name", and with PERFDIFF_MUTATE=own
// the whole program is not asked.
func TestMutants(t *testing.T) {
	if os.Getenv("PERFDIFF_MUTATE") == "" {
		t.Skip("make mutate runs it")
	}
	only := regexp.MustCompile(os.Getenv("MUTANTS"))
	all := mutants(t)
	picked := slices.DeleteFunc(slices.Clone(all), func(m mutant) bool { return !only.MatchString(m.dir + ": " + m.name) })
	if len(picked) == 0 {
		t.Fatalf("no edit is called %q", only)
	}
	unedited(t, picked)
	fates := make([]fate, len(picked))
	parallel(len(picked), func(i int) {
		m := &picked[i]
		fates[i] = m.fate(t.TempDir())
		t.Logf("%-15s %-24s %s: %s", fates[i].end, m.dir, m.name, fates[i].test)
	})
	judgeFates(t, picked, fates)
	table := fateTable(picked, fates)
	t.Logf("\n%s", table)
	if len(picked) == len(all) && !ownOnly() && !t.Failed() {
		golden.Compare(t, goldenDir, "mutants.txt", []byte(table))
	}
}

// ownOnly reports whether the whole program is not to be asked.
func ownOnly() bool { return os.Getenv("PERFDIFF_MUTATE") == "own" }

// unedited asks the tests of each package about the code as it is, and notes how long they take:
// what fails by itself sees nothing. The whole program is asked when the first edit comes that far.
func unedited(t *testing.T, picked []mutant) {
	var suites []suite
	of := make([]int, len(picked)) // the suite of each edit
	for i := range picked {
		file, _, err := picked[i].plant()
		if err != nil {
			t.Fatal(err)
		}
		pkg, err := packageOf(file)
		if err != nil {
			t.Fatal(err)
		}
		s := suite{pkg, picked[i].flags}
		if !slices.Contains(suites, s) {
			suites = append(suites, s)
		}
		of[i] = slices.Index(suites, s)
	}
	took := make([]time.Duration, len(suites))
	parallel(len(suites), func(i int) {
		var err error
		if took[i], err = suites[i].passes(t.TempDir()); err != nil {
			t.Error(err)
		}
	})
	for i := range picked {
		picked[i].takes = took[of[i]]
	}
	if t.Failed() {
		t.FailNow()
	}
}

// parallel calls f with 0 to n-1, on as many at a time as there are processors.
func parallel(n int, f func(int)) {
	work := make(chan int)
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		workers.Go(func() {
			for i := range work {
				f(i)
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	workers.Wait()
}

// judgeFates: few edits live, and of each the list says why; every other is seen.
func judgeFates(t *testing.T, picked []mutant, fates []fate) {
	living := 0
	for i, m := range picked {
		switch f := fates[i]; {
		case f.end == undecided:
			t.Errorf("%s: %s: nothing was decided: %s", m.dir, m.name, f.test)
		case f.end != survived && m.why != "":
			t.Errorf("%s: %s: %s sees it, and the list says why none does", m.dir, m.name, f.test)
		case f.end == survived && m.why == "":
			t.Errorf("%s: %s: no test sees it:\n- %s\n+ %s", m.dir, m.name, m.old, m.new)
		}
		if fates[i].end == survived {
			living++
		}
	}
	if living > mostSurvivors {
		t.Errorf("%d edits survived, want at most %d", living, mostSurvivors)
	}
}

// fateTable counts the ends by directory and names the edits that their own package does not see.
func fateTable(picked []mutant, fates []fate) string {
	var dirs []string
	count := map[string]*[survived + 1]int{"all": {}}
	var far strings.Builder
	for i, m := range picked {
		if count[m.dir] == nil {
			dirs, count[m.dir] = append(dirs, m.dir), new([survived + 1]int)
		}
		count[m.dir][fates[i].end]++
		count["all"][fates[i].end]++
		if said := fates[i].test + m.why; fates[i].end != killedNear {
			fmt.Fprintf(&far, "\n%s: %s: %s\n  %s\n", m.dir, m.name, fates[i].end, said)
		}
	}
	var b strings.Builder
	b.WriteString("Errors made in the code on purpose, one at a time, and which tests see them (make mutate).\n" +
		"The edits stand in cmd/perfdiff/testdata/mutants.txt. Own tests are those of the edited package; the\n" +
		"whole program is run on every story for an edit that they do not see.\n\n")
	fmt.Fprintf(&b, "%-26s  edits  own tests  whole program  survived  nothing decided\n", "")
	for _, dir := range append(slices.Sorted(slices.Values(dirs)), "all") {
		n := count[dir]
		fmt.Fprintf(&b, "%-26s  %5d  %9d  %13d  %8d  %15d\n", dir, n[undecided]+n[killedNear]+n[killedFar]+n[survived],
			n[killedNear], n[killedFar], n[survived], n[undecided])
	}
	return b.String() + far.String()
}
