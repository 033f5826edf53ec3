package recipe

import (
	"fmt"
	"strings"
)

// nvtxCode returns code that marks the steps with ranges, and begins and ends the capture around the recorded ones.
func nvtxCode(q *Request) string {
	return fmt.Sprintf(`import torch

FIRST, LAST = %d, %d    # steps that are recorded, counted from 0; those before warm up

for step, batch in enumerate(loader):
    if step == FIRST:
        torch.cuda.synchronize()
        torch.cuda.profiler.start()    # the capture begins
    torch.cuda.nvtx.range_push(f"step {step}")
    train(batch)
    torch.cuda.nvtx.range_pop()    # without it no step ends
    if step == LAST:
        torch.cuda.synchronize()
        torch.cuda.profiler.stop()    # the capture ends
`, q.First, q.Last)
}

// nsightScript runs one rank under nsys.
func nsightScript(q *Request, l *launcher) string {
	var b strings.Builder
	dir, program := word(q.dir()), wordsOf(q.Command)
	b.WriteString("#!/usr/bin/env bash\n# Runs one rank under nsys. Its report is report.RANK.nsys-rep.\nset -eu\n")
	fmt.Fprintf(&b, "rank=${%s:?is not set: this script is started by a launcher}\n", l.Rank)
	if q.Ranks != nil {
		fmt.Fprintf(&b, "case $rank in\n    %s) ;;\n    *) exec %s \"$@\" ;; # not recorded\nesac\n", numbers(q.Ranks, "|"), program)
	}
	fmt.Fprintf(&b, "mkdir -p %s\noptions=(\n", dir)
	all := optionsOf(q.Version, false)
	if l.mpi != "" {
		all[0].Text, all[0].Why = all[0].Text+",mpi", all[0].Why+" and MPI"
		all = append(all, Option{Text: "--mpi-impl=" + l.mpi, Why: "the calls of that MPI"})
	}
	for _, o := range all {
		fmt.Fprintf(&b, "    %-34s # %s\n", o.Text, o.Why)
	}
	fmt.Fprintf(&b, "    --output=%s/report.%%q{%s}\n)\n", dir, l.Rank)
	b.WriteString(nodeCounters(q, l))
	fmt.Fprintf(&b, "exec nsys profile \"${options[@]}\" %s \"$@\"\n", program)
	return b.String()
}

// nodeCounters adds the options that sample the whole node on one of its ranks: the first one, or the first one that
// is recorded.
func nodeCounters(q *Request, l *launcher) string {
	begin, end := fmt.Sprintf("if [ \"$%s\" = 0 ]; then    # counters of the whole node, by one rank of it\n", l.Local), "fi\n"
	if q.Ranks != nil {
		var first []int
		for _, rank := range q.Ranks {
			if n := len(first); n == 0 || first[n-1]/q.PerNode != rank/q.PerNode {
				first = append(first, rank)
			}
		}
		begin = fmt.Sprintf("case $rank in %s)    # counters of the whole node, by one rank of it\n", numbers(first, "|"))
		end = "esac\n"
	}
	var b strings.Builder
	b.WriteString(begin + "    options+=(\n")
	for _, o := range optionsOf(q.Version, true) {
		fmt.Fprintf(&b, "        %-40s # %s\n", o.Text, o.Why)
	}
	b.WriteString("    )\n" + end)
	return b.String()
}
