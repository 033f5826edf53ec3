package result

import (
	"cmp"
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

// tools are those whose JSON is known: by what the document, the first of its results or of its benchmarks has. Others
// are read as rows.
var tools = []struct {
	name  string
	wrote func(o, result, benchmark object) bool
	read  func(g *gathering, o object)
}{
	{"hyperfine", func(_, result, _ object) bool {
		return result.has("command") && result.has("times", "mean")
	}, (*gathering).hyperfine},
	{"pytest-benchmark", func(_, _, benchmark object) bool { return benchmark.has("stats") }, (*gathering).pytest},
	{"Google Benchmark", func(_, _, benchmark object) bool {
		return benchmark.has("real_time", "cpu_time", "run_type")
	}, (*gathering).google},
	{"AIPerf", func(o, _, _ object) bool { return aiperfRow(o) != nil },
		func(g *gathering, o object) { g.rows([]row{aiperfRow(o)}) }},
	{"SGLang", func(o, _, _ object) bool {
		of := o.has("median_e2e_latency_ms", "mean_e2e_latency_ms") || strings.HasPrefix(get[string](o, "backend"), "sglang")
		return of && o.has("request_throughput")
	}, nil},
	{"vLLM bench serve", func(o, _, _ object) bool {
		of := o.has("mean_ttft_ms", "median_ttft_ms", "p99_ttft_ms", "input_lens", "total_input_tokens")
		return of && o.has("request_throughput")
	}, nil},
}

// toolOf returns the tool that wrote documents, the last of which may end early, and how they are read.
func toolOf(docs []any, cut bool) (string, func(*gathering, object)) {
	o, _ := docs[0].(object)
	results, benchmarks := append(o.list("results"), nil), append(o.list("benchmarks"), nil)
	for _, t := range tools {
		if t.wrote(o, results[0], benchmarks[0]) {
			return t.name, t.read
		}
	}
	switch rows := rowsOf(docs); {
	case len(rows) == 0 || !areResults(rows, cut):
		return "", nil
	case len(docs) > 1:
		return "JSON lines", nil
	}
	return "JSON", nil
}

// hyperfine reads what hyperfine --export-json writes. Each of the times of a command is a repeat. A single command is
// a fact, so that another one on the other side is still compared.
func (g *gathering) hyperfine(o object) {
	results := o.list("results")
	taken, failed := map[string]int{}, 0
	for _, r := range results {
		name := withoutPath(get[string](r, "command"))
		if taken[name]++; taken[name] > 1 {
			name += fmt.Sprintf(" (%d)", taken[name])
		}
		memory := name + ", memory"
		if len(results) == 1 {
			g.fact("command", name)
			name, memory = "time", "memory"
		}
		exits, sizes := numbers(r, "exit_codes"), numbers(r, "memory_usage_byte")
		for i, v := range repeated(r, "times") {
			if i < len(exits) && exits[i] != 0 {
				failed++
				continue
			}
			g.add(i, Value{Name: name, Unit: "s", Better: run.Lower, Value: v})
			if i < len(sizes) && sizes[i] > 0 {
				g.add(i, Value{Name: memory, Unit: "B", Better: run.Lower, Value: sizes[i]})
			}
		}
	}
	g.warnOf(failed, "failed repeats: %d, by their exit codes (left out)")
}

// repeated returns a list of repeats or, where there is none, the median of what an object sums up, or the mean.
func repeated(o object, key string) []float64 {
	if list := numbers(o, key); len(list) > 0 {
		return list
	}
	for _, key := range []string{"median", "mean"} {
		if v, ok := o.number(key); ok {
			return []float64{v}
		}
	}
	return nil
}

// numbers returns a list; what is no number in it is NaN.
func numbers(o object, key string) (out []float64) {
	for _, v := range get[[]any](o, key) {
		f := math.NaN()
		if n, ok := v.(json.Number); ok {
			f, _ = n.Float64()
		}
		out = append(out, f)
	}
	return out
}

// pytest reads what pytest --benchmark-json writes, in s. Each round is a repeat.
func (g *gathering) pytest(o object) {
	machine, commit := get[object](o, "machine_info"), get[object](o, "commit_info")
	g.fact(Host, get[string](machine, "node"))
	g.fact(trace.FactCPU, get[string](get[object](machine, "cpu"), "brand_raw"))
	g.fact("Python", get[string](machine, "python_version"))
	g.fact(Commit, get[string](commit, "id"))
	list, times := o.list("benchmarks"), map[string]int{}
	for _, b := range list {
		times[get[string](b, "name")]++
	}
	for _, b := range list {
		name, stats := get[string](b, "name"), get[object](b, "stats")
		if times[name] > 1 {
			name = get[string](b, "fullname")
		}
		for i, v := range repeated(stats, "data") {
			g.add(i, Value{Name: name, Unit: "s", Better: run.Lower, Value: v})
		}
	}
}

// google reads what --benchmark_out of Google Benchmark writes. Repetitions are repeats; medians, or means, stand for
// those that are not there.
func (g *gathering) google(o object) {
	about := get[object](o, "context")
	g.fact(Host, get[string](about, "host_name"))
	g.fact("Google Benchmark", get[string](about, "library_version"))
	list := o.list("benchmarks")
	kinds := map[string]string{} // by name, which aggregate is read: "" repetitions
	nameOf := func(b object) string { return cmp.Or(get[string](b, "run_name"), get[string](b, "name")) }
	for _, kind := range []string{"mean", "median", ""} {
		for _, b := range list {
			if get[string](b, "aggregate_name") == kind {
				kinds[nameOf(b)] = kind
			}
		}
	}
	times, failed := map[string]int{}, 0
	for _, b := range list {
		name := nameOf(b)
		if kind, ok := kinds[name]; !ok || kind != get[string](b, "aggregate_name") {
			continue
		}
		at := times[name]
		if times[name]++; get[bool](b, "error_occurred") {
			failed++
			continue
		}
		for _, m := range b {
			unit, of := "", name+", "+m.key
			if m.key == "real_time" {
				unit, of = cmp.Or(get[string](b, "time_unit"), "ns"), name
			}
			v, by, ok := meaningOf(m.key, unit)
			f, isNumber := b.number(m.key)
			if ok && isNumber && m.key != "cpu_time" && v.Better != run.Neither {
				v.Name, v.Value = of, float64(f*by)
				g.add(at, v)
			}
		}
	}
	g.warnOf(failed, "failed benchmarks: %d (left out)")
}

// benchLine matches a result of go test -bench: BenchmarkX-8  100  123 ns/op  45 B/op.
var benchLine = regexp.MustCompile(`(?m)^Benchmark([^\s]*?)(-\d+)?[ \t]+\d+` +
	`((?:[ \t]+[-+.\deE]+ [^\s\d][^\s]*)+)[ \t]*\r?$`)

var benchHead = regexp.MustCompile(`(?m)^(cpu|goos|goarch): (.+)$`)

// goBench reads the lines of go test -bench. Those that -count repeats are repeats. The number of processors behind
// the names goes where it is the same in all.
func (g *gathering) goBench(text string) {
	lines := benchLine.FindAllStringSubmatch(text, -1)
	same := !slices.ContainsFunc(lines, func(m []string) bool { return m[2] != lines[0][2] })
	if same && len(lines) > 0 {
		g.fact("GOMAXPROCS", strings.TrimPrefix(lines[0][2], "-"))
	}
	for _, m := range benchHead.FindAllStringSubmatch(text, -1) {
		g.fact(map[string]string{"cpu": trace.FactCPU, "goos": trace.FactOS, "goarch": "architecture"}[m[1]], m[2])
	}
	times := map[string]int{}
	for _, m := range lines {
		name := "Benchmark" + m[1]
		if !same {
			name += m[2]
		}
		at := times[name]
		times[name]++
		fields := strings.Fields(m[3])
		for i := 0; i+1 < len(fields); i += 2 {
			f, err := strconv.ParseFloat(fields[i], 64)
			v, by, ok := meaningOf(fields[i+1], fields[i+1])
			if err != nil || !ok {
				continue
			}
			if v.Name, v.Value = name, float64(f*by); fields[i+1] != "ns/op" {
				v.Name += ", " + fields[i+1]
			}
			g.add(at, v)
		}
	}
}

// served gives the results of vLLM and SGLang the unit that a name does not say, and warns of failed requests.
func (g *gathering) served(rows []row) {
	failed := 0
	for _, r := range rows {
		for i, c := range r {
			switch c.name {
			case "duration":
				r[i].unit = "s"
			case "failed":
				failed += int(c.value)
			}
		}
	}
	g.warnOf(failed, "failed requests: %d (its numbers are of the others)")
	g.rows(rows)
}

// aiperfRow returns the metrics of what AIPerf writes to profile_export_aiperf.json, each with a unit; nil: it is no
// such file.
func aiperfRow(o object) (out row) {
	if inner := get[object](o, "records"); inner != nil {
		o = append(inner, o...)
	}
	known := false
	for _, m := range o {
		inner, ok := m.value.(object)
		if !ok || !inner.has("unit") || !inner.has("avg") {
			continue
		}
		switch m.key {
		case "request_throughput", "request_latency", "time_to_first_token", "inter_token_latency",
			"output_token_throughput", "ttft":
			known = true
		}
		for _, stat := range []string{"avg", "p50", "p90", "p95", "p99"} {
			if v, ok := inner.number(stat); ok {
				name := m.key
				if inner.has("p50") {
					name += " " + stat
				}
				out = append(out, numberCell(name, get[string](inner, "unit"), v))
			}
		}
	}
	if !known {
		return nil
	}
	asked := get[object](o, "input_config")
	load, prompt := get[object](asked, "loadgen"), get[object](get[object](asked, "input"), "prompt")
	for _, l := range []struct {
		name, key string
		from      object
	}{{"request_rate", "request_rate", load}, {"concurrency", "concurrency", load},
		{"input_len", "mean", get[object](prompt, "input_tokens")},
		{"output_len", "mean", get[object](prompt, "output_tokens")}} {
		if v, ok := l.from.number(l.key); ok {
			out = append(out, numberCell(l.name, "", v))
		}
	}
	if names := get[[]any](get[object](asked, "endpoint"), "model_names"); len(names) == 1 {
		out = append(out, scalar(cell{key: "model"}, names[0])...)
	}
	return append(out, scalar(cell{key: "aiperf_version"}, get[string](o, "aiperf_version"))...)
}
