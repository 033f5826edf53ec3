package diff

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/trace"
	"perfdiff/diff/number"
)

// The classes of differences between the sides.
const (
	ClassInvalidates = "invalidates" // no verdict is possible
	ClassLook        = "look"        // may explain the change without the code
	ClassHarmless    = "harmless"
)

// stepsFoundBy is the fact of what marks the steps of a side.
const stepsFoundBy = "steps found by"

// kind is what a difference in a fact means.
type kind struct{ class, why string }

// meaning of the facts that can differ, by key.
var meaning = map[string]kind{
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
	stepsFoundBy:          {ClassLook, "the two markers may not enclose the same work"},
}

// FactName is what people call a fact: "GPU memory" for gpu_memory.
func FactName(key string) string {
	words := strings.Split(strings.ReplaceAll(key, "_", " "), " ")
	if trace.IsSetting(key) {
		return key
	}
	for i, w := range words {
		switch w {
		case "gpu", "cuda", "nccl", "rccl", "cpu", "os":
			words[i] = strings.ToUpper(w)
		case "rocm":
			words[i] = "ROCm"
		}
	}
	return strings.Join(words, " ")
}

// facts lists what differs between the sides, the worst class first, and what
// does not.
func (p *Judged) facts() (different []Difference, same []trace.Fact) {
	base, cand := p.allFacts(p.base), p.allFacts(p.cand)
	keys := map[string]bool{}
	for k := range base {
		keys[k] = true
	}
	for k := range cand {
		keys[k] = true
	}
	for _, key := range sortedKeys(keys) {
		b, c := base[key], cand[key]
		if trace.IsSetting(key) { // where the environment was recorded, a setting that is not there is none
			b, c = orUnset(b, base), orUnset(c, cand)
		}
		switch {
		case b == "" && c == "":
		case b == c:
			same = append(same, trace.Fact{Key: key, Value: b})
		default:
			different = append(different, p.difference(key, b, c))
		}
	}
	different = append(different, p.work()...)
	if d, differ := p.libraryDifference(); differ {
		different = append(different, d)
	}
	if base, cand := p.untold.replays[0], p.untold.replays[1]; base != cand {
		said := map[bool]string{true: "replayed, kernels not recorded", false: "none"}
		different = append(different, Difference{Name: "CUDA graphs", Base: said[base], Cand: said[cand], Class: ClassLook,
			Why: "kernels inside replays are not seen one by one: times compare, rows of kernels and families do not"})
	}
	order := []string{ClassInvalidates, ClassLook, ClassHarmless}
	slices.SortStableFunc(different, func(a, b Difference) int {
		return slices.Index(order, a.Class) - slices.Index(order, b.Class)
	})
	return different, same
}

func orUnset(value string, facts map[string]string) string {
	if value == "" && facts[trace.FactEnvironment] != "" {
		return "not set"
	}
	return value
}

func (p *Judged) difference(key, base, cand string) Difference {
	d := Difference{Name: key, Base: base, Cand: cand}
	k, known := meaning[key]
	if !known {
		k = classOfSetting(key)
	}
	d.Class, d.Why = k.class, k.why
	switch {
	case key == stepsFoundBy && p.called:
		d.Why = "the ranges are called otherwise, and the kernels that both sides run are launched as often in a step"
		if !p.base.counted() {
			d.Why = "replays stand for the launches that they replace: as much is copied to the device in a step"
		}
	case key == stepsFoundBy && base != "none" && cand != "none":
		d.Class, d.Why = ClassInvalidates, "a step is not the same unit of work on both sides"
	case key == "world size" && !p.otherSize:
		d.Class, d.Why = ClassHarmless, "one side's files do not say, and its ranks fit"
	case key == "ranks" && p.sizes != "":
		d.Why = p.sizes
	case key == "ranks" && p.noneInCommon():
		d.Why = "no rank is on both sides, and those of each are compared with all of the other"
	case base == "":
		d.Class, d.Why = ClassHarmless, "the baseline's files do not say"
	case cand == "":
		d.Class, d.Why = ClassHarmless, "the candidate's files do not say"
	}
	return d
}

// allFacts are the recorded facts and those that follow from the files.
func (p *Judged) allFacts(s *side) map[string]string {
	out := map[string]string{}
	for _, f := range s.facts() {
		out[f.Key] = f.Value
	}
	var formats []string
	for _, f := range s.set.Files {
		if f.Err == "" {
			formats = append(formats, f.Format)
		}
	}
	ranks := s.numbers()
	out["format"] = list(formats)
	out["hosts"] = list(s.hosts())
	out["ranks"] = number.Ranges(ranks)
	out[stepsFoundBy] = cmp.Or(strings.Join(s.stepMarkers(), " and "), s.marker())
	if slices.Contains(ranks, -1) {
		out["ranks"] = number.Counted(s.captured(), "rank")
	}
	if world := s.world(); world > 0 {
		out["world size"] = strconv.Itoa(world)
	}
	return out
}
