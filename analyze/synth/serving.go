package synth

import (
	"fmt"
	"math/rand/v2"
)

// servingLoad makes a job an inference engine: each step reads prompts, or makes a token for
// each of a batch of requests. The step's range is named by that load.
type servingLoad struct {
	Batch   int     `yaml:"batch"`   // requests of a step that makes tokens; 0: the job is a training
	Spread  float64 `yaml:"spread"`  // share by which batches and prompts are smaller or larger at most
	Prefill float64 `yaml:"prefill"` // share of the steps that read prompts
	Tokens  int     `yaml:"tokens"`  // tokens of a step that reads prompts
	Context int     `yaml:"context"` // tokens of each request that attention reads in the first step; 0: names do not say, and nothing depends on it
	Decode  float64 `yaml:"decode"`  // factor on the compute of a step that makes tokens
	Names   string  `yaml:"names"`   // whose names: "vllm" or "sglang"
}

// engineNames are the names that steps can have.
var engineNames = []string{"vllm", "sglang"}

func (s *servingLoad) bounds() []allowedRange {
	if s.Batch == 0 {
		return nil
	}
	return []allowedRange{
		{"serving.batch", float64(s.Batch), 1, 4096}, {"serving.spread", s.Spread, 0, 0.9}, {"serving.prefill", s.Prefill, 0, 1},
		{"serving.tokens", float64(s.Tokens), 1, 1 << 20}, {"serving.decode", s.Decode, 0.01, 100},
		{"serving.context", float64(s.Context), 0, 1 << 20},
	}
}

// Load is the work of a step of an inference engine.
type Load struct {
	Class  string // "prefill", "decode"; "": not a step of an engine
	Batch  int64
	Tokens int64
	// Context is how many tokens attention reads, over all requests; 0: names do not say.
	Context int64
}

// How the compute of a step grows with its load. Of decoding, a quarter grows in proportion to
// the batch, since most of the time reads weights; Forward is the time at forwardBatch. Reading
// prompts grows in proportion to their tokens. Contexts add to decoding in proportion.
const (
	forwardBatch     = 32
	forwardTokens    = 512
	decodeFixed      = 0.75
	contextShare     = 0.25 // of a step, at referenceContext
	referenceContext = 1024 // tokens of each of forwardBatch requests
)

// computeFactor returns a step's compute divided by that of Forward.
func (s *servingLoad) computeFactor(l Load) float64 {
	switch l.Class {
	case "prefill":
		return float64(l.Tokens) / forwardTokens
	case "decode":
		return s.Decode * (decodeFixed + float64((1-decodeFixed)*float64(l.Batch)/forwardBatch) +
			float64(contextShare*float64(l.Context)/(referenceContext*forwardBatch)))
	}
	return 1
}

// stepLoads returns the loads of n steps, the same on all ranks. Steps that read prompts are evenly
// spaced.
func (s *servingLoad) stepLoads(n int, seed, stream uint64) []Load {
	out := make([]Load, n)
	if s.Batch == 0 {
		return out
	}
	random := rand.New(rand.NewPCG(seed^0x5e21, stream))
	about := func(size int) int64 {
		vary := 1 + float64(s.Spread*float64(2*(float64(random.Float64())-0.5)))
		return max(1, int64(float64(float64(size)*vary)))
	}
	for i := range out {
		if int(float64(i+1)*s.Prefill) > int(float64(i)*s.Prefill) {
			out[i] = Load{Class: "prefill", Batch: 1 + random.Int64N(4), Tokens: about(s.Tokens)}
			if s.Context > 0 { // nothing of a prompt is in the cache
				out[i].Context = out[i].Tokens
			}
		} else {
			batch := about(s.Batch)
			out[i] = Load{Class: "decode", Batch: batch, Tokens: batch}
			if s.Context > 0 { // each request grows by a token a step
				out[i].Context = batch * int64(s.Context+i)
			}
		}
	}
	return out
}

// stepName returns the name of a step's range by its load; "" for a range that is named by the step's number.
func (j *job) stepName(l Load) string {
	switch {
	case l.Class == "":
		return ""
	case j.Serving.Names == "sglang" && l.Class == "prefill":
		return fmt.Sprintf("step[EXTEND bs=%d toks=%d]", l.Batch, l.Tokens)
	case j.Serving.Names == "sglang":
		return fmt.Sprintf("step[DECODE bs=%d]", l.Batch)
	case l.Context > 0 && l.Class == "prefill":
		return fmt.Sprintf("execute_%d_context_%d(sq%dsk%d)_generation_0(sq0sk0)", l.Tokens, l.Batch, l.Tokens, l.Context)
	case l.Context > 0:
		return fmt.Sprintf("execute_%d_context_0(sq0sk0)_generation_%d(sq%dsk%d)", l.Tokens, l.Batch, l.Tokens, l.Context)
	case l.Class == "prefill":
		return fmt.Sprintf("execute_context_%d(%d)_generation_0(0)", l.Batch, l.Tokens)
	}
	return fmt.Sprintf("execute_context_0(0)_generation_%d(%d)", l.Batch, l.Tokens)
}
