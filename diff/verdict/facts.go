package verdict

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
)

// FactName returns what people call a fact: "GPU memory" for gpu_memory.
func FactName(key string) string {
	words := strings.Split(strings.ReplaceAll(key, "_", " "), " ")
	if trace.IsSetting(key) {
		return key
	}
	for i, w := range words {
		switch w {
		case "gpu", "cuda", "nccl", "rccl", "cpu", "os":
			words[i] = strings.ToUpper(w)
		case "sms":
			words[i] = "SMs"
		case "rocm":
			words[i] = "ROCm"
		}
	}
	return strings.Join(words, " ")
}

// Facts lists what differs between the sides, the worst class first, and what does not. parts are the comparisons that
// say how much a step does, and at which clocks.
func Facts(p *Terms, parts []Comparison) (different []Difference, same []trace.Fact) {
	base, cand := allFacts(p.Base), allFacts(p.Cand)
	keys := map[string]bool{}
	for k := range base {
		keys[k] = true
	}
	for k := range cand {
		keys[k] = true
	}
	for _, key := range sides.SortedKeys(keys) {
		b, c := base[key], cand[key]
		if trace.IsSetting(key) { // where the environment was recorded, a setting that is not there is none
			b, c = orUnset(b, base), orUnset(c, cand)
		}
		switch {
		case b == "" && c == "":
		case b == c:
			same = append(same, trace.Fact{Key: key, Value: b})
		default:
			different = append(different, differenceOf(p, key, b, c))
		}
	}
	different = append(different, otherWork(p, parts)...)
	different = append(different, otherClocks(p.Lined, parts)...)
	if d, differ := LibraryDifference(p); differ {
		different = append(different, d)
	}
	if base, cand := p.NotCompared.Replays[0], p.NotCompared.Replays[1]; base != cand {
		different = append(different, Difference{Name: "CUDA graphs", Replays: p.NotCompared.Replays, Class: policy.ClassLook,
			Why: policy.KernelsInReplays})
	}
	order := []string{policy.ClassInvalidates, policy.ClassLook, policy.ClassHarmless}
	sort.SliceStable(different, func(i, j int) bool {
		a, b := &different[i], &different[j]
		return slices.Index(order, a.Class)-slices.Index(order, b.Class) < 0
	})
	return different, same
}

func orUnset(value string, facts map[string]string) string {
	if value == "" && facts[trace.FactEnvironment] != "" {
		return "not set"
	}
	return value
}

func differenceOf(p *Terms, key, base, cand string) Difference {
	d := Difference{Name: key, Base: base, Cand: cand}
	k, known := policy.FactEffects[key]
	if !known {
		k = policy.ClassOfSetting(key)
	}
	d.Class, d.Why = k.Class, k.Why
	switch {
	case key == policy.StepsFoundBy && p.OtherMarker:
		d.Why = policy.CalledOtherwise
		if !p.Base.NumberedByRanges() {
			d.Why = policy.ReplaysStandFor
		}
	case key == policy.StepsFoundBy && base != "none" && cand != "none":
		d.Class, d.Why = policy.ClassInvalidates, policy.OtherUnit
	case key == "world size" && !p.OtherSize:
		d.Class, d.Why = policy.ClassHarmless, policy.RanksFit
	case key == "ranks" && p.Sizes.Differ():
		d.Why, d.Sizes = policy.OtherSizes, p.Sizes
	case key == "ranks" && p.NoRankInCommon():
		d.Why = policy.NoRankOnBoth
	case base == "":
		d.Class, d.Why = policy.ClassHarmless, policy.BaselineSilent
	case cand == "":
		d.Class, d.Why = policy.ClassHarmless, policy.CandidateSilent
	case key == policy.Hosts && hostsHidden(p.Base.Runs, p.Cand.Runs):
		d.Class, d.Why = policy.ClassHarmless, policy.HiddenNodes
	case key == policy.Hosts && knowsNodes(p):
		d.Class, d.Why = policy.ClassHarmless, policy.KnownNodes
	case k.Why.OfMachine() && amongSeveral(p, key):
		d.Class, d.Why = policy.ClassHarmless, policy.AmongSeveral
	case key == trace.FactGPUMemory && nearlyEqual(base, cand):
		d.Class, d.Why = policy.ClassHarmless, policy.ReservedMemory
	case key == trace.FactCUDA && len(p.Profilers()) > 1:
		d.Class, d.Why = policy.ClassHarmless, policy.OtherVersionTold
	}
	switch {
	case key == trace.FactRankBatch && says(p.Base, trace.FactBatch) && says(p.Cand, trace.FactBatch):
		d.Class = policy.ClassLook // a step takes as many samples, or other ones, as the batch of all ranks says
	case key == trace.FactTimes && p.Base.IsLogged() && p.Cand.IsLogged():
		d.Class, d.Why = policy.ClassInvalidates, k.Why // none said is one
	case key == trace.FactGPU && (base == "" || cand == "") && !(p.Base.IsLogged() && p.Cand.IsLogged()):
		d.Class = policy.ClassInvalidates // a change may be the machine's, and nobody can tell
	}
	return d
}

// says reports whether files of a side say a fact.
func says(s *sides.Side, key string) bool { return len(factOf(s, key)) > 0 }

// knowsNodes reports whether runs of the baseline, or of its history, are on hosts enough to show what
// these differ by.
func knowsNodes(p *Terms) bool {
	runs := p.Base.Runs
	if p.Past != nil {
		runs = slices.Concat(runs, p.Past.Runs())
	}
	places := hostSets(runs)
	delete(places, "")
	return len(places) >= fewPlaces
}

// amongSeveral reports whether several runs of a side have all that the other side has of a fact.
func amongSeveral(p *Terms, key string) bool {
	of := func(s *sides.Side) []string {
		if key == policy.Hosts {
			return s.Hosts()
		}
		return factOf(s, key)
	}
	holds := func(s, other *sides.Side) bool {
		there := of(s)
		return len(s.Runs) > 1 && !slices.ContainsFunc(of(other), func(v string) bool { return !slices.Contains(there, v) })
	}
	return holds(p.Base, p.Cand) || holds(p.Cand, p.Base)
}

// keptByDriver is the share of memory in which two GPUs of one model can differ: drivers keep some of it for
// themselves. Chosen, not measured: in two recordings of A100 of 80 GB it is 0.1 %.
const keptByDriver = 0.01

// nearlyEqual reports whether two sizes of memory differ only by what drivers keep.
func nearlyEqual(base, cand string) bool {
	b, err := strconv.ParseFloat(base, 64)
	c, other := strconv.ParseFloat(cand, 64)
	return err == nil && other == nil && math.Abs(c-b) <= keptByDriver*b
}

// allFacts returns the recorded facts and those that follow from the files.
func allFacts(s *sides.Side) map[string]string {
	out := map[string]string{}
	for _, f := range s.Facts() {
		out[f.Key] = f.Value
	}
	var formats []string
	for _, f := range s.Set.Files {
		if f.Err == "" && f.Format != run.FormatIgnored {
			formats = append(formats, f.Format)
		}
	}
	ranks := s.Numbers()
	out["format"] = sides.List(formats)
	out[policy.Hosts] = sides.List(s.Hosts())
	if s.Set.OfResults() {
		return out
	}
	out["ranks"] = sides.Ranges(ranks)
	out[policy.StepsFoundBy] = cmp.Or(strings.Join(s.StepMarkers(), " and "), s.Marker())
	if slices.Contains(ranks, -1) {
		out["ranks"] = ranksWithoutNumber(s.MostRanks())
	}
	if world := s.WorldSize(); world > 0 {
		out["world size"] = strconv.Itoa(world)
	}
	return out
}

// ranksWithoutNumber says how many ranks have files that do not say which rank they are.
func ranksWithoutNumber(n int) string {
	if n == 1 {
		return "1 rank"
	}
	return strconv.Itoa(n) + " ranks"
}
