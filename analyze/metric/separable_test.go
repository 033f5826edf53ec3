package metric

import (
	"math"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// kernelAt is a communication kernel of each of several ranks: its stretches in us,
// and the range that it is launched in.
type kernelAt struct {
	name    string
	from    []int64
	to      []int64
	in      string
	message trace.Message
}

// job are ranks with one step of 1 ms and the given kernels, on one host whose clock is
// known from all-reduces that end within 2 us.
func job(world int, kernels ...kernelAt) ([]run.Rank, []Communication) {
	var ranks []run.Rank
	var comms []Communication
	for rank := range kernels[0].from {
		tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice, Epoch: 1e18, Messages: &trace.Messages{}}
		add := func(name string, from, to, launch int64, m trace.Message) {
			s := trace.Span{Start: from, End: to, Launch: launch, Name: tr.Names.ID(name)}
			if m.Comm != 0 {
				m.Comm = tr.Names.ID("w")
			}
			if tr.Messages.Kernel(&s, tr.Names); s.Class == trace.Comm {
				m.Coll = tr.Messages.Coll(&s)
				s.SetMessage(tr.Messages.Add(m))
			}
			tr.Device = append(tr.Device, s)
		}
		for i := range int64(4) {
			add("ncclDevKernel_AllReduce_Sum_f32_RING_LL", 100_000*i, 100_000*i+50_000+1000*((i+int64(rank))%3), trace.NoTime, trace.Message{})
		}
		for i, k := range kernels {
			launch := 500_000 + int64(i)*50_000
			add(k.name, k.from[rank]*1000, k.to[rank]*1000, launch, k.message)
			if k.in != "" {
				tr.Ranges = append(tr.Ranges, trace.Range{Start: launch - 5000, End: launch + 5000, Name: tr.Names.ID(k.in), Thread: 1})
			}
		}
		tr.Sort()
		steps := []trace.Step{{Number: 0, Start: 0, End: 1_000_000, HostStart: 0, HostEnd: 1_000_000}}
		p := Prepare(tr, 0)
		ranks = append(ranks, run.Rank{Rank: rank, Host: "a", WorldSize: world, Steps: steps, Series: p.Measure(steps)})
		comms = append(comms, p.Communication())
	}
	return ranks, comms
}

// TestSeparable: what is split into waiting and transfer, and what is said of the rest.
func TestSeparable(t *testing.T) {
	const sendRecv, broadcast = "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", "ncclDevKernel_Broadcast_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
	pairs := kernelAt{name: sendRecv, from: []int64{500, 500, 500, 500}, to: []int64{900, 900, 510, 510}}
	none := math.NaN()
	for _, tt := range []struct {
		name   string
		kernel kernelAt
		part   string
		want   [4]float64 // us that each rank waits in it
		total  bool       // there is a total, and exposed communication is split
		says   string
	}{
		{"pairs", pairs, "SendRecv", [4]float64{none, none, none, none}, false, "point-to-point: not separable, since the peers of 4 kernels are not known"},
		{"pairs in their range", kernelAt{name: sendRecv, from: pairs.from, to: pairs.to, in: "nccl:send 0->1"}, "SendRecv", [4]float64{none, none, none, none}, false, "point-to-point: not separable"},
		{"all-to-all of PyTorch", kernelAt{name: sendRecv, from: []int64{500, 500, 500, 800}, to: []int64{900, 900, 900, 900}, in: "nccl:all_to_all"}, "SendRecv", [4]float64{300, 300, 300, 0}, true, ""},
		{"late root", kernelAt{name: broadcast, from: []int64{800, 500, 500, 500}, to: []int64{900, 900, 900, 900}}, "Broadcast", [4]float64{0, 300, 300, 300}, true, ""},
		{"root done early", kernelAt{name: broadcast, from: []int64{500, 500, 500, 500}, to: []int64{550, 900, 900, 900}}, "Broadcast", [4]float64{0, 0, 0, 0}, true, ""},
		{"nobody knows", kernelAt{name: broadcast, from: []int64{500, 500, 500, 700}, to: []int64{550, 900, 900, 950}}, "Broadcast", [4]float64{none, none, none, none}, false, "not separable: in 4 kernels of a Broadcast"},
	} {
		ranks, comms := job(4, tt.kernel)
		clocks, _ := addAllWaits(ranks, comms)
		if !strings.Contains(clocks.Inseparable, tt.says) || (tt.says == "") != (clocks.Inseparable == "") {
			t.Errorf("%s: says %q", tt.name, clocks.Inseparable)
		}
		for i := range ranks {
			value := func(metric, part string) float64 {
				if v := ranks[i].Values(run.Key{Metric: metric, Part: part}); v != nil {
					return v[0]
				}
				return math.NaN()
			}
			if got := value("comm_wait_time", tt.part) * 1e6; !(math.Abs(got-tt.want[i]) < 2) && !(math.IsNaN(got) && math.IsNaN(tt.want[i])) {
				t.Errorf("%s: rank %d waits %g us, want %g", tt.name, i, got, tt.want[i])
			}
			if got := value("comm_wait_time", "AllReduce"); math.IsNaN(got) {
				t.Errorf("%s: rank %d: all-reduces are not split", tt.name, i)
			}
			exposed := value("exposed_wait_time", "") + value("exposed_transfer_time", "")
			if tt.total && !(math.Abs(exposed-value("exposed_comm_time", "")) < 1e-12) || !tt.total && !math.IsNaN(exposed) {
				t.Errorf("%s: rank %d: exposed communication splits into %g s of %g", tt.name, i, exposed, value("exposed_comm_time", ""))
			}
			if total := value("comm_wait_time", ""); math.IsNaN(total) && (tt.total || tt.part == "SendRecv") {
				t.Errorf("%s: rank %d: no total", tt.name, i)
			}
			for _, w := range ranks[i].Waits {
				if tt.part == "Broadcast" && tt.want[i] == 0 || w.Time > 320_000 || w.For == i {
					t.Errorf("%s: rank %d waits %d ns for rank %d", tt.name, i, w.Time, w.For)
				}
			}
		}
	}
}

// TestImbalance: the sizes of an all-to-all's messages are compared.
func TestImbalance(t *testing.T) {
	ranks, comms := job(2, kernelAt{name: "ncclDevKernel_SendRecv", from: []int64{500, 500}, to: []int64{900, 600}, in: "nccl:all_to_all", message: trace.Message{Bytes: 300, Ranks: 2, Comm: 1}})
	last := len(comms[1].Spans) - 1
	comms[1].Spans[last].Bytes = 100
	addAllWaits(ranks, comms)
	for i := range ranks {
		if v := ranks[i].Values(run.Key{Metric: "message_imbalance", Part: "SendRecv"}); v == nil || math.Abs(v[0]-1.0/3) > 1e-6 {
			t.Errorf("rank %d: got %v, want a third", i, v)
		}
	}
}

// TestUnseparable: with ranks missing nothing is split, and the metrics say why.
func TestUnseparable(t *testing.T) {
	reduce := kernelAt{name: "ncclDevKernel_AllReduce_Sum_f32_RING_LL", from: []int64{500, 600, 500, 500}, to: []int64{900, 900, 900, 900}}
	for _, tt := range []struct {
		captured, world int
		want            string
	}{
		{4, 4, ""},
		{1, 4, "not separable: one rank was captured (capture all ranks to tell waiting from transfer)"},
		{1, 0, "not separable: one rank was captured (capture all ranks to tell waiting from transfer)"},
		{1, 1, "not separable: the job has one rank, which waits for nobody"},
		{3, 4, "not separable: 3 of 4 ranks were captured, and waits for ranks that were not captured look like transfer (capture all ranks to tell waiting from transfer)"},
	} {
		k := reduce
		k.from, k.to = k.from[:tt.captured], k.to[:tt.captured]
		ranks, comms := job(tt.world, k)
		set := &run.Set{Runs: []run.Run{{Ranks: ranks}}}
		for _, m := range All() {
			set.Metrics = append(set.Metrics, m.Metric)
		}
		set.Runs[0].Clocks, set.Runs[0].Communication = addAllWaits(ranks, comms)
		DescribeInseparable(set)
		if got := set.Runs[0].Clocks.Inseparable; got != tt.want {
			t.Errorf("%d of %d: got %q want %q", tt.captured, tt.world, got, tt.want)
		}
		for _, m := range set.Metrics {
			want := needsRanks.General
			if tt.want != "" {
				want += "; " + tt.want
			}
			if m.Name == "comm_wait_time" && m.Needs != want {
				t.Errorf("%d of %d: needs %q, want %q", tt.captured, tt.world, m.Needs, want)
			}
		}
	}
}

// TestUnsplitStep: a step of which no kernel could be split has no wait, a step without a
// kernel waits for nobody.
func TestUnsplitStep(t *testing.T) {
	for name, tt := range map[string]struct {
		step stepSplit
		want float64
	}{
		"no collective":       {stepSplit{}, 0},
		"point-to-point only": {stepSplit{unsplit: map[string]bool{sendRecv: true}}, math.NaN()},
		"a collective as well": {stepSplit{unsplit: map[string]bool{sendRecv: true}, kernels: 1,
			kinds: []kindSplit{{"AllReduce", 3e6, 1e6}}}, 3e-3},
		"a collective left open": {stepSplit{unsplit: map[string]bool{"Broadcast": true}, kernels: 1,
			kinds: []kindSplit{{"AllReduce", 3e6, 1e6}}}, math.NaN()},
	} {
		series := seriesBuilder{n: 1}
		tt.step.put(&series, 0, false)
		got := math.NaN()
		if at, ok := series.places[seriesKey{Key: run.Key{Metric: "comm_wait_time"}}]; ok {
			got = series.values[at][0]
		}
		if got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
			t.Errorf("%s: waits %g s, want %g", name, got, tt.want)
		}
	}
}
