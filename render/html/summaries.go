package html

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// tableTitles are the headings of the summaries, with the names that nsys stats gives to them.
var tableTitles = map[run.Table]string{
	run.KernelTable: "Kernels (cuda_gpu_kern_sum)", run.MemoryTable: "Memory operations (cuda_gpu_mem_time_sum, cuda_gpu_mem_size_sum)",
	run.CollectiveTable: "Collectives", run.OperatorTable: "Operators of the framework",
	run.APITable: "CUDA API (cuda_api_sum)", run.OSTable: "OS runtime (osrt_sum)", run.RangeTable: "NVTX ranges and annotations (nvtx_sum)", run.ProjectedTable: "Ranges on the device, from the first to the last work they launch (nvtx_gpu_proj_sum)",
}

// summarySection has the tables that nsys stats makes.
func (s *sheet) summarySection() section {
	sec := section{ID: "summaries", Nav: "Summaries", Title: "What do the summaries" + ofStats(s.r.Profilers) + " say?"}
	if len(s.r.Summaries) == 0 {
		return section{}
	}
	sec.Reading = s.summaryReading()
	for i := range s.r.Summaries {
		sec.Blocks = append(sec.Blocks, block{Values: s.summaryTable(&s.r.Summaries[i])})
	}
	hold := "what starts within kept steps; time and calls are per step and rank, the total is over all of them."
	if s.r.Stepless() {
		hold = "whole captures; time and calls are per second and rank, of the device from its first to its last work, of the host from its first to its last activity; the total is over all of them."
	}
	sec.Blocks = append([]block{{Note: "The columns" + ofStats(s.r.Profilers) + " for both sides: baseline \u2192 candidate. They hold " + hold + " Rows are in order of the change of time."}}, sec.Blocks...)
	return sec
}

// ofStats names nsys stats to those who know it; "" where neither Nsight Systems nor PyTorch's profiler recorded.
func ofStats(in sides.Profilers) string {
	if len(in) > 0 && !slices.Contains(in, trace.NsightSystems) && !slices.Contains(in, trace.PyTorchProfiler) {
		return ""
	}
	return " of nsys stats"
}

func (s *sheet) summaryReading() string {
	var parts []string
	for i := range s.r.Summaries {
		t := &s.r.Summaries[i]
		if len(t.Rows) == 0 || math.Abs(t.Rows[0].Delta*s.ms.Factor) < 0.01 {
			continue
		}
		row := &t.Rows[0]
		parts = append(parts, fmt.Sprintf("%s in %s (%s)", shorten(row.Name), t.Table, s.ms.SignedWith(row.Delta)))
		if len(parts) == 3 {
			break
		}
	}
	if len(parts) == 0 {
		return "No row of the summaries moved."
	}
	return "Moved most: " + strings.Join(parts, ", ") + " per " + s.perUnit() + "."
}

func (s *sheet) summaryTable(sum *cause.Summary) *table {
	t := &table{Label: tableTitles[sum.Table], Heads: []head{{Text: "Name", Left: true}, {Text: "Time", Unit: "%"}, {Text: "Time per " + s.perUnit(), Unit: s.ms.Name}, {Text: "Change", Unit: s.ms.Name}, {Text: "Total", Unit: "s"}, {Text: "Calls", Unit: "per " + s.perUnit()},
		{Text: "Avg", Unit: "\u00b5s"}, {Text: "Med", Unit: "\u00b5s"}, {Text: "Min", Unit: "\u00b5s"}, {Text: "Max", Unit: "\u00b5s"}, {Text: "StdDev", Unit: "\u00b5s"}}}
	memory := sum.Table == run.MemoryTable || slices.ContainsFunc(sum.Rows, func(r cause.StatRow) bool { return r.Base.Bytes+r.Cand.Bytes > 0 })
	if memory {
		t.Heads = append(t.Heads, head{Text: "Size", Unit: "MB per " + s.perUnit()})
	}
	texts := namesOfRows(sum.Rows)
	for i := range sum.Rows {
		r := &sum.Rows[i]
		both := func(of func(*cause.StatSide) float64, factor float64) cell {
			return textCell(valueOfSide(&r.Base, of, factor)+" \u2192 "+valueOfSide(&r.Cand, of, factor), "")
		}
		change := signedCell(r.Delta * s.ms.Factor)
		cells := []cell{{Text: texts[i], Title: r.Name, Head: true}, both(func(x *cause.StatSide) float64 { return x.Share }, 100), both(func(x *cause.StatSide) float64 { return x.Time }, s.ms.Factor), change,
			both(func(x *cause.StatSide) float64 { return x.Total }, 1), both(func(x *cause.StatSide) float64 { return x.Calls }, 1)}
		for _, of := range []func(*cause.StatSide) float64{
			func(x *cause.StatSide) float64 { return x.Mean }, func(x *cause.StatSide) float64 { return x.Median }, func(x *cause.StatSide) float64 { return x.Min },
			func(x *cause.StatSide) float64 { return x.Max }, func(x *cause.StatSide) float64 { return x.Deviation },
		} {
			cells = append(cells, both(of, 1e6))
		}
		if memory {
			cells = append(cells, both(func(x *cause.StatSide) float64 { return x.Bytes }, 1e-6))
		}
		t.Rows = append(t.Rows, row{Cells: cells, Pick: s.shownKernel(sum.Table, r.Name), Collective: s.shownCollective(r.Name)})
	}
	if sum.More > 0 {
		t.More = number.Count(sum.More) + " more names changed less."
	}
	return t
}

// namesOfRows returns the names of rows as texts that all differ.
func namesOfRows(rows []cause.StatRow) []string {
	names := make([]string, len(rows))
	for i := range rows {
		names[i] = rows[i].Name
	}
	return words.Distinct(names, longestName)
}

// valueOfSide writes a value of one side; a dash if the side lacks the name.
func valueOfSide(x *cause.StatSide, of func(*cause.StatSide) float64, factor float64) string {
	if x.Count == 0 {
		return number.None
	}
	return number.Format(of(x) * factor)
}
