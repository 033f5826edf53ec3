package ncu

import (
	"math"
	"slices"
	"strings"
)

// Quantity is one of the few values of a launch that people look at first. Each stands on both pages, under
// names of its own, so that a page "raw" and a page "details" share it.
type Quantity struct {
	ID      string // snake_case, for programs
	Name    string // as the page "details" calls it
	Unit    string
	Section string // with which it is collected: ncu --section
	Keys    []Key  // where it stands, the first that is there
	Better  int    // -1: less is better, 1: more is better, 0: neither by itself
}

// The quantities that others are made of.
const (
	Duration     = "duration"
	Instructions = "instructions"
	Latency      = "latency_per_instruction"
	ActiveWarps  = "active_warps"
	Clock        = "sm_clock"
	MemoryClock  = "memory_clock"
)

// The sections of the page "details", as it names them.
const (
	speedOfLight = "GPU Speed Of Light Throughput"
	oldLight     = "GPU Speed Of Light" // before 2021
	occupancy    = "Occupancy"
	launchStats  = "Launch Statistics"
	warpStates   = "Warp State Statistics"
	scheduler    = "Scheduler Statistics"
	instructions = "Instruction Statistics"
	memoryLoad   = "Memory Workload Analysis"
	computeLoad  = "Compute Workload Analysis"
)

// raw returns a metric by its own name.
func raw(name, unit string) Key { return Key{"", name, unit} }

// Quantities returns all of them, in the order in which they are shown: the duration is the first. Nobody changes
// them.
func Quantities() []Quantity { return quantities }

var quantities = []Quantity{
	{Duration, "Duration", "s", "SpeedOfLight", []Key{{"", "gpu__time_duration.sum", "s"}, {speedOfLight, "Duration", "s"}, {oldLight, "Duration", "s"}, {"", "gpu__time_duration.avg", "s"}, {"", "gpu__time_duration_measured_user.sum", "s"}}, -1},
	{"sm_throughput", "Compute (SM) Throughput", "ratio", "SpeedOfLight", []Key{{"", "sm__throughput.avg.pct_of_peak_sustained_elapsed", "ratio"}, {speedOfLight, "Compute (SM) Throughput", "ratio"}, {speedOfLight, "SM [%]", "ratio"}, {oldLight, "SM [%]", "ratio"}, {oldLight, "SOL SM", "ratio"}}, 0},
	{"memory_throughput", "Memory Throughput", "ratio", "SpeedOfLight", []Key{{"", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "ratio"}, {speedOfLight, "Memory Throughput", "ratio"}, {speedOfLight, "Memory [%]", "ratio"}, {oldLight, "Memory [%]", "ratio"}, {oldLight, "SOL Memory", "ratio"}}, 0},
	{"dram_throughput", "DRAM Throughput", "ratio", "SpeedOfLight", []Key{{"", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "ratio"}, {"", "dram__throughput.avg.pct_of_peak_sustained_elapsed", "ratio"}, {speedOfLight, "DRAM Throughput", "ratio"}}, 0},
	{"dram_bandwidth", "Memory Bandwidth", "B/s", "MemoryWorkloadAnalysis", []Key{{"", "dram__bytes.sum.per_second", "B/s"}, {memoryLoad, "Memory Throughput", "B/s"}}, 0},
	{"l1_hit_rate", "L1/TEX Hit Rate", "ratio", "MemoryWorkloadAnalysis", []Key{{"", "l1tex__t_sector_hit_rate.pct", "ratio"}, {memoryLoad, "L1/TEX Hit Rate", "ratio"}}, 0},
	{"l2_hit_rate", "L2 Hit Rate", "ratio", "MemoryWorkloadAnalysis", []Key{{"", "lts__t_sector_hit_rate.pct", "ratio"}, {memoryLoad, "L2 Hit Rate", "ratio"}}, 0},
	{"achieved_occupancy", "Achieved Occupancy", "ratio", "Occupancy", []Key{{"", "sm__warps_active.avg.pct_of_peak_sustained_active", "ratio"}, {occupancy, "Achieved Occupancy", "ratio"}}, 0},
	{"theoretical_occupancy", "Theoretical Occupancy", "ratio", "Occupancy", []Key{{"", "sm__maximum_warps_per_active_cycle_pct", "ratio"}, {occupancy, "Theoretical Occupancy", "ratio"}}, 0},
	{"registers", "Registers Per Thread", "register/thread", "LaunchStats", []Key{{"", "launch__registers_per_thread", "register/thread"}, {launchStats, "Registers Per Thread", "register/thread"}}, 0},
	{"static_shared_memory", "Static Shared Memory Per Block", "B/block", "LaunchStats", []Key{{"", "launch__shared_mem_per_block_static", "B/block"}, {launchStats, "Static Shared Memory Per Block", "B/block"}}, 0},
	{"dynamic_shared_memory", "Dynamic Shared Memory Per Block", "B/block", "LaunchStats", []Key{{"", "launch__shared_mem_per_block_dynamic", "B/block"}, {launchStats, "Dynamic Shared Memory Per Block", "B/block"}}, 0},
	{"waves", "Waves Per SM", "", "LaunchStats", []Key{{"", "launch__waves_per_multiprocessor", ""}, {launchStats, "Waves Per SM", ""}}, 0},
	{Instructions, "Executed Instructions", "inst", "InstructionStats", []Key{{"", "smsp__inst_executed.sum", "inst"}, {"", "sm__inst_executed.sum", "inst"}, {instructions, "Executed Instructions", "inst"}}, 0},
	{Latency, "Warp Cycles Per Issued Instruction", "cycle", "WarpStateStats", []Key{{"", "smsp__average_warp_latency_per_inst_issued.ratio", "cycle"}, {"", "smsp__average_warp_latency_per_inst_issued.ratio", "cycle/inst"}, {"", "smsp__average_warp_latency_per_inst_issued.ratio", "inst"}, {"", "smsp__average_warp_latency_per_inst_issued.ratio", ""}, {warpStates, "Warp Cycles Per Issued Instruction", "cycle"}}, 0},
	{ActiveWarps, "Active Warps Per Scheduler", "warp", "SchedulerStats", []Key{{"", "smsp__warps_active.avg.per_cycle_active", "warp"}, {"", "smsp__warps_active.avg.per_cycle_active", "warp/cycle"}, {scheduler, "Active Warps Per Scheduler", "warp"}}, 0},
	{"ipc", "Executed Ipc Active", "inst/cycle", "ComputeWorkloadAnalysis", []Key{{"", "sm__inst_executed.avg.per_cycle_active", "inst/cycle"}, {computeLoad, "Executed Ipc Active", "inst/cycle"}}, 0},
	{Clock, "SM Frequency", "Hz", "SpeedOfLight", []Key{{"", "sm__cycles_elapsed.avg.per_second", "Hz"}, {"", "smsp__cycles_elapsed.avg.per_second", "Hz"}, {"", "gpc__cycles_elapsed.avg.per_second", "Hz"}, {speedOfLight, "SM Frequency", "Hz"}, {oldLight, "SM Frequency", "Hz"}}, 0},
	{MemoryClock, "DRAM Frequency", "Hz", "SpeedOfLight", []Key{{"", "dram__cycles_elapsed.avg.per_second", "Hz"}, {speedOfLight, "DRAM Frequency", "Hz"}, {oldLight, "DRAM Frequency", "Hz"}}, 0},
}

// isDuration reports whether a key is of a launch's own time.
func isDuration(k Key) bool { return slices.Contains(quantities[0].Keys, k) }

// Get returns the quantity of a launch; ok is false if it was not recorded.
func (s *Set) Get(l *Launch, q *Quantity) (v float64, ok bool) {
	for _, k := range q.Keys {
		if v, ok := s.Value(l, k); ok {
			return v, true
		}
	}
	return 0, false
}

// StallOf reports whether a key is how long a warp is stalled for one reason, and which. All keys of one unit add up
// to the latency per instruction: with "cycle" in cycles per issued instruction, with "ratio" as shares of the warps.
// "selected" is the cycle in which a warp issues, and no stall.
func StallOf(k Key) (reason, unit string, ok bool) {
	reason, unit, ok = stallOf(k)
	odd := func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	return reason, unit, ok && reason != "" && !strings.ContainsFunc(reason, odd)
}

func stallOf(k Key) (reason, unit string, ok bool) {
	if k.Section == warpStates {
		reason, ok = strings.CutPrefix(k.Name, "Stall ")
		return strings.ReplaceAll(strings.ToLower(reason), " ", "_"), stallUnit(k.Unit), ok
	}
	rest := k.Name
	for _, form := range [][2]string{
		{"smsp__average_warps_issue_stalled_", "_per_issue_active.ratio"}, {"smsp__average_warp_latency_issue_stalled_", ".ratio"},
		{"smsp__average_warps_issue_stalled_", "_per_issue_active.pct"}, {"smsp__warp_issue_stalled_", "_per_warp_active.pct"},
	} {
		if reason, ok = strings.CutPrefix(rest, form[0]); !ok {
			continue
		}
		if reason, ok = strings.CutSuffix(reason, form[1]); ok && !strings.HasSuffix(reason, "_not_issued") {
			return reason, map[bool]string{true: "ratio", false: "cycle"}[strings.HasSuffix(form[1], ".pct")], true
		}
	}
	return "", "", false
}

// stallUnit returns the unit of a stall, which versions print as "inst", "cycle" or nothing, in one sense.
func stallUnit(unit string) string {
	if unit == "ratio" {
		return unit
	}
	return "cycle"
}

// Precision is the precision of the operations that a roofline counts.
type Precision string

// The precisions of rooflines. Those of tensor cores are not counted by these metrics.
const (
	Double Precision = "double"
	Single Precision = "single"
	Half   Precision = "half"
)

// Roofline says where a launch is under the two roofs of its device.
type Roofline struct {
	Precision   Precision `report:"precision"`
	Work        float64   `report:"work"`         // FLOP/s achieved
	Traffic     float64   `report:"traffic"`      // B/s of device memory
	PeakWork    float64   `report:"peak_work"`    // FLOP/s at the clock of the recording
	PeakTraffic float64   `report:"peak_traffic"` // B/s likewise
}

// Intensity is in FLOP a byte; NaN without traffic.
func (r *Roofline) Intensity() float64 {
	if r.Traffic <= 0 {
		return math.NaN()
	}
	return r.Work / r.Traffic
}

// Ridge returns the intensity at which the two roofs meet.
func (r *Roofline) Ridge() float64 { return r.PeakWork / r.PeakTraffic }

// Share is the work as a share of the roof above it; beyond 1 the peak or the count of operations is wrong.
func (r *Roofline) Share() float64 {
	return r.Work / math.Min(r.PeakWork, float64(r.PeakTraffic*r.Intensity()))
}

// Rooflines returns a roofline for each precision in which a launch works. They are computed as in the section files
// SpeedOfLight_RooflineChart of Nsight Compute: an addition and a multiplication are one operation, a fused one is
// two.
func (s *Set) Rooflines(l *Launch) (out []Roofline) {
	traffic, ok1 := s.first(l, raw("dram__bytes.sum.per_second", "B/s"), Key{memoryLoad, "Memory Throughput", "B/s"})
	width, ok2 := s.first(l, raw("dram__bytes.sum.peak_sustained", "B/cycle"), raw("dram__bytes.sum.peak_sustained", "B"))
	memory, ok3 := s.first(l, raw("dram__cycles_elapsed.avg.per_second", "Hz"))
	clock, ok4 := s.first(l, raw("sm__cycles_elapsed.avg.per_second", "Hz"))
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return nil
	}
	each, ok := s.first(l, raw("smsp__cycles_elapsed.avg.per_second", "Hz"))
	if !ok {
		each = clock
	}
	for _, p := range []struct {
		precision Precision
		letter    string
	}{{Double, "d"}, {Single, "f"}, {Half, "h"}} {
		add, ok1 := s.perCycle(l, p.letter+"add")
		mul, ok2 := s.perCycle(l, p.letter+"mul")
		fma, ok3 := s.perCycle(l, p.letter+"fma")
		peak, ok4 := s.peak(l, p.letter+"fma")
		if work := (add + mul + float64(2*fma)) * each; ok1 && ok2 && ok3 && ok4 && work > 0 && traffic > 0 && peak > 0 && width*memory > 0 {
			out = append(out, Roofline{p.precision, work, traffic, peak * clock, width * memory})
		}
	}
	return out
}

// first returns the first value that is there.
func (s *Set) first(l *Launch, keys ...Key) (v float64, ok bool) {
	for _, k := range keys {
		if v, ok = s.Value(l, k); ok {
			return v, true
		}
	}
	return 0, false
}

// perCycle returns how often all schedulers together run an operation in a cycle.
func (s *Set) perCycle(l *Launch, op string) (float64, bool) {
	name := "smsp__sass_thread_inst_executed_op_" + op + "_pred_on.sum.per_cycle_elapsed"
	if v, ok := s.first(l, raw(name, "inst/cycle"), raw(name, "inst"), raw(name, "")); ok {
		return v, true
	}
	twice := "derived__smsp__sass_thread_inst_executed_op_" + op + "_pred_on_x2"
	v, ok := s.first(l, raw(twice, "inst/cycle"), raw(twice, "inst"), raw(twice, ""))
	return v / 2, ok
}

// peak returns the most operations of all schedulers in a cycle, a fused one counting as two.
func (s *Set) peak(l *Launch, op string) (float64, bool) {
	name := "derived__sm__sass_thread_inst_executed_op_" + op + "_pred_on_x2"
	if v, ok := s.first(l, raw(name, "inst/cycle"), raw(name, "inst"), raw(name, "")); ok {
		return v, true
	}
	name = "sm__sass_thread_inst_executed_op_" + op + "_pred_on.sum.peak_sustained"
	v, ok := s.first(l, raw(name, "inst/cycle"), raw(name, "inst"), raw(name, ""))
	return 2 * v, ok
}
