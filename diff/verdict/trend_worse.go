package verdict

import (
	"fmt"
	"math"
	"slices"

	"perfdiff/analyze/run"
)

// leastWorse is by how much a level must be worse to count: the default threshold of the
// step time, as a share, of ratios as points. By definition.
const leastWorse = 0.02

// Worsening says what the newest level is worse than.
type Worsening struct {
	Anchor string // the run that is the anchor; "" against the level before
	By     Shift  // by how much the metric changed
	From   string // the run from which on it is
}

// TrendAnchor is what the newest level of a trend is compared with besides the level before it.
type TrendAnchor struct {
	Point int         // of Points; -1: there is no anchor
	Worse []Worsening // against what the newest level is worse; nil: against nothing
}

// Hold compares the newest level with the level before it and with an anchor. It returns the error of Worse.
func (t *Trend) Hold(anchor Anchor) error {
	worse, err := t.Worse(anchor)
	if err != nil {
		return err
	}
	t.Held = &TrendAnchor{Point: -1, Worse: worse}
	if len(t.Levels) > 0 {
		t.Held.Point, err = t.anchored(anchor)
	}
	return err
}

// Worse returns what the newest level is worse than: the level before it, or the level on which the anchor stands.
// Levels differ by more than chance, see FollowMetric. A metric without a better direction is never worse. The error
// says which tags there are.
func (t *Trend) Worse(anchor Anchor) (out []Worsening, err error) {
	n := len(t.Levels)
	if n == 0 {
		return nil, nil
	}
	last := t.Levels[n-1]
	note := func(l Stretch, anchor string) {
		if t.worse(l.Value, last.Value) {
			out = append(out, Worsening{anchor, shift(t.Metric, l.Value, last.Value), t.Points[last.From].Name})
		}
	}
	if n > 1 {
		note(t.Levels[n-2], "")
	}
	at, err := t.anchored(anchor)
	if err != nil || at < 0 {
		return out, err
	}
	i := slices.IndexFunc(t.Levels, func(l Stretch) bool { return at < l.To })
	if i < n-2 { // the one before was said
		note(t.Levels[i], t.Points[at].Name)
	}
	return out, nil
}

// anchored returns the point of the anchor, for a tag its newest run; -1: there is none.
func (t *Trend) anchored(a Anchor) (int, error) {
	if a.Tag == "" {
		if a.Ago == 0 {
			return -1, nil
		}
		return max(0, len(t.Points)-a.Ago), nil
	}
	var runs []*run.Set
	for i := len(t.Points) - 1; i >= 0; i-- {
		if t.Points[i].From.Is(a.Tag) {
			return i, nil
		}
		runs = append(runs, &run.Set{Runs: []run.Run{{Origin: t.Points[i].From}}})
	}
	return -1, fmt.Errorf("no run is called %.100q, by label or commit (%w)", a.Tag, TagsOf(runs))
}

func (t *Trend) worse(before, after float64) bool {
	by := float64(-t.Metric.Better) * (after - before)
	if t.Metric.Unit != "ratio" {
		by /= math.Abs(before)
	}
	return by >= leastWorse // also of what was 0 before
}
