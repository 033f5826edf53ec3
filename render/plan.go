package render

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze/shard"
	"perfdiff/analyze/trace"
	"perfdiff/render/number"
)

// mostShards is up to how many shards are listed one by one; if there are more, so many of the largest. Chosen for a
// screen.
const mostShards = 32

// Plan says what the shards of a plan have to read, and how a shard is started. set is the run set
// and out the file that the plan was written to.
func Plan(p shard.Plan, set, out string) string {
	loads := p.Loads()
	var all shard.Load
	order := make([]int, len(loads)) // shards, those that have the most first
	for i, l := range loads {
		all.Files += l.Files
		all.Bytes += l.Bytes
		order[i] = i
		if all.Largest.Path == "" || l.Largest.Bytes > all.Largest.Bytes {
			all.Largest = l.Largest
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(loads[b].Bytes, loads[a].Bytes) })
	most := loads[order[0]].Bytes
	scale := number.ScaleOf("B", float64(most))
	size := func(bytes int64) string { return scale.With(float64(bytes)) }
	var b strings.Builder
	fmt.Fprintf(&b, "wrote %s: %s of %s, %s\n\n", Line(out), number.Counted(p.Shards, "shard"), number.Counted(all.Files, "file"),
		number.ScaleOf("B", float64(all.Bytes)).With(float64(all.Bytes)))
	shown := order
	if len(order) > mostShards {
		shown = order[:mostShards]
	}
	fmt.Fprintf(&b, "%9s  %6s  %10s  largest file\n", "shard", "files", "size")
	for _, i := range slices.Sorted(slices.Values(shown)) {
		l := loads[i]
		fmt.Fprintf(&b, "%9d  %6d  %10s  %s (%s)\n", i, l.Files, size(l.Bytes), Line(l.Largest.Path), size(l.Largest.Bytes))
	}
	if rest := order[len(shown):]; len(rest) > 0 {
		fmt.Fprintf(&b, "and %s of %s to %s each\n", number.Counted(len(rest), "more shard"), size(loads[rest[len(rest)-1]].Bytes), size(loads[rest[0]].Bytes))
	}
	b.WriteString("\n" + planBalance(p.Shards, most, all))
	parts := "parts/"
	if filepath.Clean(set) == "." { // in which no part may be
		parts = "../parts/"
	}
	fmt.Fprintf(&b, "Each process: perfdiff summarize %s --shard auto --plan %s -o %s\n", ShellPath(set), ShellPath(out), parts)
	return b.String()
}

// planBalance says how evenly the work is divided, and what prevents more.
func planBalance(shards int, most int64, all shard.Load) string {
	if all.Bytes == 0 {
		return ""
	}
	mean := float64(all.Bytes) / float64(shards)
	text := fmt.Sprintf("The largest shard is %s times the mean.\n", number.Format(float64(most)/mean))
	if enough := int(math.Ceil(float64(all.Bytes) / float64(all.Largest.Bytes))); float64(most) > 1.2*mean && most == all.Largest.Bytes {
		text += fmt.Sprintf("It is one file, %s, that cannot be divided: %s would be as fast.\n",
			Line(all.Largest.Path), number.Counted(enough, "shard"))
	}
	return text
}

// ShellPath returns a path as an argument in a command that is printed.
func ShellPath(path string) string { return trace.ShellPath(path) }

// ShellWord returns any other word of a command that is printed.
func ShellWord(s string) string { return trace.ShellWord(s) }
