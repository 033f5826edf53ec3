// Package idle is why the device idles: it gives each gap in its work to what the process that
// launches did meanwhile. It reads the calls, ranges and operators of a trace, window after
// window in order of time, and makes no metric of them: who measures asks it for the sums of
// each step, and for the stories of the longest gaps.
//
// What happens between a trace and its causes:
//
//  1. NewProcess      which threads count, what their calls do, when they wait for input (process.go, cause.go, input.go)
//  2. hostWork        what the host does in one window, as sets of time by cause (host.go, cursor.go)
//  3. gapAttribution  one gap, by the launch that ends it and by these sets (attribute.go)
//  4. GapScan         the gaps of all steps, the longest with where the host was (scan.go, place.go)
//
// A capture that is larger than memory goes through the same in pieces (pieces.go).
package idle
