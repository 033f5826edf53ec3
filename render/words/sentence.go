package words

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/number"
)

// sentence is what a finding says, with the clauses that explain it.
func sentence(r *diff.Report, f *diff.Finding) string {
	text := strings.TrimSuffix(head(r, f), ".") + strings.Join(f.Clauses, "")
	if text == "" {
		return ""
	}
	return text + "."
}

// head is the sentence without its clauses, by kind.
func head(r *diff.Report, f *diff.Finding) string {
	switch f.Kind {
	case diff.KindInputWait:
		if f.Mean {
			return inputIdle(r, f)
		}
		return moved(r, f, "")
	case diff.KindCommunication, diff.KindCompute, diff.KindMemory, diff.KindIdle, diff.KindWait, diff.KindTransfer,
		diff.KindReadThroughput, diff.KindOverlap:
		return moved(r, f, "")
	case diff.KindComputeSkew:
		return moved(r, f, ", the lead of the rank that computes longest,")
	case diff.KindGapBefore:
		return gapBefore(f)
	case diff.KindJitter:
		return jitter(f)
	case diff.KindCollectiveAlone:
		return fmt.Sprintf("A collective changed beyond what runs differ by: the transfer of %s %s %s a step",
			f.Part, verb(f.Delta), fromTo(f, valuesIn(f)))
	case diff.KindKernelShift:
		return number.Capital(allTake(f.Delta)) + " a call, as with another clock, size of the batch or data type"
	}
	return f.Text
}

// moved is the sentence about a change of a metric: "Idle time fell from 52.9 to 18.4 ms a
// step". What the metric's name needs to be understood follows it.
func moved(r *diff.Report, f *diff.Finding, aside string) string {
	c := comparison(r, f)
	name := cmp.Or(c.Metric.Subject, c.Key.Metric) + aside
	if c.Holds != "" {
		name += " or " + c.Holds + " work"
	}
	text := name + " " + verb(f.Delta) + " " + fromTo(f, valuesIn(f))
	switch {
	case f.Unit == "s":
		return text + " a step"
	case f.Unit != "ratio" && c.Source != "":
		return text + ", measured from " + c.Source
	}
	return text
}

// inputIdle is the sentence about what waiting for input left of the device idle; the
// host's own time stands in brackets.
func inputIdle(r *diff.Report, f *diff.Finding) string {
	host := comparison(r, f)
	own := number.ScaleOf("s", math.Max(math.Abs(host.Base), math.Abs(host.Cand)))
	return fmt.Sprintf("Input wait that leaves the device idle %s %s a step in the mean "+
		"(on the host the median %s from %s to %s)",
		verb(f.Delta), fromTo(f, valuesIn(f)), verb(f.Delta), own.Format(host.Base), own.With(host.Cand))
}

// gapBefore is the sentence about the longest gap before a collective.
func gapBefore(f *diff.Finding) string {
	sc := number.GapScale(math.Max(f.Base, f.Cand))
	if f.Class == "remains" {
		return fmt.Sprintf("A gap of %s before %s remains in the candidate", sc.With(f.Cand), f.Part)
	}
	return fmt.Sprintf("The gap before %s %s %s", f.Part, verb(f.Delta), fromTo(f, sc))
}

// jitter is the sentence about how steps differ from one to the next.
func jitter(f *diff.Finding) string {
	return fmt.Sprintf("Steps differ %s from one to the next: by %s of a step in the median, in the baseline by %s",
		moreOrLess(f.Delta), number.Share(f.Cand), number.Share(f.Base))
}

// comparison is that of the metric that a finding is about; an empty one where the report
// has none.
func comparison(r *diff.Report, f *diff.Finding) *diff.Comparison {
	for _, list := range [][]diff.Comparison{r.Metrics, r.Parts} {
		for i := range list {
			if list[i].Key == (run.Key{Metric: f.Metric, Part: f.Part}) {
				return &list[i]
			}
		}
	}
	return &diff.Comparison{}
}

// fromTo writes both values: "from 52.9 to 18.4 ms".
func fromTo(f *diff.Finding, sc number.Scale) string {
	return "from " + sc.Format(f.Base) + " to " + sc.With(f.Cand)
}

func verb(delta float64) string {
	if delta < 0 {
		return "fell"
	}
	return "rose"
}

func moreOrLess(delta float64) string {
	if delta < 0 {
		return "less"
	}
	return "more"
}

// allTake words a change that all kernels share, a fraction.
func allTake(shift float64) string {
	how := "less"
	if shift > 0 {
		how = "longer"
	}
	return "all kernels take about " + number.Share(math.Abs(shift)) + " " + how
}
