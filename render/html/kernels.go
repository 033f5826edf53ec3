package html

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"perfdiff/analyze/source/remedy"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/render/number"
)

// kernelSection shows the table of kernels by the size of their change.
func (s *sheet) kernelSection() section {
	sec := section{ID: "kernels", Nav: "Kernels", Title: "Which kernels changed?"}
	if len(s.r.Kernels) == 0 {
		sec.Reading = "Not known: no kernels were recorded on both sides."
		sec.Blocks = []block{{Empty: &empty{What: "No kernels to compare.", How: s.recordKernels() + remedy.For(remedy.GraphKernels, s.r.Profilers) + "."}}}
		return sec
	}
	t := &table{ID: "ktab", Label: "Kernels", Heads: []head{
		{Text: "Kernel", Left: true}, {Text: "Kind", Left: true, Wide: true}, {Text: "Share", Unit: "% of base"}, {Text: "Calls", Unit: "per " + s.perUnit()},
		{Text: "Each", Unit: "base, \u00b5s"}, {Text: "Each", Unit: "cand., \u00b5s"}, {Text: "Change", Unit: "\u00b5s per " + s.perUnit()},
		{Text: "More calls", Unit: "\u00b5s", Wide: true}, {Text: "Slower calls", Unit: "\u00b5s", Wide: true}, {Text: "Split", Wide: true},
		{Text: "Beyond noise", Unit: "% of its time"}}}
	list := s.kernelsInOrder()
	names, split := kernelTexts(list), widestSplit(list)
	for i, k := range list {
		t.Rows = append(t.Rows, s.kernelRow(k, names[i], split))
	}
	sec.Reading = s.kernelReading()
	sec.Blocks = []block{{Table: t, Note: s.kernelBasis() + "Change = more calls + slower calls, exactly (midpoint split); in Split the dark bar is that of slower calls, less to the left and more to the right. " + s.kernelNote()}}
	return sec
}

func (s *sheet) kernelBasis() string {
	if s.r.Stepless() {
		return "Per second from the first to the last work of the device, mean over ranks. "
	}
	return "Per step, mean over ranks and used steps. "
}

func (s *sheet) kernelNote() string {
	rule := "Benjamini and Hochberg"
	if s.r.Policy.StrictKernels {
		rule = "Benjamini and Yekutieli, the strict rule of the policy"
	}
	text := "Beyond noise: the change of a kernel that stands out of the others, at least 3 %; of all shown there, at most one in twenty is chance (" + rule + ")."
	if shift := s.r.KernelShift; math.Abs(shift) >= 0.005 {
		text += " All kernels share a change of " + number.PercentFor(shift, 0, 0).Signed(shift) + number.Space + "%, as a different clock or other work per step would cause, which is taken out first; a kernel that did not change with the others has no colour."
	}
	return text
}

func (s *sheet) kernelReading() string {
	k := &s.r.Kernels[0]
	sc := number.ScaleOf("s", largestMagnitude(k.BaseTime, k.CandTime))
	if k.Delta == 0 || math.IsNaN(k.Delta) {
		return "No kernel changed."
	}
	if k.Name == sides.GraphKernel && (k.BaseTime == 0) != (k.CandTime == 0) {
		return "One side replays CUDA graphs, of which kernels were not recorded one by one: rows of kernels do not compare, times do."
	}
	text := fmt.Sprintf("%s changed most: from %s to %s per %s", shortenTo(k.Name, 64), sc.Format(k.BaseTime), sc.With(k.CandTime), s.perUnit())
	if math.Abs(k.Calls) > math.Abs(k.Slower) {
		return text + fmt.Sprintf(", by its number of calls: %s and %s.", numberOrDash(k.BaseCalls), numberOrDash(k.CandCalls))
	}
	shorter := map[bool]string{true: "shorter", false: "longer"}[k.Slower < 0]
	if k.Class == "communication" { // it runs while its rank waits for others
		return text + ", as each call is " + shorter + ", waiting for other ranks included: Collectives tells it from the transfer."
	}
	return text + ", because each call is " + shorter + "."
}

// kernelRow returns one kernel, under the text that tells it from all others.
func (s *sheet) kernelRow(k *cause.Kernel, text string, split float64) row {
	kind, title := cmp.Or(k.Family, k.Class), k.Name
	if k.BaseShape != "" || k.CandShape != "" {
		title += "\n" + orDash(k.BaseShape)
		if k.CandShape != k.BaseShape {
			title += " \u2192 " + orDash(k.CandShape)
		}
	}
	if !math.IsNaN(k.BaseFLOPs + k.CandFLOPs) {
		sc := number.ScaleOf("FLOP", largestMagnitude(k.BaseFLOPs, k.CandFLOPs))
		title += "\n" + sc.Format(k.BaseFLOPs) + " \u2192 " + sc.With(k.CandFLOPs) + " per call"
	}
	if k.Others > 0 {
		kind, title = "", ""
	}
	each := func(time, calls float64) float64 {
		if calls == 0 {
			return math.NaN()
		}
		return time / calls * 1e6
	}
	calls := numberOrDash(k.BaseCalls)
	if calls != numberOrDash(k.CandCalls) {
		calls += " \u2192 " + numberOrDash(k.CandCalls)
	}
	micro := func(v float64) cell {
		return cell{Text: alignNumber(number.Signed(v * 1e6)), Value: sortKey(v), Wide: true}
	}
	change := micro(k.Delta)
	change.Wide = false
	beyond := textCell(number.None, "")
	if k.BeyondNoise {
		beyond = cellOfClass(number.PercentFor(k.Change, 0, 0).Signed(k.Change), s.kernelClass(k), kernelColourPrefix+k.Name)
	}
	id := ""
	if k.Others == 0 {
		id = kernelID(k.Name)
	}
	return row{Pick: id, Collective: s.collectiveOfKernel(k), Cells: []cell{
		{Text: text, Title: title, Small: k.LaunchChange, Link: s.kernels[k.Name], Head: true, Class: "kn", Value: k.Name}, {Text: kind, Left: true, Wide: true},
		numberCell(k.Share * 100), textCell(calls, ""),
		numberCell(each(k.BaseTime, k.BaseCalls)), numberCell(each(k.CandTime, k.CandCalls)), change, micro(k.Calls), micro(k.Slower),
		{Wide: true, Bars: splitBars(k, split), Value: sortKey(k.Delta)}, beyond,
	}}
}

// widestSplit returns the largest sum of both parts of a kernel's change, in s.
func widestSplit(list []*cause.Kernel) float64 {
	widest := 0.0
	for _, k := range list {
		if sum := math.Abs(k.Calls) + math.Abs(k.Slower); k.Others == 0 && sum > widest {
			widest = sum
		}
	}
	return widest
}

// splitBars returns bars for both parts of a kernel's change, in % of a place whose middle is 0: more to its right,
// less to its left, slower calls next to more calls.
func splitBars(k *cause.Kernel, widest float64) []bar {
	if widest == 0 || math.IsNaN(k.Calls+k.Slower) {
		return nil
	}
	var out []bar
	ends := [2]float64{50, 50} // to the left and to the right of what is drawn
	for _, part := range []struct {
		v     float64
		class string
	}{{k.Slower, "s"}, {k.Calls, "m"}} {
		wide := min(50, float64(math.Abs(part.v)/widest*50))
		if wide < 0.5 {
			continue
		}
		b := bar{Class: part.class, From: ends[1], Wide: wide}
		if part.v < 0 {
			ends[0] -= wide
			b.From = ends[0]
		} else {
			ends[1] += wide
		}
		out = append(out, b)
	}
	return out
}

// kernelColourPrefix stands before the name of a kernel in cell.Of.
const kernelColourPrefix = "kernel "

// kernelClass returns "better" or "worse" for a kernel whose change is beyond the noise of kernels, else "". A kernel
// that stands out only because all others moved took as long as before: "".
func (s *sheet) kernelClass(k *cause.Kernel) string {
	switch {
	case !s.judged, k.MovedWithAll(s.r.KernelShift):
		return ""
	case k.Change < 0:
		return "better"
	}
	return "worse"
}

// sortKey returns the key by which the script sorts a cell; "" to sort by its text.
func sortKey(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}
