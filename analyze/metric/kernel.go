package metric

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// kernelMetrics time and count kernels by canonical name, communication too.
func kernelMetrics() []Metric {
	of := func(name, unit, doc string, better run.Better, value func(kernelSum) float64) Metric {
		return Metric{
			Metric: run.Metric{Name: name, Unit: unit, Better: better, Doc: doc, Part: "kernel",
				Needs: needsDevice + "; inside graph replays with --cuda-graph-trace=node"},
			Requires: trace.HasDevice,
			Measure: func(s *Step, emit Emit) {
				for name, k := range s.kernels() {
					emit(name, value(k))
				}
			},
		}
	}
	return []Metric{
		of("kernel_time", "s", "Sum of the durations of a kernel's launches.", run.Lower,
			func(k kernelSum) float64 { return seconds(k.time) }),
		of("kernel_launches", "1", "Launches of a kernel that start in the step.", run.Neither,
			func(k kernelSum) float64 { return float64(k.launches) }),
	}
}

type kernelSum struct {
	time     int64
	launches int
}

// kernels sums the kernels that start in s by canonical name, once a step.
// Names are summed by id first: a step has thousands of launches of a few
// dozen names.
func (s *Step) kernels() map[string]kernelSum {
	if s.byKernel != nil {
		return s.byKernel
	}
	var used []trace.NameID
	sums := s.Rank.sums
	for i := range s.Device {
		sp := &s.Device[i]
		if sp.Kind != trace.Kernel && sp.Kind != trace.Graph {
			continue
		}
		k := &sums[sp.Name]
		if k.launches == 0 {
			used = append(used, sp.Name)
		}
		k.time += sp.End - sp.Start
		k.launches++
	}
	s.byKernel = make(map[string]kernelSum, len(used))
	for _, id := range used {
		name := s.Rank.canonical(id)
		have := s.byKernel[name]
		s.byKernel[name] = kernelSum{have.time + sums[id].time, have.launches + sums[id].launches}
		sums[id] = kernelSum{}
	}
	return s.byKernel
}

// canonical is the canonical name of a kernel, worked out once a name.
func (r *Rank) canonical(id trace.NameID) string {
	if r.canon[id] == "" {
		r.canon[id] = trace.CanonicalKernel(r.Trace.Names.Text(id))
	}
	return r.canon[id]
}
