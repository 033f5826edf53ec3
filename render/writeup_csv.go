package render

import (
	"bytes"
	"encoding/csv"
	"math"
	"strconv"

	"perfdiff/diff"
	"perfdiff/render/words"
)

// tablesOf are the CSV files of a write-up, in seconds and fractions; what was not
// recorded is an empty cell.
func tablesOf(r *diff.Report) ([]Attachment, error) {
	metrics := [][]string{{"metric", "part", "unit", "baseline", "candidate", "delta", "estimate", "low", "high", "relative", "verdict"}}
	for _, list := range [][]diff.Comparison{r.Metrics, r.Parts} {
		for i := range list {
			c := &list[i]
			metrics = append(metrics, []string{c.Key.Metric, cell(c.Part), c.Metric.Unit, figure(c.Base), figure(c.Cand), figure(c.Delta),
				figure(c.Estimate), figure(c.Lo), figure(c.Hi), strconv.FormatBool(c.Relative), c.Verdict.String()})
		}
	}
	parts := [][]string{{"part", "kind", "within", "baseline", "candidate", "delta", "low", "high"}}
	add := func(p *diff.PartChange, within string) {
		parts = append(parts, []string{cell(p.Name), p.Kind, within, figure(p.Base), figure(p.Cand), figure(p.Delta), figure(p.Lo), figure(p.Hi)})
	}
	for i := range r.Waterfall.Parts {
		p := &r.Waterfall.Parts[i]
		add(&p.PartChange, "")
		for k := range p.Within {
			add(&p.Within[k], p.Name)
		}
	}
	steps := [][]string{{"step", "left_out", "baseline", "baseline_fastest", "baseline_slowest", "candidate", "candidate_fastest", "candidate_slowest"}}
	for _, p := range r.Steps {
		steps = append(steps, []string{strconv.FormatInt(p.Number, 10), cell(p.Dropped), figure(p.Base.Median), figure(p.Base.Min), figure(p.Base.Max), figure(p.Cand.Median), figure(p.Cand.Min), figure(p.Cand.Max)})
	}
	kernels := [][]string{{"kernel", "class", "baseline_time", "candidate_time", "baseline_calls", "candidate_calls", "delta", "by_calls", "by_duration"}}
	for _, k := range r.Kernels {
		if k.Others == 0 {
			kernels = append(kernels, []string{cell(k.Name), k.Class, figure(k.BaseTime), figure(k.CandTime), figure(k.BaseCalls), figure(k.CandCalls), figure(k.Delta), figure(k.Calls), figure(k.Slower)})
		}
	}
	findings := [][]string{{"number", "unit", "class", "text", "interval", "evidence", "advice", "effect"}}
	for _, f := range words.Findings(r) {
		findings = append(findings, []string{cell(f.Number), f.NumberIn, f.Class, cell(f.Text), cell(f.Interval), cell(f.Evidence), cell(f.Advice), figure(f.Effect)})
	}
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

func figure(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 9, 64)
}

// cell is text that a spreadsheet takes as text: one that would begin a formula gets
// an apostrophe in front. Names come out of profiles.
func cell(s string) string {
	s = Line(s)
	if s != "" && (s[0] == '=' || s[0] == '@' || s[0] == '+' || s[0] == '-') {
		return "'" + s
	}
	return s
}
