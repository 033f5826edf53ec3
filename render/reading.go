package render

import (
	"fmt"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/render/number"
)

// Reading says line by line what was read of a run set and what was decided about it: each file with its format, ranks
// and warnings, and for each rank where its number comes from, what was counted, how its steps were found and which
// metrics it lost. Names are as in set, where --anonymize replaces them.
func Reading(set *run.Set) []string {
	lines := []string{PastReading(set) + ", digest " + orNone(shortDigest(set.Digest))}
	for i := range set.Files {
		lines = append(lines, fileReading(&set.Files[i]))
	}
	for _, w := range set.Warnings {
		text := shortSentence(w.Text)
		if w.File != "" {
			text = shortName(w.File) + ": " + text
		}
		lines = append(lines, "warning: "+text)
	}
	for _, d := range set.Doubts {
		lines = append(lines, "doubt: "+shortSentence(d.Text))
	}
	for i := range set.Runs {
		x, before := &set.Runs[i], ""
		if len(set.Runs) > 1 {
			before = shortName(x.Name) + ": "
		}
		if x.Clocks.Kernels > 0 {
			lines = append(lines, before+clockReading(&x.Clocks))
		}
		for k := range x.Ranks {
			lines = append(lines, rankReading(before, &x.Ranks[k])...)
		}
	}
	for i := range lines {
		lines[i] = spaces.Replace(lines[i])
	}
	return lines
}

// PastReading says in a line how much a run set holds.
func PastReading(set *run.Set) string {
	ranks := 0
	for i := range set.Runs {
		ranks += len(set.Runs[i].Ranks)
	}
	return strings.Join([]string{number.Counted(len(set.Files), "file"), number.Counted(len(set.Runs), "run"),
		number.Counted(ranks, "rank")}, ", ") + ": " + shortName(set.Label)
}

// fileReading says how one file was read.
func fileReading(f *run.File) string {
	size := float64(f.Bytes)
	out := fmt.Sprintf("%s: %s, %s", shortName(f.Name), orNone(shortName(f.Format)), number.ScaleOf("B", size).With(size))
	if len(f.Ranks) > 0 {
		out += ", " + map[bool]string{true: "rank ", false: "ranks "}[len(f.Ranks) == 1] + sides.Ranges(f.Ranks)
	}
	if f.Digest != "" {
		out += ", digest " + shortDigest(f.Digest)
	}
	if f.Err != "" {
		out += "; left out: " + shortSentence(strings.TrimPrefix(f.Err, f.Name+": "))
	}
	return out
}

// clockReading says with how many collectives the clocks of hosts were aligned, and how far they still differ.
func clockReading(c *run.Clocks) string {
	out := "clocks are not aligned"
	if c.Used > 0 {
		out = "clocks aligned by " + number.Counted(c.Used, "collective")
	}
	out += fmt.Sprintf("; %s of %s of communication matched", number.Count(c.Matched), number.Counted(c.Kernels, "kernel"))
	if c.Inseparable != "" {
		out += "; waiting is not told from transfer: " + shortSentence(c.Inseparable)
	}
	return out
}

// rankReading says how a rank was found and counted, a line for each capture's steps, and which metrics
// it lost.
func rankReading(before string, r *run.Rank) []string {
	before += fmt.Sprintf("rank %d: ", r.Rank)
	s := &r.Spans
	first := fmt.Sprintf("number from %s, host %s, device %d; %s (%s of communication, %s without their launch), %s, %s, %s",
		orNone(shortSentence(r.RankFrom)), orNone(shortName(r.Host)), r.Device, number.Counted(s.Kernels, "kernel"),
		number.Count(s.CommKernels), number.Count(s.NoLaunch), number.Counted(s.Graphs, "graph replay"),
		number.Counted(s.Ranges, "range"), number.Counted(s.Calls, "call"))
	lines := []string{before + first}
	for i := range r.Receipts {
		x := &r.Receipts[i]
		text := "no steps found in " + shortName(x.File)
		if x.Found > 0 {
			text = fmt.Sprintf("steps in %s by %s: %s found, %s kept",
				shortName(x.File), shortName(x.Marker), number.Count(x.Found), number.Count(x.Kept))
		}
		if left := droppedText(x.Dropped); left != "" {
			text += "; " + left
		}
		if x.Second != "" && x.Second != "none" {
			text += "; second anchor " + shortSentence(x.Second)
		}
		lines = append(lines, before+text)
	}
	for _, l := range r.Lost {
		lines = append(lines, before+shortName(l.Metric)+" is lost: needs "+shortSentence(l.Why))
	}
	return lines
}
