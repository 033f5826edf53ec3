package analyze

import (
	"cmp"
	"path"
	"regexp"
	"slices"

	"perfdiff/analyze/source"
	"perfdiff/analyze/trace"
)

// processOf is what captures of one process have in common.
type processOf struct {
	run, host, worker string
	process           int64
	device            int
}

// workerName matches what PyTorch's tensorboard_trace_handler calls files: worker, by default host and process, and
// time.
var workerName = regexp.MustCompile(`^(.+)\.[0-9]{10,}\.pt\.trace\.json(?:\.gz)?$`)

// joinCycles finds the captures that one process made one after the other, of which none says a rank: the cycles of
// its profiler. They are one rank. A number in their names counts the cycles then, or the steps.
//
// The number of a process alone may come again in another container. So the numbers of steps must rise from one
// capture to the next, unless the name of the worker, in which the host stands, is the same too.
func joinCycles(found discovered, read []result) {
	of := map[processOf][]*capture{}
	for i := range read {
		f := &found.files[i]
		name := path.Base(f.name)
		by := processOf{run: f.run}
		if m := workerName.FindStringSubmatch(name); m != nil {
			by.worker = m[1]
		}
		if n, _ := source.RankWord(name); n >= 0 {
			continue
		}
		for c := range read[i].captures {
			x := &read[i].captures[c]
			by.host, by.process, by.device = x.id.Host, x.id.Process, x.id.Device
			if from, _ := x.when(); from != 0 && x.id.Process != 0 && (x.id.Rank < 0 || trace.RankIsNamed(x.id.RankFrom)) {
				of[by] = append(of[by], x)
			}
		}
	}
	for by, all := range of {
		slices.SortFunc(all, func(a, b *capture) int { return cmp.Compare(a.startedAt(), b.startedAt()) })
		for i := 1; i < len(all); i++ {
			if !isNextCycle(all[i-1], all[i], by.worker != "") {
				all = nil
			}
		}
		for _, c := range all[min(1, len(all)):] {
			all[0].setRank(-1, "")
			c.setRank(-1, "")
			c.cycleOf = all[0]
		}
	}
}

// isNextCycle reports whether b was captured after a, and goes on with the steps. orNone: steps that both count from 0
// will do.
func isNextCycle(a, b *capture, orNone bool) bool {
	sa, sb := a.rank.Steps, b.rank.Steps
	_, end := a.when()
	start, _ := b.when()
	if len(sa) == 0 || len(sb) == 0 || start < end {
		return false
	}
	return sb[0].Number > sa[len(sa)-1].Number || orNone && sa[0].Number == 0 && sb[0].Number == 0
}

// withoutCycles parts the captures that begin a process from those that go on with one.
func withoutCycles(captures []*capture) (first, cycles []*capture) {
	for _, c := range captures {
		if c.cycleOf == nil || !slices.Contains(captures, c.cycleOf) { // which may be left out as a copy
			first = append(first, c)
		} else {
			cycles = append(cycles, c)
		}
	}
	return first, cycles
}

// startedAt returns when the capture began, UTC ns; trace.NoTime if not known.
func (c *capture) startedAt() int64 {
	if c.epoch == trace.NoTime {
		return trace.NoTime
	}
	return c.epoch + c.window.Start
}
