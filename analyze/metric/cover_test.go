package metric

import (
	"math/rand/v2"
	"testing"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestWindows: totals, gaps and kernels of a capture do not depend on the windows in which it
// is measured: without steps, with steps that overlap or leave something between them, and
// with work that runs for long or begins at one instant with much else.
func TestWindows(t *testing.T) {
	const n = 3*maxWindowSpans + 77
	rng := rand.New(rand.NewPCG(5, 6))
	tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice}
	var sets [5]interval.Set
	total := map[string]int64{}
	now := int64(0)
	for i := range n {
		if i < maxWindowSpans/2 || i > 2*maxWindowSpans { // between them all begin at one instant
			now += rng.Int64N(3000)
		}
		name := []string{"a", "b", "c"}[rng.IntN(3)]
		s := trace.Span{Start: now, End: now + 1 + rng.Int64N(4000), Name: tr.Names.ID(name), Kind: trace.Kernel,
			Class: trace.Class(rng.IntN(4)), Launch: trace.NoTime}
		if s.Stream = int32(i); i%9000 == 0 {
			s.End += 20_000_000
		}
		if s.Class == trace.ClassUnknown {
			s.Kind = trace.Graph
		}
		tr.Device = append(tr.Device, s)
		total[name] += s.End - s.Start
	}
	tr.Sort()
	for i := range tr.Device {
		s := &tr.Device[i]
		if sets[4] = sets[4].Add(s.Start, s.End); s.Class == trace.ClassUnknown {
			sets[trace.Compute] = sets[trace.Compute].Add(s.Start, s.End)
		}
		sets[s.Class] = sets[s.Class].Add(s.Start, s.End)
	}
	want := run.WholeCapture{Busy: sets[4].Total(), Compute: sets[trace.Compute].Total(), Comm: sets[trace.Comm].Total(),
		Graphs: sets[trace.ClassUnknown].Total(), Overlap: interval.Overlap(sets[trace.Comm], sets[trace.Compute])}
	for i := 1; i < len(sets[4]); i++ {
		countGap(&want.Gaps, sets[4][i-1].End, sets[4][i].Start)
	}
	end := tr.Device[n-1].Start
	step := func(number, start, end int64, dropped string) trace.Step {
		return trace.Step{Number: number, Start: start, End: end, HostStart: trace.NoTime, HostEnd: trace.NoTime, Dropped: dropped}
	}
	for name, steps := range map[string][]trace.Step{
		"none": nil, "one": {step(0, 0, end, "")},
		"apart":   {step(0, end/10, end/5, ""), step(1, end/2, end/2+5000, "")},
		"overlap": {step(0, end/4, end/2, ""), step(1, end/3, end*3/4, "for a test"), step(2, end/3+999, end/3+5_000_000, "")},
	} {
		r := Prepare(tr, 0)
		r.StartActivity(0, end)
		r.Measure(steps)
		w := r.WholeCapture()
		if w.Busy != want.Busy || w.Compute != want.Compute || w.Comm != want.Comm || w.Graphs != want.Graphs || w.Overlap != want.Overlap || w.Gaps != want.Gaps {
			t.Errorf("%s: got  %+v,\nwant %+v", name, w, want)
		}
		for _, s := range w.Stats {
			if s.Table == run.KernelTable && s.Total != total[s.Name] {
				t.Errorf("%s: kernel %s took %d ns, want %d", name, s.Name, s.Total, total[s.Name])
			}
		}
		if got := keptTotals(tr, steps); !sameTotals(r.Stats(steps), got) {
			t.Errorf("%s: kept steps hold %v, got %+v", name, got, r.Stats(steps))
		}
	}
}

// keptTotals is the time of each kernel in kept steps, once in each.
func keptTotals(tr *trace.Trace, steps []trace.Step) map[string]int64 {
	out := map[string]int64{}
	for _, st := range steps {
		for i := range tr.Device {
			if s := &tr.Device[i]; st.Dropped == "" && s.Start >= st.Start && s.Start < st.End {
				out[tr.Names.Text(s.Name)] += s.End - s.Start
			}
		}
	}
	return out
}

func sameTotals(stats []run.Stat, want map[string]int64) bool {
	for _, s := range stats {
		if s.Table == run.KernelTable && s.Total != want[s.Name] {
			return false
		}
	}
	return len(stats) == len(want)
}
