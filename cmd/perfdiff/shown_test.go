package main

import (
	"bytes"
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"perfdiff/analyze"
	measured "perfdiff/analyze/run"
	"perfdiff/analyze/synth"
	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render"
	"perfdiff/render/words"
)

// forPeople are the formats in which people read every metric.
var forPeople = map[string]render.Format{"text": render.Text, "Markdown": render.Markdown, "JSON": render.JSON, "page": render.HTML}

// bothSides are both sides of a small story, loaded anew.
func bothSides(t *testing.T, dir string) (base, cand *measured.Set) {
	t.Helper()
	var out []*measured.Set
	for _, side := range []string{"baseline", "candidate"} {
		set, err := analyze.Load(context.Background(), filepath.Join(dir, side), analyze.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, set)
	}
	return out[0], out[1]
}

// plant puts a value of a metric into every step of a set, in place of what was measured.
func plant(set *measured.Set, key measured.Key, value float64) {
	for i := range set.Runs {
		for j := range set.Runs[i].Ranks {
			r := &set.Runs[i].Ranks[j]
			values := make([]float64, len(r.Steps))
			for k := range values {
				values[k] = value
			}
			var series []measured.Series
			for _, s := range r.Series {
				if s.Key != key {
					series = append(series, s)
				}
			}
			r.Series = append(series, measured.Series{Key: key, Values: values})
		}
	}
}

// plantable are values in a metric's unit and how people read them.
func plantable(unit string) (base, cand float64, texts [2]string) {
	switch unit {
	case "ratio":
		return 0.11, 0.99, [2]string{"11", "99"}
	case "1":
		return 111, 999, [2]string{"111", "999"}
	case "s":
		return 1.1e-3, 9.9e-3, [2]string{"1.1", "9.9"}
	case "W", "°C":
		return 111, 999, [2]string{"111", "999"}
	case "Hz":
		return 111e6, 999e6, [2]string{"111", "999"}
	}
	return 1.1e9, 9.9e9, [2]string{"1.1", "9.9"}
}

var scripts = regexp.MustCompile(`(?s)<script.*?</script>|<style.*?</style>`)

// forms are a comparison in all formats that people read; of the page what is written.
func forms(t *testing.T, r *diff.Report) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, format := range forPeople {
		var b bytes.Buffer
		if err := render.Write(&b, r, format, render.Options{Width: 200, Tables: true}); err != nil {
			t.Fatal(err)
		}
		out[name] = scripts.ReplaceAllString(b.String(), "")
	}
	return out
}

// hasRow reports whether a row or line of a form has the metric's name, or part, and both
// values.
func hasRow(form, name string, texts [2]string) bool {
	for _, line := range regexp.MustCompile(`</tr>|\n`).Split(form, -1) {
		if strings.Contains(line, name) && strings.Contains(line, texts[0]) && strings.Contains(line, texts[1]) {
			return true
		}
	}
	return false
}

// spelled is a metric's name as the page writes it.
func spelled(name string) string {
	name = strings.ReplaceAll(name, "_", " ")
	name = strings.ToUpper(name[:1]) + name[1:]
	return strings.NewReplacer("Io ", "I/O ", "Gpu ", "GPU ", "Net ", "Network ").Replace(name)
}

// TestEveryMetricIsShown plants a change of each metric, one after the other, and looks for
// it in each format: only a planted one is so large. Single kernels, dimensions of parallelism and the
// critical path have tables of their own, with other columns and of the parts that are known.
func TestEveryMetricIsShown(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	base, cand := bothSides(t, dir)
	for _, m := range analyze.Metrics() {
		if m.Part == "kernel" || m.Part == "dimension" || m.Section == measured.SectionPath {
			continue
		}
		if m.Name == measured.IORankReadThroughput { // shown beside storage counters alone: the story o-direct has it
			continue
		}
		key := measured.Key{Metric: m.Name}
		if !m.Main && m.Part != "" {
			key.Part = "planted"
		}
		b, c, texts := plantable(m.Unit)
		base, cand := fresh(base), fresh(cand)
		plant(base, key, b)
		plant(cand, key, c)
		for name, form := range forms(t, diff.Compare(base, cand, policy.DefaultPolicy(), diff.Options{})) {
			called, texts := m.Name, texts
			switch name {
			case "page": // some rows have other words: "Half are at most"
				called = ""
			case "JSON": // one number a line
				called, texts = `"metric": "`+m.Name+`"`, [2]string{}
			}
			tables := m.TablesOnly && (name == "text" || name == "Markdown")
			if hasRow(form, called, texts) == tables {
				t.Errorf("%s %q: not as it should be in the %s", m.Name, key.Part, name)
			}
		}
	}
}

// fresh is a set whose ranks can get other series.
func fresh(set *measured.Set) *measured.Set {
	out := *set
	out.Runs = append([]measured.Run(nil), set.Runs...)
	for i := range out.Runs {
		out.Runs[i].Ranks = append([]measured.Rank(nil), out.Runs[i].Ranks...)
	}
	return &out
}

// TestNewMetricIsShown adds two metrics that nothing else knows: one of detail is on the page
// in the section that it names and in every other format, and a main one gates and is called
// as it says.
func TestNewMetricIsShown(t *testing.T) {
	base, cand := bothSides(t, writeStory(t, "aa", synth.Nsight))
	detail := measured.Metric{Name: "steam_pressure", Unit: "B/s", Better: measured.Higher, Doc: "What nobody measures.", Needs: "a boiler",
		Traits: measured.Traits{Section: measured.SectionGaps}}
	main := measured.Metric{Name: "steam_time", Unit: "s", Better: measured.Lower, Main: true, Doc: "Time of steam.", Needs: "a boiler",
		Traits: measured.Traits{Subject: "Steam", Section: measured.SectionGaps, PartOfStep: true}}
	for _, set := range []*measured.Set{base, cand} {
		set.Metrics = append(set.Metrics, detail, main)
	}
	for _, m := range []measured.Metric{detail, main} {
		b, c, _ := plantable(m.Unit)
		plant(base, measured.Key{Metric: m.Name}, b)
		plant(cand, measured.Key{Metric: m.Name}, c)
	}
	rules := policy.DefaultPolicy()
	rules.Gating = []string{main.Name}
	if err := rules.Check(analyze.Metrics()); err == nil {
		t.Error("a metric gates that there is not")
	}
	if err := rules.Check(append(analyze.Metrics(), main)); err != nil {
		t.Errorf("a main metric does not gate: %v", err)
	}
	r := diff.Compare(base, cand, rules, diff.Options{})
	if !strings.Contains(words.Headline(&r.Headline), "steam regressed by ") || r.Verdict != verdict.Regressed {
		t.Errorf("got %v: %s", r.Verdict, words.Headline(&r.Headline))
	}
	_, _, texts := plantable(detail.Unit)
	for name, form := range forms(t, r) {
		if name == "page" {
			from := strings.Index(form, `id="gaps"`)
			form = form[max(0, from):]
			form = form[:strings.Index(form, "</section>")]
			if !hasRow(form, spelled(detail.Name), texts) {
				t.Errorf("not in the section that it names: %s", form)
			}
			continue
		}
		for _, m := range []measured.Metric{detail, main} {
			if !strings.Contains(form, m.Name) {
				t.Errorf("%s is not in the %s", m.Name, name)
			}
		}
	}
}
