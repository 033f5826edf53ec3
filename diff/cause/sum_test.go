package cause

import (
	"math"
	"testing"

	"perfdiff/diff/policy"
)

func sumOf(path bool, parts ...[3]any) *Sum {
	s := &Sum{OfPath: path}
	for _, x := range parts {
		base, cand := x[1].(float64), x[2].(float64)
		s.Rows = append(s.Rows, SumRow{PartChange: PartChange{Kind: x[0].(string), Base: base, Cand: cand, Delta: cand - base}, Finding: -1})
		s.Base, s.Cand = s.Base+base, s.Cand+cand
	}
	s.Delta = s.Cand - s.Base
	return s
}

// TestSumAddsUp: the rows that are added make up the change of the step, the largest first, and parts that hardly moved
// are one row.
func TestSumAddsUp(t *testing.T) {
	s := sumOf(true, [3]any{"transfer", 2.0, 2.5}, [3]any{"compute", 25.0, 30.0}, [3]any{"memory", 2.0, 2.1}, [3]any{"input", 1.0, 0.9})
	s.Rows = append(s.Rows, SumRow{PartChange: PartChange{Kind: "wait", Base: 0, Cand: 4, Delta: 4}, Follows: true, Finding: -1})
	s.fold()
	var kinds []string
	base, cand := 0.0, 0.0
	for _, x := range s.Rows {
		if kinds = append(kinds, x.Kind); !x.Follows {
			base, cand = base+x.Base, cand+x.Cand
		}
	}
	if want := []string{"compute", "wait", Rest}; len(kinds) != len(want) || kinds[0] != want[0] || kinds[1] != want[1] || kinds[2] != want[2] {
		t.Errorf("got rows %v, want %v", kinds, want)
	}
	if math.Abs(base-s.Base) > 1e-9 || math.Abs(cand-s.Cand) > 1e-9 {
		t.Errorf("rows add up to %g and %g, the step is %g and %g", base, cand, s.Base, s.Cand)
	}
	if math.Abs(s.Other-0.5) > 1e-9 {
		t.Errorf("the largest change among the others is %g, want 0.5", s.Other)
	}
}

// TestPathExplains: the parts of a path are shown where the step's change is theirs, and not where the path took another
// way or is not known.
func TestPathExplains(t *testing.T) {
	for name, x := range map[string]struct {
		sum  *Sum
		want bool
	}{
		"a part grew":        {sumOf(true, [3]any{"compute", 25.0, 30.0}, [3]any{"unknown", 0.1, 0.1}), true},
		"over to the host":   {sumOf(true, [3]any{"compute", 25.0, 17.0}, [3]any{"host", 0.0, 12.0}), false},
		"hardly known":       {sumOf(true, [3]any{"compute", 10.0, 10.0}, [3]any{"unknown", 5.0, 9.0}), false},
		"no path":            {sumOf(true), false},
		"nothing but a part": {sumOf(true, [3]any{"compute", 5.0, 4.0}), true},
	} {
		if got := x.sum.explains(); got != x.want {
			t.Errorf("%s: got %v, want %v", name, got, x.want)
		}
	}
}

// TestBecause: the finding of the largest row is the cause where both make half of the change in its direction.
func TestBecause(t *testing.T) {
	for name, x := range map[string]struct {
		findings []Finding
		want     policy.Kind
	}{
		"all of it":     {[]Finding{{Kind: policy.KindOverlap}, {Kind: policy.KindCompute, Effect: 5}}, policy.KindCompute},
		"a late rank":   {[]Finding{{Kind: policy.KindStraggler, Effect: 5}}, policy.KindStraggler},
		"a third of it": {[]Finding{{Kind: policy.KindCompute, Effect: 1.5}}, ""},
		"the other way": {[]Finding{{Kind: policy.KindCompute, Effect: -5}}, ""},
		"another part":  {[]Finding{{Kind: policy.KindMemory, Effect: 5}}, ""},
	} {
		s := sumOf(true, [3]any{"compute", 25.0, 30.0}, [3]any{"memory", 2.0, 2.1})
		s.fold()
		s.tell(x.findings)
		got := policy.Kind("")
		if f := s.Because(x.findings); f != nil {
			got = f.Kind
		}
		if got != x.want {
			t.Errorf("%s: got %q, want %q", name, got, x.want)
		}
	}
	if f := Explains([]Finding{{Kind: policy.KindStraggler, Effect: 9}, {Kind: policy.KindIdle, Effect: 6}}, 10); f == nil || f.Kind != policy.KindIdle {
		t.Errorf("without a sum got %v, want the idle time", f)
	}
}
