package render

import (
	"slices"
	"strings"

	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// setupTable shows what was compared.
func setupTable(r *diff.Report) *sheet {
	heads := paperHeads(r)
	t := &sheet{name: "setup", heading: "Setup", align: "lll", heads: []string{"", heads[0], heads[1]}}
	both := func(what string, code bool, of func(*diff.Side) string) {
		if base, cand := of(&r.Base), of(&r.Cand); base != "" || cand != "" {
			row := cells(what, orNone(base), orNone(cand))
			row[1].code, row[2].code = code && base != "", code && cand != ""
			t.rows = append(t.rows, row)
		}
	}
	both("Run set", true, func(s *diff.Side) string { return shortName(s.Label) })
	both("Captured on", false, func(s *diff.Side) string { return words.Captured(s.Captured) })
	both("Digest of what was read", true, func(s *diff.Side) string { return shortDigest(s.Digest) })
	both("Ranks", false, ranksText)
	both("Runs", false, func(s *diff.Side) string { return number.Count(len(s.Runs)) })
	both("GPUs", true, func(s *diff.Side) string { return firstNames(s.GPUs, maxNamesInCell) })
	both("Steps found by", true, func(s *diff.Side) string { return markerText(&s.Steps) })
	both("Steps", false, func(s *diff.Side) string { return stepsText(&s.Steps) })
	for _, d := range r.Differences {
		name, base, cand := words.Differs(&d)
		t.add(sheetCell{text: shortName(name)}, nameOrNone(shortName(base)), nameOrNone(shortName(cand)))
	}
	return t
}

// methods says in a paragraph how the numbers came about, with all versions.
func methods(r *diff.Report) string {
	p := &r.Policy
	sentences := []string{shortName(r.Tool) + " compared the two."}
	if base, cand := recordedWith(&r.Base), recordedWith(&r.Cand); base == cand && base != "" {
		sentences = append(sentences, "Both were recorded with "+base+".")
	} else {
		heads := paperHeads(r)
		for i, with := range []string{base, cand} {
			if with != "" {
				sentences = append(sentences, heads[i]+" was recorded with "+with+".")
			}
		}
	}
	sentences = append(sentences,
		"A step of a rank lasts from its first work on the device to the first of the next step, on the device's clock.",
		number.Capital(words.TableNote(r))+".",
		"The run is the unit of the test, not the step or the rank: a t test over runs whose variance is moderated by a prior (Smyth 2004, doi:10.2202/1544-6115.1027).",
		"Where no past runs say otherwise, runs are assumed to differ by "+number.Setting(p.Floor)+" (standard deviation).",
		"A change counts where its "+intervalHeading(r)+" excludes zero and it is at least "+number.Setting(p.Threshold)+".")
	if n := len(p.Gating); n > 1 {
		sentences = append(sentences, "The "+number.Word(n)+" gating metrics ("+strings.Join(p.Gating, ", ")+
			") share one error rate by the weighted procedure of Holm (1979), and their intervals hold for all of them together.")
	}
	return cleanLine(strings.Join(sentences, " "))
}

// methodFacts are the versions that a paper names, in order.
var methodFacts = []struct{ key, before string }{
	{trace.FactProfiler, ""}, {trace.FactGPU, "on "}, {trace.FactCPU, "host "}, {trace.FactDriver, "driver "}, {trace.FactCUDA, "CUDA "},
	{trace.FactROCm, "ROCm "}, {trace.FactNCCL, "NCCL "}, {trace.FactRCCL, "RCCL "}, {trace.FactFramework, ""}, {trace.FactOS, ""},
}

// recordedWith names profiler, devices and versions of a side: "Nsight Systems 2025.5.2.266, on
// NVIDIA H100 80GB HBM3, driver 550.127.05"; "" where its captures say none.
func recordedWith(s *diff.Side) string {
	var parts []string
	for _, m := range methodFacts {
		var values []string
		for _, f := range s.Facts {
			if f.Key == m.key && f.Value != "" && !slices.Contains(values, f.Value) {
				values = append(values, f.Value)
			}
		}
		if len(values) > 0 {
			parts = append(parts, m.before+firstNames(values, maxNamesInCell))
		}
	}
	return strings.Join(parts, ", ")
}
