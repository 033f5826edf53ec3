package words

import (
	"cmp"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
)

// dimensionTimes say what metrics by dimension of parallelism are.
var dimensionTimes = map[string]string{
	run.DimensionTime: "", run.DimensionWaitTime: ", waiting", run.DimensionTransferTime: ", transfer", run.DimensionBandwidth: ", bus bandwidth",
	run.DimensionAlgorithm: ", algorithm bandwidth",
	run.ExposedWaitTime:    ", exposed waiting", run.ExposedTransferTime: ", exposed transfer",
}

// OfDimension says what a value by dimension of parallelism is: "tensor parallel, waiting"; "" for any other value.
func OfDimension(key run.Key) string {
	what, known := dimensionTimes[key.Metric]
	if !known || key.Part == "" {
		return ""
	}
	return Dimension(key.Part) + what
}

// Dimension returns what people call a dimension of parallelism.
func Dimension(name string) string {
	if name == "other" {
		name = ""
	}
	return cmp.Or(name, "other communication")
}

// ShortDimension returns the dimension in one word, for a column.
func ShortDimension(name string) string {
	return strings.TrimSuffix(cmp.Or(name, "other"), " parallel")
}

// TellsGroups reports whether the groups of a report are worth a table. One group of unknown
// purpose, which is all of the communication, says nothing that other tables do not.
func TellsGroups(r *diff.Report) bool {
	return len(r.Groups) > 1 || slices.ContainsFunc(r.Groups, func(g cause.GroupChange) bool { return g.Dimension != "" })
}

// Serves says which dimension of parallelism a group serves, and what the program calls it.
func Serves(dimension, purpose string) string {
	var parts []string
	if dimension != "" {
		parts = append(parts, Dimension(dimension))
	}
	if purpose != "" {
		parts = append(parts, "“"+purpose+"”")
	}
	if len(parts) == 0 {
		return "not known"
	}
	return strings.Join(parts, ", ")
}

// Dimensions returns the dimensions by which communication was measured, in alphabetical order.
func Dimensions(parts []verdict.Comparison) (out []string) {
	for i := range parts {
		if key := parts[i].Key; key.Metric == run.DimensionTime && key.Part != "" {
			out = append(out, key.Part)
		}
	}
	slices.Sort(out)
	return out
}
