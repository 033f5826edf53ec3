// Package ncutest writes what Nsight Compute prints of kernels, for tests: the inverse of
// analyze/source/ncu. The time of a made-up kernel follows from what it is made of, so that a story
// knows which factor changed it.
package ncutest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Schedulers is how many warp schedulers the made-up device has.
const Schedulers = 528

// Kernel describes a kernel, with the numbers of each launch.
type Kernel struct {
	Name         string
	Grid, Block  string
	Launches     int
	Instructions float64            // of all warps
	Stalls       map[string]float64 // cycles of an issued instruction, by reason
	Warps        float64            // active per scheduler
	Registers    int
	FLOP, Bytes  float64 // of single precision, of device memory
	Spread       float64 // launches differ by up to this fraction
}

// Recording is a file.
type Recording struct {
	Kernels  []Kernel
	Device   string // "NVIDIA H200"
	CC       string
	Clock    float64  // Hz of the SMs
	Above    []string // lines above the table
	Details  bool     // the page "details" instead of "raw"
	Comma    bool     // numbers as 1.234,5
	Base     bool     // base units
	Sections []string // what is collected, by the names of ncu --section; nil: all
	Seed     int      // of the spread
}

// Usual returns a recording of three kernels; "attention" waits for memory.
func Usual() Recording {
	return Recording{
		Device: "NVIDIA H200", CC: "9.0", Clock: 1.5e9, Above: []string{"==PROF== Connected to process 4711 (/home/someone/secret/train)", `==PROF== Profiling "attention" - 0: 0%....50%....100% - 38 passes`},
		Kernels: []Kernel{
			{Name: "void attention<float, 128>(float const*, float*)", Grid: "(1024, 1, 1)", Block: "(128, 1, 1)", Launches: 12, Instructions: 8e8, Warps: 8, Registers: 96, FLOP: 4e10, Bytes: 6e8, Spread: 0.004,
				Stalls: map[string]float64{"long_scoreboard": 6, "short_scoreboard": 1.5, "barrier": 1, "wait": 2, "math_pipe_throttle": 0.5, "selected": 1}},
			{Name: `void gemm<"tile, 64">(int)`, Grid: "(512, 2, 1)", Block: "(256, 1, 1)", Launches: 12, Instructions: 3e8, Warps: 4, Registers: 168, FLOP: 9e10, Bytes: 2e8, Spread: 0.004,
				Stalls: map[string]float64{"long_scoreboard": 1, "math_pipe_throttle": 3, "wait": 2, "selected": 1}},
			{Name: "layer_norm", Grid: "(4096, 1, 1)", Block: "(512, 1, 1)", Launches: 12, Instructions: 5e7, Warps: 12, Registers: 32, FLOP: 1e9, Bytes: 3e8, Spread: 0.004,
				Stalls: map[string]float64{"long_scoreboard": 14, "wait": 2, "selected": 1}},
		},
	}
}

// metric is a value of a launch under its names on both pages.
type metric struct {
	raw, section, name string // name "": on the page raw alone
	unit               string // printed
	value              float64
	of                 string // ncu --section
}

// Time returns how long a kernel takes at a clock, in s: its instructions times the latency of one, over the warps
// that are active at once, over the clock.
func (k *Kernel) Time(clock float64) float64 {
	return k.Instructions * k.latency() / (k.Warps * Schedulers) / clock
}

func (k *Kernel) latency() (sum float64) {
	for _, name := range k.reasons() {
		sum += k.Stalls[name]
	}
	return sum
}

func (k *Kernel) reasons() (out []string) {
	for name := range k.Stalls {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// reasons returns the stalls of all kernels: a table has a column for each.
func (r *Recording) reasons() (out []string) {
	for i := range r.Kernels {
		out = append(out, r.Kernels[i].reasons()...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// metrics returns the metrics of one launch, whose time is off by a fraction.
func (r *Recording) metrics(k *Kernel, off float64) []metric {
	time := k.Time(r.Clock) * (1 + off)
	light, mem := "GPU Speed Of Light Throughput", "Memory Workload Analysis"
	const bandwidth, flops, memoryClock = 4.8e12, 6e13, 3.2e9
	duration := metric{"gpu__time_duration.sum", light, "Duration", "us", time * 1e6, "SpeedOfLight"}
	traffic := metric{"dram__bytes.sum.per_second", mem, "Memory Throughput", "Gbyte/second", k.Bytes / time / 1e9, "MemoryWorkloadAnalysis"}
	clock := metric{"sm__cycles_elapsed.avg.per_second", light, "SM Frequency", "cycle/nsecond", r.Clock / 1e9, "SpeedOfLight"}
	if r.Base {
		duration.unit, duration.value = "nsecond", time*1e9
		traffic.unit, traffic.value = "byte/second", k.Bytes/time
		clock.unit, clock.value = "hz", r.Clock
	}
	out := []metric{
		duration, traffic, clock,
		{"sm__throughput.avg.pct_of_peak_sustained_elapsed", light, "Compute (SM) Throughput", "%", 100 * min(1, k.FLOP/time/flops+0.1), "SpeedOfLight"},
		{"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", light, "Memory Throughput", "%", 100 * k.Bytes / time / bandwidth, "SpeedOfLight"},
		{"dram__cycles_elapsed.avg.per_second", light, "DRAM Frequency", "cycle/nsecond", memoryClock / 1e9, "SpeedOfLight"},
		{"sm__warps_active.avg.pct_of_peak_sustained_active", "Occupancy", "Achieved Occupancy", "%", 100 * k.Warps / 16, "Occupancy"},
		{"sm__maximum_warps_per_active_cycle_pct", "Occupancy", "Theoretical Occupancy", "%", 100 * min(1, k.Warps/14), "Occupancy"},
		{"launch__registers_per_thread", "Launch Statistics", "Registers Per Thread", "register/thread", float64(k.Registers), "LaunchStats"},
		{"launch__shared_mem_per_block_static", "Launch Statistics", "Static Shared Memory Per Block", "Kbyte/block", 16.384, "LaunchStats"},
		{"smsp__inst_executed.sum", "Instruction Statistics", "Executed Instructions", "inst", k.Instructions, "InstructionStats"},
		{"smsp__average_warp_latency_per_inst_issued.ratio", "Warp State Statistics", "Warp Cycles Per Issued Instruction", "cycle", k.latency(), "WarpStateStats"},
		{"smsp__warps_active.avg.per_cycle_active", "Scheduler Statistics", "Active Warps Per Scheduler", "warp", k.Warps, "SchedulerStats"},
		{"lts__t_sectors_op_read.sum", "", "", "sector", k.Bytes / 32, "MemoryWorkloadAnalysis"},
	}
	for _, name := range r.reasons() {
		out = append(out, metric{"smsp__average_warps_issue_stalled_" + name + "_per_issue_active.ratio", "", "", "inst", k.Stalls[name], "WarpStateStats"})
	}
	roofs := "SpeedOfLight_RooflineChart"
	half := k.FLOP / 2 / time / r.Clock // fused operations in a cycle
	return append(out,
		metric{"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum.per_cycle_elapsed", "", "", "inst/cycle", 0, roofs},
		metric{"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum.per_cycle_elapsed", "", "", "inst/cycle", 0, roofs},
		metric{"derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2", "", "", "", 2 * half, roofs},
		metric{"derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2", "", "", "", flops / r.Clock, roofs},
		metric{"smsp__cycles_elapsed.avg.per_second", "", "", "cycle/nsecond", r.Clock / 1e9, roofs},
		metric{"dram__bytes.sum.peak_sustained", "", "", "byte/cycle", bandwidth / memoryClock, roofs})
}

// Text returns the file.
func (r *Recording) Text() string {
	var b strings.Builder
	for _, line := range r.Above {
		b.WriteString(line + "\n")
	}
	id, head := 0, false
	for i := range r.Kernels {
		k := &r.Kernels[i]
		for n := range k.Launches {
			off := k.Spread * (float64((n*7919+i*131+r.Seed*104729)%211)/105 - 1)
			list := slices.DeleteFunc(r.metrics(k, off), func(m metric) bool {
				return r.Sections != nil && !slices.Contains(r.Sections, m.of) || r.Details && m.name == ""
			})
			who := []string{strconv.Itoa(id), "4711", "train", "node17", k.Name, "1", "7", k.Block, k.Grid, "0", r.CC}
			if !head {
				head = true
				r.heads(&b, list)
			}
			if r.Details {
				for _, m := range list {
					row(&b, append(slices.Clone(who), m.section, m.name, m.unit, r.number(m.value), "", "", "")...)
				}
				row(&b, append(slices.Clone(who), "GPU Speed Of Light Throughput", "", "", "", "SOLBottleneck", "WRN", `This kernel, "as it is", waits.`)...)
			} else {
				cells := append(slices.Clone(who), r.Device)
				for _, m := range list {
					cells = append(cells, r.number(m.value))
				}
				row(&b, cells...)
			}
			id++
		}
	}
	b.WriteString("==PROF== Disconnected from process 4711\n")
	return b.String()
}

// heads writes the head of the table, and on the page raw the units.
func (r *Recording) heads(b *strings.Builder, list []metric) {
	names := []string{"ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device", "CC"}
	if r.Details {
		row(b, append(names, "Section Name", "Metric Name", "Metric Unit", "Metric Value", "Rule Name", "Rule Type", "Rule Description")...)
		return
	}
	units := append(make([]string, len(names)), "")
	names = append(names, "device__attribute_display_name")
	for _, m := range list {
		names, units = append(names, m.raw), append(units, m.unit)
	}
	row(b, names...)
	row(b, units...)
}

// number writes a number as the profiler does: in groups, with two decimals and more for small ones.
func (r *Recording) number(v float64) string {
	decimals := 2
	if v != 0 && v < 10 {
		decimals = 6
	}
	whole, rest, _ := strings.Cut(strconv.FormatFloat(v, 'f', decimals, 64), ".")
	var groups []string
	for len(whole) > 3 {
		groups, whole = append([]string{whole[len(whole)-3:]}, groups...), whole[:len(whole)-3]
	}
	group, decimal := ",", "."
	if r.Comma {
		group, decimal = ".", ","
	}
	return strings.Join(append([]string{whole}, groups...), group) + decimal + rest
}

func row(b *strings.Builder, cells ...string) {
	for i, c := range cells {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(b, `"%s"`, strings.ReplaceAll(c, `"`, `""`))
	}
	b.WriteByte('\n')
}
