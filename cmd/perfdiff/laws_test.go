package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/diff/policy"
	"perfdiff/diff/stat"
)

// The laws of a report: what its JSON form holds of itself, whatever was compared. The first line, the
// advice, the state of the gate and the exit status follow from the rows of metrics; sentences and findings
// say what the numbers beside them say; and the steps that are listed as used give the numbers of the rows.

// broken is a law that a report breaks, and where.
type broken struct{ law, what string }

func (b broken) String() string { return "law " + b.law + ": " + b.what }

// lawReport is what of a report the laws are about.
type lawReport struct {
	Policy struct {
		Gating  []string
		Results []string
		Allow   []string
		FailOn  []string `json:"fail_on"`
	}
	Verdict struct {
		Verdict, Word, Headline, Say, Basis, Advice string
		Judged                                      bool
		Gate                                        struct {
			State   string
			Because []struct{ Kind, Metric string }
		}
	}
	Findings       []lawFinding
	Metrics, Parts []lawRow
	Waterfall      Waterfall
	Longest        Both[[]LongGap] `json:"longest_gaps"`
	Loads          []json.RawMessage
	Ranks          []Rank
	// Steps of another kind are left out of medians, and kept in means.
	Baseline, Candidate struct{ Steps struct{ Dropped []lawDrop } }
	all                 map[string]json.RawMessage
}

// lawDrop are steps that are left out, and why.
type lawDrop struct {
	Steps  []int64
	Reason string
}

// lawRow is a metric or a part of one.
type lawRow struct {
	Metric, Part, Unit, Verdict, Reason, Waived string
	Median, Mean                                Both[*float64]
	NotRecorded                                 Both[string] `json:"not_recorded"`
	Gate                                        bool
	Runs, Ranks                                 Both[int]
	all                                         json.RawMessage
}

func (r *lawRow) UnmarshalJSON(text []byte) error {
	type plain lawRow
	r.all = slices.Clone(text)
	return json.Unmarshal(text, (*plain)(r))
}

func (r *lawRow) key() string { return keyOf(r.Metric, r.Part) }

// lawFinding is a finding, with all that it holds.
type lawFinding struct {
	Kind, Metric, Part, Class, Text, Number string
	Unit                                    string `json:"number_unit"`
	Low, High                               *float64
	Reasons                                 []Reason
	all                                     json.RawMessage
}

func (f *lawFinding) UnmarshalJSON(text []byte) error {
	type plain lawFinding
	f.all = slices.Clone(text)
	return json.Unmarshal(text, (*plain)(f))
}

// brokenLaws are the laws that a report breaks, which came with an exit status.
func brokenLaws(t testing.TB, text []byte, status int) []broken {
	t.Helper()
	var r lawReport
	if err := cmp.Or(json.Unmarshal(text, &r), json.Unmarshal(text, &r.all)); err != nil {
		t.Fatal(err)
	}
	var out []broken
	for _, law := range []struct {
		name  string
		holds func(*lawReport, int, func(string, ...any))
	}{
		{"the exit status is that of the gate", (*lawReport).statusOfGate},
		{"the advice is that of the exit status", (*lawReport).adviceOfStatus},
		{"the gate is that of the rows", (*lawReport).gateOfRows},
		{"the verdict is that of a row", (*lawReport).verdictOfRows},
		{"nothing slower or missing passes", (*lawReport).greenOnlyIfSo},
		{"better and worse leave out zero", (*lawReport).zeroLeftOut},
		{"a finding's number is the difference that it states", (*lawReport).differencesStated},
		{"the numbers of sentences are in the report", (*lawReport).numbersKnown},
		{"steps that are used give the rows", (*lawReport).stepsGiveRows},
		{"parts add up", (*lawReport).partsAddUp},
	} {
		law.holds(&r, status, func(format string, args ...any) {
			out = append(out, broken{law.name, spacesPlain.Replace(fmt.Sprintf(format, args...))})
		})
	}
	return out
}

// statusOfGate: a state of the gate has one exit status.
func (r *lawReport) statusOfGate(status int, breaks func(string, ...any)) {
	want, known := map[string]int{"passed": statusOK, "warned": statusOK, "failed": statusRegressed,
		"not judged": statusNotJudged, "more runs": statusMoreRuns}[r.Verdict.Gate.State]
	if !known || status != want {
		breaks("the gate is %q, and the exit status %d", r.Verdict.Gate.State, status)
	}
	if because := len(r.Verdict.Gate.Because); (because == 0) != (r.Verdict.Gate.State == "passed") {
		breaks("the gate is %q for %d reasons", r.Verdict.Gate.State, because)
	}
	if !r.Verdict.Judged && status == statusOK && !slices.Contains(r.Policy.Allow, "metric") {
		breaks("nothing was judged, and the exit status is 0")
	}
}

// adviceOfStatus: what is advised is what the exit status does: what may be merged exits 0, and what may not,
// or has to be recorded anew, never does. More runs may be advised of what passes.
func (r *lawReport) adviceOfStatus(status int, breaks func(string, ...any)) {
	asks := []int{statusNotJudged, statusMoreRuns}
	may, known := map[string][]int{"": {status}, "merge": {statusOK}, "merge-if": {statusOK}, "run-again": append(asks, statusOK),
		"record-alike": asks, "record-again": asks, "do-not-merge-yet": append(asks, statusRegressed),
		"do-not-merge": append(asks, statusRegressed)}[r.Verdict.Advice]
	if !known || !slices.Contains(may, status) {
		breaks("%s, and the exit status is %d", r.Verdict.Advice, status)
	}
}

// row is the row of a metric as a whole, wherever it stands; nil: there is none.
func (r *lawReport) row(metric string) *lawRow {
	for _, list := range [][]lawRow{r.Metrics, r.Parts} {
		for i := range list {
			if list[i].Metric == metric && list[i].Part == "" {
				return &list[i]
			}
		}
	}
	return nil
}

// gateOfRows: the gate fails for rows that regressed, and for each that gates.
func (r *lawReport) gateOfRows(_ int, breaks func(string, ...any)) {
	for _, x := range r.Verdict.Gate.Because {
		if row := r.row(x.Metric); x.Kind == "regressed" && (row == nil || row.Verdict != "regressed") {
			breaks("it fails since %s regressed, of which the row says something else", x.Metric)
		}
	}
	for _, row := range r.Metrics {
		if row.Gate && row.Verdict == "regressed" && r.Verdict.Gate.State == "passed" && slices.Contains(r.Policy.FailOn, "regressed") {
			breaks("%s regressed and gates, and the gate passed", row.key())
		}
	}
}

// verdictOfRows: some row that is gated by has the verdict, and the first line is about nothing else.
func (r *lawReport) verdictOfRows(_ int, breaks func(string, ...any)) {
	v, headline := r.Verdict, spacesPlain.Replace(r.Verdict.Headline)
	has := func(verdict string) bool {
		for _, metric := range append(slices.Concat(r.Policy.Gating, r.Policy.Results), "step_time_mean") {
			if row := r.row(metric); row != nil && row.Verdict == verdict {
				return true
			}
		}
		return false
	}
	for verdict, says := range map[string]string{"regressed": "regressed by", "improved": "improved by", "unchanged": "did not change"} {
		if step := r.row("step_time"); strings.HasPrefix(headline, "Step time "+says) && (step == nil || step.Verdict != verdict) {
			breaks("%q, and the row of the step time is not %s", headline, verdict)
		}
		if v.Verdict == verdict && !has(verdict) {
			breaks("%s, %q, and no row that gates is", v.Verdict, headline)
		}
	}
	if !v.Judged && v.Verdict != "inconclusive" {
		breaks("not judged, and %s", v.Verdict)
	}
}

// greenOnlyIfSo: nothing passes, and nothing is unchanged, while the mean step regressed, or while the
// candidate lacks what the baseline has of a metric that gates. Where the step improved the others gate
// only if the policy names them.
func (r *lawReport) greenOnlyIfSo(status int, breaks func(string, ...any)) {
	green := r.Verdict.Word == "passed" || r.Verdict.Word == "unchanged"
	if mean := r.row("step_time_mean"); mean != nil && mean.Verdict == "regressed" && (green || r.Verdict.Gate.State == "passed") {
		breaks("%s, exit %d, and the mean step regressed", r.Verdict.Word, status)
	}
	step := r.row("step_time")
	faster := step != nil && step.Verdict == "improved" && slices.Equal(r.Policy.Gating, policy.DefaultGating())
	for _, metric := range r.Policy.Gating {
		row := r.row(metric)
		if faster || row == nil || row.Median.Baseline == nil || row.Median.Candidate != nil || row.Reason == "not_judged" {
			continue
		}
		if status == statusOK && !slices.Contains(r.Policy.Allow, "metric") {
			breaks("%s, exit 0, and %s was measured in the baseline alone", r.Verdict.Word, metric)
		}
	}
}

// zeroLeftOut: what is better or worse has an interval that leaves out zero.
func (r *lawReport) zeroLeftOut(_ int, breaks func(string, ...any)) {
	for _, f := range r.Findings {
		if f.Class != "better" && f.Class != "worse" {
			continue
		}
		if f.Low == nil || f.High == nil || *f.Low <= 0 && *f.High >= 0 {
			breaks("%s, %s: %s", f.Kind, f.Class, f.Text)
		}
	}
}

// stated is where a sentence says from what to what something changed, at its beginning.
var stated = regexp.MustCompile(`^[^:;(]*? (?:fell|rose) from ([0-9.]+)(?: ([^ 0-9]+))? to ([0-9.]+) ([^ 0-9,:;.]+)`)

// differencesStated: where a finding says from what to what something changed its number is what these
// differ by, as far as they are printed.
func (r *lawReport) differencesStated(_ int, breaks func(string, ...any)) {
	for _, f := range r.Findings {
		m := stated.FindStringSubmatch(plainNumbers(f.Text))
		if m == nil {
			continue
		}
		from, to, number := readQuantity(m[1]+" "+cmp.Or(m[2], m[4])), readQuantity(m[3]+" "+m[4]), readQuantity(f.Number+" "+f.Unit)
		if math.Abs(to.value-from.value-number.value) > (to.half+from.half+number.half)*1.001 {
			breaks("%s %s: %s %s, and %s", f.Kind, f.Metric, f.Number, f.Unit, m[0])
		}
	}
}

// quantity is a number of a text in its base unit, and half of the last digit that is printed.
type quantity struct {
	text        string
	value, half float64
}

// unitsOfText are base units by what is printed behind a number.
var unitsOfText = map[string]float64{"s": 1, "ms": 1e-3, "µs": 1e-6, "%": 1e-2, "points": 1e-2, "times": 1, "GB/s": 1e9, "MB/s": 1e6, "kB/s": 1e3,
	"TB": 1e12, "GB": 1e9, "MB": 1e6, "kB": 1e3, "MHz": 1e6}

// readQuantity reads a number with a unit.
func readQuantity(text string) quantity {
	digits, unit, _ := strings.Cut(plainNumbers(text), " ")
	v, _ := strconv.ParseFloat(strings.NewReplacer("−", "-", "+", "").Replace(digits), 64)
	_, decimals, _ := strings.Cut(digits, ".")
	scale := cmp.Or(unitsOfText[strings.TrimSpace(unit)], 1)
	return quantity{text, v * scale, 0.5 * math.Pow(10, -float64(len(decimals))) * scale}
}

var thousands = regexp.MustCompile(`([0-9])[\x{202f},]([0-9]{3})`)

// plainNumbers writes a text's numbers without marks of thousands, and its spaces as such.
func plainNumbers(text string) string {
	return spacesPlain.Replace(thousands.ReplaceAllString(text, "$1$2"))
}

// withUnit is a number with a unit in a text, perhaps before others of that unit.
var withUnit = regexp.MustCompile(`([+−]?[0-9]+(?:\.[0-9]+)?)(?: (ms|µs|s|%|points|times|[GMk]B/s|[TGMk]B|MHz)(?:[^a-zA-Z/]|$))?(?:(?:,| and| to| instead of| or| →) )?`)

// partOfName is what a text before a number ends in where that is no number but a part of a name.
var partOfName = regexp.MustCompile(`[0-9a-zA-Z.#_]$`)

// quantitiesOf are the numbers of a text that have a unit.
func quantitiesOf(text string) (out []quantity) {
	text = plainNumbers(text)
	found := withUnit.FindAllStringSubmatchIndex(text, -1)
	unit, next := "", -1
	for _, m := range slices.Backward(found) {
		switch {
		case m[4] >= 0:
			unit = text[m[4]:m[5]]
		case m[1] != next || m[1] == m[3]:
			unit = "" // what comes behind is no number, so that this one has no unit
		}
		next = m[0]
		if unit != "" && !partOfName.MatchString(text[:m[0]]) {
			out = append(out, readQuantity(text[m[2]:m[3]]+" "+unit))
		}
	}
	return out
}

// numbersKnown: a number with a unit, in the first line, what it stands on and a finding, is one of a row
// that it can be about or of the finding's own, or what the two sides of one differ by, as difference, share
// or ratio.
func (r *lawReport) numbersKnown(_ int, breaks func(string, ...any)) {
	first := known(r.all["verdict"], r.all["findings"], r.all["waterfall"], r.all["sum"], r.all["step_candidates"], r.all["window"], r.all["work"], r.all["kernel_shift"])
	for i := range r.Metrics {
		first = append(first, known(r.Metrics[i].all)...)
	}
	first = slices.Concat(first, r.rowNumbers("step_time_mean"), r.slowSteps(), r.perUnit())
	parts := knownNumbers{leastNamed}
	for _, metric := range beside {
		parts = append(parts, r.rowNumbers(metric)...)
	}
	r.holdNumbers(r.Verdict.Headline+" | "+r.Verdict.Basis, first, breaks)
	r.holdNumbers(r.Verdict.Say, slices.Concat(first, parts), breaks)
	parts = slices.Concat(parts, known(r.all["waterfall"], r.all["work"]))
	for _, f := range r.Findings {
		r.holdNumbers(f.Text, slices.Concat(known(f.all), r.rowNumbers(f.Metric), parts), breaks)
	}
}

// leastNamed is the least by which an answer says that no other part moved, in s.
const leastNamed = 1e-6

// beside are the metrics that findings about another one name: the parts of communication, and what copies move.
var beside = []string{"comm_wait_time", "comm_transfer_time", "exposed_wait_time", "exposed_transfer_time", "memcpy_bandwidth", "copied_to_device"}

// slowSteps are what steps take that take a tenth longer than the median one of either side.
func (r *lawReport) slowSteps() (out knownNumbers) {
	usual := 0.0
	if row := r.row("step_time"); row != nil && row.Median.Baseline != nil && row.Median.Candidate != nil {
		usual = max(*row.Median.Baseline, *row.Median.Candidate)
	}
	return slices.DeleteFunc(known(r.all["steps"]), func(v float64) bool { return v < 1.1*usual })
}

// perUnit are the changes of the step time for each of what the sides take other numbers of in a step: samples, tokens.
func (r *lawReport) perUnit() (out knownNumbers) {
	var all []struct{ Baseline, Candidate string }
	step := r.row("step_time")
	if json.Unmarshal(r.all["differences"], &all) != nil || step == nil || step.Median.Baseline == nil || step.Median.Candidate == nil {
		return nil
	}
	for _, d := range all {
		base, err := strconv.ParseFloat(d.Baseline, 64)
		cand, other := strconv.ParseFloat(d.Candidate, 64)
		if err == nil && other == nil {
			out = append(out, math.Abs(*step.Median.Candidate / *step.Median.Baseline * base / cand - 1))
		}
	}
	return out
}

// rowNumbers are the numbers of the rows of a metric.
func (r *lawReport) rowNumbers(metric string) (out knownNumbers) {
	for _, list := range [][]lawRow{r.Metrics, r.Parts} {
		for i := range list {
			if list[i].Metric == metric {
				out = append(out, known(list[i].all)...)
			}
		}
	}
	return out
}

// holdNumbers reports numbers of a text that are none of these; of shares those of the policy are known too,
// and how sure something is.
func (r *lawReport) holdNumbers(text string, of knownNumbers, breaks func(string, ...any)) {
	shares := append(known(r.all["policy"]), surePower, sureShare)
	slices.Sort(of)
	slices.Sort(shares)
	for _, q := range quantitiesOf(stillText.ReplaceAllString(spacesPlain.Replace(text), "")) { // see nothingElseMoved
		if !of.has(q) && !(strings.HasSuffix(q.text, "%") && shares.has(q)) {
			breaks("%s in %q", q.text, text)
		}
	}
}

// How often an interval holds, and how often a set-up shows what it is said to show; the former is also the
// share of calls that a tail leaves out.
const (
	sureShare = 0.95
	surePower = 0.8
)

// knownNumbers are numbers in order.
type knownNumbers []float64

// known are the numbers of parts of a document, and what the two sides of one differ by.
func known(parts ...json.RawMessage) knownNumbers {
	var out knownNumbers
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case float64:
			out = append(out, v)
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			base, isBase := v["baseline"].(float64)
			cand, isCand := v["candidate"].(float64)
			if isBase && isCand {
				out = append(out, cand-base, cand/base, base/cand, cand/base-1)
			}
			for _, end := range []string{"low", "high"} { // of shares, which a large one is written as times of
				if x, ok := v[end].(float64); ok {
					out = append(out, 1+x)
				}
			}
			out = append(out, perCall(v)...)
			for _, x := range v {
				walk(x)
			}
		}
	}
	for _, text := range parts {
		var v any
		json.Unmarshal(text, &v)
		walk(v)
	}
	for i, v := range out {
		out[i] = math.Abs(v)
	}
	slices.Sort(out)
	return out
}

// perCall is what one call takes on either side, where time and calls are known.
func perCall(v map[string]any) (out []float64) {
	time, _ := v["time"].(map[string]any)
	calls, _ := v["calls"].(map[string]any)
	for side, of := range time {
		t, isTime := of.(float64)
		if n, isCount := calls[side].(float64); isTime && isCount && n > 0 {
			out = append(out, t/n)
		}
	}
	return out
}

// has reports whether one of the numbers is printed so.
func (k knownNumbers) has(q quantity) bool {
	low, high := math.Abs(q.value)-q.half*1.001, math.Abs(q.value)+q.half*1.001
	i, _ := slices.BinarySearch(k, low)
	return i < len(k) && k[i] <= high
}

// notOfSteps are metrics of which the median over steps of that over ranks is no row: a ratio of sums, and
// what nodes count or is of whole runs.
func notOfSteps(metric string) bool { return metric == "overlap" || strings.HasPrefix(metric, "io_") }

// stepsGiveRows: the median over the steps that are used of the median over the ranks of both sides is that
// of the row, and so is the mean; of one run per side, since the steps of others are not in the report.
func (r *lawReport) stepsGiveRows(_ int, breaks func(string, ...any)) {
	if len(r.Loads) > 0 {
		return // engine steps are compared within their load
	}
	for _, list := range [][]lawRow{r.Metrics, r.Parts} {
		for _, row := range list {
			if row.Runs != (Both[int]{1, 1}) || notOfSteps(row.Metric) {
				continue
			}
			for _, side := range []struct {
				name         string
				of           func(*Rank) *RankSide
				others       []int64
				median, mean *float64
			}{
				{"baseline", func(x *Rank) *RankSide { return x.Baseline }, r.ofAnotherKind(0), row.Median.Baseline, row.Mean.Baseline},
				{"candidate", func(x *Rank) *RankSide { return x.Candidate }, r.ofAnotherKind(1), row.Median.Candidate, row.Mean.Candidate},
			} {
				median, mean, any := r.overSteps(row.key(), side.of, side.others)
				if any && (side.median == nil || !near6(median, *side.median) || side.mean == nil || !near6(mean, *side.mean)) {
					breaks("%s of the %s: the steps give %g and %g, the row has %v", row.key(), side.name, median, mean, side)
				}
			}
		}
	}
}

// near6 reports whether two numbers agree to six digits.
func near6(a, b float64) bool { return math.Abs(a-b) <= 1e-6*math.Max(math.Abs(b), 1e-9) }

// ofAnotherKind are the steps of the baseline (0) or the candidate that are of another kind than most.
func (r *lawReport) ofAnotherKind(side int) (out []int64) {
	for _, d := range [][]lawDrop{r.Baseline.Steps.Dropped, r.Candidate.Steps.Dropped}[side] {
		if strings.HasPrefix(d.Reason, "another kind of step") {
			out = append(out, d.Steps...)
		}
	}
	return out
}

// overSteps is the median of a metric over the used steps of that over ranks, without those of another kind, and its
// mean over all.
func (r *lawReport) overSteps(key string, of func(*Rank) *RankSide, others []int64) (median, mean float64, any bool) {
	steps := map[int64][]float64{}
	for i := range r.Ranks {
		side := of(&r.Ranks[i])
		if r.Ranks[i].Baseline == nil || r.Ranks[i].Candidate == nil || side.Values[key] == nil {
			continue
		}
		for j, v := range side.Values[key] {
			if side.Dropped[j] == "" && !math.IsNaN(float64(v)) {
				steps[side.Steps[j]] = append(steps[side.Steps[j]], float64(v))
			}
		}
	}
	var medians []float64
	for n, v := range steps {
		if !slices.Contains(others, n) {
			medians = append(medians, stat.Median(v))
		}
		mean += stat.Mean(v) / float64(len(steps))
	}
	if len(steps) == 0 {
		return 0, 0, false
	}
	return stat.Median(medians), mean, true
}

// partsAddUp: what a sentence names adds up to no more than what it explains, and the waterfall and each of
// the longest gaps to exactly that.
func (r *lawReport) partsAddUp(_ int, breaks func(string, ...any)) {
	w := &r.Waterfall
	var step, idle Both[Number]
	more := func(a, b Number) bool { return math.Abs(float64(a)) > math.Abs(float64(b))*1.005+1e-12 }
	same := func(what string, a, b Number) {
		if more(a-b, b*1e-6) {
			breaks("%s: the parts are %g s of %g", what, a, b)
		}
	}
	for i := range w.Parts {
		p := &w.Parts[i]
		step.Baseline, step.Candidate = step.Baseline+p.Mean.Baseline, step.Candidate+p.Mean.Candidate
		if p.Metric == "idle_time" {
			idle.Baseline, idle.Candidate = idle.Baseline+p.Mean.Baseline, idle.Candidate+p.Mean.Candidate
		}
		sum := Number(0)
		for _, x := range p.Within {
			sum += x.Delta
		}
		if len(p.Within) > 0 {
			same(p.Name, sum, p.Delta)
		}
	}
	if len(w.Parts) > 0 {
		same("the step", step.Candidate-step.Baseline, w.Delta)
	}
	for _, f := range r.Findings {
		var sum Both[Number]
		for _, x := range f.Reasons {
			sum.Baseline, sum.Candidate = sum.Baseline+x.Mean.Baseline, sum.Candidate+x.Mean.Candidate
		}
		if more(sum.Baseline, idle.Baseline) || more(sum.Candidate, idle.Candidate) || more(sum.Candidate-sum.Baseline, idle.Candidate-idle.Baseline) {
			breaks("%s: the reasons are %v s of %v", f.Text, sum, idle)
		}
	}
	for _, g := range slices.Concat(r.Longest.Baseline, r.Longest.Candidate) {
		causes, places := Number(0), Number(0)
		for _, ns := range g.Causes {
			causes += ns
		}
		for _, p := range g.Places {
			places += p.Time
		}
		if same("a gap", causes, g.Length); more(places, g.Causes["host"]) {
			breaks("a gap of %g s is in %v for longer than %g s", g.Length, g.Places, g.Causes["host"])
		}
	}
}

// lawsOf are the laws that the reports of a test broke, by its name.
var lawsOf = struct {
	sync.Mutex
	broken map[string][]string
}{broken: map[string][]string{}}

// laws holds a report of a test to the laws, but for those of which it is known that it breaks them; one that
// is known to be broken and is not is reported when the test ends.
func laws(t testing.TB, text []byte, status int) {
	t.Helper()
	lawsOf.Lock()
	defer lawsOf.Unlock()
	if _, begun := lawsOf.broken[t.Name()]; !begun {
		t.Cleanup(func() { lawsKept(t) })
	}
	agreesWithSchema(t, text)
	all := append(lawsOf.broken[t.Name()], "")
	for _, b := range brokenLaws(t, text, status) {
		all = append(all, b.law)
		if stillBroken[path.Base(t.Name())][b.law] == "" {
			t.Error(b)
		}
	}
	lawsOf.broken[t.Name()] = all
}

// lawsKept reports what is known to be broken by the reports of a test that ended, and is not.
func lawsKept(t testing.TB) {
	lawsOf.Lock()
	defer lawsOf.Unlock()
	for law := range stillBroken[path.Base(t.Name())] {
		if !slices.Contains(lawsOf.broken[t.Name()], law) {
			t.Errorf("law %s is kept now: delete it from the list of what is known to be broken", law)
		}
	}
	delete(lawsOf.broken, t.Name())
}

// sentencesOf is all that a report says in words of what it found, with spaces as such.
func sentencesOf(t testing.TB, text []byte) string {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			b.WriteString(v + "\n")
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(v[key])
			}
		}
	}
	for _, member := range []string{"verdict", "findings", "differences", "warnings", "suspects", "recorded"} {
		walk(doc[member])
	}
	return spacesPlain.Replace(b.String())
}

// TestLawsAreHeld: each law is broken by a report that denies it.
func TestLawsAreHeld(t *testing.T) {
	dir, _ := writeEdited(t, "slow-kernel", synth.Kineto, strings.NewReplacer("ranks: 4", "ranks: 2", "steps: 30", "steps: 14"))
	var stdout, stderr bytes.Buffer
	status := run(t.Context(), append(sides(dir), "-q", "-o", "-", "--format", "json"), &stdout, &stderr)
	if found := brokenLaws(t, stdout.Bytes(), status); status != statusRegressed || len(found) > 0 {
		t.Fatalf("exit %d, %v, %s", status, found, stderr.String())
	}
	type object = map[string]any
	first := func(o object, list string) object { return o[list].([]any)[0].(object) }
	of := func(o object, list, metric string) object {
		for _, x := range o[list].([]any) {
			if x := x.(object); x["metric"] == metric && x["part"] == "" {
				return x
			}
		}
		t.Fatalf("no row of %s", metric)
		return nil
	}
	passes := func(o object) {
		o["verdict"].(object)["gate"] = object{"state": "passed", "because": []any{}}
	}
	for name, tt := range map[string]struct {
		status int
		deny   func(object)
		law    string
	}{
		"another status":        {statusNotJudged, func(object) {}, "the exit status is that of the gate"},
		"a pass with reasons":   {statusOK, func(o object) { o["verdict"].(object)["gate"].(object)["state"] = "passed" }, "the exit status is that of the gate"},
		"not judged, and 0":     {statusOK, func(o object) { passes(o); o["verdict"].(object)["judged"] = false }, "the exit status is that of the gate"},
		"merge, and 1":          {status, func(o object) { o["verdict"].(object)["advice"] = "merge" }, "the advice is that of the exit status"},
		"it fails for nothing":  {status, func(o object) { of(o, "metrics", "step_time")["verdict"] = "unchanged" }, "the gate is that of the rows"},
		"a row that is passed":  {statusOK, passes, "the gate is that of the rows"},
		"another verdict":       {status, func(o object) { o["verdict"].(object)["verdict"] = "improved" }, "the verdict is that of a row"},
		"the first line denies": {status, func(o object) { o["verdict"].(object)["headline"] = "Step time did not change." }, "the verdict is that of a row"},
		"unchanged":             {status, func(o object) { o["verdict"].(object)["word"] = "unchanged" }, "nothing slower or missing passes"},
		"a metric is gone": {statusOK, func(o object) {
			passes(o)
			of(o, "metrics", "overlap")["median"].(object)["candidate"] = nil
		}, "nothing slower or missing passes"},
		"worse, perhaps":     {status, func(o object) { first(o, "findings")["low"] = -1.0 }, "better and worse leave out zero"},
		"worse, of no test":  {status, func(o object) { first(o, "findings")["low"] = nil }, "better and worse leave out zero"},
		"another difference": {status, func(o object) { first(o, "findings")["number"] = "+9.99" }, "a finding's number is the difference that it states"},
		"another first line": {status, func(o object) { o["verdict"].(object)["headline"] = "Step time regressed by 77.7 %." }, "the numbers of sentences are in the report"},
		"another clause":     {status, func(o object) { first(o, "findings")["text"] = "Compute: from 7.77 to 9.99 ms." }, "the numbers of sentences are in the report"},
		"a step more is left out": {status, func(o object) {
			first(o, "ranks")["candidate"].(object)["dropped"].([]any)[5] = "for a test"
		}, "steps that are used give the rows"},
		"parts of something else": {status, func(o object) {
			first(o["waterfall"].(object), "parts")["mean"].(object)["baseline"] = 1.0
		}, "parts add up"},
	} {
		var doc object
		if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
			t.Fatal(err)
		}
		tt.deny(doc)
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		if found := brokenLaws(t, text, tt.status); !slices.ContainsFunc(found, func(b broken) bool { return b.law == tt.law }) {
			t.Errorf("%s: want %q to be broken, got %v", name, tt.law, found)
		}
	}
}
