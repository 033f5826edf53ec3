package render

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
)

// TestJSONIsOneValue: what is written is one value of JSON, in which no object has two members of one name.
func TestJSONIsOneValue(t *testing.T) {
	reports := verdicts()
	reports["hostile"], reports["empty"], reports["full"] = hostile(), &diff.Report{}, filled()
	for name, r := range reports {
		text := write(t, r, JSON, Options{})
		d := json.NewDecoder(strings.NewReader(text))
		if err := checkNames(d, ""); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if d.More() {
			t.Errorf("%s: more than one value", name)
		}
	}
}

// checkNames reads one value, and fails at the second member of one name.
func checkNames(d *json.Decoder, at string) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for open, _ := token.(json.Delim); (open == '{' || open == '[') && d.More(); {
		if open == '{' {
			name, err := d.Token()
			if err != nil || name == "" || names[name.(string)] {
				return fmt.Errorf("%s: a second member %q, or none: %w", at, name, err)
			}
			names[name.(string)] = true
		}
		if err := checkNames(d, fmt.Sprint(at, "/", len(names))); err != nil {
			return err
		}
	}
	if token == json.Delim('{') || token == json.Delim('[') {
		_, err = d.Token()
	}
	return err
}

func TestJSONValues(t *testing.T) {
	type both struct{ Baseline, Candidate *float64 }
	var doc struct {
		SchemaVersion string `json:"schema_version"`
		Metrics       []struct {
			Metric, Verdict, Better string
			Median                  both
			Change                  struct{ Low float64 }
		}
		Ranks    []any
		Activity struct{ Baseline []any }
	}
	if err := json.Unmarshal([]byte(write(t, improved(), JSON, Options{})), &doc); err != nil {
		t.Fatal(err)
	}
	if got, want := doc.SchemaVersion, diff.SchemaVersion; got != want {
		t.Errorf("schema_version: got %q, want %q", got, want)
	}
	step := doc.Metrics[0]
	if step.Metric != "step_time" || *step.Median.Baseline != 0.1602 || step.Change.Low != -0.52 || step.Verdict != "improved" || step.Better != "lower" {
		t.Errorf("step_time: got %+v", step)
	}
	if v := doc.Metrics[9].Median.Baseline; v != nil {
		t.Errorf("not recorded: got %v, want null", *v)
	}
	if doc.Ranks == nil || doc.Activity.Baseline == nil {
		t.Error("an empty list is null")
	}
}

func TestJSONIsForPeople(t *testing.T) {
	r := improved()
	r.Base.Label = "<a & [b], \"c\" \\>"
	r.Activity.Base = []diff.RankActivity{{Busy: []uint8{0, 100, 200}, Read: []float32{1.5, 0.1}}}
	got := write(t, r, JSON, Options{})
	for _, want := range []string{
		"\n    \"label\": \"\\u003ca \\u0026 [b], \\\"c\\\" \\\\\\u003e\",\n",
		"\n        \"busy\": [0,0.5,1],\n", "\n        \"read\": [1.5,0.1],\n", "\n        \"compute\": [],\n",
		"\"ranks\": [],\n", "\n  \"kernels\": [],\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in %s", want, got)
		}
	}
}

func TestIndented(t *testing.T) {
	type empty struct{}
	type pair struct {
		Sides [2]int      `report:"sides"`
		List  [2]int      `report:"list,list"`
		Base  float64     `report:"value.baseline"`
		Cand  float64     `report:"value.candidate"`
		Gone  float64     `report:"gone,omitempty"`
		Time  int64       `report:"time,ns"`
		Mine  float64     // for nobody else
		Plain map[int]int `report:"plain"`
	}
	for _, c := range []struct {
		in   any
		want string
	}{
		{&empty{}, "{}"}, {&[]int{}, "[]"}, {&[]string{"a", "]", "<\u202e"}, `["a","]","\u003c\u202e"]`}, {&[][]int{{1}, nil}, "[\n  [1],\n  []\n]"},
		{&[]float64{1e-9, math.NaN(), 1e21, 0.1, -2}, "[1e-9,null,1e+21,0.1,-2]"}, {&map[string]any{"b": 1, "a": []empty{{}}}, "{\n  \"a\": [\n    {}\n  ],\n  \"b\": 1\n}"},
		{&pair{Sides: [2]int{1, 2}, Cand: math.Inf(1), Time: 25, Mine: 1}, `{
  "sides": {
    "baseline": 1,
    "candidate": 2
  },
  "list": [0,0],
  "value": {
    "baseline": 0,
    "candidate": null
  },
  "time": 2.5e-8,
  "plain": {}
}`},
	} {
		var out strings.Builder
		if err := writeIndented(&out, c.in); err != nil || out.String() != c.want+"\n" {
			t.Errorf("%+v: got %s, want %s, %v", c.in, out.String(), c.want, err)
		}
	}
}

// TestNumbersAsJSON: a number is written as encoding/json writes it.
func TestNumbersAsJSON(t *testing.T) {
	for exponent := -320; exponent < 309; exponent++ {
		for _, digits := range []float64{1, -1.25, 3.0000000000000004, 9.999999999999999} {
			v := digits * math.Pow(10, float64(exponent))
			e := &encoder{}
			e.number(v)
			want, err := json.Marshal(v)
			if math.IsInf(v, 0) {
				want, err = []byte("null"), nil
			}
			if err != nil || string(e.out) != string(want) {
				t.Errorf("got %s, want %s, %v", e.out, want, err)
			}
		}
	}
}

// exceptions are fields of a report that a document leaves out on purpose:
// metrics are described once, in descriptions, and there for all profilers; which one is
// in use is a fact of each side, and decides the words of what was not recorded.
var exceptions = map[string]bool{
	"OfResults":              true, // the format of the files says it
	"Metrics[0].Metric.Name": true, "Metrics[0].Metric.Doc": true, "Metrics[0].Metric.Needs": true, "Metrics[0].Metric.Part": true, "Metrics[0].Metric.Main": true, "Metrics[0].Metric.Joint": true,
	"Profilers[0]":         true,
	"Parts[0].Metric.Name": true, "Parts[0].Metric.Doc": true, "Parts[0].Metric.Needs": true, "Parts[0].Metric.Part": true, "Parts[0].Metric.Main": true, "Parts[0].Metric.Joint": true,
	"Capture[0].Metric.Name": true, "Capture[0].Metric.Doc": true, "Capture[0].Metric.Needs": true, "Capture[0].Metric.Part": true, "Capture[0].Metric.Main": true, "Capture[0].Metric.Joint": true,
}

// Of each capture only the words for its marker are there: what may mark steps is told for
// both sides together, in step_candidates.
func init() {
	for _, side := range []string{"Base", "Cand"} {
		for _, field := range []string{"Profiler", "Opener"} { // those of the format
			exceptions[side+".Files[0]."+field] = true
		}
		at := side + ".Steps.Receipts[0]."
		for _, field := range []string{"Kind", "Name", "Every"} {
			exceptions[at+"By."+field], exceptions[at+"Candidates[0].Marker."+field] = true, true
		}
		for _, field := range []string{"Count", "Period", "Spread", "Covered", "Work", "Usable", "Within"} {
			exceptions[at+"Candidates[0]."+field] = true
		}
	}
}

// What is known of a metric beside its description is where and how it is shown and judged,
// which a document does not say.
func init() {
	traits, texts := reflect.TypeFor[run.Traits](), reflect.TypeFor[remedy.Text]()
	nested := map[string]reflect.Type{"Derivation.": reflect.TypeFor[run.Derivation](), "RankWork[0].": reflect.TypeFor[run.RankWork]()}
	for _, at := range []string{"Metrics[0].Metric.", "Parts[0].Metric.", "Capture[0].Metric.", "Descriptions[0].", "Unprofiled.Step.Metric."} {
		for i := range texts.NumField() {
			exceptions[at+"Remedy."+texts.Field(i).Name] = true
		}
		for i := range traits.NumField() {
			exceptions[at+"Traits."+traits.Field(i).Name] = true
		}
		for field, t := range nested {
			for i := range t.NumField() {
				exceptions[at+"Traits."+field+t.Field(i).Name] = true
			}
		}
	}
}

// What a comparison carries along for sentences, and what hides replays, is told by these:
// why has what its reason names.
func init() {
	for _, at := range []string{"Metrics[0].", "Parts[0].", "Capture[0].", "Unprofiled.Step."} {
		for _, field := range []string{"TooSlight", "OtherCause"} {
			exceptions[at+field] = true
		}
	}
	for _, field := range []string{"Name", "Doc", "Needs", "Part", "Joint", "Main"} {
		exceptions["Unprofiled.Step.Metric."+field] = true
	}
	for _, field := range []string{"Waiver.Metric", "Waiver.UpTo", "Waiver.Kind", "Note.Slowest[0].Rank", "Note.Slowest[0].Times", "Note.Slowest[0].Of", "MeanApart.Moved", "MeanApart.Of"} {
		exceptions["Unprofiled.Step."+field] = true // as of the step time itself
	}
	exceptions["Findings[0].Rate.Sure"], exceptions["Findings[0].NotCompared.Replays[0]"], exceptions["Findings[0].NotCompared.Replays[1]"] = true, true, true
}

// Where bytes are taken from is one thing in a report, told at its Reads and by the source of
// a comparison.
func init() {
	for _, at := range []string{"Metrics[0].", "Parts[0].", "Capture[0].", "Unprofiled.Step."} {
		all := reflect.ValueOf(filled()).Elem().FieldByName("Reads")
		leaves(all, at+"Reads", func(path string, _ reflect.Value) { exceptions[path] = true })
	}
}

// What a difference does to the comparison and what a bound leaves out, why a step is left out, and why wait and transfer are
// one, is there in words.
func init() {
	exceptions["Bounds[0].If"] = true
	for _, at := range []string{"Steps[0].Omission.", "Ranks[0].Base.Omissions[0].", "Ranks[0].Cand.Omissions[0]."} {
		for _, field := range []string{"Base", "Cand", "Missing"} {
			exceptions[at+field] = true
		}
	}
	for _, at := range []string{"Findings[0].Clauses[0].Reasons[0].", "Base.Clocks[0].Reasons[0].", "Cand.Clocks[0].Reasons[0]."} {
		for _, field := range []string{"Why", "Captured", "World", "Kernels"} {
			exceptions[at+field] = true
		}
	}
	for _, at := range []string{"Differences[0].", "Findings[0].Fact."} {
		exceptions[at+"Why"] = true
	}
}

// A part of the step is told by its name; a made-up part has one that its metric and what
// replays hide are not in (TestStepPart of words).
func init() {
	for _, at := range []string{"Base.Stability[0].", "Cand.Stability[0].", "Findings[0].Spikes.Worst.", "Findings[0].Spikes.Other.", "Findings[0].Clauses[0]."} {
		exceptions[at+"Part.Key.Metric"], exceptions[at+"Part.Unseen"] = true, true
		if at != "Findings[0].Clauses[0]." {
			exceptions[at+"Level.Part.Unseen"] = true
		}
	}
	exceptions["Causes[0].Key.Metric"] = true
	for _, at := range []string{"Headline.Jump.SideLevel.LevelChange.Part.", "Findings[0].Level.Larger.LevelChange.Part.", "Findings[0].Level.Other.LevelChange.Part.",
		"Waterfall.Parts[0].PartChange.StepPart.", "Waterfall.Parts[0].Within[0].StepPart.", "Findings[0].Clauses[0].Against[0].StepPart.", "Sum.Rows[0].PartChange.StepPart."} {
		exceptions[at+"Unseen"] = true
	}
}

// What a warning of the comparison itself carries is told by its text.
func init() {
	for _, field := range []string{"Kind", "Why", "Runs[0]", "Size", "Lost.Names[0]", "Lost.Recorded[0]", "Lost.Recorded[1]", "Lost.Why"} {
		exceptions["Warnings[0]."+field] = true
	}
}

// What headlines, grounds and causes of gates are made of is told by their sentences, which
// an unknown reason or kind has none of: see TestHeadlineSaysAll and TestGateSaysAll in words.
func init() {
	told := []string{"Headline.", "Ground.", "Gate.Causes[0].Headline.", "Gate.Causes[0].Of."}
	tagged := []string{"Headline.Stalls.", "Headline.Jump."} // these have members
	leaves(reflect.ValueOf(filled()).Elem(), "", func(path string, _ reflect.Value) {
		begins := func(at string) bool { return strings.HasPrefix(path, at) }
		if slices.ContainsFunc(told, begins) && !slices.ContainsFunc(tagged, begins) {
			exceptions[path] = true
		}
	})
	for _, path := range []string{"Headline.Lost[0].Side", "Headline.Lost[0].Subjects[0]", "Headline.Unlike[0]", "Gate.Causes[0].Of.Key.Metric"} {
		delete(exceptions, path) // they are said whatever the reason is
	}
	exceptions["Gate.Causes[0].Lacks[0].Subjects[0]"] = true // the first line says it
}

// What a saved summary holds of bars is nowhere else but there.
func init() {
	for side := range 2 {
		exceptions[fmt.Sprintf("Timeline[%d][0].Excerpt.Ranks[0].Details[0]", side)] = true
	}
}

// The table of calls of collectives is always the same, and their bytes are a metric.
func init() {
	for _, side := range []string{"Base", "Cand"} {
		for _, field := range []string{"Table", "Bytes"} {
			exceptions["Ranks[0]."+side+".Calls[0].Stat."+field] = true
		}
	}
}

// What a change of main is of is told by the metric's name, and the metric with all runs stands in the job's history
// (perfdiff history).
func init() {
	leaves(reflect.ValueOf(filled()).Elem(), "", func(path string, _ reflect.Value) {
		for _, at := range []string{"Gate.Causes[0].Shift.", "Gate.Causes[0].Main.Changes[0].", "StoreFindings.Open[0].", "StoreFindings.Main.Changes[0].", "Gate.Causes[0].Main.Accepted.", "StoreFindings.Main.Accepted."} {
			if strings.HasPrefix(path, at+"Metric.") && path != at+"Metric.Metric.Name" {
				exceptions[path] = true
			}
		}
	})
}

// said are what the document has in sentences, of which each field is in one: see
// TestAlikeIsSaid and TestWhySaysAll in words. Of the made-up bytes of work one more is seen or
// not as they are rounded, see TestDiffers there.
var said = []string{"Forced[0]", "ForcedUnequal[0].Difference.Work", "ForcedUnequal[0].Difference.Amount", "Warnings[0].Unequal[0].Difference.Amount", "Findings[0].Fact.Amount", "Differences[0].Amount", "Warnings[0].Unequal[0].Difference.Work", "Findings[0].Fact.Sizes", "Differences[0].Sizes", "Findings[0].Fact.Work", "Differences[0].Work",
	"Warnings[0].Doubt", "Warnings[0].Copies", "Warnings[0].Forced", "Warnings[0].Silent",
	"Findings[0].Advice.Need",
	"Metrics[0].Context", "Metrics[0].NotRecorded[0]", "Metrics[0].NotRecorded[1]", "Parts[0].Context", "Parts[0].NotRecorded[0]", "Parts[0].NotRecorded[1]",
	"Capture[0].Context", "Capture[0].NotRecorded[0]", "Capture[0].NotRecorded[1]",
	"Unprofiled.Step.Context", "Unprofiled.Step.NotRecorded[0]", "Unprofiled.Step.NotRecorded[1]", "Headline.Main"}

// TestJSONIsComplete changes every exported field of a report, one by one, and
// each change must be seen in the document.
func TestJSONIsComplete(t *testing.T) {
	r := filled()
	want := write(t, r, JSON, Options{})
	fields := 0
	leaves(reflect.ValueOf(r).Elem(), "", func(path string, v reflect.Value) {
		if slices.ContainsFunc(said, func(at string) bool { return strings.HasPrefix(path+".", at+".") }) {
			return
		}
		fields++
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		change(v)
		seen := write(t, r, JSON, Options{}) != want
		if seen == exceptions[path] {
			t.Errorf("%s: seen in the document %v, want %v", path, seen, !seen)
		}
		v.Set(old)
	})
	if fields < 200 {
		t.Errorf("only %d fields were tried", fields)
	}
	if write(t, r, JSON, Options{}) != want {
		t.Error("the report was not restored")
	}
}

// filled is a report with one entry in every list and a value in every field.
func filled() *diff.Report {
	r := &diff.Report{}
	n := 0
	fill(reflect.ValueOf(r).Elem(), &n)
	return r
}

func fill(v reflect.Value, n *int) {
	*n++
	if !v.CanSet() { // it is diff's own
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), n)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, n)
		fill(value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString(fmt.Sprint("text ", *n))
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(*n))
	case reflect.Int8:
		v.SetInt(1)
	case reflect.Uint8:
		v.SetUint(uint64(*n % 200))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(*n) / 8)
	default:
		panic("a report holds a " + v.Kind().String())
	}
}

// leaves calls f for every plain value under v that can be set and is for JSON; a map is one.
func leaves(v reflect.Value, path string, f func(string, reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			leaves(v.Elem(), path, f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).Tag.Get("report") == "-" { // for tables alone
				continue
			}
			name := "." + v.Type().Field(i).Name
			leaves(v.Field(i), strings.TrimPrefix(path+name, "."), f)
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			leaves(v.Index(i), fmt.Sprintf("%s[%d]", path, i), f)
		}
	default:
		if v.CanSet() {
			f(path, v)
		}
	}
}

func change(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.String:
		v.SetString(v.String() + "!")
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		// The verdict is the one number with few values: known ones change it.
		v.SetInt(map[bool]int64{true: 1, false: v.Int() + 1}[v.Type() == reflect.TypeFor[verdict.Verdict]()])
	case reflect.Int8:
		v.SetInt(-v.Int())
	case reflect.Uint8:
		v.SetUint(v.Uint() ^ 1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(2*v.Float() + 1) // which no rounding hides
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
	}
}
