package diff

import (
	"fmt"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
)

// lateIn is a report of four ranks, of which rank 3 takes longer by so many ms in each step of the
// candidate, and rank 0 waits longest.
func lateIn(by ...float64) (*Report, *views) {
	r, v := &Report{}, &views{typical: [2]int{0, 0}}
	of := func(rank, step int, more float64) (float64, float64) {
		own := 0.100 + 0.001*float64(rank)
		if rank == 3 {
			own += more / 1000
		}
		return own, 0.020 - 0.002*float64(rank)
	}
	for rank := range 4 {
		var sides [2]RankSide
		for side := range sides {
			k := RankSide{Values: map[string][]float64{}}
			for step, more := range by {
				own, wait := of(rank, step, more*float64(side))
				k.Steps = append(k.Steps, int64(10+step))
				k.Values[run.StepTime] = append(k.Values[run.StepTime], own+wait)
				k.Values[run.ExposedWaitTime] = append(k.Values[run.ExposedWaitTime], wait)
			}
			sides[side] = k
		}
		r.Ranks = append(r.Ranks, RankRow{Rank: rank, Base: sides[0], Cand: sides[1]})
		r.RankWaits[1] = append(r.RankWaits[1], cause.RankWait{Rank: rank, WaitsFor: map[int]float64{3: 0.01}})
	}
	for side := range v.all {
		for step := range by {
			e := Excerpt{Excerpt: run.Excerpt{Step: int64(10 + step)}, Used: step != 4}
			for rank := range 4 {
				e.Ranks = append(e.Ranks, run.Strip{Rank: rank, Length: 100})
			}
			v.all[side] = append(v.all[side], e)
		}
	}
	return r, v
}

// TestCulprits: a rank that a finding names is shown where it is late: in the typical step, unless
// it is much further behind in another one that is compared; above one that takes as long as most
// and the one that waits longest.
func TestCulprits(t *testing.T) {
	both := &cause.LateChange{Base: &cause.Late{}}
	for _, tt := range []struct {
		name string
		by   []float64
		late *cause.LateChange
		lack [2]bool // rank 3 in the typical step of a side
		want string
	}{
		{"late in all steps", []float64{30, 31, 45, 30, 30}, nil, [2]bool{}, "candidate [0 0] 3 [1 0]"},
		{"in one step only", []float64{0, 0, 30, 0, 90}, nil, [2]bool{}, "candidate [2 2] 3 [1 0]"},
		{"in none", []float64{-20, -20}, nil, [2]bool{}, "candidate [0 0] 3 [1 0]"},
		{"in the baseline alone", []float64{0, 0, 30, 0, 0}, both, [2]bool{}, "baseline [0 0] 3 [1 0]"},
		{"not in the typical step", []float64{30, 20, 10, 0, 0}, nil, [2]bool{false, true}, "candidate [1 1] 3 [1 0]"},
		{"nowhere in the candidate", []float64{30}, nil, [2]bool{false, true}, "baseline [0 0] 3 [1 0]"},
		{"nowhere", []float64{30}, nil, [2]bool{true, true}, ""},
	} {
		r, v := lateIn(tt.by...)
		for side, lack := range tt.lack {
			if lack {
				v.all[side][0].Ranks = v.all[side][0].Ranks[:3]
			}
		}
		v.ranks, v.waits = r.Ranks, [2][]cause.RankWait{r.RankWaits[1], r.RankWaits[1]}
		v.addCulprits([]cause.Finding{{Ranks: []int{3}, Late: tt.late}, {Ranks: []int{3, 9}}})
		got := ""
		for _, x := range v.list {
			got += fmt.Sprint(x.Side, " ", x.Step, " ", x.Rank, " ", x.Beside)
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestSpikesOf: spikes are those of which findings speak, in the run that is shown; in short runs
// those of the steps.
func TestSpikesOf(t *testing.T) {
	var steps []cause.StepPoint
	for i := range 15 {
		p := cause.StepPoint{Number: int64(i)}
		if p.Base.Median, p.Cand.Median = 0.1, 0.1; i == 9 {
			p.Cand.Median = 0.2
		}
		steps = append(steps, p)
	}
	list := []Excerpt{{Run: "b"}}
	runs := []cause.Stability{{Run: "a", Spikes: []int64{1}}, {Run: "b", Spikes: []int64{3, 5}}}
	for _, tt := range []struct {
		side int
		runs []cause.Stability
		want string
	}{{1, runs, "[3 5]"}, {1, runs[:1], "[9]"}, {0, nil, "[]"}} {
		if got := fmt.Sprint(spikesOf(tt.side, list, tt.runs, steps)); got != tt.want {
			t.Errorf("side %d, %d runs: got %s, want %s", tt.side, len(tt.runs), got, tt.want)
		}
	}
}
