package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writePairs writes the traces of four ranks as PyTorch does, of 12 steps of 10 ms in which rank
// 0 sends 8 MB to rank 1, and 2 to 3. The sender waits for the receiver, which comes after so
// many ms; data then takes 1 ms. Without named, the kernels say nothing of the message.
func writePairs(t *testing.T, late float64, named bool) string {
	t.Helper()
	dir := t.TempDir()
	for rank := range 4 {
		var b strings.Builder
		fmt.Fprintf(&b, `{"schemaVersion":1,"distributedInfo":{"backend":"nccl","rank":%d,"world_size":4},"deviceProperties":[{"id":0,"name":"X"}],"baseTimeNanoseconds":1700000000000000000,"traceEvents":[`, rank)
		event := func(cat, name string, tid int, from, to float64, args string) { // ms
			fmt.Fprintf(&b, "\n"+`{"ph":"X","cat":"%s","name":"%s","pid":%d,"tid":%d,"ts":%.3f,"dur":%.3f,"args":{"x":1%s}},`, cat, name, rank, tid, from*1e3, (to-from)*1e3, args)
		}
		kernel := func(name string, id int, from, to float64, args string) {
			event("cuda_runtime", "cudaLaunchKernel", 1, from-0.3, from-0.2, fmt.Sprintf(`,"correlation":%d`, id))
			event("kernel", name, 7, from, to, fmt.Sprintf(`,"device":0,"stream":7,"correlation":%d`, id)+args)
		}
		for i := range 12 {
			at, id := 100+10*float64(i), 10*i
			event("user_annotation", fmt.Sprintf("ProfilerStep#%d", 3+i), 1, at, at+9.9, "")
			kernel("gemm", id+1, at+0.5, at+2, "")
			const all = `,"Collective name":"allreduce","In msg nelems":1000,"Out msg nelems":1000,"dtype":"Float","Group size":4,"Process Group Name":"0","Process Group Ranks":"[0, 1, 2, 3]"`
			kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", id+2, at+2+0.1*float64(rank), at+3+float64((i+rank)%3)*0.001, all)
			from, to := at+4+float64(rank/2)*2, at+5+float64(rank/2)*2+late // pairs one after the other
			args := `,"Collective name":"send","Dst Rank":%d`
			if rank%2 == 1 {
				from, args = from+late, `,"Collective name":"recv","Src Rank":%d`
			}
			args = fmt.Sprintf(args+`,"In msg nelems":2000000,"Out msg nelems":2000000,"dtype":"Float","Group size":4,"Process Group Name":"0","Process Group Ranks":"[0, 1, 2, 3]"`, rank^1)
			if !named {
				args = ""
			}
			kernel("ncclDevKernel_SendRecv(x)", id+3, from, to, args)
		}
		text := strings.TrimSuffix(b.String(), ",") + "]}"
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("rank%d.json", rank)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPairs: a report says which ranks send to each other, and for how long they wait and
// transfer, whether the program names them or only their times tell.
func TestPairs(t *testing.T) {
	for _, named := range []bool{true, false} {
		d := groupsDocument(t, writePairs(t, 0.5, named), writePairs(t, 0.8, named))
		var got []string
		for _, p := range d.Pairs {
			for _, l := range []struct {
				wait, transfer, bandwidth, algorithm float64
			}{{float64(p.Sides.Baseline.Wait), float64(p.Sides.Baseline.Transfer), float64(p.Sides.Baseline.Bandwidth), float64(p.Sides.Baseline.Algorithm)},
				{float64(p.Sides.Candidate.Wait), float64(p.Sides.Candidate.Transfer), float64(p.Sides.Candidate.Bandwidth), float64(p.Sides.Candidate.Algorithm)}} {
				got = append(got, fmt.Sprintf("%v %.0f us waiting, %.0f us transfer, %.1f and %.1f GB/s", p.Ranks, l.wait*1e6, l.transfer*1e6, l.bandwidth/1e9, l.algorithm/1e9))
			}
		}
		rate := "8.0 and 8.0 GB/s"
		if !named {
			rate = fmt.Sprintf("%.1f and %.1f GB/s", math.NaN(), math.NaN())
		}
		var want []string
		for _, pair := range []string{"[0 1]", "[2 3]"} {
			want = append(want, pair+" 250 us waiting, 1000 us transfer, "+rate, pair+" 400 us waiting, 1000 us transfer, "+rate)
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("named %v: got\n%s\nwant\n%s", named, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestPairsOfMissing: where a rank was not captured, its peer is known only if the program names
// it, nobody is matched by times, and without clocks nothing is split.
func TestPairsOfMissing(t *testing.T) {
	for _, tt := range []struct {
		named bool
		want  string
	}{{true, "[0 1] waits NaN us, [2 3] waits NaN us"}, {false, ""}} {
		base, cand := writePairs(t, 0.5, tt.named), writePairs(t, 0.8, tt.named)
		for _, dir := range []string{base, cand} {
			if err := os.Remove(filepath.Join(dir, "rank3.json")); err != nil {
				t.Fatal(err)
			}
		}
		var got []string
		for _, p := range groupsDocument(t, base, cand).Pairs {
			got = append(got, fmt.Sprintf("%v waits %.0f us", p.Ranks, float64(p.Sides.Baseline.Wait)*1e6))
		}
		if all := strings.Join(got, ", "); all != tt.want {
			t.Errorf("named %v: got %s, want %s", tt.named, all, tt.want)
		}
	}
}
