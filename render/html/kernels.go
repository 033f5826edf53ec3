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
	"perfdiff/render/words"
)

// kernelSection shows the table of kernels by the size of their change.
func (s *sheet) kernelSection() section {
	sec := section{ID: "kernels", Nav: "Kernels", Title: "Which kernels changed?"}
	if len(s.r.Kernels) == 0 {
		sec.Reading = "Not known: no kernels were recorded on both sides."
		sec.Blocks = []block{{Empty: &empty{What: "No kernels to compare.", How: s.recordKernels() + remedy.For(remedy.GraphKernels, s.r.Profilers) + "."}}}
		return sec
	}
	list := s.kernelsInOrder()
	k := kernelTableOf(s, list)
	t := &table{ID: "ktab", Label: "Kernels", Heads: []head{
		{Text: "Kernel", Left: true}, {Text: "Kind", Left: true, Wide: true}, {Text: "Calls", Unit: "per " + s.perUnit()},
		{Text: "Baseline", Unit: k.Name}, {Text: "Candidate", Unit: k.Name}, {Text: "Change", Unit: k.Name}, {Text: "Beyond noise"}, {Text: "Split", Wide: true}}}
	names := kernelTexts(list)
	for i, x := range list {
		t.Rows = append(t.Rows, k.row(x, names[i]))
	}
	sec.Reading = s.kernelReading()
	sec.Blocks = []block{{Table: t, Note: s.kernelBasis() + "~: within noise. Split: dark is slower calls, light more calls (midpoint split), less to the left. " + s.kernelNote()}}
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
	text := "Beyond noise: a change that stands out of the others', at least 3 %; of all shown there, at most one in twenty is chance (" + rule + ")."
	if shift := s.r.KernelShift; math.Abs(shift) >= 0.005 {
		text += " All kernels share a change of " + number.PercentFor(shift, 0, 0).Signed(shift) + number.Space + "%, as a different clock or other work per step would cause, which is taken out first; a kernel that did not change with the others has no colour."
	}
	return text
}

func (s *sheet) kernelReading() string {
	k := &s.r.Kernels[0]
	sc := kernelTableOf(s, s.kernelsInOrder())
	if k.Delta == 0 || math.IsNaN(k.Delta) {
		return "No kernel changed."
	}
	if k.Name == sides.GraphKernel && (k.BaseTime == 0) != (k.CandTime == 0) {
		return "One side replays CUDA graphs, of which kernels were not recorded one by one: rows of kernels do not compare, times do."
	}
	text := fmt.Sprintf("%s changed most: from %s to %s per %s", shortenTo(k.Name, 64), sc.Digits(k.BaseTime), sc.With(k.CandTime), s.perUnit())
	if math.Abs(k.Calls) > math.Abs(k.Slower) {
		return text + fmt.Sprintf(", by its number of calls: %s and %s.", numberOrDash(k.BaseCalls), numberOrDash(k.CandCalls))
	}
	shorter := map[bool]string{true: "shorter", false: "longer"}[k.Slower < 0]
	if k.Class == "communication" { // it runs while its rank waits for others
		return text + ", as each call is " + shorter + ", its waiting included."
	}
	return text + ", because each call is " + shorter + "."
}

// kernelTable writes the rows of kernels: in the unit of the page's steps, with the digits of the largest change.
type kernelTable struct {
	*sheet
	number.Row
	split float64 // the largest sum of both parts of a kernel's change, in s
}

func kernelTableOf(s *sheet, list []*cause.Kernel) kernelTable {
	out := kernelTable{sheet: s, split: widestSplit(list)}
	size := math.NaN()
	for _, k := range list {
		if k.Others == 0 && !(math.Abs(k.Delta) <= size) {
			size = math.Abs(k.Delta)
		}
	}
	out.Row = number.RowIn(s.ms, size)
	return out
}

// row returns one kernel, under the text that tells it from all others.
func (t *kernelTable) row(k *cause.Kernel, text string) row {
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
	id := kernelID(k.Name)
	if k.Others > 0 {
		kind, title, id = "", "", ""
	}
	calls := numberOrDash(k.BaseCalls)
	if calls != numberOrDash(k.CandCalls) {
		calls += " \u2192 " + numberOrDash(k.CandCalls)
	}
	change, beyond := textCell(t.change(k), ""), textCell(number.None, "")
	switch {
	case k.BeyondNoise:
		class := t.kernelClass(k)
		change = cellOfClass(change.Text, class, kernelColourPrefix+k.Name)
		beyond = cellOfClass(number.PercentFor(k.Change, 0, 0).Signed(k.Change)+number.Space+"%", class, kernelColourPrefix+k.Name)
	case change.Text == words.NoSign:
		beyond.Text = "no"
	}
	change.Value = sortKey(k.Delta)
	parts := ""
	if !math.IsNaN(k.Calls + k.Slower) {
		parts = "by calls " + t.SignedWith(k.Calls) + ", by their duration " + t.SignedWith(k.Slower)
	}
	return row{Pick: id, Collective: t.collectiveOfKernel(k), Cells: []cell{
		{Text: text, Title: title, Small: k.LaunchChange, Link: t.kernels[k.Name], Head: true, Class: "kn", Value: k.Name}, {Text: kind, Left: true, Wide: true},
		textCell(calls, ""), textCell(t.Digits(k.BaseTime), ""), textCell(t.Digits(k.CandTime), ""), change, beyond,
		{Wide: true, Title: parts, Bars: splitBars(k, t.split), Value: sortKey(k.Delta)},
	}}
}

// change writes a kernel's change: words.NoSign where it was tested and is within noise.
func (t *kernelTable) change(k *cause.Kernel) string {
	if !k.BeyondNoise && !math.IsNaN(k.Change) && k.Others == 0 {
		return words.NoSign
	}
	return t.Signed(k.Delta)
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
