package words

import (
	"cmp"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// partNames are the names of the parts of a step and of its critical path, by the keys of their colours: every section,
// legend and table of every output has these and no others.
var partNames = map[string]string{
	"compute": "compute", "comm": "communication", "transfer": "transfer", "wait": "waiting for late ranks", "memory": "copies", "idle": "idle",
	"input": "waiting for input", "launching": "launches come late", "dependency": "launched work starts late", "synchronizing": "host waits for the GPU",
	"allocator": "allocating device memory", "host": "other host work", "unknown": "not explained",
}

// PartName names what has a colour: "waiting for input".
func PartName(colour string) string { return cmp.Or(partNames[colour], colour) }

// partColours are the keys of the parts of a step as a whole, by metric.
var partColours = map[string]string{
	run.ComputeTime: "compute", run.ExposedTransferTime: "transfer", run.ExposedWaitTime: "wait", run.ExposedMemoryTime: "memory", run.IdleTime: "idle",
}

// StepPart returns what people call a part of the step, such as "Launches come late"; a family of kernels keeps its
// name; "" without a part.
func StepPart(p cause.StepPart) string {
	whole := map[string]string{verdict.BusyTime.Metric: "busy", run.ExposedCommTime: "exposed communication", run.InputWaitTime: "waiting for input (host)"}
	switch name := number.Capital(cmp.Or(whole[p.Metric], PartName(cmp.Or(partColours[p.Metric], p.Metric)))); {
	case p.Metric == run.IdleTime && p.Part != "":
		return number.Capital(PartName(p.Part))
	case p.Part != "":
		return p.Part
	case p.Unseen && p.Metric == run.ComputeTime:
		return name + " or unknown"
	case p.Unseen:
		return name + " outside of replays"
	default:
		return name
	}
}

// PartInterval returns the interval of a part's change in a scale, without its unit: "−3.02 to +2.86";
// a dash where there is none.
func PartInterval(p *cause.PartChange, sc number.Scale) string {
	switch {
	case p.BelowNoise:
		return "below noise"
	case math.IsNaN(p.Lo) || math.IsNaN(p.Hi):
		return number.None
	}
	return sc.Signed(p.Lo) + " to " + sc.Signed(p.Hi)
}
