package nsys

import (
	"context"
	"regexp"
	"strings"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// activities are the metrics of a GPU that are read, by what they are called
// in every GPU generation's metric set. The first that matches a metric's name
// has it.
var activities = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"SM active", regexp.MustCompile(`(?i)^sms? active\b`)},
	{"tensor active", regexp.MustCompile(`(?i)^tensor (?:core )?active\b`)},
	{"DRAM read", regexp.MustCompile(`(?i)^dram (?:read bandwidth|bandwidth.*read)`)},
	{"DRAM write", regexp.MustCompile(`(?i)^dram (?:write bandwidth|bandwidth.*write)`)},
	{"PCIe receive", regexp.MustCompile(`(?i)^pcie (?:rx|read) (?:throughput|bandwidth)`)},
	{"PCIe send", regexp.MustCompile(`(?i)^pcie (?:tx|write) (?:throughput|bandwidth)`)},
	{"NVLink receive", regexp.MustCompile(`(?i)^nvlink (?:rx|received) (?:throughput|bandwidth)`)},
	{"NVLink send", regexp.MustCompile(`(?i)^nvlink (?:tx|transmitted) (?:throughput|bandwidth)`)},
}

// activityOf is what a metric says of a GPU, "" if it is not read. Only shares
// of a peak are, whose names say so: "SMs Active [Throughput %]".
func activityOf(metric string) string {
	if !strings.Contains(metric, "%") {
		return ""
	}
	for _, a := range activities {
		if a.pattern.MatchString(metric) {
			return a.name
		}
	}
	return ""
}

// readActivity reads how busy the parts of GPUs were. Ids of metrics are not
// stable, and a type is one GPU: its low byte is the number in
// TARGET_INFO_GPU.
func (r *reader) readActivity(ctx context.Context) error {
	const tableName = "GPU_METRICS"
	rows, err := table.Small(ctx, r.src, "TARGET_INFO_GPU_METRICS", "typeId", "metricId", "metricName")
	if err != nil || len(rows) == 0 {
		return err
	}
	type id struct{ typ, metric int64 }
	type part struct {
		typ  int64
		name string
	}
	names, taken := make(map[id]string), make(map[part]bool)
	for _, row := range rows {
		p := part{row.Num(0), activityOf(row[2])}
		if p.name != "" && !taken[p] { // NVLink has a metric for each sort of data
			names[id{p.typ, row.Num(1)}], taken[p] = p.name, true
		}
	}
	last := make(map[id]int64)
	cols := table.Ints("timestamp", "typeId", "metricId", "value")
	return r.src.Scan(ctx, tableName, cols, func(b *table.Batch) error {
		for i := range b.N {
			key := id{b.Cols[1][i], b.Cols[2][i]}
			name, ok := names[key]
			if !ok {
				continue
			}
			at := b.Cols[0][i]
			if before, ok := last[key]; ok && b.Cols[3][i] != table.Null {
				gpu := key.typ & 0xff
				if r.counters.gpu[gpu] == nil {
					r.counters.gpu[gpu] = make(map[counterKey]*trace.Counter)
				}
				r.addSample(r.counters.gpu[gpu], counterKey{trace.Activity, name}, tableName, before, at, float64(b.Cols[3][i])/100)
			}
			last[key] = at
		}
		return nil
	})
}
