package main

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"

	"perfdiff/golden"
)

var (
	colouredElement = regexp.MustCompile(`<[a-z0-9]+[^>]* class="(?:[^"]* )?(better|worse)(?: [^"]*)?"[^>]*>`)
	standsOn        = regexp.MustCompile(` data-of="([^"]*)"`)
	afterFinding    = regexp.MustCompile(`(?s)^.*?<span class="what">(.*?)</span></summary>`)
)

// judged is what a report says in words of "better" and "worse".
type judged struct {
	Verdict struct {
		Verdict string
		Judged  bool
	}
	Findings       []struct{ Class, Text string }
	Metrics, Parts []struct{ Metric, Part, Verdict string }
	Waterfall      struct {
		Parts []struct{ Metric, Part string }
	}
	Sum *struct {
		Rows []struct {
			Kind      string
			Follows   bool
			Low, High *float64
		}
	}
	Kernels []struct {
		Name   string
		Beyond bool `json:"beyond_noise"`
		Change *float64
	}
}

// classes are the colours that a report gives reason for, by what they are of.
func (j *judged) classes() map[string]string {
	out := map[string]string{}
	for _, list := range [][]struct{ Metric, Part, Verdict string }{j.Metrics, j.Parts} {
		for _, c := range list {
			class := map[string]string{"improved": "better", "regressed": "worse"}[c.Verdict]
			out[strings.TrimSuffix(c.Metric+"/"+c.Part, "/")] = class
		}
	}
	for _, k := range j.Kernels {
		if k.Beyond && k.Change != nil {
			out["kernel "+k.Name] = map[bool]string{true: "better", false: "worse"}[*k.Change < 0]
		}
	}
	return out
}

// sumClasses are the colours of the rows of the sum: of the parts whose interval leaves out zero, and of the step.
func (j *judged) sumClasses() map[string]string {
	out := map[string]string{"step": map[string]string{"improved": "better", "regressed": "worse"}[j.Verdict.Verdict]}
	if j.Sum == nil {
		return nil
	}
	for _, x := range j.Sum.Rows {
		switch {
		case x.Follows || x.Low == nil:
		case *x.Low > 0:
			out[x.Kind] = "worse"
		case *x.High < 0:
			out[x.Kind] = "better"
		}
	}
	return out
}

// coloursOfVerdicts: what a page paints better or worse names a metric of that verdict, a
// kernel beyond noise, or is a finding of that class; each metric of the main table with such
// a verdict is painted; and charts have such colours for parts with such a verdict only.
func coloursOfVerdicts(t *testing.T, page, doc []byte) {
	t.Helper()
	var j judged
	if err := json.Unmarshal(doc, &j); err != nil {
		t.Fatal(err)
	}
	want, painted, text := j.classes(), map[string]bool{}, cutScripts(page)
	for part, class := range j.sumClasses() {
		want["sum "+part] = class
	}
	for _, m := range colouredElement.FindAllSubmatchIndex(text, -1) {
		element, class := string(text[m[0]:m[1]]), string(text[m[2]:m[3]])
		if of := standsOn.FindStringSubmatch(element); of != nil {
			name := html.UnescapeString(of[1])
			painted[name] = true
			if want[name] != class || !j.Verdict.Judged {
				t.Errorf("%s is painted %s, and its verdict is %q", name, class, want[name])
			}
			continue
		}
		said := afterFinding.FindSubmatch(text[m[1]:])
		if !strings.HasPrefix(element, "<span class=\"n ") || said == nil || !j.found(class, string(said[1])) {
			t.Errorf("%s is painted and names no verdict", element)
		}
	}
	for _, c := range j.Metrics {
		if want[c.Metric] != "" && c.Part == "" && !painted[c.Metric] {
			t.Errorf("%s is %s and not painted", c.Metric, c.Verdict)
		}
	}
	coloursOfCharts(t, page, &j)
}

// found reports whether a finding of this class says this.
func (j *judged) found(class, text string) bool {
	text = html.UnescapeString(text)
	for _, f := range j.Findings {
		if f.Class == class && strings.HasPrefix(text, f.Text) {
			return true
		}
	}
	return false
}

// coloursOfCharts: the waterfall has the colours of the parts' verdicts, the first picture
// that of the step time, and no other chart has one of these colours.
func coloursOfCharts(t *testing.T, page []byte, j *judged) {
	t.Helper()
	d, err := golden.Decode(page)
	if err != nil {
		t.Fatal(err)
	}
	for id, c := range d.Charts {
		for i := range c.Option.Series {
			if s := &c.Option.Series[i]; strings.Contains(s.Colour(), "better") || strings.Contains(s.Colour(), "worse") {
				t.Errorf("chart %s: series %s has the colour of a verdict", id, s.Name)
			}
		}
	}
	for _, c := range j.Metrics {
		decided := d.First != nil && (d.First.Verdict == "improved" || d.First.Verdict == "regressed")
		if c.Metric == "step_time" && decided && d.First.Verdict != c.Verdict {
			t.Errorf("the first picture is that of %s, the step time is %s", d.First.Verdict, c.Verdict)
		}
	}
}
