package render

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The grammar of OpenMetrics 1.0 for gauges, section "ABNF" of its specification: every character of a line is accounted
// for.
var (
	describes = regexp.MustCompile(`^# (TYPE|UNIT|HELP) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$`)
	sampled   = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*")(?:,[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*")*)\})? (\S+)(?: (-?[0-9]+(?:\.[0-9]+)?))?$`)
	label     = regexp.MustCompile(`([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"`)
)

// checkOpenMetrics returns the first fault of a text: one that the grammar has no place for, and what the specification
// demands beside it: families in one piece, with a type, named for their unit, no series twice at a time, the end marked.
func checkOpenMetrics(text string) error {
	if !strings.HasSuffix(text, "\n# EOF\n") && text != "# EOF\n" {
		return fmt.Errorf("no # EOF at the end")
	}
	family, done, told, last := "", map[string]bool{}, map[string]bool{}, map[string]float64{}
	for i, line := range strings.Split(strings.TrimSuffix(text, "# EOF\n"), "\n") {
		if line == "" && i == strings.Count(strings.TrimSuffix(text, "# EOF\n"), "\n") {
			break
		}
		wrong := func(why string) error { return fmt.Errorf("line %d: %s: %s", i+1, why, line) }
		if m := describes.FindStringSubmatch(line); m != nil {
			if m[2] != family {
				if done[m[2]] {
					return wrong("a family begins again")
				}
				family, done[m[2]] = m[2], true
			}
			if told[m[1]+family] {
				return wrong("said twice")
			}
			told[m[1]+family] = true
			if m[1] == "TYPE" && m[3] != "gauge" || m[1] == "UNIT" && !strings.HasSuffix(family, "_"+m[3]) {
				return wrong("no gauge, or its name does not end in its unit")
			}
			if m[1] == "HELP" && strings.ContainsAny(regexp.MustCompile(`\\["\\n]`).ReplaceAllString(m[3], ""), "\\\n\"") {
				return wrong("not escaped")
			}
			continue
		}
		m := sampled.FindStringSubmatch(line)
		if m == nil || m[1] != family || !told["TYPE"+family] {
			return wrong("no sample of its family")
		}
		if _, err := strconv.ParseFloat(m[3], 64); err != nil {
			return wrong("no number")
		}
		names := map[string]bool{}
		for _, l := range label.FindAllStringSubmatch(m[2], -1) {
			if names[l[1]] {
				return wrong("a label twice")
			}
			names[l[1]] = true
		}
		at, err := strconv.ParseFloat(m[4], 64)
		before, seen := last[m[1]+m[2]]
		if seen && (err != nil || at <= before) {
			return wrong("a series twice at a time, or back in time")
		}
		last[m[1]+m[2]] = at
	}
	return nil
}

// TestOpenMetrics: what is written follows the grammar; runs that do not count are not in it.
func TestOpenMetrics(t *testing.T) {
	text := wrote(t, twoJobs().OpenMetrics)
	if err := checkOpenMetrics(text); err != nil {
		t.Fatal(err)
	}
	for want, times := range map[string]int{
		"\nperfdiff_step_time_seconds{": 12 + 58, "\nperfdiff_step_time_level_seconds{": 2, "\nperfdiff_step_time_noise_ratio{job=\"resnet-a100\"} 0.005 1795426200.5\n": 1,
		"# UNIT perfdiff_io_read_throughput_bytes_per_second bytes_per_second\n": 1, `{job="gpt-h100",commit="9e1f2c0000000000000000000000000000000000",run="000001-run"} 0.1811848 1785231000.5`: 1,
		"# HELP perfdiff_step_time_seconds of a \\\"job\\\"\n": 1,
	} {
		if got := strings.Count("\n"+text, want); got != times {
			t.Errorf("%q: got %d times, want %d", want, got, times)
		}
	}
	if got := wrote(t, (&Jobs{}).OpenMetrics); got != "# EOF\n" {
		t.Errorf("of nothing: got %q", got)
	}
}

// TestOpenMetricsGrammar: the check finds what is wrong.
func TestOpenMetricsGrammar(t *testing.T) {
	for _, bad := range []string{
		"", "# TYPE a gauge\na 1\n", "a 1\n# EOF\n", "# TYPE a gauge\na x\n# EOF\n", "# TYPE a gauge\nb 1\n# EOF\n", "# TYPE a counter\na 1\n# EOF\n", "# TYPE a gauge\n# UNIT a seconds\n# EOF\n",
		"# TYPE a gauge\na{b=\"c\"d\"} 1\n# EOF\n", "# TYPE a gauge\na{b=\"c\\x\"} 1\n# EOF\n", "# TYPE a gauge\na 1 5\na 2 5\n# EOF\n", "# TYPE a gauge\na{b=\"1\",b=\"2\"} 1\n# EOF\n",
		"# TYPE a gauge\na 1\n# TYPE b gauge\n# TYPE a gauge\n# EOF\n", "# TYPE a gauge\n\na 1\n# EOF\n", "# TYPE a gauge\na  1\n# EOF\n",
	} {
		if checkOpenMetrics(bad) == nil {
			t.Errorf("taken for right: %q", bad)
		}
	}
	if err := checkOpenMetrics("# TYPE a_seconds gauge\n# UNIT a_seconds seconds\n# HELP a_seconds x\na_seconds{b=\"\\\"\\n\"} 1e-05 5\na_seconds{b=\"\"} NaN\n# EOF\n"); err != nil {
		t.Error(err)
	}
}
