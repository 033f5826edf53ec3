package difftest

import (
	"fmt"

	"perfdiff/analyze/run"
)

// PastSet returns a saved run of n steps at a level, with a digest for each file.
func PastSet(label string, began int64, ranks int, series map[run.Key]func(int, int) float64) *run.Set {
	return Joint(label, []string{label}, began, ranks, series)
}

// Joint returns a saved set of several runs, each as pastSet makes it.
func Joint(label string, names []string, began int64, ranks int, series map[run.Key]func(int, int) float64) *run.Set {
	var jobs []Job
	for i, name := range names {
		jobs = append(jobs, Job{Name: name, Ranks: UpTo(ranks), World: ranks, Steps: 30, Series: series, Step: Steady(0.1, float64(began)+float64(i))})
	}
	s := SetOf(label, jobs...)
	for i := range s.Runs {
		for j := range s.Runs[i].Ranks {
			s.Runs[i].Ranks[j].Began = began + int64(i)
		}
	}
	for i := range s.Files {
		s.Files[i].Digest = "of " + s.Files[i].Name
	}
	s.Digest = "of " + label
	return s
}

// History returns so many saved runs, a minute apart.
func History(n, ranks int, series func(i int) map[run.Key]func(int, int) float64) []*run.Set {
	var out []*run.Set
	for i := range n {
		var of map[run.Key]func(int, int) float64
		if series != nil {
			of = series(i)
		}
		out = append(out, PastSet(fmt.Sprintf("main-%02d", i), int64(i+1)*60e9, ranks, of))
	}
	return out
}

// PastStep returns a saved run whose steps take so long, in s.
func PastStep(label string, began int64, step float64) *run.Set {
	s := SetOf(label, Job{Name: label, Ranks: UpTo(2), World: 2, Steps: 30, Step: Steady(step, float64(began%7919))})
	for j := range s.Runs[0].Ranks {
		s.Runs[0].Ranks[j].Began, s.Runs[0].Ranks[j].Host = began, "n1"
	}
	for i := range s.Files {
		s.Files[i].Digest = label + " " + s.Files[i].Name
	}
	s.Digest = "of " + label
	return s
}

// Edit changes every rank of a set.
func Edit(s *run.Set, change func(k *run.Rank)) *run.Set {
	for k := range s.EachRank() {
		change(k)
	}
	return s
}
