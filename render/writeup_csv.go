package render

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/words"
)

// csvTables are the CSV files of a write-up, in seconds and fractions. A value that was not
// recorded is an empty cell.
func csvTables(r *diff.Report) ([]Attachment, error) {
	metrics := [][]string{{"metric", "part", "unit", "baseline", "candidate", "delta", "estimate", "low", "high", "relative", "verdict"}}
	for _, list := range [][]verdict.Comparison{r.Metrics, r.Parts} {
		for i := range list {
			c := &list[i]
			metrics = append(metrics, []string{c.Key.Metric, csvText(c.Part), c.Metric.Unit, csvNumber(c.Base), csvNumber(c.Cand), csvNumber(c.Delta),
				csvNumber(c.Estimate), csvNumber(c.Lo), csvNumber(c.Hi), strconv.FormatBool(c.Relative), words.MetricOutcome(c)})
		}
	}
	parts := [][]string{{"part", "kind", "within", "baseline", "candidate", "delta", "low", "high"}}
	add := func(p *cause.PartChange, within string) {
		parts = append(parts, []string{csvText(words.StepPart(p.StepPart)), p.Kind, within, csvNumber(p.Base), csvNumber(p.Cand), csvNumber(p.Delta), csvNumber(p.Lo), csvNumber(p.Hi)})
	}
	for i := range r.Waterfall.Parts {
		p := &r.Waterfall.Parts[i]
		add(&p.PartChange, "")
		for k := range p.Within {
			add(&p.Within[k], words.StepPart(p.StepPart))
		}
	}
	steps := [][]string{{"step", "left_out", "baseline", "baseline_fastest", "baseline_slowest", "candidate", "candidate_fastest", "candidate_slowest"}}
	for _, p := range r.Steps {
		steps = append(steps, []string{strconv.FormatInt(p.Number, 10), csvText(words.StepLeft(&p.Omission)), csvNumber(p.Base.Median), csvNumber(p.Base.Min), csvNumber(p.Base.Max), csvNumber(p.Cand.Median), csvNumber(p.Cand.Min), csvNumber(p.Cand.Max)})
	}
	kernels := [][]string{{"kernel", "class", "baseline_time", "candidate_time", "baseline_calls", "candidate_calls", "delta", "by_calls", "by_duration"}}
	for _, k := range r.Kernels {
		if k.Others == 0 {
			kernels = append(kernels, []string{csvText(k.Name), k.Class, csvNumber(k.BaseTime), csvNumber(k.CandTime), csvNumber(k.BaseCalls), csvNumber(k.CandCalls), csvNumber(k.Delta), csvNumber(k.Calls), csvNumber(k.Slower)})
		}
	}
	findings := findingRows(r)
	var out []Attachment
	for _, t := range []struct {
		name string
		rows [][]string
	}{{"findings.csv", findings}, {"kernels.csv", kernels}, {"metrics.csv", metrics}, {"parts.csv", parts}, {"steps.csv", steps}} {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		if err := w.WriteAll(t.rows); err != nil {
			return nil, err
		}
		out = append(out, Attachment{t.name, b.Bytes()})
	}
	return out, nil
}

// findingRows are the findings: their numbers in the unit beside them, or as fractions of the
// baseline where relative says so, and last the same as people read it.
func findingRows(r *diff.Report) [][]string {
	rows := [][]string{{"kind", "class", "metric", "part", "unit", "baseline", "candidate", "delta", "estimate", "low", "high", "relative", "effect",
		"text", "evidence", "advice", "shown", "shown_unit", "shown_interval"}}
	for _, f := range words.Findings(r) {
		effect := csvNumber(f.Effect)
		if f.Effect == 0 {
			effect = "" // no time of a step, such as a rate
		}
		rows = append(rows, []string{string(f.Kind), f.Class, f.Metric, csvText(f.Part), f.Unit, csvNumber(f.Base), csvNumber(f.Cand), csvNumber(f.Delta),
			csvNumber(f.Estimate), csvNumber(f.Lo), csvNumber(f.Hi), strconv.FormatBool(f.Relative), effect,
			csvText(f.Text), csvText(f.Evidence), csvText(f.Advice), csvText(f.Number), f.NumberIn, csvText(f.Interval)})
	}
	return rows
}

func csvNumber(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 9, 64)
}

// csvText is a text that a spreadsheet does not take for a formula: an apostrophe is put in
// front of one that would begin a formula. Names come out of profiles.
func csvText(s string) string {
	s = Line(s)
	if s != "" && (s[0] == '=' || s[0] == '@' || s[0] == '+' || s[0] == '-') {
		return "'" + s
	}
	return s
}
