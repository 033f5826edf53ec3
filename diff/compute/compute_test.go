package compute

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"perfdiff/analyze/source/ncu"
	"perfdiff/analyze/synth/ncutest"
	"perfdiff/diff/policy"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// setOf are recordings as one side, each a file.
func setOf(t *testing.T, recordings ...ncutest.Recording) *ncu.Set {
	t.Helper()
	dir := t.TempDir()
	for i := range recordings {
		if err := os.WriteFile(filepath.Join(dir, string(rune('a'+i))+".csv"), []byte(recordings[i].Text()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	set, err := ncu.Load(context.Background(), dir, ncu.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func seeded(n int, change func(*ncutest.Recording)) ncutest.Recording {
	r := ncutest.Usual()
	r.Seed = n
	if change != nil {
		change(&r)
	}
	return r
}

// TestCauses: factors add up to the change of the time, in whichever direction it goes.
func TestCauses(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*ncutest.Kernel)
		first  CauseKind
		stall  string
	}{
		{"stall up", func(k *ncutest.Kernel) { k.Stalls["barrier"] = 6 }, CauseStall, "barrier"},
		{"stall down", func(k *ncutest.Kernel) { k.Stalls["long_scoreboard"] = 1 }, CauseStall, "long_scoreboard"},
		{"one up, another down", func(k *ncutest.Kernel) { k.Stalls["barrier"], k.Stalls["wait"] = 6, 0.5 }, CauseStall, "barrier"},
		{"stall and occupancy", func(k *ncutest.Kernel) { k.Stalls["barrier"] *= 1.2; k.Warps *= 0.5 }, CauseWarps, ""},
		{"new stall", func(k *ncutest.Kernel) { k.Stalls["membar"] = 5 }, CauseStall, "membar"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := Compare(setOf(t, seeded(0, nil)), setOf(t, seeded(1, func(r *ncutest.Recording) { tt.change(&r.Kernels[0]) })), policy.DefaultPolicy())
			k := &r.Kernels[0]
			first := k.FirstCause()
			if first == nil || first.Kind != tt.first || first.Stall != tt.stall || math.Abs(k.Unexplained) > 0.05 {
				t.Fatalf("got %+v of %+v, open %v", first, k.Causes, k.Unexplained)
			}
			sum := k.Unexplained
			for _, c := range k.Causes {
				sum += c.Share
			}
			if math.Abs(sum-1) > 0.1*float64(5) || tt.name != "stall and occupancy" && math.Abs(sum-1) > 0.06 {
				t.Errorf("the factors add up to %v", sum)
			}
			for _, other := range r.Kernels[1:] {
				if other.Causes != nil {
					t.Errorf("%s did not change: %+v", other.Name, other.Causes)
				}
			}
		})
	}
}

// TestVerdicts: verdicts need enough launches, hold for all kernels together, and come from repeats of
// recordings where there are some. Order of files changes nothing.
func TestVerdicts(t *testing.T) {
	slower := func(by float64) func(*ncutest.Recording) {
		return func(r *ncutest.Recording) { r.Kernels[2].Instructions *= by }
	}
	few := func(n int) func(*ncutest.Recording) {
		return func(r *ncutest.Recording) {
			slower(1.5)(r)
			for i := range r.Kernels {
				r.Kernels[i].Launches = n
			}
		}
	}
	p := policy.DefaultPolicy()
	for _, tt := range []struct {
		name       string
		base, cand *ncu.Set
		want       verdict.Verdict
		reason     Reason
		state      State
	}{
		{"+10 %", setOf(t, seeded(0, nil)), setOf(t, seeded(1, slower(1.10))), verdict.Regressed, Decided, Failed},
		{"-10 %", setOf(t, seeded(0, nil)), setOf(t, seeded(1, slower(0.90))), verdict.Improved, Decided, Passed},
		{"+3 %, one recording each", setOf(t, seeded(0, nil)), setOf(t, seeded(1, slower(1.03))), verdict.Inconclusive, WithinNoise, NotJudged},
		{"+6 %, three recordings each", setOf(t, seeded(0, nil), seeded(2, nil), seeded(3, nil)), setOf(t, seeded(1, slower(1.06)), seeded(4, slower(1.06)), seeded(5, slower(1.06))), verdict.Regressed, Decided, Failed},
		{"four launches", setOf(t, seeded(0, few(4))), setOf(t, seeded(1, few(4))), verdict.Inconclusive, FewLaunches, NotJudged},
		{"one launch", setOf(t, seeded(0, few(1))), setOf(t, seeded(1, few(1))), verdict.Inconclusive, FewLaunches, NotJudged},
	} {
		r := Compare(tt.base, tt.cand, p)
		i := slices.IndexFunc(r.Kernels, func(k Kernel) bool { return k.Name == "layer_norm" })
		if c := r.Kernels[i].Time; c.Verdict != tt.want || c.Reason != tt.reason || r.State != tt.state {
			t.Errorf("%s: got %s (%s), %s, %+v, want %s (%s), %s", tt.name, c.Verdict, c.Reason, r.State, c, tt.want, tt.reason, tt.state)
		}
	}
	a, b := ncutest.Usual(), seeded(1, slower(1.2))
	if x, y := Compare(setOf(t, a), setOf(t, b, a), p), Compare(setOf(t, a), setOf(t, b, a), p); !reflect.DeepEqual(flatten(x), flatten(y)) {
		t.Error("two comparisons of the same differ")
	}
}

// flatten is what can be compared of a report: NaN differs from itself.
func flatten(r *Report) (out []string) {
	for _, k := range r.Kernels {
		out = append(out, k.Name, k.Time.Verdict.String(), string(k.Time.Reason))
	}
	return out
}

// TestNoChange: two recordings without a change are not called changed, by whatever noise.
func TestNoChange(t *testing.T) {
	for seed := range 20 {
		r := Compare(setOf(t, seeded(seed, nil)), setOf(t, seeded(seed+50, nil)), policy.DefaultPolicy())
		if r.State != Passed {
			t.Errorf("seed %d: got %s", seed, r.State)
		}
	}
}

// TestMismatch: what cannot be converted is not compared, and is named.
func TestMismatch(t *testing.T) {
	base, cand := setOf(t, seeded(0, nil)), setOf(t, seeded(1, nil))
	for i, k := range cand.Keys {
		if k.Name == "lts__t_sectors_op_read.sum" {
			cand.Keys[i].Unit = "B"
		}
	}
	r := Compare(base, cand, policy.DefaultPolicy())
	if len(r.NotCompared) != 1 || r.NotCompared[0].Units != [2]string{"sector", "B"} {
		t.Errorf("got %+v", r.NotCompared)
	}
	for _, k := range r.Kernels {
		if slices.ContainsFunc(k.Others, func(m Measure) bool { return m.Name == "lts__t_sectors_op_read.sum" }) {
			t.Errorf("%s: it is compared", k.Name)
		}
	}
}

// TestFind: a kernel of a timeline is found by its canonical name, or by its function where the
// recording holds no more, and never by that of another instance.
func TestFind(t *testing.T) {
	r := &Report{Kernels: []Kernel{{Name: "ns::gemm<float, 64>"}, {Name: "norm"}}}
	for name, want := range map[string]int{"ns::gemm<float, 64>": 0, "ns::gemm<half, 64>": -1, "norm<float>": 1, "norm": 1, "other": -1} {
		if got := r.Find(name); got != want {
			t.Errorf("%s: got %d, want %d", name, got, want)
		}
	}
}

// TestManyCompared: a change that is sure by itself is none where it may be chance among so many kernels.
func TestManyCompared(t *testing.T) {
	p := policy.DefaultPolicy()
	e := stat.Effect{Estimate: math.Log1p(0.2), SE: 0.01, DF: 100, NA: 1, NB: 1}
	for q, want := range map[float64]Reason{p.Alpha: Decided, p.Alpha + 0.01: ManyCompared, 0.9: ManyCompared} {
		var c Change
		if c.decide(&e, q, p); c.Reason != want || (c.Verdict == verdict.Regressed) != (want == Decided) {
			t.Errorf("q %g: got %s (%s), want %s", q, c.Verdict, c.Reason, want)
		}
	}
}

// TestFirstCause: what is named first goes the way of the time, and issuing is no stall.
func TestFirstCause(t *testing.T) {
	for _, c := range []struct {
		causes []Cause
		want   int
	}{
		{[]Cause{{Stall: "selected", Share: 0.5}, {Stall: "barrier", Share: 0.2}}, 1},
		{[]Cause{{Stall: "wait", Share: -0.1}, {Share: 0.3}}, 1},
		{[]Cause{{Stall: "selected", Share: 0.5}, {Stall: "wait", Share: -0.1}}, -1},
		{nil, -1},
	} {
		k := Kernel{Causes: c.causes}
		var want *Cause
		if c.want >= 0 {
			want = &k.Causes[c.want]
		}
		if got := k.FirstCause(); got != want {
			t.Errorf("%+v: got %+v, want %+v", c.causes, got, want)
		}
	}
}

// TestDiffers: one difference of a kind is enough, wherever it stands, and another kind is none.
func TestDiffers(t *testing.T) {
	r := &Report{Differences: []Difference{{Why: OtherCacheSetting}, {Why: OtherReplay}}}
	for why, want := range map[policy.Effect]bool{OtherCacheSetting: true, OtherReplay: true, OtherClockSetting: false} {
		if got := r.differs(why); got != want {
			t.Errorf("%v: got %v, want %v", why, got, want)
		}
	}
	if (&Report{}).differs(OtherReplay) {
		t.Error("no difference is one")
	}
}
