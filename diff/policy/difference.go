package policy

import (
	"perfdiff/analyze/run"

	"strings"

	"perfdiff/analyze/trace"
)

// The classes of differences between the sides.
const (
	ClassInvalidates = "invalidates" // no verdict is possible
	ClassLook        = "look"        // may explain the change without the code
	ClassHarmless    = "harmless"
)

// StepsFoundBy is the fact that says what marks the steps of a side.
const StepsFoundBy = "steps found by"

// Hosts is the fact of the hosts that a side ran on.
const Hosts = "hosts"

// FactClock is the fact of the clock at which the devices of a side ran in its steps.
const FactClock = run.GPUClock

// Effect says what a difference in a fact can do to the comparison; render/words puts it in words.
type Effect string

// The effects of the facts in Meaning and of settings.
const (
	OtherMachine      Effect = "other-machine"
	OtherGPUMemory    Effect = "other-gpu-memory"
	OtherDriver       Effect = "other-driver"
	OtherCUDA         Effect = "other-cuda"
	OtherClock        Effect = "other-clock"
	OtherMaxClock     Effect = "other-max-clock"
	OtherNCCL         Effect = "other-nccl"
	OtherROCm         Effect = "other-rocm"
	OtherRCCL         Effect = "other-rccl"
	OtherFramework    Effect = "other-framework"
	HiddenInReplays   Effect = "hidden-in-replays"
	OtherBackend      Effect = "other-backend"
	OtherCPU          Effect = "other-cpu"
	SettingsOfOneSide Effect = "settings-of-one-side"
	NotOfTheDevice    Effect = "not-of-the-device"
	ReadAlike         Effect = "read-alike"
	OtherRecording    Effect = "other-recording"
	OtherOverhead     Effect = "other-overhead"
	RangesLeftOut     Effect = "ranges-left-out"
	OtherProfiler     Effect = "other-profiler"
	OtherNodes        Effect = "other-nodes"
	KnownNodes        Effect = "known-nodes"
	HiddenNodes       Effect = "hidden-nodes"
	AmongSeveral      Effect = "among-several"
	ReservedMemory    Effect = "reserved-memory"
	OtherVersionTold  Effect = "other-version-told"
	RanksOfBoth       Effect = "ranks-of-both"
	MoreRanks         Effect = "more-ranks"
	OtherMarkers      Effect = "other-markers"
	BlockingLaunches  Effect = "blocking-launches"
	OnlyTheLog        Effect = "only-the-log"
	OtherWay          Effect = "other-way"
	OtherKernels      Effect = "other-kernels"
	MayMatter         Effect = "may-matter"
)

// TakesTime reports whether the effect comes from what profilers were asked to do, which takes time from the job.
func (e Effect) TakesTime() bool {
	return e == OtherRecording || e == OtherProfiler || e == HiddenInReplays
}

// OfMachine reports whether the effect comes from the machines, which no change under test moves.
func (e Effect) OfMachine() bool {
	switch e {
	case OtherNodes, OtherGPUMemory, OtherMaxClock, OtherDriver, OtherCPU:
		return true
	}
	return false
}

// The effects of differences that follow from other facts about the sides.
const (
	CalledOtherwise      Effect = "called-otherwise"
	ReplaysStandFor      Effect = "replays-stand-for"
	OtherUnit            Effect = "other-unit"
	RanksFit             Effect = "ranks-fit"
	NoRankOnBoth         Effect = "no-rank-on-both"
	BaselineSilent       Effect = "baseline-silent"
	CandidateSilent      Effect = "candidate-silent"
	KernelsInReplays     Effect = "kernels-in-replays"
	OtherWork            Effect = "other-work"
	OtherTimes           Effect = "other-times"
	OtherAmount          Effect = "other-amount" // of work per step: all that counts it changed by one factor
	UnknownCommunication Effect = "unknown-communication"
	OtherLibrary         Effect = "other-library"
	OtherSizes           Effect = "other-sizes" // of the jobs, as the difference says
)

// factEffect says what a difference in a fact means.
type factEffect struct {
	Class string
	Why   Effect
}

// FactEffects of the facts that can differ, by key.
var FactEffects = map[string]factEffect{
	trace.FactGPU:         {ClassInvalidates, OtherMachine},
	trace.FactGPUMemory:   {ClassLook, OtherGPUMemory},
	trace.FactGPUSMs:      {ClassInvalidates, OtherMachine},
	trace.FactGPUMaxClock: {ClassLook, OtherMaxClock},
	trace.FactDriver:      {ClassLook, OtherDriver},
	trace.FactDriverCUDA:  {ClassLook, OtherDriver},
	trace.FactCUDA:        {ClassLook, OtherCUDA},
	FactClock:             {ClassLook, OtherClock},
	trace.FactNCCL:        {ClassLook, OtherNCCL},
	trace.FactROCm:        {ClassLook, OtherROCm},
	trace.FactRCCL:        {ClassLook, OtherRCCL},
	trace.FactFramework:   {ClassLook, OtherFramework},
	trace.FactGraphMode:   {ClassLook, HiddenInReplays},
	trace.FactBackend:     {ClassLook, OtherBackend},
	trace.FactCPU:         {ClassLook, OtherCPU},
	trace.FactEnvironment: {ClassHarmless, SettingsOfOneSide},
	trace.FactOS:          {ClassHarmless, NotOfTheDevice},
	trace.FactProfiler:    {ClassHarmless, ReadAlike},
	trace.FactSchema:      {ClassHarmless, ReadAlike},
	trace.FactRecorded:    {ClassLook, OtherRecording},
	trace.FactBatch:       {ClassInvalidates, OtherWork},
	trace.FactRankBatch:   {ClassInvalidates, OtherWork},
	trace.FactTokens:      {ClassInvalidates, OtherWork},
	trace.FactSequence:    {ClassInvalidates, OtherWork},
	trace.FactWorld:       {ClassInvalidates, MoreRanks},
	trace.FactTimes:       {ClassInvalidates, OtherTimes},
	trace.FactPrecision:   {ClassLook, OtherWork},
	trace.FactParameters:  {ClassLook, OtherWork},
	trace.FactOverhead:    {ClassLook, OtherOverhead},
	trace.FactFilter:      {ClassLook, RangesLeftOut},
	"format":              {ClassLook, OtherProfiler},
	Hosts:                 {ClassLook, OtherNodes},
	"ranks":               {ClassLook, RanksOfBoth},
	"world size":          {ClassInvalidates, MoreRanks},
	StepsFoundBy:          {ClassLook, OtherMarkers},
}

// ClassOfSetting returns what a difference in a setting means.
func ClassOfSetting(key string) factEffect {
	switch {
	case key == "CUDA_LAUNCH_BLOCKING":
		return factEffect{ClassLook, BlockingLaunches}
	case key == "NCCL_DEBUG":
		return factEffect{ClassHarmless, OnlyTheLog}
	case strings.HasPrefix(key, "NCCL_"), strings.HasPrefix(key, "TORCH_NCCL_"), strings.HasPrefix(key, "FI_"):
		return factEffect{ClassLook, OtherWay}
	case trace.IsSetting(key):
		return factEffect{ClassLook, OtherKernels}
	}
	return factEffect{ClassLook, MayMatter}
}
