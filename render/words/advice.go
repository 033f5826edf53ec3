package words

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
)

// advice says what to do, or to record, next; "" nothing.
func advice(r *diff.Report, f *cause.Finding) string {
	a := &f.Advice
	switch a.Kind {
	case cause.AdviceIdleCause:
		return idleAdvice(r.Profilers, a.Of.Part)
	case cause.AdviceLate:
		if text := lateAdvice[a.Of]; text != "" {
			return text
		}
		return idleAdvice(r.Profilers, a.Of.Part)
	case cause.AdviceWhatLate:
		return "Compare this rank's device, kernels and input with the others'; record " +
			remedy.For(remedy.RecordHost, r.Profilers) + " to see what it does longer."
	case cause.AdviceGraphs:
		return remedy.For(remedy.SeeIntoReplays, r.Profilers) + "."
	case cause.AdviceStreamsAnd:
		return next[cause.AdviceStreams] + " " + next[cause.AdviceNetwork]
	case cause.AdviceJoin:
		return "Summarize all nodes together to tell waiting from transfer."
	case cause.AdviceSpikeRange:
		return "Do what " + a.Name + " does in the background, or less often."
	case cause.AdviceRecord:
		return "Record " + Need(a.Need) + " on both sides."
	case cause.AdviceGive:
		return "Give files that hold " + Need(a.Need) + "."
	case cause.AdviceCall:
		return callAdvice[run.Table(a.Name)]
	}
	return next[a.Kind]
}

// next is the advice that depends on nothing else.
var next = map[cause.AdviceKind]string{
	cause.AdviceRotating:     "Look at what differs from step to step between ranks: sizes of batches, padding, routing of experts; no device is slow by itself.",
	cause.AdviceRouted:       "Look at what sends more to these ranks: the router's balance and capacity, which rank holds which experts or parts of a table; no device is slow by itself.",
	cause.AdviceStreams:      "Look at what the streams wait for around the collectives: bucket sizes, stream priorities, synchronizations.",
	cause.AdviceNetwork:      "Look at the links, NCCL's settings and the placement of ranks; record the network ports to see whether they are full.",
	cause.AdviceWhoIsLast:    whoIsLast + ".",
	cause.AdviceNoNetwork:    whoIsLast + "; the network is not the cause.",
	cause.AdviceNoSign:       whoIsLast + "; nothing points to the network.",
	cause.AdviceBeginLate:    "Begin with who arrives last (Collectives).",
	cause.AdvicePushes:       "Begin with who arrives last (Collectives): a late rank also pushes a transfer out of the compute that hides it.",
	cause.AdviceBothMoved:    "Both moved: begin with who arrives last (Collectives), since a late rank can also make a transfer longer.",
	cause.AdviceCaptureAll:   "Capture all ranks of the job to tell waiting from transfer.",
	cause.AdviceSetClocks:    "Set the hosts' clocks by one source (chrony, PTP) and record again: all ranks were captured, and their clocks cannot be aligned.",
	cause.AdviceFamily:       "See Kernels for the single ones.",
	cause.AdviceMoreWork:     "Look at what multiplies the work of a step: layers, micro-batches, recomputation.",
	cause.AdviceShared:       "Look at what all kernels share: the size of the batch, the shapes, the data type, the device.",
	cause.AdviceClocks:       "Compare clocks, power limits and temperatures of the devices first, then the size of the batch: one kernel's code is not the cause.",
	cause.AdviceClocksOf:     "Compare clocks, power limits and temperatures of these devices with the others' first.",
	cause.AdviceOtherKernel:  "Find out why the other kernel was chosen: a library version, a shape, a layout, a fused path that is off.",
	cause.AdviceKernel:       "See Kernels for its calls, grid and block on both sides.",
	cause.AdviceChosen:       "Look at what chose another kernel: a library version, a shape, a data type, a compiler.",
	cause.AdviceCopiesTake:   "See who copies in Timeline, and whether it can run beside compute.",
	cause.AdviceCopiesMove:   "Look for what is copied that was not, and for what could stay on the device.",
	cause.AdviceCopiesRate:   "Pin the host memory, and look at who shares the link; copies on a stream of their own can run beside compute.",
	cause.AdvicePageable:     "Pin the host memory (pin_memory=True of a DataLoader, cudaHostAlloc) and copy with non_blocking=True: from pageable memory the driver copies in pieces through a buffer of its own, and the call returns when that is done.",
	cause.AdviceMemoryPeak:   "Look at what is held when most memory is: sizes of batches and shapes, activations kept for the backward pass, workspaces.",
	cause.AdviceOtherWork:    "See whether that is meant: another model, batch, length of sequences or precision is another job, and no change of speed. Compare equal work.",
	cause.AdviceSchedule:     "Cut steps into more micro-batches, or give each stage several parts of the model (interleaving), as far as memory allows; the bubble is smallest where micro-batches are many and stages are few.",
	cause.AdviceStages:       "See in Collectives what each stage of the pipeline is busy with: the slowest one sets the pace of all; and look at what leaves stages idle.",
	cause.AdviceMemoryGrowth: "Look for what holds on to tensors from step to step: losses added up with their graphs, lists and caches that are never emptied.",
	cause.AdviceGap:          "See in Timeline what the launched collective waits for: a stream, an event, the end of a bucket.",
	cause.AdviceOtherSteps:   "See what these steps are, as of evaluation: mark them by other names, or name those to compare with --step-range.",
	cause.AdviceJitter:       "Look at what differs from step to step: sizes of batches, other work on the host or on the network, garbage collection; see Steps.",
	cause.AdviceCallLengths:  "See in Distributions on which ranks calls are long: where all are at once it is a late rank or the network, where few are it is their host.",
	cause.AdviceGrowth:       "See which part grows with the steps (Ranks \u00d7 steps): input as a page cache fills, compute as a clock falls, gaps as memory fragments.",
	cause.AdviceSettle:       "One side was still settling: leave out more of its first steps (--skip-first), or record longer.",
	cause.AdviceWarmUp:       "Look at what the first steps do: compiling, autotuning, filling caches.",
	cause.AdviceSpikes:       "Look at what the program does in these steps: a checkpoint, an evaluation, garbage collection; annotate it with a range to see it by name.",
	cause.AdviceLevelClocks:  "Look at clocks, power limits and temperatures of the devices at that step: one kernel's code is not the cause.",
	cause.AdviceLevelSome:    "Look at the clock, power limit and temperature of these devices at that step, and compare them with the others'.",
	cause.AdviceLevelInput:   "Look at what the input does from that step on: a page cache that is full, the end of a local copy, storage that others use as well.",
	cause.AdviceLevelLinks:   "Look at the links from that step on: errors and retries of a port, a link that runs at a part of its rate, other jobs on the network.",
	cause.AdviceLevelCompute: "Look at what the steps compute from there on: shapes, lengths of sequences, another algorithm of a library.",
	cause.AdviceLevelPart:    "See which part changes at that step (Ranks \u00d7 steps).",
	cause.AdviceName:         "See Kernels for what runs in its place; name kernels that communicate in the policy, communication: [REGEX].",
	cause.AdviceRequests:     "Give both sides the same requests at the same rate to compare all of their steps.",
	cause.AdviceAlike:        "Record both sides alike.",
	cause.AdviceAlikeForce:   "Record both sides alike, or compare all the same with --force.",
	cause.AdviceMark:         "Mark the steps with ranges and compare step by step, or capture a fixed number of steps.",
	cause.AdviceKernelClocks: "Compare clocks, power limits and temperatures of the devices first, then the size of the batch.",
}

const whoIsLast = "Look at who arrives last and why (Collectives, who waits for whom)"

// causeAdvice says what to do about each cause of idle time.
var causeAdvice = map[string]string{
	"input":         "Read ahead: more loader threads, a longer queue, or reads that go past the page cache; Reads shows what storage delivers.",
	"allocator":     "Keep memory allocated: look for calls that empty the cache, for fragmentation and for shapes that grow.",
	"synchronizing": "Find the call that waits (reading a value back, printing a tensor, synchronizing the device) and move it out of the step.",
	"launching":     "Launch less: graphs, fused kernels, larger batches.",
	"dependency":    "See in Timeline which stream or collective the launched work waits for.",
}

// idleAdvice says what to do about a cause of idle time, or what to record with the profiler in use.
func idleAdvice(p sides.Profilers, because string) string {
	switch because {
	case "host":
		return "Take the host out of the way with graphs or fewer, larger kernels; " + remedy.For(remedy.LookIntoGaps, p) + "."
	case "unknown":
		return remedy.For(remedy.RecordIdle, p) + " to see what the host does meanwhile."
	}
	return causeAdvice[because]
}

// callAdvice says what to do about a call, by its table.
var callAdvice = map[run.Table]string{
	run.KernelTable:     "Compare the shapes, data types and library versions that this kernel runs with.",
	run.CollectiveTable: "A call lasts until its last rank has arrived: look at who is late before the network.",
	run.MemoryTable:     "Look whether the host memory is pinned, and at what else uses the bus.",
	run.RangeTable:      "See in Summaries which calls grow with it.",
	run.OperatorTable:   "See in Summaries which operators and ranges grow with it.",
}
