package recipe

import (
	"fmt"
	"strconv"
	"strings"
)

// nvtxCode marks the steps with ranges, and begins and ends the capture around the recorded ones.
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

// warmSteps is for how many steps the profiler is warmed up: the first ones that it sees are
// slower. Chosen, not measured: PyTorch's own examples take one or two.
const warmSteps = 2

// profilerCode records by the schedule of the PyTorch profiler, whose step marks the steps.
func profilerCode(q *Request, l *launcher) string {
	warm := min(warmSteps, q.First)
	wait, active := q.First-warm, q.Last-q.First+1
	var b strings.Builder
	some := q.Ranks != nil
	b.WriteString("import os\n")
	if some {
		b.WriteString("from contextlib import nullcontext\n")
	}
	fmt.Fprintf(&b, "from torch.profiler import profile, schedule, tensorboard_trace_handler\n\nrank = int(os.environ[%q])\n", l.Rank)
	if some {
		fmt.Fprintf(&b, "RANKS = {%s}    # those that are recorded\n", numbers(q.Ranks, ", "))
	}
	fmt.Fprintf(&b, `
# Counted from 0: %s, steps %d to %d are recorded.
recorder = profile(
    schedule=schedule(wait=%d, warmup=%d, active=%d, repeat=1),
    on_trace_ready=tensorboard_trace_handler(os.environ.get("PERFDIFF_OUT", %q), worker_name=f"rank{rank}", use_gzip=True),
)`, waited(wait, warm), q.First, q.Last, wait, warm, active, q.dir())
	if some {
		b.WriteString(" if rank in RANKS else nullcontext()")
	}
	b.WriteString("\nwith recorder as profiler:\n    for batch in loader:\n        train(batch)\n")
	if some {
		b.WriteString("        if profiler:\n            profiler.step()    # each step ends here\n")
	} else {
		b.WriteString("        profiler.step()    # each step ends here\n")
	}
	return b.String()
}

// waited says why steps before the first recorded one are waited for.
func waited(wait, warm int) string {
	count := func(n int) string {
		if n == 1 {
			return "1 step"
		}
		return strconv.Itoa(n) + " steps"
	}
	return count(wait) + " pass, " + count(warm) + " warm up"
}
