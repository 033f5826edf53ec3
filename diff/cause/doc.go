// Package cause takes the step apart on both sides and finds what a change is made of and what
// brought it about: late ranks, spikes, kernels, gaps, levels. Of makes Causes of
// verdict.Judged; findings are kinds with numbers in base units, and their sentences stand in
// render/words.
package cause
