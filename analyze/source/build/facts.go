package build

import (
	"cmp"
	"slices"
	"strconv"

	"perfdiff/analyze/trace"
)

// Facts gathers what a file says about machine, software and capture. The first value of each key counts.
type Facts []trace.Fact

// Add keeps a fact, unless it has no value or its value is "unknown".
func (f *Facts) Add(key, value string) {
	if value == "" || value == "unknown" || slices.ContainsFunc(*f, func(have trace.Fact) bool { return have.Key == key }) {
		return
	}
	*f = append(*f, trace.Fact{Key: key, Value: value})
}

// Variable keeps an assignment NAME=value of the environment if it is a setting, and notes that the
// environment was recorded.
func (f *Facts) Variable(assignment string) {
	f.Add(trace.FactEnvironment, "recorded")
	if s, ok := trace.Setting(assignment); ok {
		f.Add(s.Key, s.Value)
	}
}

// Sorted returns the facts in order of key, with those of a GPU.
func (f Facts) Sorted(g GPU) []trace.Fact {
	all := slices.Clone(f)
	all.Add(trace.FactGPU, g.Name)
	for _, x := range []struct {
		key   string
		value int64
	}{{trace.FactGPUMemory, g.Memory}, {trace.FactGPUSMs, g.SM.Count}, {trace.FactGPUMaxClock, g.Clock}} {
		if x.value > 0 {
			all.Add(x.key, strconv.FormatInt(x.value, 10))
		}
	}
	slices.SortFunc(all, func(a, b trace.Fact) int { return cmp.Compare(a.Key, b.Key) })
	return all
}

// GPU is a device as a file lists it.
type GPU struct {
	ID      int64  // in the file
	Ordinal int64  // as processes count devices
	Name    string // model; "" not said
	Memory  int64  // bytes; 0 not said
	Clock   int64  // Hz, the fastest; 0 not said
	SM      trace.SM
}

// GPUs are the devices that a file lists.
type GPUs []GPU

// Only returns the device with an ordinal; false where none or several have it.
func (all GPUs) Only(ordinal int64) (GPU, bool) {
	same := slices.DeleteFunc(slices.Clone(all), func(g GPU) bool { return g.Ordinal != ordinal })
	if len(same) != 1 {
		return GPU{}, false
	}
	return same[0], true
}

// Like returns the device with an ordinal or, if all devices are of one model, any of them.
func (all GPUs) Like(ordinal int64) (GPU, bool) {
	if g, ok := all.Only(ordinal); ok {
		return g, true
	}
	other := func(g GPU) bool {
		return g.Name != all[0].Name || g.Memory != all[0].Memory || g.Clock != all[0].Clock || g.SM.Count != all[0].SM.Count
	}
	if len(all) == 0 || slices.ContainsFunc(all, other) {
		return GPU{}, false
	}
	return all[0], true
}

// CUDAVersion returns a version of CUDA as people write it: 13020 is 13.2. What is no such number is as
// it was.
func CUDAVersion(s string) string {
	v, err := strconv.Atoi(s)
	if err != nil || v < 1000 {
		return s
	}
	return strconv.Itoa(v/1000) + "." + strconv.Itoa(v%1000/10)
}
