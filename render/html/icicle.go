package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// The icicle is the mean step from above: its parts; of a part the families of its kernels, or
// the dimensions that it serves; of a family its kernels. What stands below another lies within
// it and is never wider: parts and families are the waterfall's, which add up exactly, and
// kernels are those of the kernel table. Where kernels of a family run side by side they add up to more than
// the family's time: then each is drawn in proportion, and told with its own time.

// icicleData is the tree for its script. A node comes after the one that contains it.
type icicleData struct {
	Unit     string       `json:"unit"`
	Nodes    []icicleNode `json:"nodes"`
	Launched []icicleNode `json:"launched,omitempty"` // the tree of where kernels are launched; none: not known
}

// icicleNode is one thing in the step on both sides, in the page's unit.
type icicleNode struct {
	Name     string      `json:"n,omitempty"`
	In       int         `json:"in"`          // index of the node that it lies in; -1: none
	Width    [2]float64  `json:"w"`           // how wide it is drawn, baseline and candidate
	Own      *[2]float64 `json:"o,omitempty"` // its time, where it is drawn narrower
	Change   string      `json:"d"`           // as the tables write it
	ChangeIn string      `json:"u,omitempty"` // unit of Change; "" that of the page
	Key      string      `json:"k,omitempty"` // colour of a part
	Class    string      `json:"c,omitempty"` // "better" or "worse", by the verdict that the tables have
	Kernel   *int        `json:"-"`           // place in the report's kernels
	KernelID string      `json:"r,omitempty"` // what selects the kernel
	Calls    string      `json:"x,omitempty"` // of a kernel, a step
	Same     int         `json:"q,omitempty"` // 1 + index in Nodes of the same kernel, which has its name

	of      string // what Class is about, as in cell.Of
	inTable string // Change in the page's unit, where it is told in another
	same    int    // as Same
}

// leastDrawn is from which share of the step on, on either side, a kernel is a node of its own.
// Chosen, not measured: a thousandth of the step is about a pixel of the chart.
const leastDrawn = 0.001

// longestNode is how much of a kernel's name a node has, in characters. Chosen, not measured: names
// of templates have hundreds, and a tooltip shows as many.
const longestNode = 500

// icicleRows is how many rows the table of values has. Chosen, not measured: the waterfall and
// the kernel table have all of them.
const icicleRows = 40

// insideSection returns the icicle; the zero section where the parts of the step are not known.
func (s *sheet) insideSection() section {
	if len(s.r.Waterfall.Parts) == 0 || !(s.r.Waterfall.Base > 0) || !(s.r.Waterfall.Cand > 0) {
		return section{}
	}
	d := s.icicle()
	s.data.Icicle = d
	b := block{
		Switch: &choices{Name: "icicle", Label: "Widths", Options: []choice{{"1", "Widths: candidate"}, {"0", "Widths: baseline"}, {"2", "Only gone and new"}}},
		Charts: []chart{{ID: "icicle", Label: "The mean step from its parts to its kernels; arrow keys walk through it"}},
		Note:   icicleNote, Values: s.icicleTable(d),
	}
	reading := s.insideReading(d)
	if l := s.launchedTree(d); l != nil {
		d.Launched = l.forPage()
		b.Levels = &choices{Name: "levels", Label: "Levels", Options: []choice{{"launched", words.LaunchedLevels(&s.r.Launched)}, {"parts", "By part of the step"}}}
		b.Values = s.icicleTable(l)
		b.Values.Label, b.Charts[0].Label = "The kernels of the step by where they are launched", "The kernels of the mean step by where they are launched; arrow keys walk through it"
		b.Note = launchedNote + b.Note
		reading = s.launchedReading(l) + onOneSide(d)
	}
	if missing := words.LaunchedMissing(&s.r.Launched, &s.r.Profilers); missing != "" {
		b.Note += " " + missing
	}
	return section{ID: "inside", Nav: "Inside the step", Title: "What is the step made of, and what in it changed?", Reading: reading, Blocks: []block{b}}
}

const icicleNote = "Width is time in the mean step. Teal and vermilion are the verdicts that the tables show, the stronger the larger the change for the node; without a verdict there is no colour. " +
	"A click, or Enter, opens a node over the whole width; Esc closes it. Arrow keys go along and up and down. Below a family are its kernels; those that run side by side are narrowed in proportion. " +
	"What is exposed of which kernel of communication is not known, so that none stands below it."

// icicle returns the tree of the mean step.
func (s *sheet) icicle() *icicleData {
	w, f := &s.r.Waterfall, s.ms.Factor
	d := &icicleData{Unit: s.ms.Name}
	root := d.add(icicleNode{Name: "Step, mean", In: -1, Width: [2]float64{w.Base * f, w.Cand * f}, Change: coarseSigned(w.Delta * f)})
	for i := range w.Parts {
		p := &w.Parts[i]
		at := d.add(s.partNode(root, &p.PartChange, p.Kind))
		for j := range p.Within {
			x := &p.Within[j]
			in := d.add(s.partNode(at, x, ""))
			if x.Metric == run.ComputeTime {
				s.addKernels(d, in, x.Part)
			}
		}
		if len(p.Within) == 0 && p.Metric == run.ComputeTime {
			s.addKernels(d, at, "")
		}
	}
	return d
}

// add appends a node and returns its index. Nobody sees more than six digits of a width.
func (d *icicleData) add(n icicleNode) int {
	for i := range n.Width {
		n.Width[i] = sixDigits(n.Width[i])
	}
	d.Nodes = append(d.Nodes, n)
	return len(d.Nodes) - 1
}

func (s *sheet) partNode(in int, p *cause.PartChange, key string) icicleNode {
	f := s.ms.Factor
	c := s.r.Comparison(p.Key)
	return icicleNode{Name: words.StepPart(p.StepPart), In: in, Width: [2]float64{p.Base * f, p.Cand * f},
		Change: coarseSigned(p.Delta * f), Key: key, Class: s.class(c, p.Delta), of: metricOfColour(c)}
}

// addKernels adds the kernels of a family below it, and a rest for the others; of all families where family is "".
func (s *sheet) addKernels(d *icicleData, in int, family string) {
	of := s.kernelsOf(family)
	if len(of) == 0 {
		return
	}
	room, f := d.Nodes[in].Width, s.ms.Factor
	var sum [2]float64
	for _, i := range of {
		sum[0], sum[1] = sum[0]+float64(s.r.Kernels[i].BaseTime*f), sum[1]+float64(s.r.Kernels[i].CandTime*f)
	}
	fits := [2]float64{min(1, room[0]/sum[0]), min(1, room[1]/sum[1])} // NaN of a side without any
	left, others := room, 0
	for _, i := range of {
		n := s.kernelNode(in, i, fits)
		if max(n.Width[0]/d.Nodes[0].Width[0], n.Width[1]/d.Nodes[0].Width[1]) < leastDrawn {
			others++
			continue
		}
		left[0], left[1] = left[0]-n.Width[0], left[1]-n.Width[1]
		d.add(n)
	}
	for i := range left {
		if left[i] < 1e-6*d.Nodes[0].Width[i] {
			left[i] = 0 // what rounding left
		}
	}
	if left != [2]float64{} {
		name := "other kernels"
		if others > 0 {
			name = number.Counted(others, "other kernel") + " and more"
		}
		d.add(icicleNode{Name: name, In: in, Width: left, Change: coarseSigned(left[1] - left[0])})
	}
}

// kernelsOf returns the rows of the kernel table of a family, the largest on either side first.
func (s *sheet) kernelsOf(family string) (of []int) {
	for i := range s.r.Kernels {
		k := &s.r.Kernels[i]
		if k.Others == 0 && k.Family != "" && (family == "" || k.Family == family) && k.BaseTime+k.CandTime > 0 {
			of = append(of, i)
		}
	}
	slices.SortStableFunc(of, func(a, b int) int {
		x, y := &s.r.Kernels[a], &s.r.Kernels[b]
		return cmp.Or(cmp.Compare(max(y.BaseTime, y.CandTime), max(x.BaseTime, x.CandTime)), strings.Compare(x.Name, y.Name))
	})
	return of
}

// kernelNode returns a kernel as wide as it fits.
func (s *sheet) kernelNode(in, row int, fits [2]float64) icicleNode {
	k, f, t := &s.r.Kernels[row], s.ms.Factor, kernelTableOf(s, s.kernelsInOrder())
	own := [2]float64{sixDigits(k.BaseTime * f), sixDigits(k.CandTime * f)}
	n := icicleNode{Name: shortenTo(k.Name, longestNode), In: in, of: kernelColourPrefix + k.Name, Change: t.change(k), Kernel: &row, KernelID: kernelID(k.Name), Calls: numberOrDash(k.BaseCalls)}
	if calls := numberOrDash(k.CandCalls); calls != n.Calls {
		n.Calls += " \u2192 " + calls
	}
	for i := range own {
		if own[i] > 0 {
			n.Width[i] = own[i] * fits[i]
		}
		if own[i] > 0 && fits[i] < 1 {
			n.Own = &own
		}
	}
	if k.BeyondNoise {
		n.Class = s.kernelClass(k)
	}
	return n
}

// insideReading says what the largest part consists of, and what is gone or new.
func (s *sheet) insideReading(d *icicleData) string {
	root := d.Nodes[0].Width
	part := largestIn(d, 0)
	text := fmt.Sprintf("%s is %s of the candidate's mean step", d.Nodes[part].Name, number.Share(d.Nodes[part].Width[1]/root[1]))
	if in := largestIn(d, part); in > 0 && d.Nodes[in].Width[1] > 0 {
		largest := "the largest part of it"
		if d.Nodes[in].Width[1] > d.Nodes[part].Width[1]/2 {
			largest = "most of it"
		}
		text += fmt.Sprintf(", %s %s (%s of the step)", largest, d.Nodes[in].Name, number.Share(d.Nodes[in].Width[1]/root[1]))
	}
	return text + onOneSide(d)
}

// onOneSide says how many of the kernels that are drawn only one side runs.
func onOneSide(d *icicleData) string {
	drawn, gone, fresh := 0, 0, 0
	for i := range d.Nodes {
		n := &d.Nodes[i]
		switch {
		case n.Kernel == nil:
			continue
		case n.Width[1] == 0:
			gone++
		case n.Width[0] == 0:
			fresh++
		}
		drawn++
	}
	switch {
	case drawn == 0:
		return "."
	case gone+fresh == 0:
		return "; every kernel that is drawn runs on both sides."
	}
	return fmt.Sprintf("; of the kernels drawn, the candidate runs %s of the baseline's no more, and %s that the baseline does not.", number.Word(gone), number.Word(fresh))
}

// largestIn returns the node in another one that takes most of the candidate's time; -1 there is none.
func largestIn(d *icicleData, in int) int {
	best := -1
	for i := range d.Nodes {
		if d.Nodes[i].In == in && (best < 0 || d.Nodes[i].Width[1] > d.Nodes[best].Width[1]) {
			best = i
		}
	}
	return best
}

// icicleTable returns the widest nodes, in the order of the tree.
func (s *sheet) icicleTable(d *icicleData) *table {
	u := s.ms.Name
	t := &table{Label: "The step from its parts to its kernels", Heads: heads("In the step", "Baseline, "+u, "Candidate, "+u, "Change, "+u)}
	widths := make([]float64, len(d.Nodes))
	for i := range d.Nodes {
		widths[i] = max(d.Nodes[i].Width[0], d.Nodes[i].Width[1])
	}
	least := slices.Sorted(slices.Values(widths))[max(0, len(widths)-icicleRows)]
	depth := make([]int, len(d.Nodes))
	for i := range d.Nodes {
		n := &d.Nodes[i]
		if n.In >= 0 {
			depth[i] = depth[n.In] + 1
		}
		if widths[i] < least || len(t.Rows) == icicleRows {
			continue
		}
		own, change, class := n.Width, n.Change, n.Class
		if n.of == "" { // of several kernels: no verdict is of all of them
			class = ""
		}
		if n.Own != nil {
			own = *n.Own
		}
		if n.inTable != "" {
			change = n.inTable
		} else if n.Kernel != nil {
			change = coarseSigned(s.r.Kernels[*n.Kernel].Delta * s.ms.Factor)
		}
		t.Rows = append(t.Rows, row{Cells: []cell{{Text: strings.Repeat("\u2003", depth[i]) + shorten(n.Name), Title: n.Name, Key: n.Key, Head: true},
			numberCell(own[0]), numberCell(own[1]), cellOfClass(alignNumber(change), class, n.of)}})
	}
	if n := len(d.Nodes) - len(t.Rows); n > 0 {
		t.More = number.Counted(n, "smaller one") + " are not listed here: the waterfall and the kernels have them all."
	}
	return t
}
