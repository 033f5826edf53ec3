package words

import (
	"cmp"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/verdict"
)

// dimensionTimes say what metrics by dimension of parallelism are.
var dimensionTimes = map[string]string{
	run.DimensionTime: "", run.DimensionWaitTime: ", waiting", run.DimensionTransferTime: ", transfer", run.DimensionBandwidth: ", bus bandwidth",
	run.ExposedWaitTime: ", exposed waiting", run.ExposedTransferTime: ", exposed transfer",
}

// OfDimension says what a value by dimension of parallelism is: "tensor parallel, waiting"; "" of
// any other value.
func OfDimension(key run.Key) string {
	what, known := dimensionTimes[key.Metric]
	if !known || key.Part == "" {
		return ""
	}
	return Dimension(key.Part) + what
}

// Dimension is what people call a dimension of parallelism.
func Dimension(name string) string {
	if name == "other" {
		name = ""
	}
	return cmp.Or(name, "other communication")
}

// Dimensions are those by which communication was measured, in alphabetical order.
func Dimensions(parts []verdict.Comparison) (out []string) {
	for i := range parts {
		if key := parts[i].Key; key.Metric == run.DimensionTime && key.Part != "" {
			out = append(out, key.Part)
		}
	}
	slices.Sort(out)
	return out
}
