// Package cause takes the step apart on both sides and finds what a change is made of and what
// brought it about: late ranks, spikes, kernels, gaps, levels. Of makes Causes of
// verdict.Judged; findings are kinds with numbers in base units, and their sentences stand in
// render/words. Of analyze/metric it takes the descriptions of metrics alone: which are part
// of the step, and in which order findings name them (subject.go).
package cause
