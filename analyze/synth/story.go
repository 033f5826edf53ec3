// Package synth is the inverse of the readers: it turns a story, a small text
// that says what two runs of a training job do, into the profiles that a
// profiler would have written of them, and knows the truth that they hold.
//
// A story is simulated rank by rank on one clock: the host waits for input,
// copies it to the device and launches kernels; a collective ends when its last
// rank has arrived and the data has been moved; the host waits for the device at
// the end of each step. The truth is added up from that timeline and shares no
// code with what measures profiles.
package synth

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// Story is the two sides of a comparison, ready to be written as profiles.
type Story struct {
	// Tables writes the tables of the SQLite database at sqlite as a directory of Parquet
	// files, for NsightParquet. It is a field so that programs that never write this format
	// need not link what does.
	Tables func(ctx context.Context, sqlite, dir string) error

	name  string
	doc   document
	sides [2]job // baseline, candidate
}

// About says what is wrong with the candidate and what a comparison must find.
func (s *Story) About() string { return s.doc.About }

// document is the text of a story, in YAML.
type document struct {
	About     string   `yaml:"about"` // what is wrong and what a comparison must find
	Nodes     int      `yaml:"nodes"`
	Ranks     int      `yaml:"ranks"`
	Runs      int      `yaml:"runs"`   // on each side
	Layout    string   `yaml:"layout"` // where files lie: "", all of a run together; "nodes", in a directory for each node
	FirstStep int64    `yaml:"first_step"`
	Steps     int      `yaml:"steps"`
	Seed      uint64   `yaml:"seed"`
	Schema    string   `yaml:"schema"`    // of Nsight Systems exports
	Job       ast.Node `yaml:"job"`       // what both sides do
	Baseline  ast.Node `yaml:"baseline"`  // what only this side does
	Candidate ast.Node `yaml:"candidate"` // likewise
}

// layoutNodes is the layout in which each node has a directory, as when files are collected
// from the disks of nodes.
const layoutNodes = "nodes"

// job describes what one side does in each step. Fractions are of one: 0.01 is 1 %.
type job struct {
	Markers    bool                     `yaml:"markers"`     // steps and phases are annotated
	NoDevice   bool                     `yaml:"no_device"`   // the profiler sees the host only
	Ranges     map[string]time.Duration `yaml:"ranges"`      // host work before each step, by the range around it
	Graphs     bool                     `yaml:"graphs"`      // kernels are replayed as CUDA graphs
	GraphTrace string                   `yaml:"graph_trace"` // what Nsight Systems records of replays: graph, a row for each, or node, its kernels
	Layers     int                      `yaml:"layers"`
	Forward    time.Duration            `yaml:"forward"` // compute time, over all layers
	Backward   time.Duration            `yaml:"backward"`
	Optimizer  time.Duration            `yaml:"optimizer"`
	Kernels    map[string]float64       `yaml:"kernels"` // factor on one kernel's duration
	Launch     time.Duration            `yaml:"launch"`  // host, from one launch to the next
	Input      inputWait                `yaml:"input"`
	Copy       batchCopy                `yaml:"copy"`
	AllReduce  allReduce                `yaml:"all_reduce"`
	WaitEvents bool                     `yaml:"wait_events"` // streams are told to wait for each other by events, which are recorded
	Tensor     tensorShare              `yaml:"tensor"`      // neighbouring ranks share each layer
	Pipeline   pipelineStages           `yaml:"pipeline"`
	Experts    expertShare              `yaml:"experts"` // neighbouring ranks share the experts of some layers
	Memory     deviceMemory             `yaml:"memory"`
	Sizes      operatorSizes            `yaml:"sizes"`   // of operators' arguments
	Serving    servingLoad              `yaml:"serving"` // the steps are an inference engine's
	Reads      reads                    `yaml:"reads"`
	Slow       map[int]float64          `yaml:"slow"`       // factor on a rank's compute
	Rotate     float64                  `yaml:"rotate"`     // factor on the compute of one rank, another one in each step
	Clock      float64                  `yaml:"clock"`      // of the devices: at 0.94 every kernel takes 6 % longer
	ClockRate  int64                    `yaml:"clock_rate"` // Hz at clock 1, as sampled; 0: it is not
	ClockOf    map[int]float64          `yaml:"clock_of"`   // factor on the clock of a rank's device
	Replace    []string                 `yaml:"replace"`    // kernels in whose place others run
	Allocate   time.Duration            `yaml:"allocate"`   // once a step: freeing waits for the device, allocating takes so long
	Route      time.Duration            `yaml:"route"`      // once a step: the host works out what to launch, in operators of the framework
	Pause      checkpointPause          `yaml:"pause"`      // a checkpoint
	GPU        string                   `yaml:"gpu"`        // model name
	Window     time.Duration            `yaml:"window"`     // the profiler stops after so long; 0: with the job
	ClockSkew  time.Duration            `yaml:"clock_skew"` // of the UTC clock, from node to node
	Missing    []int                    `yaml:"missing"`    // ranks without a file
	Truncated  []int                    `yaml:"truncated"`  // ranks whose file is cut in half
	Noise      float64                  `yaml:"noise"`      // of a step and of a kernel
	RunNoise   float64                  `yaml:"run_noise"`  // of a whole run
	Later      *changeAt                `yaml:"later"`      // from some step on
	changed    *job                     // what it does from Later on; nil: the same
}

// changeAt says what a job does differently from some step on: a device that throttles, a link
// that fails, a page cache that is full.
type changeAt struct {
	Step int64    `yaml:"step"` // number of the first such step
	Job  ast.Node `yaml:"job"`  // what differs; kernels, slow and clock_of are replaced as a whole
}

// checkpointPause is work of the host between some steps, with the device idle.
type checkpointPause struct {
	Every int           `yaml:"every"` // steps; 0: never
	Time  time.Duration `yaml:"time"`
}

// inputWait is the wait for the next batch. It changes evenly from From to To over the run.
type inputWait struct {
	From   time.Duration `yaml:"from"`
	To     time.Duration `yaml:"to"`     // 0: the same as From
	Spread float64       `yaml:"spread"` // standard deviation over ranks and steps
}

// batchCopy is the copy of a batch to the device.
type batchCopy struct {
	Bytes int64   `yaml:"bytes"`
	Rate  float64 `yaml:"rate"` // bytes a second
	// Pageable: it is copied from pageable memory, and the call returns when it is done.
	Pageable bool `yaml:"pageable"`
}

// allReduce describes what the ranks exchange in the backward pass.
type allReduce struct {
	Count    int           `yaml:"count"`
	Bytes    int64         `yaml:"bytes"`
	Transfer time.Duration `yaml:"transfer"` // once the last rank has arrived
	Spread   float64       `yaml:"spread"`   // standard deviation of transfers, as a share; at least that of Noise
	Gap      time.Duration `yaml:"gap"`      // idle device in front of it
	Overlap  bool          `yaml:"overlap"`  // the backward pass goes on beside it
	Host     time.Duration `yaml:"host"`     // the host works so long before it launches more
	Captured bool          `yaml:"captured"` // with graphs: all of a step's, and the kernels between them, are one graph
}

// reads describes what the loader threads read for a step of one rank.
type reads struct {
	Bytes   int64   `yaml:"bytes"` // 0: no reading is recorded
	Chunk   int64   `yaml:"chunk"` // bytes a call
	Threads int     `yaml:"threads"`
	Rate    float64 `yaml:"rate"` // bytes a second, if reading is a burst; 0: reading takes all the time there is
	Call    string  `yaml:"call"`
	// Counters: the first rank of each node samples what its ranks read from a volume, every
	// millisecond. NoFiles: no single file access is recorded.
	Counters bool `yaml:"counters"`
	NoFiles  bool `yaml:"no_files"`
}

// Parse reads a story. Unknown keys are errors, and so are numbers that no job could have.
func Parse(name string, text []byte) (*Story, error) {
	s := &Story{name: name, doc: document{Nodes: 1, Ranks: 1, Runs: 1, Steps: 24, Schema: "3.16.1"}}
	if err := yaml.UnmarshalWithOptions(text, &s.doc, yaml.DisallowUnknownField()); err != nil {
		return nil, fmt.Errorf("story %s: %s", name, yamlError(err))
	}
	if err := s.doc.check(); err != nil {
		return nil, fmt.Errorf("story %s: %w", name, err)
	}
	for i, own := range []ast.Node{s.doc.Baseline, s.doc.Candidate} {
		j := defaults()
		for _, node := range []ast.Node{s.doc.Job, own} {
			if node == nil {
				continue
			}
			if err := yaml.NodeToValue(node, &j, yaml.DisallowUnknownField()); err != nil {
				return nil, fmt.Errorf("story %s: %s", name, yamlError(err))
			}
		}
		err := j.check(s.doc.Ranks)
		if err == nil && j.Later != nil {
			j.changed, err = j.from(j.Later, &s.doc)
		}
		if err != nil {
			return nil, fmt.Errorf("story %s: %s: %w", name, sideNames[i], err)
		}
		s.sides[i] = j
	}
	return s, nil
}

// from returns the job from a step on. Properties of a whole run or file cannot change then.
func (j *job) from(l *changeAt, d *document) (*job, error) {
	if l.Step <= d.FirstStep || l.Step >= d.FirstStep+int64(d.Steps) || l.Job == nil {
		return nil, fmt.Errorf("later: it needs a job and a step behind the first, %d, and up to the last, %d", d.FirstStep, d.FirstStep+int64(d.Steps)-1)
	}
	out := *j
	out.Kernels, out.Slow, out.ClockOf, out.Later = maps.Clone(j.Kernels), maps.Clone(j.Slow), maps.Clone(j.ClockOf), nil
	if err := yaml.NodeToValue(l.Job, &out, yaml.DisallowUnknownField()); err != nil {
		return nil, fmt.Errorf("later: %s", yamlError(err))
	}
	if err := out.check(d.Ranks); err != nil {
		return nil, fmt.Errorf("later: %w", err)
	}
	whole := func(j *job) string {
		return fmt.Sprint(j.Markers, j.Graphs, j.Layers, j.Pipeline.Stages, j.Reads, j.GPU, j.Window, j.ClockSkew, j.Missing, j.Truncated, j.RunNoise)
	}
	if whole(&out) != whole(j) || out.Later != nil {
		return nil, errors.New("later: markers, graphs, layers, pipeline.stages, reads, gpu, window, clock_skew, missing, truncated, run_noise and later are of a whole run")
	}
	return &out, nil
}

// sideNames are the directories of the two sides.
var sideNames = [2]string{"baseline", "candidate"}

// yamlError returns an error in a story on one line, without an excerpt of its text.
func yamlError(err error) string {
	return strings.Join(strings.Fields(yaml.FormatError(err, false, false)), " ")
}

// defaults returns a small job in which nothing is wrong.
func defaults() job {
	return job{
		Markers: true, Layers: 4, GraphTrace: "graph",
		Forward: 8 * time.Millisecond, Backward: 16 * time.Millisecond, Optimizer: time.Millisecond,
		Launch:    9 * time.Microsecond,
		Input:     inputWait{From: 400 * time.Microsecond, Spread: 0.05},
		Copy:      batchCopy{Bytes: 48 << 20, Rate: 25e9},
		AllReduce: allReduce{Count: 2, Bytes: 96 << 20, Transfer: 1500 * time.Microsecond, Gap: 4 * time.Microsecond, Overlap: true},
		Tensor:    tensorShare{Bytes: 32 << 20, Transfer: 200 * time.Microsecond},
		Pipeline:  pipelineStages{MicroBatches: 8, Bytes: 128 << 20, Transfer: 400 * time.Microsecond},
		Experts:   expertShare{Bytes: 32 << 20, Compute: time.Millisecond, Transfer: 300 * time.Microsecond},
		Reads:     reads{Chunk: 4 << 20, Threads: 4, Call: "read"},
		Serving:   servingLoad{Tokens: 512, Decode: 1, Names: engineNames[0]},
		Noise:     0.01,
		Rotate:    1, Clock: 1, GPU: gpuName, ClockSkew: clockError,
	}
}

// allowedRange is a number in a story, with the least and the largest that it may be.
type allowedRange struct {
	name       string
	value      float64
	least, top float64
}

func check(bounds []allowedRange) error {
	for _, b := range bounds {
		if !(b.value >= b.least && b.value <= b.top) {
			return fmt.Errorf("%s is %v: it must be from %v to %v", b.name, b.value, b.least, b.top)
		}
	}
	return nil
}

func (d *document) check() error {
	if strings.TrimSpace(d.About) == "" {
		return errors.New("about is missing: say in a sentence what is wrong")
	}
	err := check([]allowedRange{
		{"nodes", float64(d.Nodes), 1, 64},
		{"ranks", float64(d.Ranks), 1, 1024},
		{"runs", float64(d.Runs), 1, 32},
		{"first_step", float64(d.FirstStep), 0, 1e9},
		{"steps", float64(d.Steps), 1, 10000},
	})
	switch {
	case err != nil:
		return err
	case d.Ranks%d.Nodes != 0:
		return fmt.Errorf("%d ranks cannot be spread evenly over %d nodes", d.Ranks, d.Nodes)
	case d.Layout != "" && d.Layout != layoutNodes:
		return fmt.Errorf("layout %q is not known: it must be %s, or left out", d.Layout, layoutNodes)
	case products[d.Schema] == "":
		return fmt.Errorf("schema %q is not known: it must be 3.16.1 or 3.24.0", d.Schema)
	}
	return nil
}

func (j *job) check(ranks int) error {
	if err := j.checkNames(); err != nil {
		return err
	}
	if err := j.checkTogether(ranks); err != nil {
		return err
	}
	return check(slices.Concat(j.bounds(ranks), j.Serving.bounds(), j.Memory.bounds(), j.Sizes.bounds(), j.Experts.bounds(j.Layers, ranks), j.listedBounds(ranks)))
}

// second is how many ns it has.
const second = float64(time.Second)

// bounds returns the bounds of the numbers of a job.
func (j *job) bounds(ranks int) []allowedRange {
	return []allowedRange{
		{"layers", float64(j.Layers), 1, 100},
		{"forward, in ns,", float64(j.Forward), 1000, 10 * second},
		{"backward, in ns,", float64(j.Backward), 1000, 10 * second},
		{"optimizer, in ns,", float64(j.Optimizer), 1000, 10 * second},
		{"launch, in ns,", float64(j.Launch), 5000, second},
		{"input.from, in ns,", float64(j.Input.From), 1000, 10 * second},
		{"input.to, in ns,", float64(j.Input.To), 0, 10 * second},
		{"input.spread", j.Input.Spread, 0, 1},
		{"copy.bytes", float64(j.Copy.Bytes), 0, 1e12},
		{"copy.rate", j.Copy.Rate, 1e6, 1e12},
		{"all_reduce.count", float64(j.AllReduce.Count), 0, float64(j.Layers)},
		{"all_reduce.bytes", float64(j.AllReduce.Bytes), 0, 1e12},
		{"all_reduce.spread", j.AllReduce.Spread, 0, 0.5},
		{"all_reduce.transfer, in ns,", float64(j.AllReduce.Transfer), 1000, 10 * second},
		{"all_reduce.host, in ns,", float64(j.AllReduce.Host), 0, second},
		{"all_reduce.gap, in ns,", float64(j.AllReduce.Gap), 0, second},
		{"tensor.ranks", float64(j.Tensor.Ranks), 0, float64(ranks)},
		{"tensor.count", float64(j.Tensor.Count), 0, float64(j.Layers)},
		{"tensor.bytes", float64(j.Tensor.Bytes), 0, 1e12},
		{"tensor.transfer, in ns,", float64(j.Tensor.Transfer), 1000, 10 * second},
		{"pipeline.stages", float64(j.Pipeline.Stages), 0, float64(ranks)},
		{"pipeline.micro_batches", float64(j.Pipeline.MicroBatches), 1, 256},
		{"pipeline.bytes", float64(j.Pipeline.Bytes), 0, 1e12},
		{"pipeline.transfer, in ns,", float64(j.Pipeline.Transfer), 1000, 10 * second},
		{"reads.bytes", float64(j.Reads.Bytes), 0, 1e12},
		{"reads.chunk", float64(j.Reads.Chunk), 4096, 1 << 30},
		{"reads.threads", float64(j.Reads.Threads), 1, 64},
		{"reads.rate", j.Reads.Rate, 0, 1e12},
		{"rotate", j.Rotate, 0.01, 100},
		{"clock", j.Clock, 0.1, 10},
		{"clock_rate", float64(j.ClockRate), 0, 1e11},
		{"allocate, in ns,", float64(j.Allocate), 0, second},
		{"route, in ns,", float64(j.Route), 0, second},
		{"pause.every", float64(j.Pause.Every), 0, 1e6},
		{"pause.time, in ns,", float64(j.Pause.Time), 0, 100 * second},
		{"window, in ns,", float64(j.Window), 0, 1000 * second},
		{"clock_skew, in ns,", float64(j.ClockSkew), 0, 10 * second},
		{"noise", j.Noise, 0, 0.3},
		{"run_noise", j.RunNoise, 0, 0.3},
	}
}

// listedBounds returns the bounds of numbers in lists: by range, kernel or rank.
func (j *job) listedBounds(ranks int) (bounds []allowedRange) {
	for name, length := range j.Ranges {
		bounds = append(bounds, allowedRange{"ranges." + name + ", in ns,", float64(length), 1000, 10 * second})
	}
	for name, factor := range j.Kernels {
		bounds = append(bounds, allowedRange{"kernels." + name, factor, 0.01, 100})
	}
	for rank, factor := range j.Slow {
		bounds = append(bounds, allowedRange{"slow rank", float64(rank), 0, float64(ranks - 1)}, allowedRange{"slow", factor, 0.01, 100})
	}
	for rank, factor := range j.ClockOf {
		bounds = append(bounds, allowedRange{"rank of clock_of", float64(rank), 0, float64(ranks - 1)}, allowedRange{"clock_of", factor, 0.1, 10})
	}
	for _, rank := range slices.Concat(j.Missing, j.Truncated) {
		bounds = append(bounds, allowedRange{"missing or truncated rank", float64(rank), 0, float64(ranks - 1)})
	}
	return bounds
}

// checkNames looks for names that are not known.
func (j *job) checkNames() error {
	if !slices.Contains(engineNames, j.Serving.Names) {
		return fmt.Errorf("serving.names: %q is not known: it must be one of %s", j.Serving.Names, strings.Join(engineNames, ", "))
	}
	for _, name := range append(slices.Sorted(maps.Keys(j.Kernels)), j.Replace...) {
		if !slices.ContainsFunc(kernels, func(k kernel) bool { return k.label == name }) {
			return fmt.Errorf("kernels: %q is none of the job's kernels: %s", name, labels())
		}
	}
	for _, name := range j.Replace {
		if replacements[name] == nil {
			return fmt.Errorf("replace: no kernel is known that runs in place of %q: %s", name, strings.Join(slices.Sorted(maps.Keys(replacements)), ", "))
		}
	}
	if orders[j.Pipeline.Order] == nil {
		return fmt.Errorf("pipeline.order: %q is not known: it must be one of %s, or left out", j.Pipeline.Order, strings.Join(slices.Sorted(maps.Keys(orders))[1:], ", "))
	}
	return nil
}

// checkTogether looks for settings that exclude each other.
func (j *job) checkTogether(ranks int) error {
	switch {
	case j.GraphTrace != "graph" && j.GraphTrace != "node":
		return fmt.Errorf("graph_trace is %q: it must be graph or node", j.GraphTrace)
	case j.AllReduce.Captured && (!j.Graphs || j.AllReduce.Count == 0):
		return errors.New("all_reduce.captured: it needs graphs: true and all-reduces")
	}
	if j.Tensor.Ranks > 1 && (ranks%j.Tensor.Ranks != 0 || ranks == j.Tensor.Ranks || j.Graphs || j.Serving.Batch > 0) {
		return fmt.Errorf("tensor.ranks is %d: the ranks must be several times as many, without graphs and serving", j.Tensor.Ranks)
	}
	if n := j.Pipeline.Stages; n > 1 && (ranks%n != 0 || j.Graphs || j.Serving.Batch > 0 || j.Tensor.Ranks > 1) {
		return fmt.Errorf("pipeline.stages is %d: each must have as many ranks, without graphs, serving and tensor.ranks", n)
	}
	if err := j.Experts.check(j, ranks); err != nil {
		return err
	}
	if j.Window > 0 && j.Markers {
		return errors.New("window: a capture that ends within the job has no whole last step: it needs markers: false")
	}
	if j.NoDevice && j.Markers {
		return errors.New("no_device: steps are measured on the device; it needs markers: false")
	}
	return nil
}

func labels() string {
	names := make([]string, len(kernels))
	for i, k := range kernels {
		names[i] = k.label
	}
	return strings.Join(names, ", ")
}
