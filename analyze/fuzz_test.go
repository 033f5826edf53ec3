package analyze

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/golden"
)

// FuzzLoad measures a trace with kernels, calls, ranges and collectives at any
// times: nothing overflows, and the parts of each step add up to it.
func FuzzLoad(f *testing.F) {
	f.Add(int64(0), int64(10), int64(20), int64(500), int64(30), "ProfilerStep#7")
	f.Add(int64(1)<<52, int64(-1)<<51, int64(1)<<50, int64(604_800_000_000), int64(-1), "step 99999999999999")
	f.Add(int64(-1)<<51, int64(1)<<52, int64(0), int64(0), int64(0), "iteration 3")
	f.Fuzz(func(t *testing.T, a, b, c, long, shift int64, name string) {
		list := strings.TrimSuffix(strings.TrimPrefix(profile(0, 5, 4), "{"), "]}")
		var extra strings.Builder
		for i, ts := range []int64{a, b, c, a + shift, b + shift} {
			fmt.Fprintf(&extra, `,{"ph":"X","cat":"user_annotation","name":%q,"pid":1,"tid":1,"ts":%d,"dur":%d}`, name, ts, long)
			fmt.Fprintf(&extra, `,{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":%d,"dur":2,"args":{"correlation":%d}}`, ts-3, 100+i)
			fmt.Fprintf(&extra, `,{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce_Sum","pid":0,"tid":9,"ts":%d,"dur":%d,"args":{"correlation":%d,"device":0,"stream":9}}`, ts, long/2, 100+i)
		}
		path := filepath.Join(t.TempDir(), "a.json")
		if err := os.WriteFile(path, []byte("{"+list+extra.String()+"]}"), 0o600); err != nil {
			t.Fatal(err)
		}
		set, err := Load(context.Background(), path, Options{Jobs: 1})
		if err != nil {
			return
		}
		for _, r := range set.Runs[0].Ranks {
			checkParts(t, &r)
		}
	})
}

// checkParts checks that steps and their parts are of a length that can be.
func checkParts(t testing.TB, r *run.Rank) {
	t.Helper()
	addsUp(t, r)
	for _, m := range metric.All() {
		values := r.Values(run.Key{Metric: m.Metric.Name})
		if values != nil && len(values) != len(r.Steps) {
			t.Errorf("%s: %d values of %d steps", m.Metric.Name, len(values), len(r.Steps))
		}
		for _, v := range values {
			if m.Metric.Unit == "s" && v < 0 || m.Metric.Unit == "ratio" && (v < 0 || v > 1+1e-9) {
				t.Errorf("%s: got %v", m.Metric.Name, v)
			}
		}
	}
}

// addsUp holds a rank to the laws of the breakdown: compute, exposed
// communication, exposed memory and idle time are the step, families are compute,
// and causes and bounds of gaps are idle time, all to the nanosecond.
func addsUp(t testing.TB, r *run.Rank) {
	t.Helper()
	ns := func(metric, part string, i int) int64 {
		if v := r.Values(run.Key{Metric: metric, Part: part}); v != nil && !math.IsNaN(v[i]) {
			return int64(math.Round(v[i] * 1e9))
		}
		return 0
	}
	parts := map[string][]string{}
	for _, s := range r.Series {
		if s.Part != "" {
			parts[s.Metric] = append(parts[s.Metric], s.Part)
		}
	}
	for i, v := range r.Values(run.Key{Metric: "idle_time"}) {
		if math.IsNaN(v) || v > 1e5 { // beyond days a float64 of seconds holds no nanoseconds
			continue
		}
		for of, whole := range map[string]string{"compute_time": "compute_time", "idle_time": "idle_time", "gap_bound_time": "idle_time"} {
			if len(parts[of]) == 0 && len(r.Lost) > 0 {
				continue // what they are made of was lost, and they are not recorded
			}
			sum := int64(0)
			for _, p := range parts[of] {
				sum += ns(of, p, i)
			}
			if want := ns(whole, "", i); sum != want && want < 1e13 {
				t.Errorf("step %d: the parts of %s add up to %d ns, want %s, %d", r.Steps[i].Number, of, sum, whole, want)
			}
		}
		step := ns("compute_time", "", i) + ns("exposed_comm_time", "", i) + ns("exposed_memory_time", "", i) + ns("idle_time", "", i)
		if want := ns("step_time", "", i); step != want && want < 1e13 && len(r.Lost) == 0 {
			t.Errorf("step %d: the parts add up to %d ns, want %d", r.Steps[i].Number, step, want)
		}
	}
}

// TestAddsUp: the laws of the breakdown hold for every real profile.
func TestAddsUp(t *testing.T) {
	profiles, steps := golden.RealFiles(t, "*/*"), 0
	for _, path := range append(profiles, golden.RealFiles(t, "*/*/*")...) {
		set, err := Load(context.Background(), path, Options{Jobs: 1})
		if err != nil {
			continue // not a profile
		}
		for _, r := range set.Runs[0].Ranks {
			addsUp(t, &r)
			steps += len(r.Steps)
		}
	}
	if steps < 50 {
		t.Errorf("got %d steps", steps)
	}
}

// FuzzMachineMemory reads any text for what the system tells.
func FuzzMachineMemory(f *testing.F) {
	f.Add("MemTotal: 5 kB\n", "0::/a/b\n", "max\n")
	f.Add("MemTotal: -5 kB\n", "4:memory:/../..\n0:::\n", "-1")
	f.Fuzz(func(t *testing.T, info, group, limit string) {
		root := fstest.MapFS{"proc/meminfo": {Data: []byte(info)}, "proc/self/cgroup": {Data: []byte(group)},
			"sys/fs/cgroup/memory.max": {Data: []byte(limit)}, "sys/fs/cgroup/memory/memory.limit_in_bytes": {Data: []byte(limit)}}
		if got := memoryIn(root); got <= 0 {
			t.Errorf("got %d", got)
		}
	})
}
