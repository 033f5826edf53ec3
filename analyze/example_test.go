package analyze_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"perfdiff/analyze"
	"perfdiff/analyze/run"
	"perfdiff/analyze/synth"
	"perfdiff/testdata"
)

// Load turns a directory of profiles, one for each rank, into values for each step.
func ExampleLoad() {
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

	set, err := analyze.Load(context.Background(), filepath.Join(dir, "baseline"), analyze.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	rank := set.Runs[0].Ranks[1]
	times := rank.Values(run.Key{Metric: run.StepTime})
	fmt.Printf("%d runs, %d ranks, %d steps by %s\n", len(set.Runs), len(set.Runs[0].Ranks), len(times), rank.Receipts[0].Marker)
	fmt.Printf("rank 1, step %d: %.2f ms\n", rank.Steps[5].Number, 1e3*times[5])
	// Output:
	// 1 runs, 4 ranks, 30 steps by range "step N"
	// rank 1, step 5: 33.03 ms
}
