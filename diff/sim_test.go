package diff_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/difftest"
	"perfdiff/diff/sides"
)

// noise is how simulated runs differ from each other and from step to step. A
// step ends when the slowest rank is done: step = max over ranks of compute,
// and communication, spikes and checkpoints that all share.
type noise struct {
	tau                      float64 // standard deviation between runs, of logs
	phi, shared              float64 // AR(1) that all ranks share
	ownPhi, own              float64 // AR(1) of each rank
	offset                   float64 // persistent offsets of ranks, drawn anew for each run
	straggle, straggleMean   float64 // transient: chance for each rank and step, and mean size
	spike, spikeLo, spikeHi  float64 // shared: chance for each step, and size
	checkpoint               float64 // every 25 steps
	warm, warmDecay          float64
	drift                    float64 // standard deviation over the run
	ramp, rampSD             float64 // common to all runs
	mode, modeDwell, modeP   float64 // two levels
	heavy                    bool    // t with 3 degrees of freedom in place of normal
	comm, jitter             float64
	slowRank, addDrift, more float64 // what is planted: one rank's offset, a drift, a factor on jitter
	spikes                   float64 // chance of spikes in place of spike; 0: spike
	jump                     float64 // planted: from three fifths of the run on all takes so much longer
	pool, poolP              float64 // chance that a run is on nodes that take so much longer
	lognormal                float64 // standard deviation of the log of each step, which all ranks share
	every                    int     // each so many steps one takes everyBy times as long, from any phase on
	everyBy                  float64
	ofParts                  float64 // which share of the usual deviations of transfer, input and gaps between runs; 0: all
}

func typical(tau float64) noise {
	return noise{tau: tau, phi: .6, shared: .02, ownPhi: .3, own: .015, offset: .007, straggle: .002, straggleMean: .15,
		spike: .01, spikeLo: .3, spikeHi: 1, checkpoint: .6, warm: .8, warmDecay: 3, drift: .005, modeDwell: 15, modeP: .3,
		comm: .2, jitter: .002, more: 1}
}

// steady is typical with half of what runs differ by beside tau, and steps by what they share.
func steady(tau float64) noise {
	n := typical(tau)
	n.offset, n.drift, n.shared, n.ofParts = n.offset/2, n.drift/2, n.shared/2, .5
	return n
}

func harsh(tau float64) noise {
	n := typical(tau)
	n.phi, n.shared, n.mode, n.drift, n.heavy = .9, .03, .04, .02, true
	return n
}

func ramping(tau float64) noise {
	n := typical(tau)
	n.ramp, n.rampSD = 1.2, .02
	return n
}

// even is a job of which only what a regime varies is uneven: its first steps and its
// checkpoints are not in the capture.
func even(tau float64) noise {
	return noise{tau: tau, phi: .6, shared: .02, ownPhi: .3, own: .012, offset: .005,
		spike: .01, spikeLo: .3, spikeHi: 1, drift: .004, modeDwell: 15, modeP: .3, comm: .2, jitter: .002, more: 1}
}

// ar is an AR(1) of standard deviation sd.
func ar(g *rand.Rand, n int, phi, sd float64, heavy bool) []float64 {
	const burn = 40
	x, out := 0.0, make([]float64, n)
	for i := range n + burn {
		e := g.NormFloat64()
		if heavy {
			chi := 0.0
			for range 3 {
				z := g.NormFloat64()
				chi += z * z
			}
			e /= math.Sqrt(chi / 3)
			e /= math.Sqrt(3)
		}
		if x = phi*x + e*sd*math.Sqrt(1-phi*phi); i >= burn {
			out[i-burn] = x
		}
	}
	return out
}

// level is what all ranks of a run share in each step, and its communication.
func (n noise) level(g *rand.Rand, steps int, between float64) (level, comm, extra []float64) {
	scale := math.Exp(n.tau * between)
	if n.poolP > 0 && g.Float64() < n.poolP {
		scale *= 1 + n.pool
	}
	phase := 0
	if n.every > 0 {
		phase = g.IntN(n.every)
	}
	slope, end := n.drift*g.NormFloat64()+n.addDrift, n.ramp
	if n.ramp > 0 {
		end += n.rampSD * g.NormFloat64()
	}
	shared := ar(g, steps, n.phi, n.shared*n.more, n.heavy)
	busy := ar(g, steps, .5, .05*n.more, false)
	high := g.Float64() < n.modeP
	spike := n.spike
	if n.spikes > 0 {
		spike = n.spikes
	}
	for s := range steps {
		u := (float64(s) + .5) / float64(steps)
		drift := 1 + slope*u + end*u
		sh := 1 + shared[s]
		if n.mode > 0 {
			leave := 1 / n.modeDwell
			if !high {
				leave *= n.modeP / (1 - n.modeP)
			}
			if g.Float64() < leave {
				high = !high
			}
			if high {
				sh *= 1 + n.mode
			}
		}
		if 5*s >= 3*steps {
			drift *= 1 + n.jump
		}
		if n.lognormal > 0 {
			drift *= math.Exp(n.lognormal * g.NormFloat64())
		}
		if n.every > 0 && s%n.every == phase {
			drift *= n.everyBy
		}
		level = append(level, scale*(1+n.warm*math.Exp(-float64(s)/n.warmDecay))*drift*math.Max(sh, .3))
		comm = append(comm, n.comm*scale*drift*(1+busy[s]))
		e := 0.0
		if g.Float64() < spike {
			e = n.spikeLo + (n.spikeHi-n.spikeLo)*g.Float64()
		}
		if n.checkpoint > 0 && s%25 == 24 {
			e += n.checkpoint
		}
		extra = append(extra, e*scale*drift)
	}
	return level, comm, extra
}

// simulate is one run whose level differs from others by between standard
// deviations, and the rank that was made slow.
func (n noise) simulate(g *rand.Rand, name string, steps, ranks int, between, shift float64) (run.Run, int) {
	level, comm, extra := n.level(g, steps, between)
	compute := make([][]float64, ranks)
	step := make([]float64, steps)
	slow := g.IntN(ranks)
	for r := range compute {
		offset := n.offset * g.NormFloat64()
		if r == slow {
			offset += n.slowRank
		}
		own := ar(g, steps, n.ownPhi, n.own*n.more, false)
		for s := range steps {
			f := 1 + offset + own[s]
			if g.Float64() < n.straggle {
				f += n.straggleMean * g.ExpFloat64()
			}
			c := .1 * (1 + shift) * (1 - n.comm) * level[s] * f
			compute[r] = append(compute[r], c)
			step[s] = math.Max(step[s], c)
		}
	}
	for s := range step {
		step[s] += .1 * (1 + shift) * (comm[s] + extra[s])
	}
	out := run.Run{Name: name}
	numbers := make([]trace.Step, steps)
	for s := range numbers {
		numbers[s] = trace.Step{Number: int64(s)}
	}
	for r := range compute {
		seen := make([]float64, steps)
		for s := range seen {
			seen[s] = step[s] * (1 + n.jitter*g.NormFloat64())
		}
		out.Ranks = append(out.Ranks, run.Rank{Rank: r, WorldSize: ranks, Host: "node1", Steps: numbers, Series: []run.Series{
			{Key: sides.StepTime, Values: seen}, {Key: run.Key{Metric: "compute_time"}, Values: compute[r]},
		}})
	}
	return out, slow
}

// partNames are the metrics of a real capture that runs get by parts, beside step_time
// and compute_time.
var partNames = []string{"host_step_time", "comm_time", "exposed_comm_time", "idle_time", "input_wait_time", "overlap"}

// parts gives a run what a real capture has beside: a step is its slowest compute,
// communication that waits for it and is partly hidden, input and gaps. Between runs the
// transfer differs by 5 % of itself, input by 30 % and gaps by 5 %, beside what all of the
// step differs by.
func (n noise) parts(g *rand.Rand, r *run.Run) {
	about := func(sd float64) float64 { return math.Exp(sd * g.NormFloat64()) }
	share := cmp.Or(n.ofParts, 1)
	transfer, input, gaps := about(.05*share), about(.30*share), about(.05*share)
	steps := len(r.Ranks[0].Steps)
	slowest, rest := make([]float64, steps), make([]float64, steps)
	for s := range steps {
		for i := range r.Ranks {
			slowest[s] = math.Max(slowest[s], r.Ranks[i].Series[1].Values[s])
		}
		rest[s] = math.Max(0, r.Ranks[0].Series[0].Values[s]-slowest[s]) * (1 + .6*(transfer-1)) // of the rest
	}
	for i := range r.Ranks {
		k := &r.Ranks[i]
		values := make([][]float64, len(partNames))
		step, compute := k.Series[0].Values, k.Series[1].Values
		for s := range step {
			level := slowest[s] / .08
			in, gap := .001*level*input*about(.2), .007*level*gaps*about(.1)
			exposed := slowest[s] - compute[s] + rest[s]
			hidden := .01 * level * transfer * about(.05)
			step[s] = (compute[s] + exposed + in + gap) * (1 + n.jitter*g.NormFloat64())
			for m, v := range []float64{step[s], exposed + hidden, exposed, in + gap, in, hidden / (exposed + hidden)} {
				values[m] = append(values[m], v)
			}
		}
		for m, name := range partNames {
			k.Series = append(k.Series, run.Series{Key: run.Key{Metric: name}, Values: values[m]})
		}
	}
}

// wholeMetrics are those of runs with parts.
var wholeMetrics = difftest.WithTraits([]run.Metric{
	{Name: "step_time", Unit: "s", Better: run.Lower, Main: true}, {Name: "host_step_time", Unit: "s", Better: run.Lower, Main: true},
	{Name: "compute_time", Unit: "s", Better: run.Lower, Main: true}, {Name: "comm_time", Unit: "s", Better: run.Lower, Main: true},
	{Name: "exposed_comm_time", Unit: "s", Better: run.Lower, Main: true}, {Name: "idle_time", Unit: "s", Better: run.Lower, Main: true},
	{Name: "overlap", Unit: "ratio", Better: run.Higher, Main: true}, {Name: "input_wait_time", Unit: "s", Better: run.Lower, Main: true},
})

// simulated metrics: what the sets below hold.
var simulatedMetrics = difftest.WithTraits([]run.Metric{
	{Name: "step_time", Unit: "s", Better: run.Lower, Main: true}, {Name: "compute_time", Unit: "s", Main: false},
})

// set is runs as a run set.
func set(label string, runs ...run.Run) *run.Set {
	return &run.Set{Label: label, Runs: runs, Metrics: simulatedMetrics}
}

// past is a history of k runs, a day apart.
func (n noise) past(g *rand.Rand, k, steps, ranks int) []*run.Set {
	var out []*run.Set
	for i := range k {
		r, _ := n.simulate(g, fmt.Sprintf("past%02d", i), steps, ranks, g.NormFloat64(), 0)
		out = append(out, at(int64(i), r))
	}
	return out
}

func at(day int64, r run.Run) *run.Set {
	for i := range r.Ranks {
		r.Ranks[i].Began = 1_700_000_000e9 + day*86400e9
	}
	return set(r.Name, r)
}

// faster is a run set with all times multiplied, in a copy.
func faster(s *run.Set, by float64) *run.Set {
	out := *s
	out.Runs = slices.Clone(s.Runs)
	for i := range out.Runs {
		out.Runs[i].Ranks = slices.Clone(out.Runs[i].Ranks)
		for j := range out.Runs[i].Ranks {
			r := &out.Runs[i].Ranks[j]
			r.Series = slices.Clone(r.Series)
			for k := range r.Series {
				if r.Series[k].Key.Metric == "overlap" {
					continue // a share
				}
				values := slices.Clone(r.Series[k].Values)
				for x := range values {
					values[x] *= by
				}
				r.Series[k].Values = values
			}
		}
	}
	return &out
}
