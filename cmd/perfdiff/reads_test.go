package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// documentOfPair compares two sides and reads what is written as JSON.
func documentOfPair(t *testing.T, base, cand string, more ...string) *Document {
	t.Helper()
	return readPair[Document](t, base, cand, more...)
}

// readPair does the same for any part of that.
func readPair[D any](t *testing.T, base, cand string, more ...string) *D {
	t.Helper()
	out := filepath.Join(t.TempDir(), "r.json")
	mustRun(t, anyVerdict, append([]string{base, cand, "-q", "-o", out}, more...)...)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	doc := new(D)
	if err := json.Unmarshal(text, doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// metricOf is a metric of a document, main or detail; the zero value where it is none of it.
func metricOf(doc *Document, name string) Comparison {
	all := slices.Concat(doc.Metrics, doc.Parts)
	if i := slices.IndexFunc(all, func(c Comparison) bool { return c.Metric == name && c.Part == "" }); i >= 0 {
		return all[i]
	}
	return Comparison{}
}

// within5 reports whether a value is what it must be, to 5 %.
func within5(got Number, want float64) bool {
	return math.Abs(float64(got)-want) <= 0.05*want
}

// readTruth is what a story's ranks read: the median over steps of their throughput together,
// without the first step.
func readTruth(run synth.Run) float64 {
	var rates []float64
	for i := 1; i < len(run.Ranks[0].Steps); i++ {
		sum := 0.0
		for _, k := range run.Ranks {
			sum += k.Steps[i].ReadBytes * 1e9 / float64(k.Steps[i].Time)
		}
		rates = append(rates, sum)
	}
	slices.Sort(rates)
	return rates[len(rates)/2]
}

// TestReadSources: both sides are measured from the best source that both have, and what is
// said of reads is what the story put in.
func TestReadSources(t *testing.T) {
	const counters, nothing = "storage counters, sum over 2 nodes", ""
	for _, x := range []struct {
		name, base, cand string // what each side records: "counters", "files", "both", "none"
		source           string
		ranks            float64 // whose reads a value is of
	}{
		{"counters alone", "counters", "counters", counters, 4},
		{"both", "both", "both", counters, 4},
		{"counters on one side", "both", "files", "file access events", 1},
		{"files on one side", "counters", "both", counters, 4},
		{"files alone", "files", "files", "file access events", 1},
		{"unlike", "counters", "files", nothing, 0},
		{"neither", "none", "none", nothing, 0},
		{"one side records nothing", "counters", "none", counters, 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			recorded := map[string]string{"counters": "counters: true, no_files: true, ", "files": "counters: false, no_files: false, ",
				"both": "counters: true, no_files: false, ", "none": "counters: false, no_files: true, "}
			dir, truth := writeEdited(t, "storage-counters", synth.Nsight, strings.NewReplacer(
				"reads: {threads: 1", "reads: {"+recorded[x.base]+"threads: 1", "reads: {threads: 4", "reads: {"+recorded[x.cand]+"threads: 4"))
			doc := documentOfPair(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
			c, burst := metricOf(doc, "io_read_throughput"), metricOf(doc, "io_read_burst_rate")
			if doc.Reads.Source != x.source || c.Source != x.source {
				t.Errorf("got source %q, of the throughput %q, want %q", doc.Reads.Source, c.Source, x.source)
			}
			if metricOf(doc, "copied_to_device").Unit != "B/s" {
				t.Error("what reached the device is not told")
			}
			found := slices.ContainsFunc(doc.Findings, func(f Finding) bool {
				return f.Kind == "read-throughput" && strings.Contains(f.Text, "became bursts of ") && strings.Contains(f.Text, "measured from "+x.source)
			})
			if found != (x.ranks > 0) {
				t.Errorf("a finding says how reads go on: %v; %+v", found, doc.Findings)
			}
			if x.ranks == 0 {
				if c.Verdict != "inconclusive" || c.Reason != "not_recorded" || !strings.Contains(c.Why, "--storage-metrics") {
					t.Errorf("got %s, %s: %s", c.Verdict, c.Reason, c.Why)
				}
				if unlike := strings.Contains(c.Why, "the baseline has storage counters of the node, the candidate file access events"); unlike != (x.name == "unlike") {
					t.Errorf("got %s", c.Why)
				}
				return
			}
			share := x.ranks / 4
			base, cand := readTruth(truth.Baseline[0])*share, readTruth(truth.Candidate[0])*share
			if !within5(c.Median.Baseline, base) || !within5(c.Median.Candidate, cand) {
				t.Errorf("throughput: got %g and %g, want %g and %g", c.Median.Baseline, c.Median.Candidate, base, cand)
			}
			reading := map[bool]float64{true: 0.955, false: 1}[x.ranks == 1] // the share of its turn that a call takes
			if !within5(burst.Median.Baseline, base/reading) || !within5(burst.Median.Candidate, 4e9*x.ranks/reading) {
				t.Errorf("while reading: got %g and %g, want %g and %g", burst.Median.Baseline, burst.Median.Candidate, base/reading, 4e9*x.ranks/reading)
			}
		})
	}
}

// TestDemoReads: the demo tells its own story, 14 GB/s without pause against bursts of 42.
func TestDemoReads(t *testing.T) {
	dir := writeStory(t, demoStory, synth.Nsight)
	for _, f := range findingsOf(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")) {
		if f.Kind != "read-throughput" {
			continue
		}
		story := f.Details.Reads
		if story == nil || !within5(story.Baseline.Burst, 28e9) || !within5(story.Candidate.Burst, 84e9) || !within5(story.Baseline.Readers, 1) || !within5(story.Candidate.Readers, 4) {
			t.Errorf("got %+v", story)
		}
		if text := plainSpaces(f.Text); !strings.Contains(text, "28.0 GB/s for 99.") || !strings.Contains(text, "per node 14.0 and 29.0 GB/s") || !strings.Contains(text, "sum over 2 nodes") {
			t.Errorf("got %s", text)
		}
		return
	}
	t.Error("no finding is about reads")
}

// TestNodeMissing: a sum over fewer nodes is no sum of the job. Where file accesses are there
// they are taken, and else the nodes that both sides sampled, which is said.
func TestNodeMissing(t *testing.T) {
	for files, want := range map[string]string{"no_files: true": "storage counters, sum over 1 of 2 nodes, those that both sides sampled", "no_files: false": "file access events"} {
		dir, truth := writeEdited(t, "storage-counters", synth.Nsight, strings.NewReplacer("no_files: true", files))
		if err := alterFile(filepath.Join(dir, "candidate", "report.2.sqlite"), "DROP TABLE NVTX_COUNTER_GROUPS"); err != nil {
			t.Fatal(err)
		}
		doc := documentOfPair(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
		c := metricOf(doc, "io_read_throughput")
		if c.Source != want {
			t.Errorf("%s: got %q, want %q", files, c.Source, want)
		}
		of := map[bool]float64{true: 0.5, false: 0.25}[files == "no_files: true"]
		if !within5(c.Median.Baseline, of*readTruth(truth.Baseline[0])) || !within5(c.Median.Candidate, of*readTruth(truth.Candidate[0])) {
			t.Errorf("%s: got %+v", files, c.Median)
		}
	}
}

// TestReadHistory: past runs say what the sum over nodes differs by where they sampled as many
// of them.
func TestReadHistory(t *testing.T) {
	dir, _ := writeEdited(t, "storage-counters", synth.Nsight, strings.NewReplacer("nodes: 2", "nodes: 2\nruns: 7", "steps: 24", "steps: 12", "baseline:\n", "baseline:\n  run_noise: 0.01\n"))
	if err := alterFile(filepath.Join(dir, "baseline", "run1", "report.2.sqlite"), "DROP TABLE NVTX_COUNTER_GROUPS"); err != nil {
		t.Fatal(err)
	}
	past := t.TempDir()
	for _, run := range []string{"run1", "run2", "run3", "run4", "run5", "run6"} {
		mustRun(t, statusOK, "summarize", filepath.Join(dir, "baseline", run), "-q", "-o", filepath.Join(past, run+".perfdiff"))
	}
	doc := documentOfPair(t, filepath.Join(dir, "baseline", "run7"), filepath.Join(dir, "candidate", "run1"), "--history", past)
	for name, want := range map[string]int{"step_time": 7, "io_read_throughput": 6} {
		if c := metricOf(doc, name); c.Change.History != want {
			t.Errorf("%s: noise of %d past runs, want %d", name, c.Change.History, want)
		}
	}
}

// TestReadsWithoutSteps: whole captures are compared by the source that both sides have, too.
func TestReadsWithoutSteps(t *testing.T) {
	dir, _ := writeEdited(t, "storage-counters", synth.Nsight, strings.NewReplacer("job:\n", "job:\n  markers: false\n  layers: 2\n  graphs: true\n", "no_files: true", "no_files: false", "steps: 24", "steps: 2"))
	if err := alterFile(filepath.Join(dir, "candidate", "report.2.sqlite"), "DROP TABLE NVTX_COUNTER_GROUPS"); err != nil {
		t.Fatal(err)
	}
	read := func(cand string) Comparison {
		doc := documentOfPair(t, filepath.Join(dir, "baseline"), filepath.Join(dir, cand), "--force")
		i := slices.IndexFunc(doc.Capture, func(c Comparison) bool { return c.Metric == "extent_read_throughput" })
		if i < 0 {
			t.Fatalf("nothing is said of reads: %+v", doc.Capture)
		}
		return doc.Capture[i]
	}
	if c := read("candidate"); c.Source != "file access events" || c.Ranks.Baseline != 4 {
		t.Errorf("a node is not sampled: got %+v", c)
	}
	for _, side := range []string{"baseline", "candidate"} {
		for _, rank := range []string{"0", "1", "2", "3"} {
			if err := alterFile(filepath.Join(dir, side, "report."+rank+".sqlite"), "DROP TABLE OSRT_FILE_ACCESS_EVENTS"); err != nil {
				t.Fatal(err)
			}
		}
	}
	if c := read("candidate"); c.Source != "storage counters, sum over 1 of 2 nodes, those that both sides sampled" || c.Ranks.Baseline != 1 {
		t.Errorf("without file accesses: got %+v", c)
	}
}
