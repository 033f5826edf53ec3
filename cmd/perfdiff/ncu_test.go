package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth/ncutest"
	"perfdiff/render"
)

// kernelsOf compares two recordings through the whole program and returns what each output says.
func kernelsOf(t *testing.T, base, cand ncutest.Recording, want int) (doc render.ReplayDocument, text, comment, page string) {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "base.csv"), base.Text())
	writeFile(t, filepath.Join(dir, "cand.csv"), cand.Text())
	return kernelsAt(t, dir, want)
}

// kernelsAt is kernelsOf of files that are there.
func kernelsAt(t *testing.T, dir string, want int, args ...string) (doc render.ReplayDocument, text, comment, page string) {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	text, stderr, status := runSeveral(append([]string{"ncu", at("base.csv"), at("cand.csv"), "-o", at("r.json"), "-o", at("r.md"), "-o", at("r.html")}, args...)...)
	if status != want {
		t.Fatalf("got status %d, want %d: %s%s", status, want, text, stderr)
	}
	read := func(name string) string {
		b, err := os.ReadFile(at(name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if err := json.Unmarshal([]byte(read("r.json")), &doc); err != nil {
		t.Fatal(err)
	}
	text = strings.ReplaceAll(text, "\u202f", " ")
	if said := foreignIn(text + read("r.md")); said != nil {
		t.Errorf("says %v", said)
	}
	return doc, text, read("r.md"), read("r.html")
}

// TestNcuStall: a stall that was put into a story is named first, in every output, whichever page
// and units a side has, and however its numbers are written.
func TestNcuStall(t *testing.T) {
	for _, tt := range []struct {
		name       string
		base, cand func(*ncutest.Recording)
		pages      string
	}{
		{"raw", func(*ncutest.Recording) {}, func(*ncutest.Recording) {}, "raw"},
		{"base units", func(*ncutest.Recording) {}, func(r *ncutest.Recording) { r.Base = true }, "raw"},
		{"commas", func(r *ncutest.Recording) { r.Comma = true }, func(*ncutest.Recording) {}, "raw"},
		{"windows", func(r *ncutest.Recording) { r.Above = append([]string{"\ufeffsome output"}, r.Above...) }, func(*ncutest.Recording) {}, "raw"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base, cand := ncutest.Usual(), ncutest.Usual()
			cand.Seed, cand.Kernels[0].Stalls["short_scoreboard"] = 1, 4
			tt.base(&base)
			tt.cand(&cand)
			doc, text, comment, page := kernelsOf(t, base, cand, statusRegressed)
			k := doc.Kernels[0]
			if !strings.Contains(k.Name, "attention") || k.Verdict != "regressed" || len(k.Causes) == 0 || k.Causes[0].Stall != "short_scoreboard" {
				t.Fatalf("got %s %s with %+v, want attention with short_scoreboard first", k.Name, k.Verdict, k.Causes)
			}
			truth := base.Kernels[0]
			want := cand.Kernels[0].Time(1.5e9)/truth.Time(1.5e9) - 1
			if got := float64(k.Estimate); got < want-0.01 || got > want+0.01 {
				t.Errorf("got a change of %v, want %v", got, want)
			}
			if s := float64(k.Causes[0].Share); s < 0.9 || s > 1.1 {
				t.Errorf("the stall goes with %v of the change, want all", s)
			}
			for what, in := range map[string]string{"summary": flat(text), "comment": comment, "page": page} {
				if !strings.Contains(in, "coincides most with stall Short Scoreboard") {
					t.Errorf("%s: does not name the stall first: %s", what, in)
				}
				if strings.Contains(in, "someone") || strings.Contains(in, "node17") || strings.Contains(in, "4711") {
					t.Errorf("%s: tells of the machine", what)
				}
			}
			for _, other := range doc.Kernels[1:] {
				if other.Verdict == "regressed" || other.Verdict == "improved" || len(other.Causes) > 0 {
					t.Errorf("%s did not change, and got %s, %+v", other.Name, other.Verdict, other.Causes)
				}
			}
		})
	}
}

// TestNcuOther: each of the other factors is named first where it is the one that changed.
func TestNcuOther(t *testing.T) {
	for _, tt := range []struct {
		name, kind string
		change     func(*ncutest.Kernel)
		says       string
	}{
		{"instructions", "instructions", func(k *ncutest.Kernel) { k.Instructions *= 1.3 }, "executed instructions"},
		{"occupancy", "active-warps", func(k *ncutest.Kernel) { k.Warps *= 0.75 }, "active warps per scheduler"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base, cand := ncutest.Usual(), ncutest.Usual()
			tt.change(&cand.Kernels[1])
			doc, text, _, _ := kernelsOf(t, base, cand, statusRegressed)
			if k := doc.Kernels[0]; !strings.Contains(k.Name, "gemm") || len(k.Causes) == 0 || k.Causes[0].Kind != tt.kind || !strings.Contains(flat(text), "coincides most with "+tt.says) {
				t.Errorf("got %s with %+v, want gemm with %s: %s", k.Name, k.Causes, tt.kind, text)
			}
		})
	}
}

// TestNcuEqual: where nothing changed nothing is said to have.
func TestNcuEqual(t *testing.T) {
	base, cand := ncutest.Usual(), ncutest.Usual()
	cand.Seed = 5
	doc, text, _, page := kernelsOf(t, base, cand, statusOK)
	if doc.State != "passed" || !strings.Contains(text, "No change of a time was found") || strings.Contains(page, "coincides") {
		t.Errorf("got %s: %s", doc.State, text)
	}
}
