package metric

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// The needs of metrics of the device, and of communication.
var (
	needsDevice = remedy.Of(remedy.Kernels)
	needsComm   = remedy.Of(remedy.Communication).Then(remedy.Of(remedy.GraphAll))
)

// timeMetrics returns the step and its breakdown. Compute, exposed communication,
// exposed memory and idle time add up to step_time exactly; the definition is
// TraceLens' (computation, exposed_comm, exposed_memcpy, idle), on unions.
func timeMetrics() []Metric {
	of := func(name, doc string, traits run.Traits, value func(*Step) int64) Metric {
		return Metric{
			Metric: run.Metric{Name: name, Unit: "s", Better: run.Lower, Doc: doc, Remedy: needsDevice, Main: true,
				Traits: traits},
			Requires: trace.HasDevice,
			Measure:  func(s *Step, emit Emit) { emit("", seconds(value(s))) },
		}
	}
	step := of(run.StepTime, "From the first device work launched in a step to the first launched in the next, on the device's clock.",
		run.Traits{Subject: "Step time", Section: run.SectionSteps, Depth: run.DepthStep, GateOrder: 1,
			Formula: "begin of the first device work launched in the next step − that of this step;" +
				" without launches, the edges of ranges on the host"},
		func(s *Step) int64 { return s.Time })
	step.Requires, step.Remedy = 0, remedy.Same("steps: ").Then(remedy.Of(remedy.StepRanges))
	compute := of(run.ComputeTime, "Time in which a kernel that is not communication runs, or a graph replay of which no kernels are recorded; by family, where kernels run side by side, that of the one that began first.",
		run.Traits{Subject: "Compute", Section: run.SectionKernels, PartOfStep: true, Depth: run.DepthKinds, Noise: run.NoiseOfWork,
			Finding: "compute", FindingOrder: 4, RankWork: []run.RankWork{{Group: "compute", Late: true}},
			Formula: "length of the union of compute, over all streams; TraceLens: computation_time"},
		func(s *Step) int64 { return s.Compute.Total() })
	compute.Part, compute.MadeOf = "family", kindOfWork
	compute.Finish = func(m *measurer, into *seriesBuilder) { m.work.families.put(into) }
	idle := of(run.IdleTime, "Time in which the device does nothing: the total of the gaps; by cause, what the launching process did meanwhile.",
		run.Traits{Subject: "Idle time", Section: run.SectionGaps, PartOfStep: true, PartsOfStep: true, InFindings: true, Depth: run.DepthIdle,
			Finding: "idle", FindingOrder: 6, RankWork: idleOfRank, GateOrder: 5,
			Formula: "step_time − union of compute, communication and memory; TraceLens: idle_time"},
		func(s *Step) int64 { return s.Idle })
	idle.Part, idle.MadeOf, idle.Finish = "cause", deviceWork, putIdleCauses
	exposedMemory := of(run.ExposedMemoryTime, "Time of copies and sets with neither compute nor communication beside them.",
		run.Traits{Subject: "Exposed memory time", Section: run.SectionBreakdown, PartOfStep: true, Depth: run.DepthKinds,
			Finding: "memory", FindingOrder: 5, RankWork: []run.RankWork{{Late: true}},
			Formula: "length of the union of copies and sets, less compute and communication; TraceLens: exposed_memcpy_time"},
		func(s *Step) int64 { return s.ExposedMemory })
	exposedMemory.MadeOf = deviceWork
	return []Metric{
		step,
		hostStepTime(),
		compute,
		timePerToken(),
		{
			Metric: run.Metric{Name: run.CommTime, Unit: "s", Better: run.Lower, Main: true, Part: "collective",
				Doc:    "Time in which a communication kernel runs, kernels that compute as well (fused) included; by collective, the sum of its kernels' durations.",
				Remedy: needsComm,
				Traits: run.Traits{Subject: "Communication", Section: run.SectionCollectives, PartOfStep: true, AcrossDevices: true,
					Depth: run.DepthKinds, Noise: run.NoiseOfLinks, Finding: "communication", FindingOrder: 3,
					Formula: "length of the union of communication, over all streams; TraceLens: total_comm_time"}},
			Requires: trace.HasDevice,
			MadeOf:   kindOfWork,
			Measure:  commTime,
		},
		exposedComm(),
		exposedMemory,
		idle,
		{
			Metric: run.Metric{Name: run.BusyShare, Unit: "ratio", Better: run.Higher, Main: true,
				Doc: "Share of the step in which the device does anything.", Remedy: needsDevice,
				Traits: run.Traits{Subject: "The busy share of the GPUs", Section: run.SectionUtilization, Depth: run.DepthIdle,
					Formula:    "(step_time − idle_time) / step_time",
					Derivation: run.Derivation{By: run.ByRest, Of: run.IdleTime, With: run.StepTime}}},
			Requires: trace.HasDevice,
			MadeOf:   deviceWork,
			Measure: func(s *Step, emit Emit) {
				emit("", float64(s.Time-s.Idle)/float64(s.Time))
			},
		},
	}
}

// idleOfRank lists what a rank does while its device idles. Findings about late ranks leave out input, since
// input_wait_time says it, and dependency, which is no work of the rank.
var idleOfRank = []run.RankWork{
	{Part: "input", Group: "input"},
	{Part: "host", Group: "host", Late: true},
	{Part: "allocator", Group: "host", Late: true},
	{Part: "launching", Group: "host", Late: true},
	{Part: "synchronizing", Group: "host", Late: true},
	{Part: "unknown", Group: "host", Late: true},
}

// exposedOutside is the part of exposed_comm_time of steps with graph replays whose kernels were not recorded:
// communication inside the replays cannot be seen.
const exposedOutside = run.OutsideReplays

// exposedComm returns the metric of communication that compute does not hide. It is not known in a step with replays
// of graphs whose kernels were not recorded. A job without communication has no value, and not 0.
func exposedComm() Metric {
	return Metric{
		Metric: run.Metric{Name: run.ExposedCommTime, Unit: "s", Better: run.Lower, Main: true, Part: "place",
			Doc:    "Communication time that no compute hides; in steps with graph replays of which no kernels are recorded only what lies outside of them is known.",
			Remedy: needsComm,
			Traits: run.Traits{Subject: "Exposed communication", Section: run.SectionCollectives, PartOfStep: true, AcrossDevices: true,
				Depth: run.DepthKinds, Noise: run.NoiseOfLinks, Finding: "communication", FindingOrder: 2, OneSided: true, GateOrder: 2,
				Formula: "length of the union of communication, less compute; TraceLens: exposed_comm_time"}},
		Requires: trace.HasDevice,
		MadeOf:   kindOfWork,
		Measure: func(s *Step, emit Emit) {
			switch {
			case s.graphs:
				emit(exposedOutside, seconds(s.ExposedComm))
			case !s.Rank.anyComm:
			default:
				emit("", seconds(s.ExposedComm))
			}
		},
		Absent: math.NaN(),
	}
}

// timePerToken returns the metric of how long a step of an inference engine takes for each token, if the engine says
// how many tokens the step computes.
func timePerToken() Metric {
	return Metric{
		Metric: run.Metric{Name: run.TimePerToken, Unit: "s", Better: run.Lower,
			Doc:    "Step time over the tokens that an engine step computes: of prompts, and of answers.",
			Remedy: remedy.Same("engine steps whose names hold their tokens, as those of vLLM, SGLang and TensorRT-LLM"),
			Traits: run.Traits{Subject: "The time for a token", Section: run.SectionSteps, Formula: "step_time / tokens of the step"}},
		Measure: func(s *Step, emit Emit) {
			if n := s.Window.Step.Load.Tokens; n > 0 {
				emit("", seconds(s.Time)/float64(n))
			}
		},
	}
}

// hostStepTime returns the time from marker to marker on the host's clock.
func hostStepTime() Metric {
	return Metric{
		Metric: run.Metric{Name: run.HostStepTime, Unit: "s", Better: run.Lower, Main: true,
			Doc:    "From the start of a step's range on the host to the start of the next one's.",
			Remedy: remedy.Of(remedy.StepRanges),
			Traits: run.Traits{Subject: "The step time on the host", Section: run.SectionSteps, Depth: run.DepthStep,
				Formula: "begin of the next range − begin of this one"}},
		When:   InPeriod,
		OnHost: func(p *period, emit Emit) { emit("", seconds(p.end-p.start)) },
	}
}

// commTime emits the time in which communication runs, in all and by collective.
func commTime(s *Step, emit Emit) {
	if s.graphs || !s.Rank.anyComm { // inside a replay it cannot be seen, and none at all is no zero
		return
	}
	emit("", seconds(s.Comm.Total()))
	for _, c := range s.workSums().collectives {
		emit(s.Trace.Names.Text(c.name), seconds(c.time))
	}
}
