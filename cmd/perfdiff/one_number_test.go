package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/golden"
)

// said is a row in the words of an output: "29.1 ms", "34.1 ms", "+5.0 ms (+17 %)" within "+3.4 to +6.9 ms".
type said struct{ base, cand, change, interval string }

// metricNumbers is a metric of the JSON form.
type metricNumbers struct {
	Metric, Part, Unit string
	Median, Mean       Both[*float64]
	Delta              *float64
	Change             struct {
		Relative            bool
		Estimate, Low, High *float64
	}
}

// all are the main metrics and the others.
func (d *numbersDocument) all() []metricNumbers { return append(slices.Clone(d.Metrics), d.Parts...) }

// meanPart is a part of the step of the JSON form.
type meanPart struct {
	Metric, Part string
	Delta        float64
	Low, High    *float64
	Below        bool `json:"below_noise"`
}

// numbersDocument is what the JSON form holds of changes.
type numbersDocument struct {
	Metrics, Parts []metricNumbers
	Loads          []json.RawMessage
	Waterfall      struct {
		Parts []struct {
			meanPart
			Within []meanPart
		}
	}
	Findings []struct {
		Kind, Metric, Part, Text, Number, Interval string
		NumberUnit                                 string `json:"number_unit"`
		Estimate, Delta                            *float64
		OfMeans                                    bool `json:"of_means"`
	}
}

// spacesPlain writes thin and narrow spaces as such.
var spacesPlain = strings.NewReplacer("\u202f", " ", "\u2007", "", "\u2009", "", "\u00a0", " ", "**", "")

// leading is a number at the beginning of a text.
var leading = regexp.MustCompile(`^[+−]?[0-9.]+(e−[0-9]+)?`)

// oneNumber holds that the outputs of one comparison write one number for one thing: the change of
// a metric has one estimate, interval and unit in the tables and findings of all of them, and they
// are those of the JSON form. dir has the write-up.
func oneNumber(t *testing.T, texts map[string][]byte, dir string) {
	t.Helper()
	d, known := sameRows(t, texts)
	if rows := rowsAddUp(t, texts, dir); rows < 40 {
		t.Errorf("%d rows have two numbers and a difference", rows)
	}
	d.sameInFindings(t, known, texts)
	d.sameInWriteUp(t, known, dir)
	nothingElseMoved(t, texts)
	for _, p := range d.Waterfall.Parts {
		if p.Below && (p.Low != nil || p.High != nil) {
			t.Errorf("%s: below the noise floor, and has an interval", keyOf(p.Metric, p.Part))
		}
	}
}

// sameRows holds that the main metrics have the same texts in Markdown, on a terminal and on the page, and that these are
// the numbers of the JSON form.
func sameRows(t *testing.T, texts map[string][]byte) (d numbersDocument, known map[string]said) {
	t.Helper()
	if err := json.Unmarshal(texts[".json"], &d); err != nil {
		t.Fatal(err)
	}
	known = rowsOfTables(tablesOfMarkdown(string(texts[".md"])), "metric")
	d.sameAsDocument(t, known)
	d.sameInText(t, known, spacesPlain.Replace(string(texts[".txt"])))
	if len(d.Metrics) > 0 {
		d.sameOnPage(t, known, texts[".html"])
	}
	return d, known
}

// keyOf names a series as tables do.
func keyOf(metric, part string) string { return strings.TrimSuffix(metric+"/"+part, "/") }

// rowsOfTables are the rows of the tables of metrics by key; the first of a key is that of the main table.
func rowsOfTables(tables []shownTable, first string) map[string]said {
	known := map[string]said{}
	for _, x := range tables {
		if x.heads[0] != first {
			continue
		}
		at := func(row []string, head string) string {
			if i := slices.IndexFunc(x.heads, func(h string) bool { return strings.HasSuffix(strings.ToLower(h), head) }); i >= 0 {
				return row[i]
			}
			return ""
		}
		for _, row := range x.rows {
			key, _, _ := strings.Cut(strings.ReplaceAll(row[0], "`", ""), " ")
			if _, has := known[key]; !has {
				known[key] = said{row[1], row[2], strings.TrimPrefix(at(row, "change"), "\\"), at(row, "interval")}
			}
		}
	}
	return known
}

// shown are the values that rows show: means, and over loads alike the medians.
func (d *numbersDocument) shown(m *metricNumbers) (base, cand *float64) {
	if len(d.Loads) > 0 {
		return m.Median.Baseline, m.Median.Candidate
	}
	return m.Mean.Baseline, m.Mean.Candidate
}

// sameAsDocument: rows have the numbers of the JSON form. Intervals are shares of the baseline's median there, and in
// the unit here.
func (d *numbersDocument) sameAsDocument(t *testing.T, known map[string]said) {
	t.Helper()
	for _, m := range d.all() {
		row, has := known[keyOf(m.Metric, m.Part)]
		if !has {
			continue
		}
		key, factor := keyOf(m.Metric, m.Part), 0.0
		if m.Unit == "ratio" {
			factor = 100
		}
		base, cand := d.shown(&m)
		saysNumber(t, key+" of the baseline", row.base, base, factor)
		saysNumber(t, key+" of the candidate", row.cand, cand, factor)
		if change, _, _ := strings.Cut(row.change, " ("); leading.MatchString(change) {
			delta := *cand - *base
			saysNumber(t, key+", the change", change, &delta, factor)
		}
		from, to, both := strings.Cut(row.interval, " to ")
		if !both {
			continue
		}
		_, unit, _ := strings.Cut(to, " ")
		saysNumber(t, key+", from", strings.TrimSpace(from+" "+unit), m.amount(m.Change.Low), factor)
		saysNumber(t, key+", to", to, m.amount(m.Change.High), factor)
	}
}

// amount is an end of an interval in the unit.
func (m *metricNumbers) amount(v *float64) *float64 {
	if v == nil || !m.Change.Relative || !(*m.Median.Baseline > 0) {
		return v
	}
	out := *v * *m.Median.Baseline
	return &out
}

// unitFactors are what base units are multiplied with.
var unitFactors = map[string]float64{"s": 1, "ms": 1e3, "µs": 1e6, "GB/s": 1e-9, "GB": 1e-9, "MB": 1e-6, "MB/s": 1e-6, "kB": 1e-3, "kB/s": 1e-3,
	"MHz": 1e-6, "TFLOP": 1e-12, "TFLOP/s": 1e-12, "GFLOP": 1e-9, "GFLOP/s": 1e-9, "MFLOP": 1e-6, "MFLOP/s": 1e-6}

// saysNumber reports a text that is not the number v, times factor or, where that is 0, in the unit of the text.
func saysNumber(t *testing.T, what, text string, v *float64, factor float64) {
	t.Helper()
	digits := leading.FindString(text)
	got, err := strconv.ParseFloat(strings.NewReplacer("−", "-", "+", "").Replace(digits), 64)
	if v == nil {
		if digits != "" {
			t.Errorf("%s: got %q, and the JSON form has none", what, text)
		}
		return
	}
	if unit := strings.TrimSpace(strings.TrimPrefix(text, digits)); factor == 0 {
		if factor = unitFactors[unit]; factor == 0 {
			factor = 1
		}
	}
	_, decimals, _ := strings.Cut(digits, ".")
	half := 0.5001 * math.Pow(10, -float64(len(decimals)))
	if got == 0 {
		half = max(half, 0.0005)
	}
	if err != nil || strings.Contains(digits, "e") || math.Abs(got-*v*factor) > half {
		t.Errorf("%s: got %q, the JSON form has %v", what, text, *v*factor)
	}
}

// sameInText: the terminal's rows of main metrics have the same texts.
func (d *numbersDocument) sameInText(t *testing.T, known map[string]said, text string) {
	t.Helper()
	for _, m := range d.Metrics {
		want, has := known[keyOf(m.Metric, m.Part)]
		line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(keyOf(m.Metric, m.Part)) + `[ \[].*$`).FindString(text)
		if !has || line == "" {
			continue
		}
		change, _, _ := strings.Cut(want.change, " (")
		for _, part := range []string{want.base, want.cand, change} {
			if !strings.Contains(line, " "+part) {
				t.Errorf("%s: the terminal has %q, Markdown %v", m.Metric, line, want)
				break
			}
		}
		if interval := unitBehind.ReplaceAllString(want.interval, ""); strings.Contains(text, " interval verdict") && !strings.Contains(line, interval) {
			t.Errorf("%s: the terminal has %q, Markdown %v", m.Metric, line, want)
		}
	}
}

// unitBehind is the unit behind an interval.
var unitBehind = regexp.MustCompile(`(?: (?:points|%|µs|ms|s|[kMGT]B(?:/s)?))?$`)

var (
	pageRow  = regexp.MustCompile(`(?s)<tr[^>]*>.*?</tr>`)
	pageCell = regexp.MustCompile(`(?s)<t[dh][^>]*>(.*?)</t[dh]>`)
	pageTag  = regexp.MustCompile(`(?s)<[^>]*>`)
)

// sameOnPage: the page's table of main metrics has the same texts, and every painted change is that
// of the metric which it names.
func (d *numbersDocument) sameOnPage(t *testing.T, known map[string]said, page []byte) {
	t.Helper()
	at := slices.IndexFunc(tablesOfPage(page), func(x shownTable) bool { return x.name == "Main metrics" })
	if at < 0 {
		t.Error("the page has no table of main metrics")
		return
	}
	table := tablesOfPage(page)[at]
	for i, m := range d.Metrics {
		table.rows[i][0] = keyOf(m.Metric, m.Part)
	}
	for key, got := range rowsOfTables([]shownTable{table}, "Metric") {
		if want, has := known[key]; has && got != want {
			t.Errorf("%s: the page has %v, Markdown %v", key, got, want)
		}
	}
	d.samePainted(t, known, page)
}

// paintedCell is a cell of a table that names the metric of its colour.
var paintedCell = regexp.MustCompile(`<td[^>]* data-of="([^"]*)"[^>]*>([^<]*)</td>`)

// verdictWord is what is no number.
var verdictWord = regexp.MustCompile(`(improved|regressed|inconclusive)$`)

// samePainted: a painted cell has the change of the metric that it names, the change of its mean
// where that is a part of the step, or the word for its verdict.
func (d *numbersDocument) samePainted(t *testing.T, known map[string]said, page []byte) {
	t.Helper()
	means := map[string]float64{}
	for _, m := range d.Metrics {
		if m.Metric == "step_time" && m.Delta != nil {
			means[m.Metric] = *m.Delta // the row that leads from the mean step to the median one
		}
	}
	for _, p := range d.Waterfall.Parts {
		for _, x := range append(p.Within, p.meanPart) {
			means[keyOf(x.Metric, x.Part)] = x.Delta
		}
	}
	for _, m := range paintedCell.FindAllSubmatch(page, -1) {
		key, text := html.UnescapeString(string(m[1])), strings.TrimSpace(spacesPlain.Replace(html.UnescapeString(string(m[2]))))
		want, has := known[key]
		if !has || text == want.change || verdictWord.MatchString(text) {
			continue
		}
		if mean, is := means[key]; !is || !isTime(text, mean) {
			t.Errorf("%s is painted as %q, Markdown has %v", key, text, want)
		}
	}
}

// isTime reports whether a text without a unit is a time in one of the units of steps.
func isTime(text string, v float64) bool {
	got, err := strconv.ParseFloat(strings.NewReplacer("−", "-", "+", "").Replace(text), 64)
	for _, factor := range []float64{1, 1e3, 1e6} {
		if err == nil && math.Abs(got-v*factor) <= 0.006*max(1, math.Abs(got)) {
			return true
		}
	}
	return false
}

// sameInFindings: a finding about a metric has the difference of its values and the interval of its table,
// and all outputs write each finding alike.
func (d *numbersDocument) sameInFindings(t *testing.T, known map[string]said, texts map[string][]byte) {
	t.Helper()
	md := spacesPlain.Replace(string(texts[".md"]))
	var page []string // the findings of the first screen: number and unit, a bar, the sentence with its interval
	for _, m := range pageFinding.FindAllSubmatch(texts[".html"], -1) {
		page = append(page, joined(spacesPlain.Replace(html.UnescapeString(pageTag.ReplaceAllString(string(m[1])+"|"+string(m[2]), "")))))
	}
	told := 0
	for _, f := range d.Findings {
		number, interval := strings.TrimSpace(spacesPlain.Replace(f.Number)+" "+f.NumberUnit), spacesPlain.Replace(f.Interval)
		key, text := keyOf(f.Metric, f.Part), spacesPlain.Replace(f.Text)
		if f.Estimate != nil {
			d.sameAsTable(t, key, number, interval, f.Delta)
			d.sameAsRow(t, key, number, text, known[key])
		}
		for line := range strings.Lines(md) { // of what is a row of the sum the answer says the text alone
			if strings.HasPrefix(line, "- ") && strings.Contains(line, text) && !strings.HasPrefix(line, "- "+number) {
				t.Errorf("%s: Markdown lacks %q: %s", key, number, line)
			}
		}
		at := slices.IndexFunc(page, func(x string) bool { return strings.Contains(x, "|"+joined(text)) })
		if at < 0 {
			continue // of many the first screen shows some
		}
		told++
		if !strings.HasPrefix(page[at], joined(number)+"|") || !strings.Contains(page[at], joined(interval)) {
			t.Errorf("%s: the page has %q, the JSON form %q within %q", key, page[at], number, interval)
		}
	}
	if told != len(page) {
		t.Errorf("the first screen has %d findings, and %d of them are in the JSON form", len(page), told)
	}
}

// sameAsRow holds the number of a finding, and the values of its sentence, to the texts of its row in the tables.
func (d *numbersDocument) sameAsRow(t *testing.T, key, number, text string, row said) {
	t.Helper()
	if change, _, _ := strings.Cut(row.change, " ("); leading.MatchString(change) && change != number {
		t.Errorf("%s: the finding has %q, its row %v", key, number, row)
	}
	if from, _, is := strings.Cut(row.base, " "); is && leading.MatchString(row.change) && ownChange.MatchString(text) && !strings.Contains(text, " from "+from+" to "+row.cand) {
		t.Errorf("%s: the finding says %q, its row %v", key, text, row)
	}
}

// ownChange is a sentence that begins with the change of its metric.
var ownChange = regexp.MustCompile(`^[^:;,]* (rose|fell) from `)

// sameAsTable holds the number of a finding to the difference of its values, and its interval, where it
// has one, to the table's: the same text where they are in one unit, and where the table has per cent that
// share of the baseline's median, as a reader would multiply.
func (d *numbersDocument) sameAsTable(t *testing.T, key, number, interval string, delta *float64) {
	t.Helper()
	at := slices.IndexFunc(d.all(), func(m metricNumbers) bool { return keyOf(m.Metric, m.Part) == key })
	if at < 0 {
		return
	}
	m, factor := d.all()[at], 0.0
	if m.Unit == "ratio" {
		factor = 100
	}
	saysNumber(t, key+" as a finding", number, delta, factor)
	if interval == "" {
		return
	}
	_, unit, _ := strings.Cut(number, " ")
	from, to, _ := strings.Cut(strings.TrimSuffix(interval, " of the median"), " to ")
	saysNumber(t, key+" as a finding, from", strings.TrimSpace(from+" "+unit), m.amount(m.Change.Low), factor)
	saysNumber(t, key+" as a finding, to", to, m.amount(m.Change.High), factor)
}

// pageFinding is a finding of the first screen.
var pageFinding = regexp.MustCompile(`(?s)<div class="n [^"]*">(.*?)<em>.*?</div><p>(.*?)</p>`)

// joined is a text without spaces.
func joined(s string) string { return strings.Join(strings.Fields(s), "") }

// sameInWriteUp: the write-up's table has the texts of Markdown beside the difference of what it
// prints, and its CSV the numbers of JSON.
func (d *numbersDocument) sameInWriteUp(t *testing.T, known map[string]said, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "write-up.md"))
	if err != nil {
		t.Fatal(err)
	}
	for key, got := range rowsOfTables(tablesOfMarkdown(string(text)), "metric") {
		if want, has := known[key]; has && got != want {
			t.Errorf("%s: the write-up has %v, Markdown %v", key, got, want)
		}
	}
	table := csvOf(t, filepath.Join(dir, "metrics.csv"))
	estimate, low, high := slices.Index(table[0], "estimate"), slices.Index(table[0], "low"), slices.Index(table[0], "high")
	for _, m := range d.all() {
		for _, row := range table[1:] {
			if row[0] != m.Metric || row[1] != m.Part {
				continue
			}
			for i, v := range map[int]*float64{estimate: m.Change.Estimate, low: m.Change.Low, high: m.Change.High} {
				want := ""
				if v != nil {
					want = fmt.Sprintf("%.9g", *v)
				}
				if got, _ := strconv.ParseFloat(row[i], 64); row[i] != want && (v == nil || math.Abs(got-*v) > 1e-8*math.Abs(*v)) {
					t.Errorf("%s: metrics.csv has %s %q, the JSON form %q", keyOf(m.Metric, m.Part), table[0][i], row[i], want)
				}
			}
		}
	}
}

func csvOf(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) == 0 {
		t.Fatalf("%s: %d rows, %v", path, len(rows), err)
	}
	return rows
}

// comparedOn is what all outputs say of a comparison, and the directory of its write-up.
func comparedOn(t *testing.T, base, cand string) (map[string][]byte, string) {
	t.Helper()
	dir, args := t.TempDir(), []string{base, cand, "-q"}
	for _, ext := range []string{".txt", ".md", ".html", ".json"} {
		args = append(args, "-o", filepath.Join(dir, "report"+ext))
	}
	var out, errs bytes.Buffer
	status := run(context.Background(), append(args, "--write-up", filepath.Join(dir, "paper")), &out, &errs)
	if status == statusError {
		t.Fatal(errs.String())
	}
	texts := map[string][]byte{}
	for _, ext := range []string{".txt", ".md", ".html", ".json"} {
		text, err := os.ReadFile(filepath.Join(dir, "report"+ext))
		if err != nil {
			t.Fatal(err)
		}
		texts[ext] = text
	}
	laws(t, texts[".json"], status)
	return texts, filepath.Join(dir, "paper")
}

// TestOneNumber: one quantity has one change, on every output of stories and of a real pair.
func TestOneNumber(t *testing.T) {
	for _, story := range []string{demoStory, "slow-kernel", "pipeline-bubble", "level-change-link", "several-runs", "jitter", "memory-peak", "launch-bound", "checkpoint-spikes", "pageable-copies", "lost-overlap", "straggler-rank3", "serving-mixed"} {
		t.Run(story, func(t *testing.T) {
			sets := sides(writeStory(t, story, synth.Nsight))
			texts, paper := comparedOn(t, sets[0], sets[1])
			oneNumber(t, texts, paper)
		})
	}
	t.Run("resnet50", func(t *testing.T) {
		texts, paper := comparedOn(t, golden.Real(t, "kineto/resnet50-workers-0"), golden.Real(t, "kineto/resnet50-workers-4"))
		oneNumber(t, texts, paper)
	})
}
