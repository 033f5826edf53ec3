package analyze

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source"
	"perfdiff/analyze/trace"
)

// Most traces that people have hold one pass under "with profile():" and nothing that repeats. Where all files of all
// sides launch the same kernels equally often, a capture is a step: it does the same work in each. What several
// processes recorded one after the other are runs of one step; what one process did are the steps of one run.

// onePass is the marker of such captures.
var onePass = run.Marker{Kind: run.MarkCapture}

// launchList is how often a capture launches each kernel, by canonical name, and how most of its launches are.
type launchList map[string]launchedKernel

type launchedKernel struct {
	count       int
	grid, block [3]int32
}

// launchesOf returns the list of a trace without steps; nil where it communicates, or does nothing.
func launchesOf(t *trace.Trace) launchList {
	var out launchList
	for i := range t.Device {
		s := &t.Device[i]
		switch {
		case s.Class == trace.Comm:
			return nil
		case s.Kind != trace.Kernel && s.Kind != trace.Graph:
			continue
		case out == nil:
			out = launchList{}
		}
		name := t.Names.Canonical(s.Name)
		k := out[name]
		if k.count++; k.count == 1 {
			k.grid, k.block = t.Shapes[s.Name].Grid, t.Shapes[s.Name].Block
		}
		out[name] = k
	}
	return out
}

// mostOtherGrids is the share of kernels that may be launched with other grids than on the other side: more is another
// size of the work, and fewer is a kernel that was tuned. Chosen, not measured: a batch is in the grids of nearly all.
const mostOtherGrids = 0.5

// differs says in which kernel two lists differ, as a clause about files a and b; "" if in none.
func (l launchList) differs(m launchList, a, b string) string {
	all := maps.Clone(l)
	maps.Copy(all, m)
	grids, known, other := 0, 0, ""
	for _, name := range slices.Sorted(maps.Keys(all)) {
		x, y := l[name], m[name]
		if x.count != y.count {
			return fmt.Sprintf("%s launches %s %s and %s %s", a, name, times(x.count), b, times(y.count))
		}
		if x.grid[0] > 0 && y.grid[0] > 0 {
			if known++; x.grid != y.grid {
				grids, other = grids+1, cmp.Or(other, name)
			}
		}
	}
	if float64(grids) > mostOtherGrids*float64(known) {
		return fmt.Sprintf("%s launches %d of %d kernels with other grids than %s, %s first among them: they do another amount of work", b, grids, known, a, other)
	}
	return ""
}

// times writes how often something is done.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// agreeOnPass makes each capture a step, where no capture of any side has steps and all launch the same kernels.
// Where they differ, receipts say in what.
func agreeOnPass(ctx context.Context, files []file, read []result, fixed []run.Marker, opt Options) error {
	if opt.Step.Range != nil || opt.Step.Kernel != nil || opt.RankName != nil || opt.Runs == RunsAsNodes ||
		slices.ContainsFunc(fixed, func(m run.Marker) bool { return m != onePass && m != (run.Marker{}) }) {
		return nil
	}
	var which []int
	for i := range read {
		if len(read[i].captures) > 0 {
			which = append(which, i)
		}
	}
	if len(which) == 0 || len(which)+len(fixed) < 2 || slices.ContainsFunc(which, func(i int) bool { return !mayBePass(&read[i]) }) || !oneAfterTheOther(files, read, which) {
		return nil
	}
	first := which[0]
	for _, i := range which[1:] {
		if text := read[first].captures[0].launched.differs(read[i].captures[0].launched, sidedName(&files[first]), sidedName(&files[i])); text != "" {
			for _, k := range which {
				r := &read[k].captures[0].rank.Receipts[0]
				r.Hint = text + ", so that captures are no equal passes; " + r.Hint
			}
			return nil
		}
	}
	if fewest := leastOfSides(files, which); fewest < leastPasses && len(fixed) == 0 {
		for _, k := range which {
			read[k].captures[0].rank.Receipts[0].Hint = fmt.Sprintf("%s%d files; record at least %d per side, each in a run of its own",
				run.PassHint, len(which), leastPasses)
		}
		return nil
	}
	if err := remeasure(ctx, files, read, func(string) run.Marker { return onePass }, opt); err != nil {
		return err
	}
	for _, i := range which {
		if c := read[i].captures; len(c) == 1 && c[0].stepMarker() == onePass { // it was read again, and may have changed
			c[0].rank.Receipts[0].Marker = fmt.Sprintf("%s%d files", run.PassHint, len(which))
		}
	}
	return nil
}

// leastPasses is how many captures a side must have to be judged by them. Chosen, not measured: as many
// runs, or steps of one, are the least that diff/sides judges (MinSteps).
const leastPasses = 3

// leastOfSides returns how many of some files the side has that has the fewest.
func leastOfSides(files []file, which []int) int {
	count := map[string]int{}
	for i := range files {
		count[files[i].side] += 0
	}
	for _, i := range which {
		count[files[i].side]++
	}
	return slices.Min(slices.Collect(maps.Values(count)))
}

// sidedName returns the name of a file with its side.
func sidedName(f *file) string { return path.Join(f.side, f.name) }

// mayBePass reports whether a file holds the work of one process on one device, without steps, and is no rank of
// several.
func mayBePass(r *result) bool {
	if len(r.captures) != 1 {
		return false
	}
	c := &r.captures[0]
	return c.launched != nil && c.stepMarker() == run.Marker{} && c.rank.WorldSize <= 1 && c.id.Rank <= 0
}

// oneAfterTheOther reports whether the files of each directory are no ranks of one run: they are of one host, were
// recorded one after the other, and their names call no ranks.
func oneAfterTheOther(files []file, read []result, which []int) bool {
	byRun := map[[2]string][]int{}
	for _, i := range which {
		key := [2]string{files[i].side, files[i].run}
		byRun[key] = append(byRun[key], i)
	}
	for _, list := range byRun {
		slices.SortFunc(list, func(a, b int) int {
			x, _ := read[a].captures[0].when()
			y, _ := read[b].captures[0].when()
			return cmp.Compare(x, y)
		})
		for k, i := range list[1:] {
			a, b := &read[list[k]].captures[0], &read[i].captures[0]
			_, end := a.when() // 0: nothing says so
			start, _ := b.when()
			one, _ := source.RankWord(path.Base(files[list[k]].name))
			two, _ := source.RankWord(path.Base(files[i].name))
			if end == 0 || start < end || a.id.Host != b.id.Host || one != two {
				return false
			}
		}
	}
	return true
}

// isPass reports whether the capture is a step.
func (c *capture) isPass() bool { return c.stepMarker() == onePass }

// splitPasses makes a run of the passes of each process, if a directory has several, and joins those of one.
func splitPasses(found discovered, read []result) {
	type process struct {
		run, host string
		process   int64
	}
	first, runs := map[process]int{}, map[string]int{}
	of := make([]process, len(read))
	order := make([]int, len(read))
	for i := range read {
		order[i] = i
		if len(read[i].captures) == 1 && read[i].captures[0].isPass() {
			c := &read[i].captures[0]
			of[i] = process{found.files[i].run, c.id.Host, c.id.Process}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if of[a].run == "" || of[b].run == "" {
			return 0
		}
		return cmp.Compare(read[a].captures[0].startedAt(), read[b].captures[0].startedAt())
	})
	for _, i := range order {
		if of[i].run == "" {
			continue
		}
		c := &read[i].captures[0]
		c.setRank(-1, "")
		if at, ok := first[of[i]]; ok {
			c.cycleOf = &read[at].captures[0]
			continue
		}
		first[of[i]] = i
		runs[of[i].run]++
	}
	for i := range read {
		if of[i].run == "" || runs[of[i].run] < 2 {
			continue
		}
		f := &found.files[i]
		name := runOfLog(found.files[first[of[i]]].name)
		f.run, f.part, f.parentPart = name, name, ""
	}
}
