// Package pipeline says how the stages of a pipeline go through the micro-batches of a step: how
// many there are, in which order a stage takes them, and when its pipeline fills and drains.
package pipeline

import "slices"

// Way is which way a message goes: activations forward, gradients backward.
type Way int8

// The ways. The zero value is a call whose way is not known.
const (
	Unknown Way = iota
	Forward
	Backward
)

// Call is one point-to-point call of a stage.
type Call struct {
	Start, End int64 // ns
	Way        Way
	Sends      bool // else it receives
	Bytes      int64
}

// WayOf returns the way of a message between two neighbours among the stages; Unknown if they are no neighbours. Where
// stages are interleaved, the last one sends forward to the first.
func WayOf(from, to, stages int) Way {
	switch {
	case to == from+1, from == stages-1 && to == 0 && stages > 2:
		return Forward
	case to == from-1, from == 0 && to == stages-1 && stages > 2:
		return Backward
	}
	return Unknown
}

// Phases returns when a stage's pipeline is full and when it begins to drain, in ns, by the calls of
// one step in order of start:
//
//   - it fills until the stage has its first gradient: its first backward call is done, or, on the
//     stage where gradients begin, starts. Without gradients, its first forward call is.
//   - it drains from where its last forward call is done, and not before it is full.
//
// It is false where the way of a call is not known, or there is none forward.
func Phases(calls []Call) (full, drains int64, known bool) {
	firstBackward := -1
	for i := range calls {
		switch c := &calls[i]; c.Way {
		case Unknown:
			return 0, 0, false
		case Forward:
			if !known {
				full, drains, known = c.End, c.End, true
			}
			drains = max(drains, c.End)
		case Backward:
			if firstBackward < 0 {
				firstBackward = i
			}
		}
	}
	if firstBackward >= 0 {
		c := &calls[firstBackward]
		if full = c.End; c.Sends {
			full = c.Start
		}
	}
	return full, max(full, drains), known
}

// leastPause is the least time between two micro-batches, as a share of its median: with a shorter one, some messages
// are parts of one. Chosen, not measured: micro-batches of one step are of one shape, or take what their tokens take.
const leastPause = 0.25

// Repeats returns how many micro-batches the calls of a step show, given stage by stage: between all neighbours as
// many messages go forward, each of one size and each after the first stage has computed, and as many back, or none.
// With interleaved stages it is how many times one stage sends to the next: micro-batches times chunks. It is 0 where
// anything else leaves a doubt.
func Repeats(stages [][]Call) int {
	if len(stages) < 2 {
		return 0
	}
	n, bytes := 0, int64(0)
	for s, calls := range stages {
		var count [3][2]int // by way, received and sent
		for i := range calls {
			c := &calls[i]
			if c.Way == Unknown || c.Bytes <= 0 || bytes > 0 && c.Bytes != bytes {
				return 0
			}
			bytes = c.Bytes
			if c.Sends {
				count[c.Way][1]++
			} else {
				count[c.Way][0]++
			}
		}
		if s == 0 {
			if n = count[Forward][1]; !spaced(calls) {
				return 0
			}
		}
		if !passesAll(count, n, s > 0, s < len(stages)-1) {
			return 0
		}
	}
	return n
}

// passesAll reports whether a stage passes n messages on, forward and, if any, backward: before and behind say whether
// there is a stage before it and after it.
func passesAll(count [3][2]int, n int, before, behind bool) bool {
	forward, backward := count[Forward], count[Backward]
	if behind && forward[1] != n || before && forward[0] != n {
		return false
	}
	trains := backward != [2]int{}
	return n > 0 && (!trains || (!behind || backward[0] == n) && (!before || backward[1] == n))
}

// spaced reports whether the stage has computed before each message that it sends forward.
func spaced(calls []Call) bool {
	var pauses []int64
	last := -1
	for i := range calls {
		if c := &calls[i]; c.Way == Forward && c.Sends {
			if last >= 0 {
				pauses = append(pauses, c.Start-calls[last].End)
			}
			last = i
		}
	}
	if len(pauses) == 0 {
		return true
	}
	slices.Sort(pauses)
	return pauses[0] > 0 && float64(pauses[0]) >= float64(leastPause*float64(pauses[len(pauses)/2]))
}

// Interleaved reports whether the last of several stages sends forward to the first: each of them
// holds several parts of the model.
func Interleaved(stages [][]Call) bool {
	if len(stages) < 3 {
		return false
	}
	return slices.ContainsFunc(stages[0], func(c Call) bool { return c.Way == Forward && !c.Sends })
}

// The schedules that are told apart.
const (
	InTurns         = "1F1B"         // a stage goes forward and backward in turns as soon as it can
	AllForward      = "GPipe"        // all micro-batches go forward before the first goes backward
	InterleavedName = "interleaved"  // a stage holds several parts of the model
	ForwardOnly     = "forward only" // nothing goes backward
)

// fewBatches is up to how many micro-batches the schedules look alike.
const fewBatches = 2

// ScheduleOf names the schedule of a step by the calls of the last stage, in order of start: by how many micro-batches
// it holds that have not gone back; "" where that leaves a doubt.
func ScheduleOf(last []Call, batches, chunks int) string {
	if chunks > 1 {
		return InterleavedName
	}
	held, most, backward := 0, 0, 0
	for i := range last {
		switch last[i].Way {
		case Forward:
			held++
			most = max(most, held)
		case Backward:
			held--
			backward++
		}
	}
	switch {
	case batches == 0:
		return ""
	case backward == 0:
		return ForwardOnly
	case batches <= fewBatches:
		return ""
	case most <= fewBatches: // one of them may come while the one before goes back
		return InTurns
	case most == batches:
		return AllForward
	}
	return ""
}

// Ideal returns the share of a step in which a stage idles even if all take equally long and messages
// take no time: (p-1)/(v m + p-1) with p stages, m micro-batches and v chunks of the model on each
// stage (Narayanan et al., Efficient Large-Scale Language Model Training on GPU Clusters Using
// Megatron-LM, section 2.2). Without gradients it is the same.
func Ideal(stages, batches, chunks int) float64 {
	return float64(stages-1) / float64(chunks*batches+stages-1)
}
