package main

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"maps"
	"math"
	"slices"
	"strings"

	"perfdiff/golden"
)

// drawnText returns what the charts of a finished page draw, as text: a line for each series.
func drawnText(page []byte) ([]byte, error) {
	d, err := golden.Decode(page)
	if err != nil {
		return nil, err
	}
	w := &lines{}
	fmt.Fprintf(w, "%-12s %-34s %-12s %5s %10s %10s %10s %10s  %s\n",
		"chart", "series", "colour", "n", "first", "last", "least", "most", "checksum")
	w.first(d)
	for _, id := range slices.Sorted(maps.Keys(d.Charts)) {
		w.chart(id, d.Charts[id])
	}
	w.maps(d)
	w.timeline(d)
	w.path(d)
	w.cards(d)
	return w.Bytes(), nil
}

// lines is the text in the making.
type lines struct{ bytes.Buffer }

// series writes one line: how many values there are, how many are missing, the first and last, the smallest and
// largest, and a checksum of all.
func (w *lines) series(chart, name, colour string, v []float64) {
	least, most, there := math.Inf(1), math.Inf(-1), []float64{}
	sum := crc32.NewIEEE()
	for _, x := range v {
		fmt.Fprintf(sum, "%.6g ", x)
		if !math.IsNaN(x) {
			least, most, there = min(least, x), max(most, x), append(there, x)
		}
	}
	n := fmt.Sprint(len(there))
	if gone := len(v) - len(there); gone > 0 {
		n = fmt.Sprintf("%d+%d", len(there), gone)
	}
	fmt.Fprintf(w, "%-12s %-34s %-12s %5s", chart, name, colour, n)
	if len(there) == 0 {
		fmt.Fprintln(w)
		return
	}
	for _, x := range []float64{there[0], there[len(there)-1], least, most} {
		fmt.Fprintf(w, " %10.5g", x)
	}
	fmt.Fprintf(w, "  %08x\n", sum.Sum32())
}

// axis writes the names along an axis, or its ends.
func (w *lines) axis(chart, name string, all []golden.Axis) {
	for _, a := range all {
		if len(a.Data) > 0 {
			sum := crc32.ChecksumIEEE([]byte(strings.Join(a.Data, "\n")))
			fmt.Fprintf(w, "%-12s %-34s %-12s %5d %10.10s %10.10s %21s  %08x\n", chart, name, "", len(a.Data),
				a.Data[0], a.Data[len(a.Data)-1], "", sum)
		} else if a.Min != nil || a.Max != nil {
			fmt.Fprintf(w, "%-12s %-34s %-12s %5s %10s %10s %10.5g %10.5g\n", chart, name, "", "", "", "",
				golden.NumberOf(a.Min), golden.NumberOf(a.Max))
		}
	}
}

func (w *lines) chart(id string, c golden.Chart) {
	w.axis(id, "axis x", c.Option.XAxis)
	w.axis(id, "axis y", c.Option.YAxis)
	for i := range c.Option.Series {
		s := &c.Option.Series[i]
		parts := s.Components()
		for k, v := range parts {
			name := s.Name
			if len(parts) > 1 {
				name += fmt.Sprintf(" [%d]", k)
			}
			w.series(id, name, s.Colour(), v)
		}
	}
	if len(c.Extra) > 0 && string(c.Extra) != "null" {
		fmt.Fprintf(w, "%-12s beside it: %d bytes, checksum %08x\n", id, len(c.Extra), crc32.ChecksumIEEE(c.Extra))
	}
}

func (w *lines) first(d *golden.Drawn) {
	if f := d.First; f != nil {
		w.series("first", "Baseline", "", f.Base)
		w.series("first", "Candidate", "", f.Cand)
		for i, side := range []string{"median, baseline", "median, candidate"} {
			if f.Medians[i] != nil {
				w.series("first", side, "", []float64{f.Medians[i].At})
			}
		}
		if e := f.Estimate; e != nil {
			w.series("first", "estimate, low, high, band", f.Verdict, []float64{e.Value, e.Lo, e.Hi, e.Band})
		}
	}
}

func (w *lines) maps(d *golden.Drawn) {
	if m := d.Map; m != nil {
		for _, v := range m.Metrics {
			for side, at := range []int{v.Base, v.Cand} {
				w.series("map", v.Name+", "+sideWords[side], "", d.Floats(at, m.Columns*len(d.Ranks)))
			}
		}
	}
	if c := d.Activity; c != nil {
		for side, x := range []golden.SideActivity{c.Base, c.Cand} {
			for _, kind := range slices.Sorted(maps.Keys(x.Maps)) {
				w.series("util", kind+", "+sideWords[side], "", d.Bytes(x.Maps[kind], x.Bins*len(x.Rows)))
			}
			starts := make([]float64, len(x.Steps))
			for i := range starts {
				starts[i] = x.Steps[i][0]
			}
			w.series("util", "starts of steps, "+sideWords[side], "", starts)
		}
	}
}

func (w *lines) path(d *golden.Drawn) {
	p := d.Path
	if p == nil {
		return
	}
	n := len(p.Parts)
	for side, at := range p.Sides {
		all := d.Floats(at, len(p.First)*n)
		for k, part := range p.Parts {
			var v []float64
			for i := range p.First {
				v = append(v, all[i*n+k])
			}
			w.series("bound", part.Name+", "+sideWords[side], part.Key, v)
		}
	}
}

var sideWords = []string{"baseline", "candidate"}

func (w *lines) timeline(d *golden.Drawn) {
	if d.Timeline == nil {
		return
	}
	for side, steps := range d.Timeline.Steps {
		for _, x := range steps {
			var bars []float64
			for _, r := range x.Ranks {
				for _, b := range d.Bars(r.At, r.N) {
					bars = append(bars, float64(b.Lane), float64(b.Track), float64(b.Name), float64(b.Start), float64(b.Length), float64(b.Ahead), float64(b.Wait))
				}
			}
			w.series("timeline", fmt.Sprintf("%s, %s, %d ranks", sideWords[side], x.Title, len(x.Ranks)), "", bars)
		}
	}
}

// cards writes what the cards of findings draw.
func (w *lines) cards(d *golden.Drawn) {
	for _, id := range slices.Sorted(maps.Keys(d.Cards)) {
		for i := range d.Cards[id] {
			w.figure(id, &d.Cards[id][i])
		}
	}
}

func (w *lines) figure(id string, f *golden.Figure) {
	if f.Kind == "dots" {
		for side, v := range [][]*float64{f.Base, f.Cand} {
			w.series("card", id+", by "+f.X+", "+sideWords[side], "", valuesOf(v))
		}
	}
	for _, l := range f.Lines {
		w.series("card", id+", line: "+l.T, "", []float64{l.V})
	}
	for i := range f.Rows {
		r := &f.Rows[i]
		if f.Kind == "strips" && r.Bin == 0 {
			fmt.Fprintf(w, "%-12s %s: %s, %s, rank %d of step %d\n", "card", id, r.T, sideWords[r.S], r.R, r.K)
			continue
		}
		w.series("card", fmt.Sprintf("%s, %.40s", id, r.T), "", valuesOf(r.V))
	}
	if x := f.Interval; x != nil {
		w.series("card", id+", interval", "", []float64{x.Value, x.Lo, x.Hi})
	}
}

// valuesOf returns values, NaN for missing ones.
func valuesOf(v []*float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		if out[i] = math.NaN(); x != nil {
			out[i] = *x
		}
	}
	return out
}
