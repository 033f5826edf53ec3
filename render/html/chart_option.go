package html

import (
	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"
	"github.com/go-echarts/go-echarts/v2/types"
)

// chartData is an ordinary chart: options made by go-echarts, without a colour
// or function of their own. The page resolves "$base" to the theme's colour
// and "@ms" to its function, in every value except below "data" and "name",
// where names out of profiles are.
//
// What the scripts draw by themselves is one custom series each, all of which is a
// function, so that go-echarts cannot describe it: the waterfall, the first figure and the
// timeline are shapes with labels between them, and a heatmap of 128 x 1,000 cells takes
// 12.6 s as a series of that type and 0.3 s as one image.
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

// Names of colours, which the page's script resolves to those of the theme.
const (
	baseColor = "$base"
	candColor = "$cand"
)

// chartOption turns a chart into options for ECharts: only components that the bundle holds,
// and no animation.
func chartOption(c interface {
	Validate()
	JSON() map[string]any
}) map[string]any {
	c.Validate()
	all := c.JSON()
	return map[string]any{
		"animation": false, "grid": all["grid"], "series": all["series"], "xAxis": all["xAxis"], "yAxis": all["yAxis"],
	}
}

// commonOptions are the options of every chart: a fixed id, the grid and the axes.
func commonOptions(id string, right, bottom string, x opts.XAxis, y opts.YAxis) []charts.GlobalOpts {
	return []charts.GlobalOpts{
		charts.WithInitializationOpts(opts.Initialization{ChartID: "c-" + id}),
		charts.WithGridOpts(opts.Grid{Left: "44", Right: right, Top: "26", Bottom: bottom}),
		charts.WithXAxisOpts(x), charts.WithYAxisOpts(y),
	}
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
