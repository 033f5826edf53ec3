package words

import (
	"strings"
	"testing"

	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// TestWhyLeftOut: what a reason carries is in its clause.
func TestWhyLeftOut(t *testing.T) {
	for _, tt := range []struct {
		why  verdict.LeftOut
		want string
	}{
		{verdict.LeftOut{}, ""},
		{verdict.LeftOut{Kind: verdict.IsCandidate}, "it is the candidate itself"},
		{verdict.LeftOut{Kind: verdict.Unreadable, Said: "a.json: cut short"}, "a.json: cut short"},
		{verdict.LeftOut{Kind: verdict.InDoubt, Said: "a and b are both", Hint: "say which"}, "it is not known what it is: a and b are both (say which)"},
		{verdict.LeftOut{Kind: verdict.OtherSetup, Differs: verdict.SetupSize, Then: []string{"2"}, Now: []string{"0"}, Against: verdict.AgainstMost},
			"its number of ranks is 2, in most runs it is unknown"},
		{verdict.LeftOut{Kind: verdict.OtherSetup, Differs: verdict.SetupGPU, Then: []string{""}, Now: []string{"H200"}}, "its GPU is unknown, here it is H200"},
		{verdict.LeftOut{Kind: verdict.SameRun, Other: "main-2"}, "it is the same run as main-2"},
		{verdict.LeftOut{Kind: verdict.FewAlike, Have: 1, Need: 5}, "it is the only past run like the baseline; noise is learned from 5 on"},
		{verdict.LeftOut{Kind: verdict.FewAlike, Have: 3, Need: 5}, "3 past runs are like the baseline; noise is learned from 5 on"},
		{verdict.LeftOut{Kind: verdict.FewOfSteps, Have: 15, Need: 30}, "it has 15 of the 30 steps that are compared"},
		{verdict.LeftOut{Kind: verdict.OtherDriver, Then: []string{"550"}, Now: []string{"560"}}, "its driver is 550, here it is 560"},
		{verdict.LeftOut{Kind: verdict.OtherKernels, Size: 0.25}, "it is of another job: kernels that run here took 25.0 % of its kernel time"},
		{verdict.LeftOut{Kind: verdict.ApartFromAll, Size: 0.3}, "its step time stands apart from all others, by +30.0 %"},
		{verdict.LeftOut{Kind: verdict.NewerCount, Have: 8}, "8 newer runs of its level count"},
		{verdict.LeftOut{Kind: verdict.StepsUnpaired, Steps: verdict.Unpaired{Common: 1}}, "only 1 step number on both sides"},
		{verdict.LeftOut{Kind: verdict.StepsUnpaired}, "no step number is on both sides"},
		{verdict.LeftOut{Kind: verdict.StepsUnpaired, Steps: verdict.Unpaired{Unnumbered: true, Common: 4}},
			"steps found by launches have no numbers, and the runs have different numbers of them"},
		{verdict.LeftOut{Kind: verdict.OtherHosts, Then: []string{"a", "b", "c", "d"}, Now: []string{"e"}},
			"the past runs are of other hosts: theirs are a, b, c and 1 more, here they are e"},
		{verdict.LeftOut{Kind: verdict.FewForLevel, Have: 1, Need: 5}, "a level takes 5 runs, and there are 1 run with the baseline"},
		{verdict.LeftOut{Kind: verdict.BaselineApart, Size: -0.2}, "the step time of the baseline differs from that of the past runs, by \u221220.0 %"},
	} {
		if got := strings.ReplaceAll(WhyLeftOut(&tt.why), number.Space, " "); got != tt.want {
			t.Errorf("%s: got %q want %q", tt.why.Kind, got, tt.want)
		}
	}
}

// TestLevelWarnings: a run that is far off is named, and of a baseline it is said what becomes
// of it; a place names both.
func TestLevelWarnings(t *testing.T) {
	for _, tt := range []struct {
		w    diff.Warning
		want string
	}{
		{diff.Warning{Kind: diff.WarnLevel, Level: &verdict.LevelWarning{Run: "main-3", Why: verdict.LeftOut{Kind: verdict.ApartFromAll, Size: 0.3}}},
			"past run main-3 does not stand beside the baseline: its step time stands apart from all others, by +30.0 %"},
		{diff.Warning{Kind: diff.WarnLevel, Level: &verdict.LevelWarning{Why: verdict.LeftOut{Kind: verdict.SeveralLevels}}},
			"the runs of the baseline stand on several levels of the history: none of its runs stands beside them"},
		{diff.Warning{Kind: diff.WarnLevel, Level: &verdict.LevelWarning{Why: verdict.LeftOut{Kind: verdict.BaselineApart, Size: 0.3}}},
			"the step time of the baseline differs from that of the past runs, by +30.0 %: it is compared alone " +
				"(are they runs of this job, and was the baseline's disturbed?)"},
		{diff.Warning{Kind: diff.WarnPastOut, Runs: []string{"a", "b"}, Past: verdict.LeftOut{Kind: verdict.WithoutSteps}}, "2 past runs left out: a, b: it has no steps"},
		{diff.Warning{Kind: diff.WarnElsewhere, Size: 0.015, Elsewhere: &verdict.Elsewhere{Differs: verdict.PlaceDriver, Side: "candidate", Then: []string{"1", "2"}, Now: []string{"3"}}},
			"the past runs are of another driver than the candidate: 1, 2 and 3: runs are taken to differ by 1.5 % at least " +
				"(save runs of where it runs now into the history)"},
	} {
		if got := strings.ReplaceAll(Warning(&tt.w), number.Space, " "); got != tt.want {
			t.Errorf("got %q want %q", got, tt.want)
		}
	}
}
