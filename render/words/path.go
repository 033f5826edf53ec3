package words

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/render/number"
)

// pathParts names the parts of a critical path.
var pathParts = map[string]string{
	run.PathCompute:   "compute",
	run.PathComm:      "communication",
	run.PathLate:      "waiting for late ranks",
	run.PathCopies:    "copies",
	run.PathLatency:   "latency of launches",
	run.PathLaunching: "launching",
	run.PathReturn:    "waking up behind the device",
	run.PathAllocator: "allocating device memory",
	run.PathInput:     "input",
	run.PathStorage:   "reading input from storage",
	run.PathHost:      "other host work",
	run.PathUnknown:   "not explained",
}

// PathPart names a part of the critical path.
func PathPart(part string) string {
	if name := pathParts[part]; name != "" {
		return name
	}
	return part
}

// PathPartOf names a part of a path metric: a family of kernels and a dimension of parallelism keep their names.
func PathPartOf(key run.Key) string {
	if key.Metric == run.PathTime {
		return PathPart(key.Part)
	}
	return key.Part
}

// onPath returns the sentence about what left the critical path, or came onto it.
func onPath(_ *diff.Report, f *cause.Finding) string {
	name, sc := number.Capital(PathPart(f.Part)), valuesIn(f)
	values := fmt.Sprintf("%s → %s of the step", sc.Format(f.Base), sc.With(f.Cand))
	switch {
	case 3*f.Cand <= f.Base:
		return name + " left the critical path: " + values
	case 3*f.Base <= f.Cand:
		return name + " came onto the critical path: " + values
	}
	return name + " on the critical path " + verb(f.Delta) + ": " + values
}

// PathSource says what tells which work waits for which.
func PathSource(p *cause.Path) string { return Sources(p.Sources) }

// BoundStep says which part most of the path is, for stretches of steps: "compute in steps 3-9, input in 10-30".
func BoundStep(p *cause.Path, side int) string {
	of := map[string][]int{}
	var order []string
	for _, s := range p.Steps[side] {
		if s.Bound == "" {
			continue
		}
		if of[s.Bound] == nil {
			order = append(order, s.Bound)
		}
		of[s.Bound] = append(of[s.Bound], int(s.Number))
	}
	slices.SortStableFunc(order, func(a, b string) int { return len(of[b]) - len(of[a]) })
	var parts []string
	for _, k := range order {
		parts = append(parts, fmt.Sprintf("%s in %s %s", PathPart(k), number.Plural(len(of[k]), "step"), sides.Ranges(of[k])))
	}
	return strings.Join(parts, "; ")
}
