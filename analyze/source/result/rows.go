package result

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// A cell is what a row of a table, or an object, says under one name.
type cell struct {
	name, unit, text string
	key              string // the name by which the lists below know it
	value            float64
	number           bool
	param            bool // it is said to be a parameter
	setting          bool // it is of a configuration, and no result
}

type row []cell

// keyOf returns what the lists below know a name by: its words, without what it is nested in.
func keyOf(name string) string {
	return strings.Join(wordsOf(name[strings.LastIndexByte(name, '.')+1:]), "_")
}

// numberCell returns a cell with a number.
func numberCell(name, unit string, v float64) cell {
	return cell{name: name, key: keyOf(name), unit: unit, value: v, number: true}
}

// said is a cell as a text.
func (c *cell) said() string {
	if c.number {
		return strconv.FormatFloat(c.value, 'g', 12, 64)
	}
	return c.text
}

// loads are the parameters that tell loads apart, as they are said behind the names of metrics.
var loads = formats(
	"%s req/s", "request_rate target_qps",
	"concurrency %s", "max_concurrency concurrency conc num_concurrent_requests users clients",
	"input %s", "input_len random_input_len isl input_length prompt_len prompt_length input_sequence_length",
	"output %s", "output_len random_output_len osl output_length output_sequence_length max_tokens",
	"batch %s", "batch_size batch bs global_batch_size micro_batch_size",
	"size %s", "message_size msg_size",
	"sequence %s", "seq_len seqlen seq_length sequence_length context_length",
	"threads %s", "threads num_threads n_threads",
	"GPUs %s", "num_gpus gpus n_gpus world_size",
	"TP %s", "tp tp_size tensor_parallel_size",
	"PP %s", "pp pp_size pipeline_parallel_size",
	"DP %s", "dp dp_size data_parallel_size",
	"layers %s", "num_layers", "heads %s", "num_heads", "head %s", "head_dim", "hidden %s", "hidden_size")

// facts are the keys of facts by the names under which files say them.
var facts = formats(
	"model", "model model_id model_name served_model_name model_names",
	"serving backend", "backend engine",
	trace.FactGPU, "gpu gpu_name gpu_model gpu_type device_name accelerator",
	trace.FactCPU, "cpu cpu_model", trace.FactOS, "os platform",
	Host, "host hostname host_name node",
	Commit, "commit git_commit commit_id git_sha git_hash commit_sha revision",
	"vLLM", "vllm_version", "SGLang", "sglang_version", "AIPerf", "aiperf_version",
	trace.FactFramework, "torch_version pytorch_version", trace.FactCUDA, "cuda_version",
	trace.FactDriver, "driver_version", trace.FactNCCL, "nccl_version", trace.FactROCm, "rocm_version",
	"dataset", "dataset dataset_name", "num_prompts", "num_prompts",
	"precision", "dtype precision quantization", "config", "config mode")

func formats(pairs ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		for w := range strings.FieldsSeq(pairs[i+1]) {
			out[w] = pairs[i]
		}
	}
	return out
}

var (
	// subjects name what was measured, always a part of the metric's name.
	subjects = set("benchmark benchmark_name bench test test_name case kernel op operator scenario workload task suite " +
		"function func method phase name")
	// repeats name the column that tells repeats apart.
	repeats = set("run repeat repetition rep trial attempt run_id run_index run_number repetition_index sample")
	// asides are words of columns that differ from row to row and tell nothing apart.
	asides = set("date time datetime timestamp at created started ended start end host hostname node commit sha hash " +
		"revision version file filename path url uuid id idx index job label tag status note notes comment extra range " +
		"result success user seed pid port rank")
	// stepNumbers name the column of a log of steps, which is no table of results.
	stepNumbers = set("step global_step train_step training_step iteration iter step_num current_step current_steps it " +
		"samples_count epoch epochs")
	// settings are objects of which nothing is a result.
	settings = set("config configuration args arguments env environment metadata system hardware machine machine_info " +
		"options settings versions hyperparameters input_config context info server_info")
	nameColumns  = strings.Fields("metric metric_name measurement measure name benchmark benchmark_name test test_name")
	valueColumns = strings.Fields("value val metric_value")
)

// flatten returns the cells of an object, with those of the objects in it as a.b.
func flatten(o object) (out row) {
	for _, m := range o {
		name := strings.TrimRight(m.key, ": ") // vLLM says "request_goodput:"
		c := cell{name: name, key: keyOf(name)}
		inner, nested := m.value.(object)
		if !nested {
			out = append(out, scalar(c, m.value)...)
			continue
		}
		unit := get[string](inner, "unit")
		if v, ok := inner.number("value"); ok {
			out = append(out, numberCell(name, unit, v))
			continue
		}
		for _, n := range inner {
			out = append(out, scalar(cell{name: name + "." + n.key, key: keyOf(n.key), unit: unit,
				param: c.key == "params" || c.key == "parameters", setting: settings[c.key]}, n.value)...)
		}
	}
	return out
}

// scalar returns a cell with a value; none where it is a list or nothing.
func scalar(c cell, value any) row {
	n, isNumber := value.(json.Number)
	text, isText := value.(string)
	if c.text = trace.Tidy(text); isNumber {
		c.text = n.String()
	}
	v, err := strconv.ParseFloat(c.text, 64)
	if c.value = v; err == nil && !math.IsInf(v, 0) && !math.IsNaN(v) {
		c.number = true
	}
	if c.text == "" || isNumber && !c.number || !isNumber && !isText {
		return nil
	}
	return row{c}
}

// rowsOf returns the rows of documents: of each object one, but of one that holds a list of objects theirs, each with
// what the object says of all.
func rowsOf(docs []any) (out []row) {
	for _, doc := range docs {
		o, isObject := doc.(object)
		if list, ok := doc.([]any); ok {
			o, isObject = object{{"rows", list}}, true
		}
		if isObject {
			out = append(out, rowsIn(o)...)
		}
	}
	return out
}

func rowsIn(o object) (out []row) {
	own := flatten(o)
	of := slices.DeleteFunc(slices.Clone(own), func(c cell) bool {
		return loads[c.key] == "" && facts[c.key] == "" && (!subjects[c.key] || c.key == "name")
	})
	for key := range strings.FieldsSeq("results metrics benchmarks runs repeats measurements trials rows data") {
		for _, inner := range o.list(key) {
			out = append(out, append(flatten(inner), of...))
		}
		if len(out) > 0 {
			return out
		}
	}
	return []row{own}
}

// A reading is how the rows of a table are read.
type reading struct {
	long  bool                // a row has one number, under a column value, and a name
	told  bool                // of some number it is known in which direction it is good
	apart map[string]bool     // columns that tell cases apart, by their keys
	known map[[2]string]known // what names of numbers mean, by their units
}

type known struct {
	v  Value
	by float64
	ok bool
}

func (r *reading) meaning(name, unit string) known {
	k, ok := r.known[[2]string{name, unit}]
	if !ok {
		k.v, k.by, k.ok = meaningOf(name, unit)
		r.known[[2]string{name, unit}] = k
	}
	return k
}

// column is what a column says: its texts or, before the first number that is known to be good or bad, whole numbers.
type column struct {
	said  map[string]bool
	last  float64
	aside bool
	runs  bool // it numbers repeats: run1, run2; 0, 1, 2
}

// ofRun matches what numbers a repeat.
var ofRun = regexp.MustCompile(`(?i)^#?(?:run|rep|repeat|trial|iter)?[-_ ]?\d+$`)

func readingOf(rows []row) *reading {
	r := &reading{apart: map[string]bool{}, known: map[[2]string]known{}}
	columns := map[string]*column{}
	for _, cells := range rows {
		r.long = r.long || cells.find(nameColumns, false) != nil && cells.find(valueColumns, true) != nil
		told := false
		for i := range cells {
			c := &cells[i]
			k := r.meaning(c.name, c.unit)
			told = told || c.number && !c.setting && k.ok && k.v.Better != run.Neither
			counts := !k.ok && !strings.HasPrefix(c.key, "n_") && !strings.HasPrefix(c.key, "num_") // what it came to
			if c.setting || c.number && !repeats[c.key] && (told || counts || r.long || c.value != math.Trunc(c.value)) {
				continue
			}
			col := columns[c.key]
			if col == nil {
				col = &column{said: map[string]bool{}, runs: true, last: c.value - 1}
				words := strings.Split(c.key, "_")
				col.aside = slices.ContainsFunc(words, func(w string) bool { return asides[w] })
				columns[c.key] = col
			}
			col.runs = col.runs && (c.number && c.value == col.last+1 || !c.number && ofRun.MatchString(c.text))
			col.last, col.said[c.said()] = c.value, true
		}
		r.told = r.told || told
	}
	unique := false // a column numbers all rows
	for key, col := range columns {
		unique = unique || repeats[key] && len(col.said) == len(rows)
	}
	for key, col := range columns {
		r.apart[key] = len(col.said) > 1 && !col.aside && !col.runs && !repeats[key] &&
			!(unique && len(col.said) == len(rows))
	}
	return r
}

// find returns the cell with the first of keys that is a number, or a text; nil: there is none.
func (cells row) find(keys []string, number bool) *cell {
	for _, k := range keys {
		for i := range cells {
			if cells[i].number == number && cells[i].key == k {
				return &cells[i]
			}
		}
	}
	return nil
}

// entry reads a row. What differs from row to row, and is no result, tells what is compared with what.
func (r *reading) entry(cells row) (e entry, said []trace.Fact) {
	var metrics row
	var load []string
	var unit *cell
	name, value := cells.find(nameColumns, false), cells.find(valueColumns, true)
	if r.long && name != nil && value != nil {
		metrics = row{{name: name.text, value: value.value, number: true}}
		if unit = cells.find([]string{"unit", "units"}, false); unit != nil {
			metrics[0].unit = unit.text
		}
	}
	under := func(text string) {
		if text = withoutPath(text); !slices.Contains(load, text) {
			load = append(load, text)
		}
	}
	hasLimit := cells.find([]string{"max_concurrency"}, true) != nil
	for i := range cells {
		c := &cells[i]
		switch {
		case r.long && (c == name || c == value || c == unit):
		case repeats[c.key]:
			if e.label = trace.Tidy(c.said()); c.number {
				e.label = "#" + e.label
			}
		case c.key == "concurrency" && (hasLimit || c.value != math.Trunc(c.value)): // SGLang: what it came to
		case loads[c.key] != "" && (c.number || c.text != "inf" && c.text != "None"):
			under(fmt.Sprintf(loads[c.key], c.said()))
		case c.param, c.number && r.apart[c.key]:
			under(c.key + "=" + c.said())
		case !c.number && (subjects[c.key] && !ofRun.MatchString(c.text) || !c.setting && r.apart[c.key]):
			under(c.text)
		case facts[c.key] != "":
			said = append(said, trace.Fact{Key: facts[c.key], Value: withoutPath(c.said())})
		case c.number && !c.setting && !r.long:
			metrics = append(metrics, *c)
		}
	}
	e.key = strings.Join(append([]string{""}, load...), ", ")
	for _, c := range metrics {
		k := r.meaning(c.name, c.unit)
		k.v.Name += e.key
		if k.v.Value = float64(c.value * k.by); k.ok {
			e.values = append(e.values, k.v)
		}
	}
	if r.long && len(e.values) > 0 {
		e.key = e.values[0].Name
	}
	return e, said
}

// withoutPath returns a text whose words are no paths: what stands before the last slash says where someone keeps it.
func withoutPath(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if strings.HasPrefix(w, "/") || strings.HasPrefix(w, "~") || strings.HasPrefix(w, ".") || strings.Contains(w, `\`) ||
			strings.Contains(w, "=/") {
			at := strings.LastIndexAny(strings.TrimRight(w, `/\`), `/\`)
			before := ""
			if eq := strings.IndexByte(w, '='); eq >= 0 && eq < at {
				before = w[:eq+1]
			}
			words[i] = before + w[at+1:]
		}
	}
	return trace.Tidy(strings.Join(words, " "))
}

// areResults reports whether rows are results: a number whose direction its name says, or nothing but numbers. Logs of
// steps are none, with the number of a step or more rows than anyone repeats. cut: the rows are the first of more.
func areResults(rows []row, cut bool) bool {
	r := readingOf(rows)
	numbers, apart, steps := !cut, r.long, false
	for _, cells := range rows {
		numbers = numbers && len(cells) > 0 && len(cells) <= run.MaxResults
		for i := range cells {
			c := &cells[i]
			ofSteps := stepNumbers[c.key] && (len(rows) > 1 || cut || !strings.HasPrefix(c.key, "epoch"))
			if notResults[c.key] || ofSteps && c.number && !c.setting {
				return false
			}
			if c.setting {
				continue
			}
			steps = steps || isStepTime.MatchString(c.key)
			apart = apart || repeats[c.key] || loads[c.key] != "" || subjects[c.key]
			numbers = numbers && c.number
		}
	}
	few := len(rows) == 1 || len(rows) <= mostUntold && !steps
	return (r.told || r.long || numbers && (len(rows) == 1 || apart)) && (apart || few)
}

// mostUntold is how many rows a table of results has at most where nothing tells them apart: one with more is a log.
// Chosen, not measured: people repeat a benchmark 5 to 30 times.
const mostUntold = 100

// notResults are names in files of other kinds: traces, sums of profilers, requests one by one, samples of a monitor.
var notResults = set("trace_events log_history x_request_id request_id prompt kernel_name calls percentage " +
	"process_id section_name " +
	"utilization_gpu ph correlation_id start_ns start_timestamp")

// isStepTime matches columns of step times.
var isStepTime = regexp.MustCompile(`(?:step|iter(?:ation)?|batch)_(?:time|duration|latency)` +
	`|per_(?:step|iter|batch)|(?:^|_)dt(?:_|$)`)
