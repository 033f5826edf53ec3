package critical

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/trace"
)

// work is a span of a class on a stream, in us.
func work(class trace.Class, stream int32, launch, start, end int64) trace.Span {
	return trace.Span{Start: start * 1000, End: end * 1000, Launch: launch * 1000, Stream: stream, Kind: trace.Kernel, Class: class}
}

// pathOf is the whole path of a step, through communication on the rank itself, from its start on.
func pathOf(s *Scan) (out []Segment) {
	byNode := map[int][]Segment{}
	nodes := s.Nodes(func(node int, x Segment) { byNode[node] = append(byNode[node], x) })
	for at := int32(0); ; {
		out = append(out, byNode[int(at)]...)
		n := &nodes[at]
		if k, through := n.Comm(); through {
			x := s.work(s.comms[k])
			out = append(out, Segment{x.Start, x.End, Work, x})
			at = int32(1 + k)
			continue
		}
		if n.Parent == FromStart {
			slices.Reverse(out)
			return out
		}
		at = n.Parent
	}
}

// said is a path in words: "work 7 10, handover 2" are 10 us of work of stream 7 and 2 us.
func said(path []Segment) string {
	names := map[Kind]string{Unexplained: "unexplained", Handover: "handover", Launch: "launch", Host: "host", Return: "return"}
	var parts []string
	for _, x := range path {
		name := names[x.Kind]
		if x.Kind == Work {
			name = fmt.Sprintf("work %d", x.Span.Stream)
		}
		parts = append(parts, fmt.Sprintf("%s %d", name, (x.End-x.Start)/1000))
	}
	return strings.Join(parts, ", ")
}

// TestPath: what each start waited for last is on the path.
func TestPath(t *testing.T) {
	const c, n = trace.Compute, trace.Comm
	for _, x := range []struct {
		name    string
		device  []trace.Span // the last begins the next step
		waits   []trace.StreamWait
		calls   []Waiting
		want    string
		blocked int64 // us
	}{
		{"one after the other", []trace.Span{work(c, 7, -50, 0, 100), work(c, 7, -40, 102, 200), work(c, 7, -30, 201, 300)}, nil, nil,
			"work 7 100, handover 2, work 7 98, handover 1", 0},
		{"launched late", []trace.Span{work(c, 7, -50, 0, 100), work(c, 7, 150, 155, 200), work(c, 7, 160, 201, 300)}, nil, nil,
			"host 150, launch 5, work 7 45, handover 1", 0},
		{"waits for communication, by launch order", []trace.Span{work(c, 7, -50, 0, 100), work(n, 20, -40, 101, 400), work(c, 7, -30, 402, 500), work(c, 7, -20, 501, 600)}, nil, nil,
			"work 7 100, handover 1, work 20 299, handover 2, work 7 98, handover 1", 299},
		{"communication went on before there was anything to wait", []trace.Span{work(c, 7, -50, 0, 100), work(n, 20, -40, 20, 400), work(c, 7, -30, 402, 500), work(c, 7, -20, 501, 600)}, nil, nil,
			"launch 20, work 20 380, handover 2, work 7 98, handover 1", 300},
		{"of two streams it waits for the later", []trace.Span{work(c, 7, -50, 0, 100), work(n, 20, -41, 101, 300), work(n, 21, -40, 101, 395), work(n, 22, -39, 101, 200), work(c, 7, -30, 400, 500), work(c, 7, -20, 501, 600)}, nil, nil,
			"work 7 100, handover 1, work 21 294, handover 5, work 7 100, handover 1", 294},
		{"goes on beside communication", []trace.Span{work(c, 7, -50, 0, 100), work(n, 20, -40, 101, 400), work(c, 7, -30, 102, 500), work(c, 7, -20, 501, 600)}, nil, nil,
			"work 7 100, handover 2, work 7 398, handover 1", 0},
		{"launched after communication, which was over by chance", []trace.Span{work(c, 7, -50, 0, 100), work(n, 20, -40, 101, 400), work(c, 7, 405, 410, 500), work(c, 7, 420, 501, 600)}, nil, nil,
			"host 405, launch 5, work 7 90, handover 1", 0},
		{"communication was over when it could have started", []trace.Span{work(c, 7, -50, 0, 100), work(n, 20, -40, 20, 105), work(c, 7, -30, 130, 200), work(c, 7, -20, 201, 300)}, nil, nil,
			"work 7 100, handover 10, unexplained 20, work 7 70, handover 1", 0},
		{"by an event, though another stream was later", []trace.Span{work(c, 7, -50, 0, 100), work(n, 20, -40, 101, 300), work(c, 9, -39, 101, 395), work(c, 7, -30, 400, 500), work(c, 7, -20, 501, 600)},
			[]trace.StreamWait{{At: -32_000, Stream: 7, On: 20, Recorded: -33_000}}, nil,
			"launch 101, work 20 199, handover 10, unexplained 90, work 7 100, handover 1", 199},
		{"the host waits for the device", []trace.Span{work(c, 7, -50, 0, 100), work(c, 7, 120, 126, 200), work(c, 7, 130, 201, 300)}, nil,
			[]Waiting{{Interval: interval.Interval{Start: 10_000, End: 105_000}}}, "work 7 100, return 5, host 15, launch 6, work 7 74, handover 1", 0},
		{"the host waits for communication", []trace.Span{work(n, 20, -50, 0, 100), work(c, 7, 120, 126, 200), work(c, 7, 130, 201, 300)}, nil,
			[]Waiting{{Interval: interval.Interval{Start: 10_000, End: 105_000}}}, "work 20 100, return 5, host 15, launch 6, work 7 74, handover 1", 90},
		{"a call that waited for nothing", []trace.Span{work(c, 7, -50, 0, 100), work(c, 7, 220, 226, 300), work(c, 7, 230, 301, 400)}, nil,
			[]Waiting{{Interval: interval.Interval{Start: 150_000, End: 155_000}}}, "host 220, launch 6, work 7 74, handover 1", 0},
		{"a copy that only waits for itself", []trace.Span{work(c, 7, -50, 0, 100), work(c, 7, 120, 126, 200), work(c, 7, 130, 201, 300)}, nil,
			[]Waiting{{interval.Interval{Start: 10_000, End: 105_000}, true}}, "host 120, launch 6, work 7 74, handover 1", 0},
		{"no launches", []trace.Span{work(c, 7, trace.NoTime/1000, 0, 100), work(c, 7, trace.NoTime/1000, 150, 200), work(c, 7, trace.NoTime/1000, 201, 300)}, nil, nil,
			"work 7 100, handover 10, unexplained 40, work 7 50, handover 1", 0},
	} {
		for i := range x.device {
			if x.device[i].Launch == trace.NoTime/1000*1000 {
				x.device[i].Launch = trace.NoTime
			}
		}
		last := len(x.device) - 1
		s := NewScan(x.waits)
		s.Step(x.device, 0, last, 0, x.device[last].Start, x.calls)
		var comm, compute interval.Set
		for _, w := range x.device[:last] {
			if w.Class == trace.Comm {
				comm = comm.Add(w.Start, w.End)
			} else {
				compute = compute.Add(w.Start, w.End)
			}
		}
		if got := said(pathOf(s)); got != x.want {
			t.Errorf("%s: got %s, want %s", x.name, got, x.want)
		}
		if got := s.Blocked(comm, compute).Total() / 1000; got != x.blocked {
			t.Errorf("%s: got %d us blocked, want %d", x.name, got, x.blocked)
		}
	}
}

// randomTrace is some work on streams, launched by calls some of which wait.
func randomTrace(rng *rand.Rand) (device []trace.Span, waits []trace.StreamWait, calls []Waiting) {
	ends, host := map[int32]int64{}, int64(0)
	for range 60 + rng.IntN(60) {
		stream, class := int32(1+rng.IntN(4)), trace.Compute
		if stream == 4 {
			class = trace.Comm
		}
		host += rng.Int64N(30_000)
		if rng.IntN(8) == 0 {
			on := int32(1 + rng.IntN(4))
			waits = append(waits, trace.StreamWait{At: host, Stream: stream, On: on, Recorded: host})
			ends[stream] = max(ends[stream], ends[on])
		}
		if rng.IntN(9) == 0 {
			end := max(host, ends[int32(1+rng.IntN(4))]) + rng.Int64N(9000)
			calls = append(calls, Waiting{interval.Interval{Start: host, End: end}, rng.IntN(4) == 0})
			host = end
		}
		start := max(host, ends[stream]) + rng.Int64N(12_000)
		end := start + rng.Int64N(90_000)
		launch := host
		if rng.IntN(20) == 0 {
			launch = trace.NoTime
		}
		device = append(device, trace.Span{Start: start, End: end, Launch: launch, Stream: stream, Kind: trace.Kernel, Class: class})
		ends[stream] = end
	}
	return device, waits, calls
}

// TestPathsCover: the segments of a path follow each other, cover the step, lie in work or beside
// it as they say, and do not depend on the order in which work was recorded.
func TestPathsCover(t *testing.T) {
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 1))
		device, waits, calls := randomTrace(rng)
		if seed%2 == 0 {
			waits = nil
		}
		tr := &trace.Trace{Device: slices.Clone(device)}
		tr.Sort()
		from, to := len(tr.Device)/4, len(tr.Device)*3/4
		if tr.Device[from].Start == tr.Device[to].Start {
			continue
		}
		for from > 0 && tr.Device[from-1].Start == tr.Device[from].Start {
			from--
		}
		for tr.Device[to-1].Start == tr.Device[to].Start {
			to--
		}
		lo, hi := tr.Device[from].Start, tr.Device[to].Start
		s := NewScan(waits)
		s.Step(tr.Device, from, to, lo, hi, calls)
		path := pathOf(s)
		at := lo
		for i, x := range path {
			if x.Span != nil && x.Span.Class == trace.Comm && x.Span.Start < lo {
				x.Start = max(x.Start, lo)
			}
			if x.Start != at || x.End <= x.Start {
				t.Fatalf("seed %d: segment %d is [%d, %d), after %d", seed, i, x.Start, x.End, at)
			}
			if at = x.End; (x.Kind == Work) != (x.Span != nil) || x.Span != nil && (x.Start < x.Span.Start || x.End > x.Span.End) {
				t.Fatalf("seed %d: segment %d, [%d, %d), does not lie in its work %v", seed, i, x.Start, x.End, x.Span)
			}
		}
		if at != hi {
			t.Fatalf("seed %d: the path ends at %d, the step at %d", seed, at, hi)
		}
		rng.Shuffle(len(device), func(i, j int) { device[i], device[j] = device[j], device[i] })
		rng.Shuffle(len(waits), func(i, j int) { waits[i], waits[j] = waits[j], waits[i] })
		rng.Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
		other := &trace.Trace{Device: device}
		other.Sort()
		again := NewScan(waits)
		again.Step(other.Device, from, to, lo, hi, calls)
		if got := said(pathOf(again)); got != said(path) {
			t.Fatalf("seed %d: in another order got %s, want %s", seed, got, said(path))
		}
	}
}

// TestHostTime: the path is on the host from when the call that waited last returned until the
// launch, and then until the work starts.
func TestHostTime(t *testing.T) {
	waits := []Waiting{{Interval: interval.Interval{Start: 10_000, End: 105_000}}}
	device := []trace.Span{work(trace.Compute, 7, -50, 0, 100), work(trace.Compute, 7, 120, 126, 200), work(trace.Compute, 7, 130, 201, 300)}
	for _, c := range []struct {
		name  string
		calls []Waiting
		want  interval.Interval
	}{
		{"a call waited", waits, interval.Interval{Start: 105_000, End: 126_000}},
		{"none waited", nil, interval.Interval{Start: 0, End: 126_000}},
	} {
		s := NewScan(nil)
		s.Step(device, 0, 2, 0, 201_000, c.calls)
		pathOf(s)
		if got := s.HostTime(); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
