package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/golden"
)

func partOf(t *testing.T, doc Document, metric, part string) Comparison {
	t.Helper()
	for _, list := range [][]Comparison{doc.Metrics, doc.Parts} {
		for _, c := range list {
			if c.Metric == metric && c.Part == part {
				return c
			}
		}
	}
	t.Fatalf("%s %s was not compared", metric, part)
	return Comparison{}
}

// TestWorkShrank: steps that are faster since they do less are said to be, in the first line and as
// the first finding, where the profiles hold the sizes; without them nothing is said of the work.
func TestWorkShrank(t *testing.T) {
	dir := writeStory(t, "work-shrank", synth.Kineto)
	doc := document(t, 0, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
	if want := "A step of the candidate does 14.1 % fewer FLOPs."; doc.Verdict.Verdict != "improved" || !strings.Contains(plainSpaces(doc.Verdict.Headline), want) {
		t.Errorf("got %s, %q, want improved, with %q", doc.Verdict.Verdict, doc.Verdict.Headline, want)
	}
	if len(doc.Findings) == 0 || doc.Findings[0].Kind != "work-shrank" || !strings.HasPrefix(doc.Findings[0].Text, "Faster because the work of a step shrank") {
		t.Fatalf("got %+v", doc.Findings)
	}
	w := doc.Findings[0].Details.Work
	if w == nil || math.Abs(float64(w.Change)-(55.0/64-1)) > 1e-9 || w.OtherRate || !w.ExplainsStep {
		t.Errorf("got %+v", w)
	}
	for _, f := range doc.Findings[1:] {
		if strings.Contains(f.Text, "clock") {
			t.Errorf("of other work is said: %s", f.Text)
		}
	}
	const flops = 12 * 18 * 64 * 256 * 256 * 56 * 56 // 12 passes of convolutions
	c := partOf(t, doc, "flops", "")
	if float64(c.Median.Baseline) != flops || float64(c.Median.Candidate) != flops/64*55 {
		t.Errorf("got %v and %v FLOPs, want %v and %v", c.Median.Baseline, c.Median.Candidate, flops, flops/64*55)
	}
	use := partOf(t, doc, "model_flops_utilization", "")
	if want := flops / (989.4e12 * float64(stepTimeOf(t, doc).Median.Baseline)); math.Abs(float64(use.Median.Baseline)/want-1) > 0.01 {
		t.Errorf("got %v of the peak, want %v", use.Median.Baseline, want)
	}

	dir = writeStory(t, "work-shrank", synth.Nsight)
	doc = document(t, 0, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
	for _, f := range doc.Findings {
		if strings.HasPrefix(f.Kind, "work-") {
			t.Errorf("without sizes: %s", f.Text)
		}
	}
}

// TestSameWork: of a kernel that takes longer for the same it is said that it does the same, and a step
// that does as much is not said to do less.
func TestSameWork(t *testing.T) {
	dir, _ := writeEdited(t, "work-shrank", synth.Kineto, strings.NewReplacer("  forward: 6.875ms\n  backward: 20.625ms\n  sizes: {images: 55}", "  kernels: {conv_dgrad: 1.5}"))
	doc := document(t, 1, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
	if len(doc.Findings) == 0 || !strings.Contains(doc.Findings[0].Text, "(the same work)") || !strings.Contains(doc.Findings[0].Text, "the work is the same, its rate fell") {
		t.Errorf("got %+v", doc.Findings)
	}
	if strings.Contains(doc.Verdict.Headline, "FLOPs") {
		t.Errorf("got %s", doc.Verdict.Headline)
	}
}

// TestServingPeaks: decoding reads weights for few tokens, and reading prompts computes: the shares of
// what the device can do tell them apart.
func TestServingPeaks(t *testing.T) {
	dir := writeStory(t, "serving-mixed", synth.Kineto)
	doc := document(t, 0, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
	for _, g := range doc.Loads {
		s := g.Sides.Baseline
		if s.OfMemory == nil || s.OfPeak == nil {
			t.Errorf("%s: no shares of the device's peaks", g.Name)
			continue
		}
		if decode := g.Class == "decode"; decode != (*s.OfMemory > 0.6 && *s.OfPeak < 0.1) || !decode && !(*s.OfPeak > 0.4) {
			t.Errorf("%s: got %v of the peak and %v of the memory's", g.Name, *s.OfPeak, *s.OfMemory)
		}
	}
}

// TestWorkOfResNet holds the count to what is known of a network: the forward pass of ResNet-50 takes
// 4,089,184,256 multiplications an image (He et al., as torchvision counts them), and the backward pass
// twice that less the gradient of the images, 118,013,952. The traces hold no strides.
func TestWorkOfResNet(t *testing.T) {
	dir := func(name string) string { return filepath.Dir(golden.RealFiles(t, "kineto/"+name+"/*")[0]) }
	doc := document(t, 0, dir("resnet50-workers-0"), dir("resnet50-workers-4"))
	const images = 32
	c := partOf(t, doc, "flops", "")
	if want := float64(2 * images * (3*4089184256 - 118013952)); float64(c.Median.Baseline) != want || float64(c.Median.Candidate) != want {
		t.Errorf("got %v and %v FLOPs, want %v", c.Median.Baseline, c.Median.Candidate, want)
	}
	if got := partOf(t, doc, "flops_known", "").Median.Baseline; got != 1 {
		t.Errorf("got %v of the time known, want 1", got)
	}
}
