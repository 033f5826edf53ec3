package picture

import (
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/plot"
)

// stepReport has a typical step of rank 3 on both sides; the baseline has rank 1 too.
func stepReport() *diff.Report {
	strip := func(rank int, length int64) run.Strip {
		return run.Strip{Rank: rank, Length: length, Names: []string{"k", "input\"/><script>", "forward"}, Tracks: []run.Track{{Host: true, Steps: true, ID: 1}, {Host: true, ID: 2}, {ID: 7}},
			Spans: []run.StripSpan{{End: length / 2, Track: 3}, {Start: length / 2, End: length / 2, Track: 3}, {Start: length / 4, End: length / 2, Lane: run.LaneComm, Split: true, Wait: length / 8},
				{Start: length / 2, End: length, Name: 1, Lane: run.LaneGap}, {End: length, Name: 2, Lane: run.LaneRange, Track: 1}, {End: length, Name: 2, Lane: run.LaneRange, Track: 2}}}
	}
	r := &diff.Report{Views: []diff.View{{Kind: diff.ViewTypical, Rank: -1}}}
	r.Timeline[0] = []diff.Excerpt{{Excerpt: run.Excerpt{Step: 20, Ranks: []run.Strip{strip(1, 5e6), strip(3, 100e6)}}}}
	r.Timeline[1] = []diff.Excerpt{{Excerpt: run.Excerpt{Step: 21, Ranks: []run.Strip{strip(3, 50e6)}}}}
	return r
}

// TestStep: both sides' typical steps of a rank that both have stand on one axis, with a lane for
// each kind of work, and what a name says is no markup.
func TestStep(t *testing.T) {
	r := stepReport()
	part := func(key string) string {
		return "c-" + strings.Map(func(x rune) rune {
			if x < 'a' || x > 'z' {
				return -1
			}
			return x
		}, key)
	}
	ms := number.ScaleOf("s", 0.1)
	svg := Step(r, ms, plot.PlainInk, part)
	texts := strings.Join(wellFormed(t, svg), "|")
	for _, want := range []string{"Baseline, step 20, rank 3: 100", "Candidate, step 21, rank 3: 50", "compute", "communication", "gaps", "main thread", "80\u202fms"} {
		if !strings.Contains(texts, want) {
			t.Errorf("no %q in %q", want, texts)
		}
	}
	if strings.Contains(texts, "copies") || strings.Contains(svg, "<script") || strings.Contains(texts, "rank 1:") {
		t.Errorf("got %s", svg)
	}
	// 650 px less 104 and 14: half of the baseline's step is half of the axis, of the candidate's a quarter.
	for _, want := range []string{`h266" stroke="c-compute"`, `h133" stroke="c-compute"`, `stroke="c-wait"`, `stroke="c-transfer"`} {
		if strings.Count(svg, want) == 0 {
			t.Errorf("no %s in %s", want, svg)
		}
	}
	if r.Views[0].Step[0] = -1; !strings.Contains(Step(r, ms, plot.PlainInk, part), "Candidate, step 21") {
		t.Error("one side alone is not drawn")
	}
	if r.Views[0].Step[1] = -1; Step(r, ms, plot.PlainInk, part) != "" || Step(&diff.Report{}, ms, plot.PlainInk, part) != "" {
		t.Error("a picture of nothing")
	}
	r = stepReport()
	r.Timeline[1][0].Ranks[0].Rank = 9
	if got := Step(r, ms, plot.PlainInk, part); got != "" {
		t.Errorf("sides without a rank in common: got %s", got)
	}
}

// TestStepIsSmall: however many bars a step has, its picture has a few thousand bytes.
func TestStepIsSmall(t *testing.T) {
	r := stepReport()
	for side := range r.Timeline {
		s := &r.Timeline[side][0].Ranks[len(r.Timeline[side][0].Ranks)-1]
		s.Spans = nil
		for lane := run.LaneCompute; lane <= run.LaneRange; lane++ {
			for i := range int64(20_000) {
				s.Spans = append(s.Spans, run.StripSpan{Start: i * 5000, End: i*5000 + 2000, Lane: lane, Track: 1})
			}
		}
	}
	if n := len(Step(r, number.ScaleOf("s", 0.1), plot.PageInk, func(string) string { return "x" })); n > 30_000 {
		t.Errorf("got %d bytes", n)
	}
}
