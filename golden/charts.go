package golden

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
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
				v = NumberOf(list[k])
			} else if !several && k == 0 {
				v = NumberOf(p.Value)
			}
			out[k] = append(out[k], v)
		}
	}
	return out
}

// NumberOf returns a number of a chart, NaN for what is none.
func NumberOf(v any) float64 {
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

// Figure is a picture on the card of a finding.
type Figure struct {
	Kind, X    string
	At         []int
	Base, Cand []*float64
	Lines      []struct {
		V float64
		T string
	}
	Rows []struct {
		T       string
		S, K, R int
		V       []*float64
		Bin     float64
	}
	Interval *struct{ Value, Lo, Hi float64 }
}
