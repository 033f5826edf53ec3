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

// TestDirectByName: large aligned requests are called direct where a range of that side alone says so.
func TestDirectByName(t *testing.T) {
	for _, tt := range []struct{ base, cand, want string }{
		{"read", "read", ""}, {"read", "numpy reader (use_o_direct=True)", "numpy reader (use_o_direct=True)"}, {"read", "use_o_direct=False", ""},
		{"O_DIRECT reader", "O_DIRECT reader", ""}, {"read", "read, no O_DIRECT", ""}, {"O_DIRECT reader", "read", ""}, {"read", "to_direct", ""},
	} {
		set := func(name, of string, share float64) *run.Set {
			s := difftest.SetOf(name, difftest.Job{Ranks: difftest.UpTo(2), Steps: 20, Step: difftest.Constant(0.1)})
			for i := range s.Runs[0].Ranks {
				k := &s.Runs[0].Ranks[i]
				k.Stats = append(k.Stats, run.Stat{Table: run.RangeTable, Name: of, Count: 100, Total: 1e9})
				k.Series = append(k.Series, run.Series{Key: run.Key{Metric: run.IOLargeReadShare}, Values: make([]float64, len(k.Steps))})
				for j := range k.Steps {
					k.Series[len(k.Series)-1].Values[j] = share
				}
			}
			s.Metrics = append(s.Metrics, run.Metric{Name: run.IOLargeReadShare, Unit: "ratio"})
			return s
		}
		r := difftest.Compare(set("a", tt.base, 0), set("b", tt.cand, 1))
		if len(r.Suspects) != 1 || r.Suspects[0].Kind != cause.SuspectDirect || r.Suspects[0].Names[1] != tt.want {
			t.Errorf("%s, %s: got %+v, want %q", tt.base, tt.cand, r.Suspects, tt.want)
		}
	}
}
