package words

import (
	"cmp"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// idleWhile says what the device waits for, by cause of idle time.
var idleWhile = map[string]string{
	"input": "waiting for input", "allocator": "allocating memory", "synchronizing": "synchronizing", "launching": "launching",
	"dependency": "waiting for a dependency", "host": "other host work", "unknown": "unknown",
}

// IdleWhile says what the device waits for: "Waiting for input".
func IdleWhile(because string) string { return number.Capital(cmp.Or(idleWhile[because], because)) }

// partNames are the parts of the step as a whole, by metric.
var partNames = map[string]string{
	verdict.BusyTime.Metric: "Busy", run.ComputeTime: "Compute", run.ExposedTransferTime: "Exposed transfer", run.ExposedWaitTime: "Exposed wait",
	run.ExposedCommTime: "Exposed communication", run.ExposedMemoryTime: "Exposed memory", run.IdleTime: "Idle", run.InputWaitTime: "Input wait (host)",
}

// StepPart returns what people call a part of the step, such as "Idle: synchronizing"; a family of kernels keeps its
// name; "" without a part.
func StepPart(p cause.StepPart) string {
	switch name := cmp.Or(partNames[p.Metric], p.Metric); {
	case p.Metric == run.IdleTime && p.Part == "input":
		return "Idle for input (GPU)" // what input wait, of the host, leaves of the device idle
	case p.Metric == run.IdleTime && p.Part != "":
		return "Idle: " + cmp.Or(idleWhile[p.Part], p.Part)
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
