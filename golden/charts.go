package golden

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// Drawn is what the script of a finished page draws, decoded as the script does it.
type Drawn struct {
	First    *Picture
	Charts   map[string]Chart
	Ranks    []string
	Map      *Map
	Activity *Activity
	Timeline *Timeline
	Path     *PathStrip
	Cards    map[string][]Figure // by the addresses of findings

	matrices []byte
}

// Picture is the first one: dots of steps and the interval of the change.
type Picture struct {
	Base, Cand []float64
	Medians    [2]*struct{ At float64 }
	Verdict    string
	Estimate   *struct{ Value, Lo, Hi, Band float64 }
}

// Chart is an ordinary chart as ECharts takes it.
type Chart struct {
	Option struct {
		XAxis, YAxis []Axis
		Series       []Series
	}
	Extra json.RawMessage
}

// Axis has names, or ends.
type Axis struct {
	Min, Max any
	Data     []string
}

// Series is a line, the bars or the boxes of one side.
type Series struct {
	Name      string
	Data      []struct{ Value any } // a number, several of one point, or what is not there
	ItemStyle struct{ Color, BorderColor string }
	LineStyle struct{ Color string }
}

// Map is the maps of rank and step: Base and Cand say where a matrix begins.
type Map struct {
	Columns int
	First   []int
	Metrics []struct {
		Name, Unit string
		Base, Cand int
	}
}

// Activity are the maps of rank and time, in bytes.
type Activity struct {
	Bin        float64
	Base, Cand SideActivity
}

// SideActivity is the activity of one side.
type SideActivity struct {
	Bins  int
	Rows  []int
	Maps  map[string]int
	Steps [][2]float64
}

// PathStrip holds, for each side, what the critical path of each column of steps consists of.
type PathStrip struct {
	First []int
	Parts []struct{ Key, Name string }
	Sides [2]int
}

// Timeline is the steps of each side as bars, and the views that choose among them.
type Timeline struct {
	Tick   float64
	Names  []string
	Tracks []struct{ Name string }
	Views  []struct {
		Steps [2]int
		Ranks []int
	}
	Steps [2][]struct {
		Number int64
		Title  string
		Ranks  []struct {
			Rank, At, N int
			Least       int64
			Length      float64
		}
	}
}

// Bar is one bar. Times are in ticks.
type Bar struct{ Lane, Track, Name, Start, Length, Ahead, Wait int }

// Bars returns n bars from an offset on, as the timeline's script reads them.
func (d *Drawn) Bars(at, n int) []Bar {
	out := make([]Bar, n)
	for _, c := range []struct {
		size int
		of   func(*Bar) *int
	}{
		{1, func(b *Bar) *int { return &b.Lane }}, {1, func(b *Bar) *int { return &b.Track }}, {2, func(b *Bar) *int { return &b.Name }},
		{4, func(b *Bar) *int { return &b.Start }}, {4, func(b *Bar) *int { return &b.Length }}, {4, func(b *Bar) *int { return &b.Ahead }}, {4, func(b *Bar) *int { return &b.Wait }},
	} {
		for i := range out {
			v := uint32(0)
			for k := range c.size {
				v |= uint32(d.matrices[at+k*n+i]) << (8 * k)
			}
			*c.of(&out[i]) = int(v)
		}
		at += c.size * n
	}
	for i := 1; i < n; i++ {
		out[i].Start = int(uint32(out[i].Start + out[i-1].Start))
	}
	return out
}

// Decode reads what the script of a finished page draws: base64 of gzip, a line of JSON, and the matrices after it.
func Decode(page []byte) (*Drawn, error) {
	_, rest, found := bytes.Cut(page, []byte(`<script type="text/plain" id="data">`))
	block, _, closed := bytes.Cut(rest, []byte("</script>"))
	if !found || !closed {
		return nil, fmt.Errorf("the page has no block of data")
	}
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(block)))
	if err != nil {
		return nil, fmt.Errorf("the page's data: %w", err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("the page's data: %w", err)
	}
	line, matrices, _ := bytes.Cut(all, []byte("\n"))
	d := &Drawn{matrices: matrices}
	if err := json.Unmarshal(line, d); err != nil {
		return nil, fmt.Errorf("the page's data: %w", err)
	}
	return d, nil
}

// Floats returns a matrix of n float32: the lowest bytes of all stand first.
func (d *Drawn) Floats(at, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		bits := uint32(0)
		for k := range 4 {
			bits |= uint32(d.matrices[at+k*n+i]) << (8 * k)
		}
		out[i] = float64(math.Float32frombits(bits))
	}
	return out
}

// Bytes returns a matrix of n bytes; 255 is no value.
func (d *Drawn) Bytes(at, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(d.matrices[at+i])
		if out[i] == 255 {
			out[i] = math.NaN()
		}
	}
	return out
}

// Components returns the values of a series: one list, or one for each number that a point has.
// What is not there is NaN.
func (s *Series) Components() [][]float64 {
	wide := 1
	for _, p := range s.Data {
		if list, several := p.Value.([]any); several {
			wide = max(wide, len(list))
		}
	}
	out := make([][]float64, wide)
	for _, p := range s.Data {
		list, several := p.Value.([]any)
		for k := range out {
			v := math.NaN()
			if several && k < len(list) {
				v = numberOf(list[k])
			} else if !several && k == 0 {
				v = numberOf(p.Value)
			}
			out[k] = append(out[k], v)
		}
	}
	return out
}

func numberOf(v any) float64 {
	if x, ok := v.(float64); ok {
		return x
	}
	return math.NaN()
}

// Colour returns the name of a series' colour, of an outline where there is one.
func (s *Series) Colour() string {
	for _, c := range []string{s.LineStyle.Color, s.ItemStyle.BorderColor, s.ItemStyle.Color} {
		if c != "" && c != "$paper" {
			return c
		}
	}
	return s.ItemStyle.Color
}

// Charts returns what the charts of a finished page draw, as text: a line for each series.
func Charts(page []byte) ([]byte, error) {
	d, err := Decode(page)
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
func (w *lines) axis(chart, name string, all []Axis) {
	for _, a := range all {
		if len(a.Data) > 0 {
			sum := crc32.ChecksumIEEE([]byte(strings.Join(a.Data, "\n")))
			fmt.Fprintf(w, "%-12s %-34s %-12s %5d %10.10s %10.10s %21s  %08x\n", chart, name, "", len(a.Data),
				a.Data[0], a.Data[len(a.Data)-1], "", sum)
		} else if a.Min != nil || a.Max != nil {
			fmt.Fprintf(w, "%-12s %-34s %-12s %5s %10s %10s %10.5g %10.5g\n", chart, name, "", "", "", "",
				numberOf(a.Min), numberOf(a.Max))
		}
	}
}

func (w *lines) chart(id string, c Chart) {
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

func (w *lines) first(d *Drawn) {
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

func (w *lines) maps(d *Drawn) {
	if m := d.Map; m != nil {
		for _, v := range m.Metrics {
			for side, at := range []int{v.Base, v.Cand} {
				w.series("map", v.Name+", "+sides[side], "", d.Floats(at, m.Columns*len(d.Ranks)))
			}
		}
	}
	if c := d.Activity; c != nil {
		for side, x := range []SideActivity{c.Base, c.Cand} {
			for _, kind := range slices.Sorted(maps.Keys(x.Maps)) {
				w.series("util", kind+", "+sides[side], "", d.Bytes(x.Maps[kind], x.Bins*len(x.Rows)))
			}
			starts := make([]float64, len(x.Steps))
			for i := range starts {
				starts[i] = x.Steps[i][0]
			}
			w.series("util", "starts of steps, "+sides[side], "", starts)
		}
	}
}

func (w *lines) path(d *Drawn) {
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
			w.series("bound", part.Name+", "+sides[side], part.Key, v)
		}
	}
}

var sides = []string{"baseline", "candidate"}

func (w *lines) timeline(d *Drawn) {
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
			w.series("timeline", fmt.Sprintf("%s, %s, %d ranks", sides[side], x.Title, len(x.Ranks)), "", bars)
		}
	}
}
