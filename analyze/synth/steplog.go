package synth

import (
	"bytes"
	"context"
	"fmt"
	"os"
)

// logName is the file of a run whose trainer logs its steps.
const logName = "train.log"

// writeLog writes what the first rank of a run would print about its steps, as Megatron-LM does, with other lines
// between them. Times have all their digits, so that they equal the truth.
func (p *profile) writeLog(_ context.Context, path string, _ Format) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "using world size: %d, data-parallel size: %d\n", p.story.doc.Ranks, p.story.doc.Ranks)
	n := len(p.markerEnds)
	last := p.story.doc.FirstStep + int64(n) - 1
	for i := range n {
		step := p.story.doc.FirstStep + int64(i)
		ms := float64(p.deviceStarts[i+1]-p.deviceStarts[i]) / 1e6
		fmt.Fprintf(&b, " iteration %8d/%8d | consumed samples: %12d | elapsed time per iteration (ms): %.6f | learning rate: 1.500E-04 |\n",
			step, last, 256*step, ms)
		if i == n/2 {
			fmt.Fprintf(&b, " validation loss at iteration %d | lm loss value: 2.100000E+00 |\n", step)
		}
	}
	return os.WriteFile(path, b.Bytes(), 0o666)
}
