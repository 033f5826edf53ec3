package recipe

import (
	"slices"
	"strings"
)

// Option is an option of nsys profile that recipes use.
type Option struct {
	Text    string  // as it is written, with its value
	Why     string  // what it is for
	From    Version // the first version that is known to have it
	Until   Version // the first version that is known to want it in another form; zero: none
	Node    bool    // samples the whole node, so that one rank of each node has it
	Without string  // what is not recorded without it; "" of those that all versions have
}

// options lists all options, in the order in which they are written. What a version has is known from nsys profile
// --help of 2022.4.2 and 2023.4.4, which were run with these lines, from the options listed in the user guides of
// 2024.7 and 2026.2, and from files. A version between one without an option and the first one with it counts as
// without: nsys ends with "unrecognised option" and the job has not run, whereas a missing option costs one metric.
var options = []Option{
	{Text: "--trace=cuda,nvtx,osrt", Why: "kernels, ranges, calls of the system", From: oldest},
	{Text: "--capture-range=cudaProfilerApi", Why: "from the call that begins the capture", From: oldest},
	// The default, stop-shutdown, ends the program as well (--help of both versions).
	{Text: "--capture-range-end=stop", Why: "to the one that ends it; the program goes on", From: oldest},
	{Text: "--sample=none", Why: "no samples of the CPU", From: oldest},
	{Text: "--cpuctxsw=none", Why: "nor of its scheduler", From: oldest},
	{Text: "--cuda-graph-trace=node", Why: "kernels inside of CUDA graphs", From: oldest},
	// Not in the list of 2024.7; an export of 2025.5.2 holds its tables.
	{Text: "--osrt-file-access=true", Why: "bytes of every read", From: Version{2025, 5}, Without: "reads have times and no bytes"},
	{Text: "--force-overwrite=true", Why: "a second run replaces the reports of the first", From: oldest},
	// Not in the lists of 2023.4 and 2024.7; in the guide of 2026.2.
	{Text: "--storage-metrics --storage-devices=all", Why: "or --nfs-volumes=all, --lustre-volumes=all", From: Version{2026, 2}, Node: true,
		Without: "storage counters are not recorded"},
	// true or false up to 2024.7; lf, hf or none in the guide of 2026.2, where true is on its way out.
	{Text: "--nic-metrics=true", Why: "bytes of the network", From: oldest, Until: Version{2026, 2}, Node: true},
	{Text: "--nic-metrics=lf", Why: "bytes of the network", From: Version{2026, 2}, Node: true},
}

// Options returns all options that recipes use, in their order.
func Options() []Option { return slices.Clone(options) }

// name returns the option without its value.
func (o *Option) name() string {
	name, _, _ := strings.Cut(strings.Fields(o.Text)[0], "=")
	return name
}

// In reports whether a version has the option in this form.
func (o *Option) In(v Version) bool {
	return !v.less(o.From) && (o.Until == Version{} || v.less(o.Until))
}

// optionsOf returns the options that a version has, for one rank of the node or for every rank.
func optionsOf(v Version, node bool) []Option {
	return slices.DeleteFunc(Options(), func(o Option) bool { return !o.In(v) || o.Node != node })
}

// missing returns the options that a version does not have yet although something is not recorded without them.
func missing(v Version) []Option {
	return slices.DeleteFunc(Options(), func(o Option) bool { return o.Without == "" || !v.less(o.From) })
}
