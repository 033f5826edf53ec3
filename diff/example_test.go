package diff_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"perfdiff/analyze"
	"perfdiff/analyze/synth"
	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/testdata"
)

// Compare says what became slower, and what a build should make of it.
func ExampleCompare() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	text, _ := testdata.Story("slow-kernel")
	story, _ := synth.Parse("slow-kernel", text)
	if _, err := story.Write(context.Background(), dir, synth.Nsight); err != nil {
		fmt.Println(err)
		return
	}
	side := func(name string) analyze.Side { return analyze.Side{Name: name, Path: filepath.Join(dir, name)} }
	base, cand, err := analyze.LoadPair(context.Background(), side("baseline"), side("candidate"), analyze.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}

	r := diff.Compare(base, cand, policy.DefaultPolicy(), diff.Options{})
	step := r.Metrics[0]
	fmt.Printf("%s %s: %.1f to %.1f ms, %+.1f %% (%+.1f to %+.1f %%)\n", step.Key.Metric, step.Verdict, 1e3*step.Base, 1e3*step.Cand,
		100*step.Estimate, 100*step.Lo, 100*step.Hi)
	fmt.Println(r.Findings[0].Metric, r.Findings[0].Class)
	// Output:
	// step_time regressed: 33.2 to 35.9 ms, +7.9 % (+2.5 to +13.7 %)
	// compute_time worse
}
