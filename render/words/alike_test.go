package words

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// inSentences are what is known of how the sides fit together and what they lack, one of each
// kind, with the sentences that are made of it.
func inSentences() map[string]func() (v any, text func() string) {
	out := map[string]func() (any, func() string){}
	for _, kind := range []sides.DoubtKind{sides.DoubtAsRead, sides.DoubtSameRun, sides.DoubtSameFiles, sides.DoubtSameRecording, sides.DoubtOtherRanks, sides.DoubtRankSources,
		sides.DoubtTimeUnit, sides.DoubtRankTimes} {
		out["doubt "+string(kind)] = func() (any, func() string) {
			d := &sides.Doubt{Kind: kind, Side: "baseline", Read: run.Doubt{About: run.DoubtRuns, Text: "a", Hint: "b"}, Runs: [2]string{"r", "s"}, Files: 2, Of: 3,
				Ranks: [2][]int{{1}, {4}}, From: [2][]string{{"names"}, {"order"}},
				Count: 2, Factor: 1000, Each: [2]float64{.01, .02}}
			return d, func() string { return doubtOfSide(d) + doubtHint(d) }
		}
	}
	for _, kind := range []sides.SizesKind{sides.SizesSaid, sides.SizesBeyondBase, sides.SizesBeyondCand, sides.SizesCaptured} {
		out["sizes "+string(kind)] = func() (any, func() string) {
			s := &sides.Sizes{Kind: kind, Base: 8, Cand: 16}
			return s, func() string { return sizes(*s) }
		}
	}
	for _, kind := range []sides.UnitKind{sides.UnitMarkers, sides.UnitUnmarked, sides.UnitOff, sides.UnitLaunches, sides.UnitPasses} {
		out["unit "+string(kind)] = func() (any, func() string) {
			u := &sides.OtherUnit{Kind: kind, Side: "baseline", Markers: [2][]string{{"m"}, {"n"}}, Each: [2]float64{.1, .2}, Count: 5, Of: 6, Factor: 2, Kernel: "k", Launched: [2]float64{1, 2}}
			return u, func() string { return otherUnit(u) + sameUnit(u) }
		}
	}
	for _, kind := range []cause.SilenceKind{cause.SilentSize, cause.SilentContext} {
		out["silence "+string(kind)] = func() (any, func() string) {
			s := &cause.Silence{Kind: kind, Class: "decode"}
			return s, func() string { return silent(s) }
		}
	}
	for _, kind := range []verdict.NeedKind{verdict.NeedRecord, verdict.NeedLost, verdict.NeedDevices, verdict.NeedHeld} {
		out["need "+string(kind)] = func() (any, func() string) {
			n := &verdict.Need{Kind: kind, What: "kernels", Lost: sides.Loss{Why: "all kernels (export again)", In: "a", More: 2}}
			return n, func() string { return Need(*n) }
		}
	}
	out["copies"] = func() (any, func() string) {
		c := &sides.Copies{Side: "baseline", Of: "a", Runs: []string{"b", "c"}}
		return c, func() string { return countOnce(c) + copiesLeft([]sides.Copies{*c}) }
	}
	return out
}

// TestAlikeIsSaid: each kind of what is known of how the sides fit together has a sentence of
// its own, and each field is in one.
func TestAlikeIsSaid(t *testing.T) {
	told, seen := map[string]bool{}, map[string]string{}
	for name, of := range inSentences() {
		v, text := of()
		was := text()
		if other := seen[was]; was == "" || other != "" || strings.Contains(was, "%!") {
			t.Errorf("%s: got %q, which is that of %q, too", name, was, other)
		}
		seen[was] = name
		eachField(reflect.ValueOf(v).Elem(), strings.Fields(name)[0], func(path string, f reflect.Value) {
			old := reflect.ValueOf(f.Interface())
			switch f.Kind() {
			case reflect.String:
				f.SetString("another")
			case reflect.Int:
				f.SetInt(77)
			case reflect.Float64:
				f.SetFloat(3)
			case reflect.Bool:
				f.SetBool(!f.Bool())
			}
			told[path] = told[path] || text() != was
			f.Set(old)
		})
	}
	for path, is := range told {
		if is == (path == "doubt.Read.About") { // which the headline says
			t.Errorf("%s: said %v", path, is)
		}
	}
}

func eachField(v reflect.Value, path string, f func(string, reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			eachField(v.Field(i), path+"."+v.Type().Field(i).Name, f)
		}
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			eachField(v.Index(i), path, f)
		}
	default:
		f(path, v)
	}
}

// TestForced: what is compared all the same says in what the sides differ.
func TestForced(t *testing.T) {
	ranks, markers := sides.Doubt{Kind: sides.DoubtOtherRanks, Ranks: [2][]int{{0, 1}, {2, 3}}}, sides.OtherUnit{Kind: sides.UnitOff, Side: "candidate"}
	for _, tt := range []struct {
		in   sides.Forced
		want string
	}{
		{sides.Forced{NoLikeLoad: true}, "no engine step of one side is like one of the other"},
		{sides.Forced{Sizes: sides.Sizes{Kind: sides.SizesSaid, Base: 1, Cand: 2}}, "the baseline's job has 1 rank, the candidate's 2 ranks"},
		{sides.Forced{Unit: &markers}, "the profiler was off between the steps of the candidate, which end with their own work, " +
			"and those of the baseline last until the next one"},
		{sides.Forced{Doubt: &ranks}, "the baseline holds ranks 0-1 of the job and the candidate ranks 2-3"},
	} {
		if got := forced(&tt.in); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestLongMarkers: a sentence takes the start and the end of a long marker, and the step's
// length only where it is known.
func TestLongMarkers(t *testing.T) {
	long := strings.Repeat("ab", 40)
	u := sides.OtherUnit{Kind: sides.UnitMarkers, Markers: [2][]string{{long}, {"m", "n"}}, Each: [2]float64{.1, math.NaN()}}
	want := "steps were found by " + long[:30] + "\u2026" + long[50:] + " (100" + number.Space + "ms each) in the baseline and by m and n in the candidate, and no marker is on both sides"
	if got := otherUnit(&u); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestBeside: where something was compared, what a reader has to know stands behind the
// numbers, and where nothing was the reason stands in their place.
func TestBeside(t *testing.T) {
	r := &diff.Report{Loads: []sides.LoadGroup{{Base: sides.LoadSide{Compared: 3}, Cand: sides.LoadSide{Compared: 3}}}}
	r.Headline.Of = medianStep(verdict.ReasonNoise)
	r.Headline.Of.Context = &verdict.ReasonContext{Sizes: sides.Sizes{Kind: sides.SizesCaptured, Base: 4, Cand: 8}}
	r.Ground = diff.Ground{Alike: .03, Unpaired: &verdict.Unpaired{Common: 2}, LoadSteps: [2]int{3, 4},
		Copies: []sides.Copies{{Side: "candidate", Of: "a", Runs: []string{"b"}}}}
	want := "The median step takes 100 and 110 ms. All kernels take about 3.00 % longer, as another GPU clock or another amount of work would cause: what moves all alike cannot be told from what runs differ by but with more runs." +
		" Based on 1 run of 2 ranks \u00d7 9 steps per side." +
		" Measured, not judged: 4 ranks and 8 ranks were captured, and the files do not say how many the jobs had." +
		" Steps are not compared one by one: only 2 step numbers on both sides." +
		" Engine steps are compared within class and size: 3 of 3 in the baseline and 3 of 4 in the candidate have one of like load on the other side." +
		" 1 run of the candidate is a copy of a and does not count."
	if got := plain(textOf(r)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Reason, r.Headline.Of.Reason = verdict.ReasonUnclear, verdict.ReasonUnclear
	r.Ground.Doubts = []sides.Doubt{{Kind: sides.DoubtSameRun, Runs: [2]string{"a", "b"}}, {Side: "baseline", Kind: sides.DoubtAsRead, Read: run.Doubt{Text: "x", Hint: "y"}}}
	want = "Run b of the candidate is run a of the baseline. Hint: give each side its own runs. Baseline: x. Hint: y."
	if got := textOf(r); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := strings.Join(Hints(r), "; "); got != "give each side its own runs; y" {
		t.Errorf("got hints %q", got)
	}
}
