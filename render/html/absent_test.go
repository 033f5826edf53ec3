package html

import (
	"regexp"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/diff/sides"
)

var sectionBlock = regexp.MustCompile(`(?s)<section id="([^"]*)".*?</section>`)

// sectionsOf are the sections of a page by id.
func sectionsOf(page string) map[string]string {
	out := map[string]string{}
	for _, m := range sectionBlock.FindAllStringSubmatch(page, -1) {
		out[m[1]] = m[0]
	}
	return out
}

// TestAbsentHasItsPlace: where reads, network, samples of the device and its memory were not recorded, one line says so
// at their addresses, with the options of the profiler in use; the choice of distributions offers what there is, and
// says what there is not.
func TestAbsentHasItsPlace(t *testing.T) {
	for _, tt := range []struct {
		name      string
		profilers sides.Profilers
		want      []string
	}{
		{"Nsight Systems", sides.Profilers{trace.NsightSystems}, []string{`id="network"`, `id="levels"`,
			"Not on both sides: bytes read, device memory, network ports, clocks, power and units of the GPU. One command records all of it: <code>nsys profile --trace=cuda,nvtx,osrt --osrt-file-access=true --cuda-memory-usage=true --nic-metrics=true --gpu-metrics-devices=cuda-visible</code>."}},
		{"PyTorch", sides.Profilers{trace.PyTorchProfiler}, []string{"Record device memory with <code>profile_memory=True</code>", "it cannot record the rest. Nsight Systems records all of it: <code>nsys profile "}},
		{"rocprofv3", sides.Profilers{trace.Rocprof}, []string{"Record device memory with <code>--runtime-trace</code>; it cannot record the rest."}},
	} {
		r := jobReport(2, 6)
		r.Profilers, r.Parts = tt.profilers, nil
		for _, list := range [][]diff.RankActivity{r.Activity.Base, r.Activity.Cand} {
			for i := range list {
				list[i].Read, list[i].Receive, list[i].Send, list[i].ReadSource, list[i].NetSource = nil, nil, nil, "", ""
			}
		}
		for i := range r.Ranks {
			for _, s := range []*diff.RankSide{&r.Ranks[i].Base, &r.Ranks[i].Cand} {
				delete(s.Values, "io_read_throughput")
				delete(s.Values, "overlap")
				delete(s.Values, "collective_duration/AllReduce")
			}
		}
		sections := sectionsOf(written(t, r))
		for _, want := range tt.want {
			if !strings.Contains(sections["not-recorded"], want) {
				t.Errorf("%s: got %s, want %q in it", tt.name, sections["not-recorded"], want)
			}
		}
		for _, want := range []string{"Not recorded on both sides: I/O throughput, NCCL duration, Overlap."} {
			if !strings.Contains(sections["metrics"], want) {
				t.Errorf("%s: the distributions do not say %q", tt.name, want)
			}
		}
		if offered := regexp.MustCompile(`name="view" value="([^"]*)"`).FindAllStringSubmatch(sections["metrics"], -1); len(offered) != 2 {
			t.Errorf("%s: the choice offers %v, want step time and gap time", tt.name, offered)
		}
	}
}

// TestReadsOfNodes: each node has a row with the sum of its ranks, and one that a side alone has
// no value on the other.
func TestReadsOfNodes(t *testing.T) {
	r := jobReport(16, 6)
	for i := range r.Activity.Cand {
		r.Activity.Cand[i].Read = []float32{1e9, 3e9}
		if r.Activity.Cand[i].Rank >= 8 {
			r.Activity.Cand[i].Read = nil
		}
	}
	s := &sheet{r: r}
	got := s.nodeReads()
	if len(got.Rows) != 2 {
		t.Fatalf("got %d rows, want one for each of 2 nodes", len(got.Rows))
	}
	text := func(i, k int) string { return strings.Trim(got.Rows[i].Cells[k].Text, "\u2007\u2008") }
	if text(0, 0) != "node0" || text(0, 2) != "16.0" || text(1, 2) != "\u2013" || text(1, 3) != "\u2013" || text(1, 1) == "\u2013" {
		t.Errorf("got %+v", got.Rows)
	}
}

// TestNetworkOfOneSide: ports that one side alone sampled are drawn, and the other side is told
// what would sample them.
func TestNetworkOfOneSide(t *testing.T) {
	r := jobReport(8, 6)
	r.Profilers = sides.Profilers{trace.NsightSystems}
	for i := range r.Activity.Cand {
		r.Activity.Cand[i].Receive, r.Activity.Cand[i].Send = nil, nil
	}
	got := sectionsOf(written(t, r))["network"]
	for _, want := range []string{"Recorded in the baseline alone.", `id="c-net-b"`, "--nic-metrics=true"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, want %q in it", got, want)
		}
	}
}
