package html

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// chartData is an ordinary chart: options made by go-echarts, without colours or functions of their own. The page
// resolves "$base" to the theme's colour and "@ms" to its function, in every value except below "data" and "name",
// where names out of profiles are.
//
// What the scripts draw by themselves is one custom series each, whose drawing is a function, so that go-echarts
// cannot describe it: the waterfall, the first figure and the timeline are shapes with labels between them, and a
// heatmap of 128 x 1,000 cells takes 12.6 s as a series of that type and 0.3 s as one image.
type chartData struct {
	Option map[string]any `json:"option"`
	Height int            `json:"height"`           // px
	Narrow int            `json:"narrow,omitempty"` // px, on narrow windows
	Flip   bool           `json:"flip,omitempty"`   // swap the axes on narrow windows
	Title  string         `json:"title"`            // heading of the tooltip: "Step"
	Unit   string         `json:"unit"`
	Pick   string         `json:"pick,omitempty"` // what a click selects: "rank", "step"
	Mark   string         `json:"mark,omitempty"` // what the page's script adds to the drawing
	Extra  any            `json:"extra,omitempty"`
}

// Names of colours, which the page's script resolves to the theme's.
const (
	baseColor = "$base"
	candColor = "$cand"
)

// drawing is a chart in the making. Only this file knows go-echarts: sections give axes, and values with a style for
// each series.
type drawing struct {
	chart interface {
		Validate()
		JSON() map[string]any
	}
	add func(name string, values []any, of []charts.SeriesOpts)
	bar bool
}

// place says where a chart goes: its id, and the room to the right of its grid and below it, in px.
type place struct{ id, right, bottom string }

func (p place) options(x opts.XAxis, y opts.YAxis) []charts.GlobalOpts {
	return []charts.GlobalOpts{
		charts.WithInitializationOpts(opts.Initialization{ChartID: "c-" + p.id}),
		charts.WithGridOpts(opts.Grid{Left: "44", Right: p.right, Top: "26", Bottom: p.bottom}),
		charts.WithXAxisOpts(x), charts.WithYAxisOpts(y),
	}
}

// newLine, newBar and newBox begin a chart; names are the names of its categories, nil where there are none.
func newLine(at place, x opts.XAxis, y opts.YAxis, names []string) drawing {
	line := charts.NewLine()
	line.SetGlobalOptions(at.options(x, y)...)
	if names != nil {
		line.SetXAxis(names)
	}
	return drawing{chart: line, add: func(name string, values []any, of []charts.SeriesOpts) {
		line.AddSeries(name, dataOf(values, func(v any) opts.LineData { return opts.LineData{Value: v} }), of...)
	}}
}

func newBar(at place, x opts.XAxis, y opts.YAxis, names []string) drawing {
	bar := charts.NewBar()
	bar.SetGlobalOptions(at.options(x, y)...)
	bar.SetXAxis(names)
	return drawing{chart: bar, bar: y.Type == "category", add: func(name string, values []any, of []charts.SeriesOpts) {
		bar.AddSeries(name, dataOf(values, func(v any) opts.BarData { return opts.BarData{Value: v} }), of...)
	}}
}

func newBox(at place, x opts.XAxis, y opts.YAxis, names []string) drawing {
	box := charts.NewBoxPlot()
	box.SetGlobalOptions(at.options(x, y)...)
	box.SetXAxis(names)
	return drawing{chart: box, add: func(name string, values []any, of []charts.SeriesOpts) {
		box.AddSeries(name, dataOf(values, func(v any) opts.BoxPlotData { return opts.BoxPlotData{Value: v} }), of...)
	}}
}

// dataOf converts values to the data of one kind of chart.
func dataOf[T any](values []any, of func(any) T) []T {
	data := make([]T, len(values))
	for i, v := range values {
		data[i] = of(v)
	}
	return data
}

// style is how a series looks. What is zero is left to ECharts.
type style struct {
	line *opts.LineChart
	bar  *opts.BarChart
	pen  *opts.LineStyle
	item *opts.ItemStyle
	area *opts.AreaStyle
}

// series adds values with a style.
func (p drawing) series(name string, values []any, s style) {
	var of []charts.SeriesOpts
	if s.line != nil {
		of = append(of, charts.WithLineChartOpts(*s.line))
	}
	if s.bar != nil {
		of = append(of, charts.WithBarChartOpts(*s.bar))
	}
	if s.pen != nil {
		of = append(of, charts.WithLineStyleOpts(*s.pen))
	}
	if s.item != nil {
		of = append(of, charts.WithItemStyleOpts(*s.item))
	}
	if s.area != nil {
		of = append(of, charts.WithAreaStyleOpts(*s.area))
	}
	p.add(name, values, of)
}

// solid returns a line without symbols. With step "end" it stays level until the next value; fill is the opacity of
// the area below it, 0 for none.
func solid(color string, width float32, step string, fill float32) style {
	s := style{line: &opts.LineChart{Step: step, Symbol: "none"}, pen: &opts.LineStyle{Width: width, Color: color}, item: &opts.ItemStyle{Color: color}}
	if step == "" {
		s.line.Step = nil
	}
	if fill > 0 {
		s.area = &opts.AreaStyle{Color: color, Opacity: opts.Float(fill)}
	}
	return s
}

// dashed returns a thin line of dashes.
func dashed(color string) style {
	s := solid(color, 1, "", 0)
	s.pen.Type = "dashed"
	return s
}

// faint returns a thin line that lets the others through.
func faint(color string) style {
	return style{line: &opts.LineChart{Symbol: "none"}, pen: &opts.LineStyle{Width: 1, Color: color, Opacity: opts.Float(0.5)}}
}

// dotted returns a line with a symbol at each value.
func dotted(symbol, fill, color string) style {
	return style{line: &opts.LineChart{Symbol: symbol, SymbolSize: 5}, pen: &opts.LineStyle{Width: 2.25, Color: color},
		item: &opts.ItemStyle{Color: fill, BorderColor: color, BorderWidth: 2}}
}

// band returns an area of a stack, without a line; color is "" for an invisible one.
func band(stack, color string) style {
	s := style{line: &opts.LineChart{Stack: stack, Symbol: "none"}, pen: &opts.LineStyle{Opacity: opts.Float(0)}}
	if color != "" {
		s.area = &opts.AreaStyle{Color: color, Opacity: opts.Float(0.16)}
	}
	return s
}

// filled returns a bar or box of one colour with a border.
func filled(color, border string, width float32) style {
	return style{item: &opts.ItemStyle{Color: color, BorderColor: border, BorderWidth: width}}
}

// wide sets the width of the bars of a style and the gap between two of them.
func (s style) wide(width, gap string) style {
	s.bar = &opts.BarChart{BarWidth: width, BarGap: gap}
	return s
}

// stacked puts the bars of a style on each other.
func (s style) stacked(stack, gap string) style {
	s.bar = &opts.BarChart{Stack: stack, BarCategoryGap: gap}
	return s
}

// option returns the options for ECharts: only components that the bundle holds, and no animation.
func (p drawing) option() map[string]any {
	p.chart.Validate()
	all := p.chart.JSON()
	// go-echarts writes the categories to the horizontal axis of a bar chart.
	if axes, ok := all["xAxis"].([]opts.XAxis); ok && len(axes) > 0 && p.bar {
		axes[0].Data = nil
	}
	return map[string]any{
		"animation": false, "grid": all["grid"], "series": all["series"], "xAxis": all["xAxis"], "yAxis": all["yAxis"],
	}
}

// scaleAxis returns a horizontal axis of numbers, "value" or "log", with its name under its middle; "" none.
func scaleAxis(kind, name, format string, lo, hi any, line *opts.AxisLine, split *opts.SplitLine) opts.XAxis {
	x := opts.XAxis{Type: kind, Min: lo, Max: hi, SplitLine: split, AxisLine: line, AxisLabel: axisLabel(format)}
	if name != "" {
		nameBelow(&x, name)
	}
	return x
}

// namesDown returns a vertical axis of names, the first at the top.
func namesDown(names []string, format string) opts.YAxis {
	return opts.YAxis{Type: "category", Data: names, Inverse: opts.Bool(true), AxisLine: hiddenLine(), AxisLabel: axisLabel(format), SplitLine: noSplitLines()}
}

func categoryAxis(names []string, label string) opts.XAxis {
	x := opts.XAxis{Type: "category", Data: names, AxisLine: hiddenLine(), AxisTick: noTicks(), SplitLine: noSplitLines(), AxisLabel: axisLabel("")}
	if label != "" {
		nameBelow(&x, label)
	}
	return x
}

// nameBelow puts an axis' name under its middle.
func nameBelow(x *opts.XAxis, name string) { x.Name, x.NameLocation, x.NameGap = name, "middle", 26 }

func valueAxis(name, format string, max float64) opts.YAxis {
	y := opts.YAxis{Type: "value", Name: name, AxisLine: hiddenLine(), AxisLabel: axisLabel(format), SplitLine: splitLines(), Min: 0}
	if max > 0 {
		y.Max = max
	}
	return y
}

func hiddenLine() *opts.AxisLine { return &opts.AxisLine{Show: opts.Bool(false)} }
func ruledLine() *opts.AxisLine {
	return &opts.AxisLine{Show: opts.Bool(true), LineStyle: &opts.LineStyle{Color: "$rule2"}}
}
func noTicks() *opts.AxisTick       { return &opts.AxisTick{Show: opts.Bool(false)} }
func noSplitLines() *opts.SplitLine { return &opts.SplitLine{Show: opts.Bool(false)} }
func splitLines() *opts.SplitLine {
	return &opts.SplitLine{Show: opts.Bool(true), LineStyle: &opts.LineStyle{Color: "$rule"}}
}

func axisLabel(format string) *opts.AxisLabel {
	l := &opts.AxisLabel{Color: "$ink2", FontSize: 12}
	if format != "" {
		l.Formatter = types.FuncStr(format)
	}
	return l
}
