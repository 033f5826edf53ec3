package html

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/render/number"
)

const (
	waitNote = "A collective transfers once its last rank has arrived: the shortest duration of all ranks is transfer, the rest of each rank's is waiting. " +
		"Collectives are matched over ranks by communicator and number where recorded, else by their place in the step. " +
		"Broadcast, Reduce and messages between two ranks are split only where clocks show that all came or ended at once: a rank can be done there before the others have come."
	clockNote = "From the wall clocks at the ends of collectives, which end on all ranks at about the same moment. " +
		"The residual is what ends still differ by once clocks are aligned: nothing is said of moments closer than three times that. " +
		"Where clocks are not aligned only the wall clocks are known, which nodes keep to one to tens of milliseconds: it is not said there who arrives last. Waiting and transfer stand on durations and need no clocks."
)

// noSplitNote says why there is no table of wait and transfer; nil if there is nothing to say.
func (s *sheet) noSplitNote() []block {
	why := strings.TrimSpace(s.whyInseparable())
	if why == "" {
		return nil
	}
	return []block{{Heading: "Waiting and transfer", Empty: &empty{What: "Waiting for late ranks and transfer are not told apart.", How: why}}}
}

// whyInseparable says which side's wait and transfer cannot be told apart, and why, as
// sentences with a blank before each.
func (s *sheet) whyInseparable() string {
	var of [2]string
	for i, side := range []*diff.Side{&s.r.Base, &s.r.Cand} {
		var reasons []string
		for k := range side.Clocks {
			if why := side.Clocks[k].Inseparable; why != "" && !slices.Contains(reasons, why) {
				reasons = append(reasons, why)
			}
		}
		of[i] = strings.Join(reasons, "; ")
	}
	switch {
	case of[0] == "" && of[1] == "":
		return ""
	case of[0] == of[1]:
		return " Both sides: " + of[0] + "."
	case of[1] == "":
		return " Baseline: " + of[0] + "."
	case of[0] == "":
		return " Candidate: " + of[1] + "."
	}
	return " Baseline: " + of[0] + ". Candidate: " + of[1] + "."
}

// clockBlocks show how well the clocks of hosts agree, and how many kernels were matched.
func (s *sheet) clockBlocks() []block {
	t := &table{Label: "Clocks of hosts", Heads: []head{{Text: "Run", Left: true}, {Text: "Host", Left: true}, {Text: "Ahead", Unit: "of the median host"}, {Text: "Drift", Unit: "\u00b5s per second"}, {Text: "Residual"}, {Text: "Collectives"}, {Text: "Kernels matched"}}}
	for _, side := range []struct {
		name string
		of   *diff.Side
	}{{"Baseline", &s.r.Base}, {"Candidate", &s.r.Cand}} {
		for i := range side.of.Clocks {
			name := side.name
			if len(side.of.Clocks) > 1 && i < len(side.of.Runs) {
				name += ", " + side.of.Runs[i]
			}
			if c := &side.of.Clocks[i]; c.Kernels > 0 {
				t.Rows = append(t.Rows, clockRows(name, c)...)
			}
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	out := block{Heading: "How the clocks of hosts agree", Note: clockNote}
	out.Table = t.cutRows()
	return []block{out}
}

// clockRows returns a row for each host of one run. Hosts that are not aligned come last, with what is known of wall
// clocks.
func clockRows(name string, c *run.Clocks) []row {
	var rows []row
	add := func(host, ahead, drift, residual string) {
		rows = append(rows, row{Cells: []cell{headCell(name), leftCell(host), textCell(ahead, ""), textCell(drift, ""), textCell(residual, ""),
			textCell(number.Count(c.Used), ""), textCell(fmt.Sprintf("%s of %s", number.Count(c.Matched), number.Count(c.Kernels)), "")}})
	}
	brief := func(ns int64) string {
		v := float64(ns) * 1e-9
		return number.GapScale(v).With(v)
	}
	residual := brief(c.Residual)
	if len(c.Hosts) > 1 && c.HostResidual > 0 {
		residual += ", on one host " + brief(c.HostResidual)
	}
	for _, h := range hostsByOffset(c.Hosts) {
		ahead := float64(h.Offset) * 1e-9
		add(orDash(h.Host), number.GapScale(math.Abs(ahead)).SignedWith(ahead), number.Format(h.Drift*1e-3), residual)
	}
	switch n := len(c.NotAligned); {
	case n == 0 && len(c.Hosts) > 0:
	case n == 1 && len(c.Hosts) == 0:
		add("one host, not aligned", number.None, number.None, "its wall clock: within 1 ms")
	default:
		hosts := "not aligned"
		if n > 0 {
			hosts = fmt.Sprintf("not aligned: %s", hostList(c.NotAligned))
		}
		add(hosts, number.None, number.None, "wall clocks: 1 to tens of ms")
	}
	return rows
}

// hostsByOffset returns the hosts, the one first whose clock is furthest off.
func hostsByOffset(hosts []run.HostClock) []run.HostClock {
	hosts = slices.Clone(hosts)
	sort.SliceStable(hosts, func(i, j int) bool {
		a, b := &hosts[i], &hosts[j]
		return cmp.Compare(max(b.Offset, -b.Offset), max(a.Offset, -a.Offset)) < 0
	})
	return hosts
}

// hostList names the first hosts, and says how many there are more.
func hostList(hosts []string) string {
	const most = 3
	if len(hosts) <= most {
		return strings.Join(hosts, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(hosts[:most], ", "), len(hosts)-most)
}
