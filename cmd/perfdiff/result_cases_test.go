package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/golden"
)

// ofSteps are words that no output about what runs print may hold: they have no steps, ranks or captures.
var ofSteps = regexp.MustCompile(`(?i)\bsteps?\b|\branks?\b|\bcaptures?\b`)

// judgedResults runs perfdiff on two sides and returns its exit status, with the JSON, the text and the page.
func judgedResults(t *testing.T, args ...string) (status int, doc map[string]any, text string) {
	t.Helper()
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "r.json"), filepath.Join(dir, "r.txt"), filepath.Join(dir, "r.md"), filepath.Join(dir, "r.html")}
	for _, f := range files {
		args = append(args, "-o", f)
	}
	var stdout, stderr bytes.Buffer
	status = run(t.Context(), append(args, "-q"), &stdout, &stderr)
	if status == statusError {
		return status, nil, stderr.String()
	}
	data, err := os.ReadFile(files[0])
	if err == nil {
		err = json.Unmarshal(data, &doc)
	}
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	laws(t, data, status)
	for _, f := range files[1:] {
		out, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		shown := string(out)
		if strings.HasSuffix(f, ".html") {
			_, shown, _ = strings.Cut(shown, "<main id=\"main\">")
			shown = regexp.MustCompile(`(?s)<footer.*|<label class="pick" hidden>.*?</label>|<(script|style|select).*?</(script|style|select)>|<[^>]*>`).ReplaceAllString(shown, " ")
		}
		if at := ofSteps.FindStringIndex(shown); at != nil {
			t.Errorf("%s says %q", filepath.Base(f), shown[max(0, at[0]-60):min(len(shown), at[1]+60)])
		}
		if strings.HasSuffix(f, ".txt") {
			text = shown
		}
	}
	return status, doc, text
}

func wordOf(doc map[string]any) string {
	v, _ := doc["verdict"].(map[string]any)
	word, _ := v["word"].(string)
	return word
}

// TestResultCases: pairs of results of benchmarks, in both directions. The cases lie beside the project.
func TestResultCases(t *testing.T) {
	for _, c := range []struct{ name, worse, better string }{
		{"vllm-bench-json", "; 11 other metrics regressed.", "; 11 other metrics improved."},
		{"throughput-7-runs", "fell by 9.1 % (62.8 -> 57.1 1/s)", "rose by 10.0 % (57.1 -> 62.8 1/s)"},
		{"hyperfine-json", "rose by 10.0 % (100 -> 110 ms)", "fell by 9.1 % (110 -> 100 ms)"},
	} {
		dir := golden.Case(t, c.name)
		base, cand := filepath.Join(dir, "base"), filepath.Join(dir, "cand")
		for _, x := range []struct {
			args   []string
			status int
			tag    string
			want   string
		}{
			{[]string{base, cand}, statusRegressed, "WORSE", c.worse}, {[]string{cand, base}, statusOK, "BETTER", c.better},
			{[]string{base, base}, statusNotJudged, "NOT JUDGED", "same files"},
		} {
			status, _, text := judgedResults(t, x.args...)
			text = strings.NewReplacer("\n", " ", "\u2192", "->").Replace(text)
			if status != x.status || !strings.HasPrefix(text, x.tag) || !strings.Contains(text, x.want) {
				t.Errorf("%s: got %d and %s; want %d, %s, %s", c.name, status, text, x.status, x.tag, x.want)
			}
		}
	}
}

// writeResults writes runs of one side, each a file of vLLM's with some numbers changed.
func writeResults(t *testing.T, runs int, change func(run int, v map[string]any)) string {
	t.Helper()
	dir := t.TempDir()
	for i := range runs {
		wave := 1 + 0.004*math.Sin(float64(7*i+1))
		v := map[string]any{
			"date": fmt.Sprintf("2026030%d-100000", i+1), "backend": "vllm", "model_id": "m", "num_prompts": 100, "request_rate": "inf",
			"duration": 10 * wave, "completed": 100, "total_input_tokens": 1000, "total_output_tokens": 2000,
			"request_throughput": 10 / wave, "output_throughput": 200 / wave,
			"mean_ttft_ms": 33.3 * wave, "median_ttft_ms": 33.1 * wave, "p99_ttft_ms": 100 * wave * wave,
			"mean_tpot_ms": 10 / wave / wave, "median_tpot_ms": 10 / wave, "p99_tpot_ms": 11.1 * wave, "mean_itl_ms": 10.2 * wave, "median_itl_ms": 10.1 / wave, "p99_itl_ms": 12.5 / wave,
		}
		if change != nil {
			change(i, v)
		}
		text, err := json.Marshal(v)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("run%d.json", i)), bytes.ReplaceAll(text, []byte(`"NaN"`), []byte("NaN")), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// setting returns a change that sets one number in all runs.
func setting(key string, value any) func(int, map[string]any) {
	return func(_ int, v map[string]any) { v[key] = value }
}

// TestResultMutants: of runs that did not change, nothing that happens to their files makes a verdict of change; and
// what is not there does not pass.
func TestResultMutants(t *testing.T) {
	same := writeResults(t, 4, nil)
	again := func(int, map[string]any) {}
	later := func(more func(int, map[string]any)) func(int, map[string]any) { // runs of another day
		return func(i int, v map[string]any) {
			for key, x := range v {
				if f, ok := x.(float64); ok {
					v[key] = f * (1 + 0.003*math.Cos(float64(11*i+3)))
				}
			}
			more(i, v)
		}
	}
	many := func(i int, v map[string]any) {
		for k := range 80 {
			v[fmt.Sprintf("p%d_ttft_ms", 10+k)] = 30 + float64(k) + 0.01*math.Sin(float64(k+i*3))
		}
	}
	other := func(rate float64) func(int, map[string]any) { return setting("request_rate", rate) }
	for name, c := range map[string]struct {
		base, cand string
		changed    bool // a change is right
	}{
		"unchanged":        {same, writeResults(t, 4, later(again)), false},
		"one run per side": {writeResults(t, 1, nil), writeResults(t, 1, setting("median_ttft_ms", 43.0)), false},
		"one and four":     {writeResults(t, 1, nil), writeResults(t, 4, later(again)), false},
		"metric missing":   {same, writeResults(t, 4, later(func(_ int, v map[string]any) { delete(v, "median_ttft_ms") })), false},
		"metric added":     {writeResults(t, 4, func(_ int, v map[string]any) { delete(v, "p99_itl_ms") }), writeResults(t, 4, later(again)), false},
		"NaN":              {same, writeResults(t, 4, later(setting("p99_ttft_ms", "NaN"))), false},
		"zeros":            {writeResults(t, 4, setting("mean_itl_ms", 0)), writeResults(t, 4, later(setting("mean_itl_ms", 0))), false},
		"null":             {same, writeResults(t, 4, later(setting("mean_itl_ms", nil))), false},
		"another load":     {writeResults(t, 4, other(4)), writeResults(t, 4, later(func(i int, v map[string]any) { other(8)(i, v); setting("median_ttft_ms", 60.0)(i, v) })), false},
		"many metrics":     {writeResults(t, 4, many), writeResults(t, 4, later(many)), false},
		"copies":           {same, copyResults(t, same), false},
		"really slower":    {same, writeResults(t, 4, later(func(i int, v map[string]any) { v["median_ttft_ms"] = 40 + 0.1*float64(i) })), true},
		"slower of many":   {writeResults(t, 4, many), writeResults(t, 4, later(func(i int, v map[string]any) { many(i, v); v["median_ttft_ms"] = 40 + 0.1*float64(i) })), true},
	} {
		t.Run(name, func(t *testing.T) {
			for i, args := range [][]string{{c.base, c.cand}, {c.cand, c.base}} {
				status, doc, text := judgedResults(t, args...)
				word := wordOf(doc)
				switch want := []string{"regressed", "improved"}[i]; {
				case c.changed && word != want:
					t.Errorf("got %q, want %s:\n%s", word, want, text)
				case !c.changed && (word == "regressed" || word == "improved" || status == statusRegressed):
					t.Errorf("got %q, exit %d:\n%s", word, status, text)
				}
			}
		})
	}
}

// copyResults copies the files of a side under other names.
func copyResults(t *testing.T, from string) string {
	t.Helper()
	dir := t.TempDir()
	files, err := filepath.Glob(filepath.Join(from, "*.json"))
	for _, f := range files {
		text, fail := os.ReadFile(f)
		if err = fail; err == nil {
			err = os.WriteFile(filepath.Join(dir, "copy-"+filepath.Base(f)), text, 0o644)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestResultLayouts: files of a run may stand in a directory of it or not, and one file may hold several runs.
func TestResultLayouts(t *testing.T) {
	flat := writeResults(t, 3, nil)
	split := t.TempDir()
	for i := range 3 {
		var v map[string]any
		text, err := os.ReadFile(filepath.Join(flat, fmt.Sprintf("run%d.json", i)))
		if err == nil {
			err = json.Unmarshal(text, &v)
		}
		if err != nil {
			t.Fatal(err)
		}
		halves := [2]map[string]any{{}, {}}
		for k, key := range slices.Sorted(maps.Keys(v)) {
			half := k % 2
			if _, number := v[key].(float64); !number {
				halves[1][key] = v[key]
			}
			halves[half][key] = v[key]
		}
		dir := filepath.Join(split, fmt.Sprintf("run%d", i))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for k, half := range halves {
			text, _ := json.Marshal(half)
			if err := os.WriteFile(filepath.Join(dir, string(rune('a'+k))+".json"), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, doc, text := judgedResults(t, flat, split)
	if word := wordOf(doc); word == "regressed" || word == "improved" || !strings.Contains(text, ": 3 runs") {
		t.Errorf("got %q:\n%s", word, text)
	}
}

// TestResultsInStore: main's runs say what each number differs by, and a pull request is held to their level.
func TestResultsInStore(t *testing.T) {
	store := filepath.Join(t.TempDir(), "store")
	gate := func(args ...string) (int, string) {
		var stdout, stderr bytes.Buffer
		return run(t.Context(), append([]string{"gate", "--store", store}, args...), &stdout, &stderr), stdout.String() + stderr.String()
	}
	scaled := func(seed int, ttft float64) func(int, map[string]any) {
		return func(i int, v map[string]any) {
			for k, key := range slices.Sorted(maps.Keys(v)) {
				if f, ok := v[key].(float64); ok {
					v[key] = f * (1 + 0.01*math.Sin(float64(17*seed+5*k+3*i)))
				}
			}
			v["median_ttft_ms"] = ttft * v["median_ttft_ms"].(float64)
		}
	}
	for i := range 8 {
		if status, said := gate(writeResults(t, 1, scaled(i, 1)), "--save", "--first", "pass", "--commit", fmt.Sprintf("c0ffee%02d", i)); status != statusOK {
			t.Fatalf("run %d of main: exit %d: %s", i, status, said)
		}
	}
	if status, said := gate(writeResults(t, 3, scaled(11, 1))); status != statusOK || ofSteps.MatchString(said) {
		t.Errorf("unchanged: exit %d: %s", status, said)
	}
	status, said := gate(writeResults(t, 3, scaled(12, 1.15)))
	if status != statusRegressed || !strings.Contains(said, "Median TTFT rose by 1") {
		t.Errorf("15 %% more: exit %d: %s", status, said)
	}
	if status, said := gate(writeResults(t, 1, scaled(13, 1.15)), "--escalate"); status != statusMoreRuns {
		t.Errorf("one run, 15 %% more: exit %d: %s", status, said)
	}
}

// TestResultsBesideProfiles: results in the directory of a run belong to it, and both are judged; settings do not count.
func TestResultsBesideProfiles(t *testing.T) {
	dir := writeStory(t, "slow-kernel", synth.Kineto)
	for i, side := range []string{"baseline", "candidate"} {
		results := writeResults(t, 1, setting("median_ttft_ms", 30.0+float64(5*i)))
		text, err := os.ReadFile(filepath.Join(results, "run0.json"))
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, side, "bench.json"), string(text))
		writeFile(t, filepath.Join(dir, side, "config.json"), `{"hidden_size": 4096, "layers": 32}`)
	}
	var stdout, stderr bytes.Buffer
	status := run(t.Context(), []string{filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"), "--table"}, &stdout, &stderr)
	for _, want := range []string{"SLOWER  Steps take 2.6 ms longer", "\nmedian_ttft_ms", "\nstep_time "} {
		if status != statusRegressed || !strings.Contains(stdout.String(), want) {
			t.Errorf("exit %d, without %q:\n%s%s", status, want, stdout.String(), stderr.String())
		}
	}
	if strings.Contains(stdout.String(), "hidden_size") {
		t.Errorf("settings are shown:\n%s", stdout.String())
	}
}
