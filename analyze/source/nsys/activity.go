package nsys

import (
	"context"
	"regexp"
	"strings"
	"sync"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// activities lists the metrics of a GPU that are read, by what they are called in every GPU generation's metric set.
// The first that matches a metric's name has it. Few files have metrics of a GPU, and patterns take longer to be made
// than the rest of the package.
var activities = sync.OnceValue(func() []activity {
	return []activity{
		{"GR active", regexp.MustCompile(`(?i)^gr active\b`)},
		{"SM issue", regexp.MustCompile(`(?i)^sms? (?:instruction )?issue\b`)},
		{"warps in flight", regexp.MustCompile(`(?i)^compute warps in flight\b`)},
		{"warps unallocated", regexp.MustCompile(`(?i)^unallocated warps\b`)},
		{"SM active", regexp.MustCompile(`(?i)^sms? active\b`)},
		{"tensor active", regexp.MustCompile(`(?i)^tensor (?:core )?active\b`)},
		{"DRAM read", regexp.MustCompile(`(?i)^dram (?:read bandwidth|bandwidth.*read)`)},
		{"DRAM write", regexp.MustCompile(`(?i)^dram (?:write bandwidth|bandwidth.*write)`)},
		{"PCIe receive", regexp.MustCompile(`(?i)^pcie (?:rx|read) (?:throughput|bandwidth)`)},
		{"PCIe send", regexp.MustCompile(`(?i)^pcie (?:tx|write) (?:throughput|bandwidth)`)},
		{"NVLink receive", regexp.MustCompile(`(?i)^nvlink (?:rx|received) (?:throughput|bandwidth)`)},
		{"NVLink send", regexp.MustCompile(`(?i)^nvlink (?:tx|transmitted) (?:throughput|bandwidth)`)},
	}
})

type activity struct {
	name    string
	pattern *regexp.Regexp
}

// activityOf returns what a GPU metric measures, "" if it is not read. Only shares of a peak are, whose names say so:
// "SMs Active [Throughput %]".
func activityOf(metric string) string {
	if !strings.Contains(metric, "%") {
		return ""
	}
	for _, a := range activities() {
		if a.pattern.MatchString(metric) {
			return a.name
		}
	}
	return ""
}

// levels lists the GPU metrics that are levels in a unit, by how their names begin and by the unit in brackets: "GPC
// Clock Frequency [MHz]".
var levels = sync.OnceValue(func() []level {
	return []level{
		{regexp.MustCompile(`(?i)^(\w+) clock\b`), "mhz", trace.Clock, 1e6},
		{regexp.MustCompile(`(?i)^(.*\S) power\b`), "w", trace.Power, 1},
		{regexp.MustCompile(`(?i)^(.*\S) power\b`), "mw", trace.Power, 1e-3},
		{regexp.MustCompile(`(?i)^(.*\S) temperature\b`), "c", trace.Temperature, 1},
	}
})

type level struct {
	pattern *regexp.Regexp
	unit    string
	kind    trace.CounterKind
	factor  float64 // to the base unit
}

// gpuMetric says what one metric of a GPU measures: a part, and a factor to its unit.
type gpuMetric struct {
	kind   trace.CounterKind
	part   string  // "" it is not read
	factor float64 // of levels, to the base unit
}

// gpuMetricOf returns what a metric of a GPU measures, by its name.
func gpuMetricOf(metric string) gpuMetric {
	if part := activityOf(metric); part != "" {
		return gpuMetric{kind: trace.Activity, part: part}
	}
	_, unit, _ := strings.Cut(metric, "[")
	unit = strings.ToLower(strings.Trim(unit, "] \u00b0"))
	for _, l := range levels() {
		if m := l.pattern.FindStringSubmatch(metric); m != nil && unit == l.unit {
			return gpuMetric{l.kind, trace.Tidy(m[1]), l.factor}
		}
	}
	return gpuMetric{}
}

// readActivity reads how busy the parts of GPUs were, and their clocks. Ids of metrics are not
// stable, and a type is one GPU: its low byte is the number in
// TARGET_INFO_GPU.
func (r *sampler) readActivity(ctx context.Context) error {
	const tableName = activityTable
	rows, err := table.Small(ctx, r.src, "TARGET_INFO_GPU_METRICS", "typeId", "metricId", "metricName")
	if err != nil || len(rows) == 0 {
		return err
	}
	type id struct{ typ, metric int64 }
	type part struct {
		typ int64
		counterKey
	}
	metrics, taken := make(map[id]gpuMetric), make(map[part]bool)
	for _, row := range rows {
		m := gpuMetricOf(row[2])
		p := part{row.Num(0), counterKey{m.kind, m.part}}
		if m.part != "" && !taken[p] { // NVLink has a metric for each sort of data
			metrics[id{p.typ, row.Num(1)}], taken[p] = m, true
		}
	}
	last := make(map[id]int64)
	cols := table.Ints("timestamp", "typeId", "metricId", "value")
	return r.src.Scan(ctx, tableName, cols, func(b *table.Batch) {
		for i := range b.N {
			key := id{b.Cols[1][i], b.Cols[2][i]}
			m, ok := metrics[key]
			if !ok {
				continue
			}
			at := b.Cols[0][i]
			if before, ok := last[key]; ok && b.Cols[3][i] != table.Null {
				gpu := key.typ & 0xff
				if r.counters.gpu[gpu] == nil {
					r.counters.gpu[gpu] = make(map[counterKey]*trace.Counter)
				}
				r.addSample(r.counters.gpu[gpu], counterKey{m.kind, m.part}, tableName, before, at, m.value(b.Cols[3][i]))
			}
			last[key] = at
		}
	})
}

// value returns a sample's value in the base unit. A share is divided, since its factor is none that
// a float64 holds.
func (m *gpuMetric) value(v int64) float64 {
	if m.kind == trace.Activity {
		return float64(v) / 100
	}
	return float64(v) * m.factor
}
