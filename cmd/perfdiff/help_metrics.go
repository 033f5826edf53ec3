package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"perfdiff/analyze"
	measured "perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/render"
)

// metricsTopic is the help topic that explains metrics.
const metricsTopic = "metrics"

// explainMetrics prints what all metrics are, or those that are named, and what a capture must record for them.
func explainMetrics(names []string, stdout, stderr io.Writer) int {
	all := policy.Metrics(analyze.Metrics())
	var asked []measured.Metric
	for _, name := range names {
		at := slices.IndexFunc(all, func(m measured.Metric) bool { return m.Name == name })
		if at < 0 {
			return printError(stderr, fmt.Errorf("help metrics: there is no metric %q", name), likeMetric(all, name))
		}
		asked = append(asked, all[at])
	}
	if asked == nil {
		asked = all
	}
	return printedStatus(stderr, render.Metrics(stdout, asked, len(names) > 0, textOptions(stdout)))
}

// likeMetric returns a hint at the metrics whose names hold what was asked for, or at the list.
func likeMetric(all []measured.Metric, name string) string {
	var like []string
	for _, m := range all {
		if name != "" && strings.Contains(m.Name, name) {
			like = append(like, m.Name)
		}
	}
	if like == nil {
		return "perfdiff help metrics lists them"
	}
	return "there are " + strings.Join(like, ", ")
}
