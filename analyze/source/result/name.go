package result

import (
	"slices"
	"strings"
	"unicode"

	"perfdiff/analyze/run"
)

// The words that are units, whole ones alone, with what they are of the base unit. Minutes are spelt out: min is the
// least value.
var (
	times = scales(1e-9, "ns nsec nsecs nanosecond nanoseconds", 1e-6, "us µs μs usec usecs microsecond microseconds",
		1e-3, "ms msec msecs millisecond milliseconds", 1.0, "s sec secs second seconds", 60.0, "minute "+
			"minutes", 3600.0, "hour hours")
	sizes = scales(1.0, "byte bytes", 1e3, "kb", 1e6, "mb", 1e9, "gb", 1e12, "tb",
		float64(1<<10), "kib", float64(1<<20), "mib", float64(1<<30), "gib", float64(1<<40), "tib")
	flops = scales(1.0, "flops flop", 1e6, "mflops mflop", 1e9, "gflops gflop", 1e12, "tflops tflop", 1e15, "pflops "+
		"pflop")
	tokens = set("tok toks token tokens")
	// counted are the things whose number a second is a rate although only an s is behind them: throughput_req_s.
	counted = set("req reqs request requests sample samples image images img imgs item items it its iter iters " +
		"iteration " +
		"iterations step steps op ops operation operations frame frames query queries call calls batch batches example " +
		"examples")
)

func scales(pairs ...any) map[string]float64 {
	out := map[string]float64{}
	for i := 0; i < len(pairs); i += 2 {
		for _, w := range strings.Fields(pairs[i+1].(string)) {
			out[w] = pairs[i].(float64)
		}
	}
	return out
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// wordsOf splits a name into its words, in lower case: "outputTokensPerSecond", "TTFT (ms)", "B/op".
func wordsOf(name string) (out []string) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			out = append(out, strings.ToLower(string(word)))
		}
		word = nil
	}
	runes := []rune(name)
	for i, c := range runes {
		switch {
		case c == '/':
			end()
			out = append(out, "per")
		case c == '%':
			end()
			out = append(out, "percent")
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			end()
		default:
			if i > 0 && unicode.IsUpper(c) && !unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
				end()
			}
			word = append(word, c)
		}
	}
	end()
	return out
}

// statistics are the words for what a number is of many, and their ranks: what is kept first where there is too much.
var statistics = map[string]int{"median": 0, "p50": 0, "mean": 1, "avg": 1, "average": 1, "p99": 2, "p90": 3, "p95": 4,
	"p75": 5, "p25": 5,
	"p10": 5, "p5": 5, "p1": 5, "p999": 5, "min": 5, "max": 5, "minimum": 5, "maximum": 5}

// rank returns how early a metric is kept: 0 for the median, and for a number that is of no many.
func rank(words []string) int {
	for _, w := range words {
		if r, ok := statistics[w]; ok {
			return r
		}
	}
	return 0
}

// unitOf returns the unit that words end with or count per, and by what a value is multiplied to be in it. "" : none.
func unitOf(w []string) (unit string, by float64) {
	for len(w) > 1 {
		if _, ok := statistics[w[len(w)-1]]; !ok && strings.Trim(w[len(w)-1], "0123456789") != "" {
			break
		}
		w = w[:len(w)-1]
	}
	at := func(i int) string {
		if i < 0 || i >= len(w) {
			return ""
		}
		return w[i]
	}
	if i := slices.Index(w, "per"); i >= 0 {
		before, after := at(i-1), at(i+1)
		size, sized := sizes[before]
		switch t, lasts := times[before]; {
		case times[after] > 0:
			return rateOf(before, times[after])
		case lasts:
			return "s", t
		case sized:
			return "B", size
		case before == "b":
			return "B", 1
		case before == "allocs":
			return "1", 1
		}
	}
	last, before := at(len(w)-1), at(len(w)-2)
	t, lasts := times[last]
	size, sized := sizes[last]
	switch {
	case lasts && t == 1 && (counted[before] || tokens[before] || sizes[before] > 0 || flops[before] > 0):
		return rateOf(before, t)
	case lasts:
		return "s", t
	case sized:
		return "B", size
	case flops[last] > 1:
		return "FLOP/s", flops[last]
	case last == "percent" || last == "pct" || last == "percentage":
		return "ratio", 0.01
	case last == "ratio" || last == "fraction" || last == "share":
		return "ratio", 1
	case last == "qps" || last == "rps" || last == "tps" || last == "fps":
		return "1/s", 1
	case last != "throughput" && last != "goodput":
	case tokens[before] || before == "output" || before == "input": // vLLM and SGLang
		return "tokens/s", 1
	case counted[before]:
		return "1/s", 1
	}
	return "", 1
}

// rateOf returns the unit of so many things in a time of so many seconds.
func rateOf(thing string, seconds float64) (string, float64) {
	switch {
	case sizes[thing] > 0:
		return "B/s", sizes[thing] / seconds
	case thing == "b":
		return "B/s", 1 / seconds
	case flops[thing] > 0:
		return "FLOP/s", flops[thing] / seconds
	case tokens[thing]:
		return "tokens/s", 1 / seconds
	}
	return "1/s", 1 / seconds
}

// The words that say in which direction a number is good, and those of numbers that are no results: spreads, and
// counts, settings and times of day.
var (
	higher = set("throughput tput goodput iops bandwidth busbw algbw bw mfu hfu speedup speed qps rps tps fps flops " +
		"gflops tflops pflops")
	lower = set("latency latencies ttft tpot itl e2el e2e time times duration durations elapsed runtime walltime " +
		"memory mem rss vram allocated reserved loss perplexity ppl overhead delay wait stall alloc allocs")
	better  = set("accuracy acc hit acceptance")
	worse   = set("error errors failure failures miss misses fault faults retry retries timeouts")
	shares  = set("rate ratio share fraction percent pct")
	neither = set("free available total utilization utilisation util")
	spreads = set("std stdev stddev sd variance var iqr q1 q3 outliers cv stderr sem ci ci95")
	never   = set("count counts num number rounds id idx index seed port pid timestamp date datetime version schema " +
		"uuid len lens length lengths warmup epoch epochs rank retokenized exit burstiness slo target threshold limit " +
		"budget timeout capacity completed successful failed lr learning scale")
	things = set("prompts runs gpus nodes ranks workers threads users sequences isl osl flos")
)

// meaningOf returns what a name, and a unit where one is given beside it, say of a number, and by what it is multiplied
// to be in the unit. ok is false for a number that is no result.
func meaningOf(name, unit string) (v Value, by float64, ok bool) {
	w := wordsOf(name)
	has := func(list map[string]bool) bool { return slices.ContainsFunc(w, func(x string) bool { return list[x] }) }
	v.Name = name
	if v.Unit, by = unitOf(w); unit != "" {
		if v.Unit, by = unitOf(wordsOf(unit)); v.Unit == "" && strings.TrimSpace(unit) == "B" {
			v.Unit = "B"
		}
	}
	switch {
	case len(w) == 0, len(name) < 2, has(spreads), slices.Contains(w, "score") && has(worse), isTimeOfDay(w),
		v.Unit == "" && isCount(w), (v.Unit == "" || unit == "") && has(never):
		return v, by, false
	case strings.HasSuffix(v.Unit, "/s") && has(worse), has(shares) && has(worse):
		v.Better = run.Lower
	case strings.HasSuffix(v.Unit, "/s"), has(higher):
		v.Better = run.Higher
	case v.Unit == "s":
		v.Better = run.Lower
	case has(neither):
	case has(better) && !has(lower):
		v.Better = run.Higher
	case has(lower), v.Unit == "B" && slices.Contains(w, "op"):
		v.Better = run.Lower
	}
	return v, by, true
}

// isCount reports whether words name how many of a thing there are: total_input_tokens, total_flops.
func isCount(w []string) bool {
	last := w[len(w)-1]
	if w[0] == "total" && flops[last] > 0 {
		return true
	}
	return (len(w) > 1 || last != "ops") && (counted[last] || tokens[last] || things[last])
}

// isTimeOfDay recognises start_time and its like.
func isTimeOfDay(w []string) bool {
	for i := range len(w) - 1 {
		if (w[i] == "start" || w[i] == "end" || w[i] == "begin") && w[i+1] == "time" {
			return true
		}
	}
	return false
}
