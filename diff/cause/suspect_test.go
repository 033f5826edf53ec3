package cause_test

import (
	"fmt"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
)

// TestReadCallReplaced: another function that reads is told where either side hardly uses the
// other's, and not where a side did not record any, uses both, or keeps too few names to say so.
func TestReadCallReplaced(t *testing.T) {
	many := make([]string, 0, run.MaxStats)
	for i := range run.MaxStats {
		many = append(many, fmt.Sprintf("write%d", i))
	}
	for _, tt := range []struct {
		name       string
		base, cand []string // functions, each called 100 times in 20 steps
		told       bool
	}{
		{"replaced", []string{"read", "poll"}, []string{"pread64", "poll"}, true},
		{"the same", []string{"read"}, []string{"read"}, false},
		{"not recorded in the candidate", []string{"read"}, nil, false},
		{"nothing that reads in the candidate", []string{"read"}, []string{"poll"}, false},
		{"both in the candidate", []string{"read"}, []string{"pread64", "read"}, false},
		{"the table is full", append([]string{"read"}, many...), []string{"pread64"}, false},
	} {
		set := func(name string, calls []string) *run.Set {
			s := difftest.SetOf(name, difftest.Job{Ranks: difftest.UpTo(2), Steps: 20, Step: difftest.Constant(0.1)})
			for i := range s.Runs[0].Ranks {
				for _, c := range calls {
					k := &s.Runs[0].Ranks[i]
					k.Stats = append(k.Stats, run.Stat{Table: run.OSTable, Name: c, Count: 100, Total: 1e9})
				}
			}
			return s
		}
		r := difftest.Compare(set("a", tt.base), set("b", tt.cand))
		if told := len(r.Suspects) == 1 && r.Suspects[0].Kind == cause.SuspectReadCall; told != tt.told || !told && len(r.Suspects) > 0 {
			t.Errorf("%s: got %+v", tt.name, r.Suspects)
		}
		if tt.told {
			if got := r.Suspects[0]; got.Names != [2]string{"read", "pread64"} || got.Values[1] < 5 || got.Times[1] < 0.05 {
				t.Errorf("%s: got %+v", tt.name, got)
			}
		}
	}
}
