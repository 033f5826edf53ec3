package render

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"time"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/history"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render/words"
)

// saying is a member of a type's JSON that no field holds in that form: words, which render makes, or numbers in
// another layout.
type saying struct {
	of  reflect.Type
	key string
}

// sayer is one saying, with the type of its value and the function that makes it from a pointer to the type it is of.
type sayer struct {
	saying
	says  reflect.Type
	value func(reflect.Value) reflect.Value
}

func say[T, V any](key string, of func(*T) V) sayer {
	return sayer{saying{reflect.TypeFor[T](), key}, reflect.TypeFor[V](), func(v reflect.Value) reflect.Value {
		return reflect.ValueOf(of(v.Interface().(*T)))
	}}
}

// listOfSayings returns the list. A tag "KEY,said" says where in the object a member goes; members without such a tag
// come last.
func listOfSayings() []sayer {
	return slices.Concat(reportSayings(), sideSayings(), comparisonSayings(), causeSayings(), storeSayings(), replaySayings())
}

var sayings = mapOf(listOfSayings())

func mapOf(all []sayer) map[saying]sayer {
	out := make(map[saying]sayer, len(all))
	for _, s := range all {
		out[s.saying] = s
	}
	return out
}

// reportSayings returns the sayings of the report as a whole, and of what led to its gate.
func reportSayings() []sayer {
	return []sayer{
		say("say", (*words.Answer).Told),
		say("basis", (*words.Answer).Basis),
		say("verdict.word", words.Outcome),
		say("verdict.change_to_blame", words.Blame),
		say("verdict.advice", func(r *diff.Report) string { return string(r.Advice()) }),
		say("verdict.look_first", words.NotAlike),
		say("verdict.not_alike", func(r *diff.Report) []diff.Unlike { return slices.Concat([]diff.Unlike{}, r.Headline.Unlike) }),
		say("verdict.jump", func(r *diff.Report) *cause.Jump { return r.Headline.Jump }),
		say("verdict.stalls", func(r *diff.Report) *cause.Stalls { return r.Headline.Stalls }),
		say("verdict.hints", words.Hints),
		say("verdict.leans", words.Leaning),
		say("verdict.causes", words.Causes),
		say("baseline_alone", func(r *diff.Report) string { return words.WhyLeftOut(&r.Alone) }),
		say("alone_reason", func(r *diff.Report) string { return string(r.Alone.Kind) }),
		say("findings", words.Findings),
		say("line", func(p *policy.Policy) string { return spaces.Replace(words.PolicyLine(p)) }),
		say("equivalence", func(p *policy.Policy) float64 { return p.Equal() }),
		say("causes", words.GateCauses),
		say("metric", func(c *diff.GateCause) string {
			if c.Of == nil {
				return ""
			}
			return c.Of.Key.Metric
		}),
		say("text", words.Warning),
		say("marker", func(c *diff.StepCandidate) string { return c.Marker.String() }),
		say("better", func(m *run.Metric) string { return betterWord(m.Better) }),
	}
}

// sideSayings returns the sayings of a side's contents: ranks, their steps, calls and timelines.
func sideSayings() []sayer {
	return []sayer{
		say("captured", func(s *diff.Side) []string { return captured(s.Captured) }),
		say("baseline", func(r *diff.RankRow) *diff.RankSide { return present(&r.Base) }),
		say("candidate", func(r *diff.RankRow) *diff.RankSide { return present(&r.Cand) }),
		say("dropped", func(s *diff.RankSide) []string { return listOf(s.Omissions, words.StepLeft) }),
		say("dropped", func(p *cause.StepPoint) string { return words.StepLeft(&p.Omission) }),
		say("quantiles_at", func(*cause.Requests) []float64 { return cause.SpreadAt[:] }),
		say("source", words.ReadSource),
		say("lengths", func(c *run.Calls) []float64 {
			return listOf(c.Bins, func(bin *int32) float64 { return run.CallLength(*bin) * 1e-9 })
		}),
		say("collective", func(c *run.Calls) string { return c.Name }),
		say("count", func(c *run.Calls) int64 { return c.Count }),
		say("mean", func(c *run.Calls) float64 { return float64(c.Total) * 1e-9 / float64(c.Count) }),
		say("standard_deviation", func(c *run.Calls) float64 { return math.Sqrt(c.Squares / math.Max(1, float64(c.Count)-1)) }),
		say("quantiles", quantilesOf),
		say("causes", func(g *run.Gap) map[string]float64 {
			out := map[string]float64{}
			for _, c := range g.Causes {
				out[c.Name] = float64(c.Time) / 1e9
			}
			return out
		}),
		ofBars("lane", func(x *run.StripSpan) int { return int(x.Lane) }),
		ofBars("name", func(x *run.StripSpan) int { return int(x.Name) }),
		ofBars("start", func(x *run.StripSpan) int64 { return x.Start }),
		ofBars("end", func(x *run.StripSpan) int64 { return x.End }),
		ofBars("track", func(x *run.StripSpan) int { return int(x.Track) }),
		ofBars("ahead", func(x *run.StripSpan) int64 { return x.Ahead }),
		ofBars("wait", func(x *run.StripSpan) float64 {
			if !x.Split {
				return math.NaN()
			}
			return float64(x.Wait)
		}),
	}
}

// comparisonSayings returns the sayings of metrics that were compared, and of facts that differ.
func comparisonSayings() []sayer {
	return []sayer{
		say("unit", func(c *verdict.Comparison) string { return c.Metric.Unit }),
		say("better", func(c *verdict.Comparison) string { return betterWord(c.Metric.Better) }),
		say("source", words.Source),
		say("why", words.Why),
		say("waived", func(c *verdict.Comparison) string {
			if c.Waiver == nil {
				return ""
			}
			return words.Waiver(c.Waiver)
		}),
		say("note", words.Note),
		say("notes", words.Notes),
		say("not_recorded", func(c *verdict.Comparison) [2]string {
			return [2]string{words.Need(c.NotRecorded[0]), words.Need(c.NotRecorded[1])}
		}),
		say("overhead", (*verdict.UnprofiledSide).Overhead),
		say("name", func(d *verdict.Difference) string {
			name, _, _ := words.Differs(d)
			return cmp.Or(d.Name, name)
		}),
		say("baseline", func(d *verdict.Difference) string { _, base, _ := words.Differs(d); return base }),
		say("candidate", func(d *verdict.Difference) string { _, _, cand := words.Differs(d); return cand }),
		say("why", words.Effect),
		say("why", func(r *verdict.PastRun) string { return words.WhyLeftOut(&r.Why) }),
		say("reason", func(r *verdict.PastRun) string { return string(r.Why.Kind) }),
	}
}

// causeSayings returns the sayings of the parts of the step, and of findings.
func causeSayings() []sayer {
	return []sayer{
		say("text", words.Suspect),
		say("name", words.LoadGroup),
		say("source", words.PathSource),
		say("name", func(p *cause.PathPart) string { return words.PathPartOf(p.Key) }),
		say("name", func(p *cause.PartChange) string { return words.StepPart(p.StepPart) }),
		say("name", func(b *cause.Bound) string { name, _ := words.Bound(b); return name }),
		say("method", func(b *cause.Bound) string { _, method := words.Bound(b); return method }),
		say("part", func(s *cause.Stability) string { return words.StepPart(s.Part) }),
		say("part", func(l *cause.LevelChange) string { return words.StepPart(l.Part) }),
		say("metric", func(l *cause.LevelChange) string { return l.Part.Metric }),
		say("metric_part", func(l *cause.LevelChange) string { return l.Part.Part }),
		say("time", func(n *cause.LaunchedNode) [2]float64 { return [2]float64{n.Base.Time, n.Cand.Time} }),
		say("calls", func(n *cause.LaunchedNode) [2]float64 { return [2]float64{n.Base.Calls, n.Cand.Calls} }),
		say("names", words.Names),
		say("name", func(a *cause.Advice) string { return cmp.Or(a.Name, words.Need(a.Need)) }),
		say("unit", words.MixUnit),
		say("command", func(x *cause.KernelProfile) string { command, _ := words.Ncu(x); return command }),
		say("note", func(x *cause.KernelProfile) string { _, note := words.Ncu(x); return note }),
		say("longer_in", lateParts),
	}
}

// storeSayings returns the sayings of a store's contents.
func storeSayings() []sayer {
	return []sayer{
		say("no_match_reason", func(h *diff.StoreFindings) string { return words.Unlike(h.NoMatch) }),
		say("metric", func(c *diff.MainChange) string { return c.Metric.Metric.Name }),
		say("left_out", func(r *history.Run) string { return words.WhyLeftOut(&r.Why) }),
	}
}

// ofBars returns a column of the bars of a timeline.
func ofBars[V any](key string, of func(*run.StripSpan) V) sayer {
	return say(key, func(s *run.Strip) []V { return listOf(s.Spans, of) })
}

// listOf converts each entry of a list.
func listOf[T, V any](list []T, of func(*T) V) []V {
	out := make([]V, len(list))
	for i := range list {
		out[i] = of(&list[i])
	}
	return out
}

func betterWord(b run.Better) string {
	switch b {
	case run.Lower:
		return "lower"
	case run.Higher:
		return "higher"
	}
	return "neither"
}

// captured returns both times, to the second; nil where they are not known.
func captured(c diff.Captured) []string {
	if c == (diff.Captured{}) {
		return nil
	}
	at := func(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }
	return []string{at(c.First), at(c.Last)}
}

// present returns s, or nil where a side does not have the rank.
func present(s *diff.RankSide) *diff.RankSide {
	if !s.Present {
		return nil
	}
	return s
}

// quantilesOf returns the quantiles of calls, in s: min, 5 %, quartiles, 95 %, 99 % and max.
func quantilesOf(c *run.Calls) []float64 {
	ns := []int64{c.Min, c.Quantile(.05), c.Quartiles[0], c.Median, c.Quartiles[1], c.Quantile(.95), c.Quantile(.99), c.Max}
	return listOf(ns, func(ns *int64) float64 { return float64(*ns) * 1e-9 })
}

// latePart is something that late ranks do longer, in s a step.
type latePart struct {
	run.Key `report:"."`
	Longer  float64 `report:"longer"`
}

func lateParts(l *cause.Late) []latePart {
	out := make([]latePart, len(l.LongerIn))
	for i, key := range l.LongerIn {
		out[i] = latePart{key, l.LongerBy[i]}
	}
	return out
}
