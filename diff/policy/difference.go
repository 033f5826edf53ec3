package policy

import (
	"strings"

	"perfdiff/analyze/trace"
)

// The classes of differences between the sides.
const (
	ClassInvalidates = "invalidates" // no verdict is possible
	ClassLook        = "look"        // may explain the change without the code
	ClassHarmless    = "harmless"
)

// StepsFoundBy is the fact of what marks the steps of a side.
const StepsFoundBy = "steps found by"

// kind is what a difference in a fact means.
type kind struct{ Class, Why string }

// Meaning of the facts that can differ, by key.
var Meaning = map[string]kind{
	trace.FactGPU:         {ClassInvalidates, "a change may be the machine's"},
	trace.FactGPUMemory:   {ClassLook, "another size of GPU memory: it may be another model or partition"},
	trace.FactDriver:      {ClassLook, "the driver can change clocks, launches and copies"},
	trace.FactCUDA:        {ClassLook, "CUDA libraries choose other kernels from version to version"},
	trace.FactNCCL:        {ClassLook, "NCCL chooses other algorithms from version to version"},
	trace.FactROCm:        {ClassLook, "ROCm's libraries choose other kernels from version to version"},
	trace.FactRCCL:        {ClassLook, "RCCL chooses other algorithms from version to version"},
	trace.FactFramework:   {ClassLook, "the framework issues other kernels from version to version"},
	trace.FactGraphMode:   {ClassLook, "inside graph replays neither kernels nor overlap are measurable"},
	trace.FactBackend:     {ClassLook, "another communication library moves the data"},
	trace.FactCPU:         {ClassLook, "another CPU model: launching and input may take other times"},
	trace.FactEnvironment: {ClassHarmless, "settings are known of one side only"},
	trace.FactOS:          {ClassHarmless, "device times do not depend on it"},
	trace.FactProfiler:    {ClassHarmless, "what is compared is read from every version alike"},
	trace.FactSchema:      {ClassHarmless, "what is compared is read from every version alike"},
	trace.FactRecorded:    {ClassLook, "recording takes time itself, and what is recorded decides what can be seen"},
	trace.FactOverhead:    {ClassLook, "the profiler held the program up for another share of the time"},
	trace.FactFilter:      {ClassLook, "ranges that are left out cannot be seen"},
	"format":              {ClassLook, "two profilers see launches and steps differently"},
	"hosts":               {ClassHarmless, "other nodes of the same kind"},
	"ranks":               {ClassLook, "metrics compare the ranks that both sides captured"},
	"world size":          {ClassInvalidates, "more ranks make a step longer without any change in the code"},
	StepsFoundBy:          {ClassLook, "the two markers may not enclose the same work"},
}

// ClassOfSetting is what a difference in a setting means.
func ClassOfSetting(key string) kind {
	switch {
	case key == "CUDA_LAUNCH_BLOCKING":
		return kind{ClassLook, "each launch waits for the device where it is set"}
	case key == "NCCL_DEBUG":
		return kind{ClassHarmless, "it only changes what is written to the log"}
	case strings.HasPrefix(key, "NCCL_"), strings.HasPrefix(key, "TORCH_NCCL_"), strings.HasPrefix(key, "FI_"):
		return kind{ClassLook, "collectives may take another way"}
	case trace.IsSetting(key):
		return kind{ClassLook, "it changes how kernels are chosen, launched or given memory"}
	}
	return kind{ClassLook, "it may have an influence"}
}
