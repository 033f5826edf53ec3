package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/render/number"
)

// pathColours are the keys of the parts of a critical path, which are those of the parts of a step and of the causes of
// idle time.
var pathColours = map[string]string{
	run.PathCompute: "compute", run.PathComm: "transfer", run.PathLate: "wait", run.PathCopies: "memory", run.PathInput: "input", run.PathStorage: "input",
	run.PathHost: "host", run.PathLaunching: "launching", run.PathLatency: "dependency", run.PathReturn: "synchronizing", run.PathAllocator: "allocator",
	run.PathUnknown: "unknown",
}

// PathColour returns the key of the colour of a part of the critical path; "" of what is none.
func PathColour(part string) string { return pathColours[part] }

// PathPart names a part of the critical path. What is left of communication, once the ranks that were captured have
// arrived, is transfer, and more where some were not.
func PathPart(part string) string {
	switch part {
	case run.PathComm:
		return PartName("comm")
	case run.PathStorage:
		return PartName("input") + ", reading from storage"
	}
	return PartName(cmp.Or(pathColours[part], part))
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
	values := fmt.Sprintf("%s → %s of the step", sc.Digits(f.Base), sc.With(f.Cand))
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
