package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze"
	measured "perfdiff/analyze/run"
	"perfdiff/analyze/synth"
	"perfdiff/analyze/trace"
)

// template is a run as it is read from real files, of which others differ in nothing but
// their times.
type template struct {
	metrics []measured.Metric
	ranks   []measured.Rank
}

// newTemplate reads a small run of the demo's job.
func newTemplate(t *testing.T) *template {
	t.Helper()
	dir, _ := writeEdited(t, "aa", synth.Kineto, strings.NewReplacer("steps: 30", "steps: 42", "ranks: 4", "ranks: 2"))
	set, err := analyze.Load(context.Background(), filepath.Join(dir, "baseline"), analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := &template{metrics: set.Metrics}
	for _, k := range set.Runs[0].Ranks {
		out.ranks = append(out.ranks, measured.Rank{
			Rank: k.Rank, RankFrom: k.RankFrom, Host: k.Host, Device: k.Device, WorldSize: k.WorldSize,
			Recorded: k.Recorded, Receipts: k.Receipts, Steps: k.Steps,
		})
	}
	return out
}

// yearMetrics are the metrics of a simulated run.
var yearMetrics = []string{"step_time", "host_step_time", "compute_time", "comm_time", "exposed_comm_time", "idle_time", "input_wait_time", "overlap"}

// capture is a run of a merge whose steps take level times 100 ms, 1 % more or less. It is
// the same each time.
func (of *template) capture(seed, number, repeat int, level float64, driver string) *measured.Set {
	g := rand.New(rand.NewPCG(uint64(1000*seed+number), uint64(repeat)))
	name := fmt.Sprintf("main-%02d.%d", number, repeat)
	set := &measured.Set{Label: name, Metrics: of.metrics, Digest: digestOf(name)}
	out := measured.Run{Name: name}
	level *= math.Exp(.01 * g.NormFloat64())
	shared := autoregression(g, len(of.ranks[0].Steps), .6, .02)
	for i, k := range of.ranks {
		k.Began = 1_767_225_600e9 + (int64(number)*6+int64(repeat))*86_400e9
		k.Captured, k.Files = 60e9, []string{fmt.Sprintf("rank%d.json", i)}
		k.Facts = []trace.Fact{{Key: trace.FactGPU, Value: "GPU"}, {Key: trace.FactDriver, Value: driver}}
		set.Files = append(set.Files, measured.File{Name: k.Files[0], Format: "kineto json", Digest: digestOf(name + k.Files[0]), Ranks: []int{k.Rank}})
		out.Ranks = append(out.Ranks, k)
	}
	fill(g, out.Ranks, level, shared)
	set.Runs = []measured.Run{out}
	return set
}

// fill gives ranks their series: a step is the slowest compute, communication that waits for
// it and is partly hidden, input and gaps.
func fill(g *rand.Rand, ranks []measured.Rank, level float64, shared []float64) {
	about := func(sd float64) float64 { return math.Exp(sd * g.NormFloat64()) }
	transfer, input, gaps := about(.05), about(.3), about(.05)
	compute, slowest := make([][]float64, len(ranks)), make([]float64, len(shared))
	for i := range ranks {
		own, offset := autoregression(g, len(shared), .3, .012), 1+.005*g.NormFloat64()
		for s := range shared {
			v := .08 * level * (1 + shared[s]) * (offset + own[s])
			compute[i], slowest[s] = append(compute[i], v), math.Max(slowest[s], v)
		}
	}
	for i := range ranks {
		values := make([][]float64, len(yearMetrics))
		for s, x := range slowest {
			exposed, hidden := x-compute[i][s]+.15*x*transfer, .01*x*transfer
			in, gap := .012*x*input*about(.2), .08*x*gaps*about(.1)
			step := compute[i][s] + exposed + in + gap
			for m, v := range []float64{step, step, compute[i][s], exposed + hidden, exposed, in + gap, in, hidden / (exposed + hidden)} {
				values[m] = append(values[m], v)
			}
		}
		for m, name := range yearMetrics {
			ranks[i].Series = append(ranks[i].Series, measured.Series{Key: measured.Key{Metric: name}, Values: values[m]})
		}
	}
}

// autoregression are n values of which each keeps phi of the one before.
func autoregression(g *rand.Rand, n int, phi, sd float64) []float64 {
	out, x := make([]float64, n), sd*g.NormFloat64()
	for i := range out {
		out[i] = x
		x = phi*x + sd*math.Sqrt(1-phi*phi)*g.NormFloat64()
	}
	return out
}

func digestOf(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }
