package kineto

import (
	"testing"

	"perfdiff/analyze/trace"
)

// linked connects device work at these times to calls, all by their correlations.
func linked(calls []launchCall, starts []int64, links []uint64) (launches []int64, owners []int32) {
	c := newCollector(nil)
	c.launchCalls, c.links = calls, links
	for _, s := range starts {
		c.device = append(c.device, trace.Span{Start: s, End: s + 1, Launch: trace.NoTime})
	}
	c.deviceOf = make([]int32, len(starts))
	c.procs = []*process{{pid: 1}, {pid: 2}, {pid: 3}}
	owners = c.linkLaunches()
	for _, s := range c.device {
		launches = append(launches, s.Launch)
	}
	return launches, owners
}

// slowLaunch is the same choice by looking at every call.
func slowLaunch(calls []launchCall, start int64, correlation uint64) (launch int64, owner int32) {
	launch, owner = trace.NoTime, -1
	for _, l := range calls {
		if correlation == 0 || l.correlation != correlation {
			continue
		}
		before, better := l.start <= start, owner < 0
		switch {
		case better:
		case before != (launch <= start):
			better = before
		case l.start == launch:
			better = l.process < owner
		default:
			better = (l.start > launch) == before
		}
		if better {
			launch, owner = l.start, l.process
		}
	}
	return launch, owner
}

// TestLaunches: of the calls with a correlation work belongs to the latest before it,
// else to the earliest.
func TestLaunches(t *testing.T) {
	var calls []launchCall
	var starts []int64
	var links []uint64
	for i := range int64(400) {
		calls = append(calls, launchCall{correlation: uint64(i*7919%5 + 1), start: i * 104729 % 97, process: int32(i % 3)})
		starts, links = append(starts, i*7907%120-10), append(links, uint64(i%7))
	}
	launches, owners := linked(append([]launchCall(nil), calls...), starts, links)
	for i := range starts {
		launch, owner := slowLaunch(calls, starts[i], links[i])
		if launches[i] != launch || owner >= 0 && owners[i] != owner {
			t.Errorf("work at %d with correlation %d: got launch %d by %d, want %d by %d", starts[i], links[i], launches[i], owners[i], launch, owner)
		}
	}
}

// TestLaunchesAlike has a million calls and as much work with one correlation: a search
// among them for each takes 40 million looks, going through them a million million, which
// no test waits for.
func TestLaunchesAlike(t *testing.T) {
	const n = 1_000_000
	calls, starts, links := make([]launchCall, n), make([]int64, n), make([]uint64, n)
	for i := range calls {
		calls[i], starts[i], links[i] = launchCall{correlation: 7, start: int64(10 * i), process: 0}, int64(10*i+5), 7
	}
	launches, _ := linked(calls, starts, links)
	for i, l := range launches {
		if l != int64(10*i) {
			t.Fatalf("work %d: got launch %d want %d", i, l, 10*i)
		}
	}
}
