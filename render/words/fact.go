package words

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// effects say what a difference in a fact can do to the comparison, as clauses.
var effects = map[policy.Effect]string{
	policy.OtherMachine:         "a change may be the machine's",
	policy.MoreRanks:            "more ranks make a step longer without any change in the code",
	policy.OtherGPUMemory:       "another size of GPU memory: it may be another model or partition",
	policy.OtherDriver:          "the driver can change clocks, launches and copies",
	policy.OtherCUDA:            "CUDA libraries choose other kernels from version to version",
	policy.OtherMaxClock:        "kernels take other times at another clock, whatever the code",
	policy.OtherClock:           "kernels take other times at another clock, whatever the code",
	policy.OtherNCCL:            "NCCL chooses other algorithms from version to version",
	policy.OtherROCm:            "ROCm's libraries choose other kernels from version to version",
	policy.OtherRCCL:            "RCCL chooses other algorithms from version to version",
	policy.OtherFramework:       "the framework issues other kernels from version to version",
	policy.HiddenInReplays:      "inside graph replays neither kernels nor overlap are measurable",
	policy.OtherBackend:         "another communication library moves the data",
	policy.OtherCPU:             "another CPU model: launching and input may take other times",
	policy.SettingsOfOneSide:    "settings are known of one side only",
	policy.NotOfTheDevice:       "device times do not depend on it",
	policy.ReadAlike:            "what is compared is read from every version alike",
	policy.OtherRecording:       "recording takes time itself, and what is recorded decides what can be seen",
	policy.OtherOverhead:        "the profiler held the program up for another share of the time",
	policy.RangesLeftOut:        "ranges that are left out cannot be seen",
	policy.OtherProfiler:        "two profilers see launches and steps differently",
	policy.OtherNodes:           "nodes of one kind differ by themselves",
	policy.KnownNodes:           "runs of the baseline show what nodes differ by",
	policy.HiddenNodes:          "names of hosts were replaced, and nothing tells whether they are the same",
	policy.AmongSeveral:         "some of several runs of one side have what the other has",
	policy.ReservedMemory:       "drivers keep some of it for themselves",
	policy.OtherVersionTold:     "one profiler tells the version of the program, the other the latest that the driver supports",
	policy.RanksOfBoth:          "metrics compare the ranks that both sides captured",
	policy.OtherMarkers:         "the two markers may not enclose the same work",
	policy.BlockingLaunches:     "each launch waits for the device where it is set",
	policy.OnlyTheLog:           "it only changes what is written to the log",
	policy.OtherWay:             "collectives may take another way",
	policy.OtherKernels:         "it changes how kernels are chosen, launched or given memory",
	policy.MayMatter:            "it may have an influence",
	policy.CalledOtherwise:      "the ranges have other names, and the kernels that both sides run are launched as often per step",
	policy.ReplaysStandFor:      "replays stand for the launches that they replace: as much is copied to the device per step",
	policy.OtherUnit:            "a step is not the same unit of work on both sides",
	policy.RanksFit:             "one side's files do not say, and its ranks fit",
	policy.NoRankOnBoth:         "no rank is on both sides, and those of each are compared with all of the other",
	policy.BaselineSilent:       "the baseline's files do not say",
	policy.CandidateSilent:      "the candidate's files do not say",
	policy.KernelsInReplays:     "kernels inside replays are not seen one by one: times compare, rows of kernels and families do not",
	policy.OtherWork:            "another batch size, shape or data type does other work per step",
	policy.OtherTimes:           "what a log says several times of each step are times of its ranks, or of parts of the step",
	policy.OtherAmount:          "as of another batch, which takes another time per step",
	policy.UnknownCommunication: "what communicates there is not known, and counts as compute",
	policy.OtherLibrary:         "another implementation moves the data: its kernels are other ones, and may compute as well",
}

// Effect says as a clause what a difference can do to the comparison.
func Effect(d *verdict.Difference) string {
	if d.Why == policy.OtherSizes {
		return sizes(d.Sizes)
	}
	return effects[d.Why]
}

// works holds what people call how much a step does, by series.
var works = map[run.Key]string{
	{Metric: run.MemcpyBytes, Part: "h2d"}:               "bytes copied to a device per step",
	{Metric: run.CollectiveBytes, Part: "AllReduce"}:     "bytes of all-reduces per step",
	{Metric: run.CollectiveBytes, Part: "AllGather"}:     "bytes of all-gathers per step",
	{Metric: run.CollectiveBytes, Part: "ReduceScatter"}: "bytes of reduce-scatters per step",
}

// Differs returns what people call a difference, and what each side has; "" for a side whose files do not say.
func Differs(d *verdict.Difference) (name, base, cand string) {
	switch w := d.Work; {
	case w != nil:
		sc := number.ScaleOf("B", math.Max(w.Base, w.Cand))
		return works[w.Of], sc.With(w.Base), sc.With(w.Cand)
	case d.Amount != nil:
		base = amountOfWork(d.Amount, func(x *sides.WorkCount) float64 { return x.Base })
		cand = amountOfWork(d.Amount, func(x *sides.WorkCount) float64 { return x.Cand })
		return "work of a step", base, cand
	case d.Clocks != nil:
		name = verdict.FactName(d.Name)
		if d.Ranks != nil {
			name += " of " + someRanks(d.Ranks)
		}
		return name, number.Megahertz.With(d.Clocks.Base), number.Megahertz.With(d.Clocks.Cand)
	case d.Replays != [2]bool{}:
		replayed := map[bool]string{true: "replayed, kernels not recorded", false: "none"}
		return d.Name, replayed[d.Replays[0]], replayed[d.Replays[1]]
	}
	base, cand = FactText(d.Name, d.Base), FactText(d.Name, d.Cand)
	if base == cand {
		base, cand = d.Base, d.Cand
	}
	return verdict.FactName(d.Name), base, cand
}

// FactText returns a value of a fact as people read it: sizes of memory and clocks with a unit.
func FactText(key, value string) string {
	unit, known := map[string]string{trace.FactGPUMemory: "B", trace.FactGPUMaxClock: "Hz"}[key]
	if !known {
		return value
	}
	all := strings.Split(value, ", ")
	for i, one := range all {
		n, err := strconv.ParseInt(one, 10, 64)
		if err != nil {
			return value
		}
		all[i] = number.ScaleOf(unit, float64(n)).With(float64(n))
	}
	return strings.Join(slices.Compact(all), ", ")
}
