package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/analyze/synth/ncutest"
)

// kernelsOf compares two recordings through the whole program and returns what each output says.
func kernelsOf(t *testing.T, base, cand ncutest.Recording, want int) (doc ReplayDocument, text, comment, page string) {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "base.csv"), base.Text())
	writeFile(t, filepath.Join(dir, "cand.csv"), cand.Text())
	return kernelsAt(t, dir, want)
}

// kernelsAt is kernelsOf of files that are there.
func kernelsAt(t *testing.T, dir string, want int, args ...string) (doc ReplayDocument, text, comment, page string) {
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

// TestNcuOpen: a slowdown that would matter and is not decided does not pass, and the size that would have been
// shown is said.
func TestNcuOpen(t *testing.T) {
	base, cand, other := ncutest.Usual(), ncutest.Usual(), ncutest.Usual()
	cand.Seed, cand.Kernels[0].Stalls["long_scoreboard"] = 1, 2*base.Kernels[0].Stalls["long_scoreboard"]
	other.Seed = 2
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "base.csv"), base.Text())
	writeFile(t, filepath.Join(dir, "cand.csv", "a.csv"), cand.Text())
	writeFile(t, filepath.Join(dir, "cand.csv", "b.csv"), other.Text())
	doc, text, _, _ := kernelsAt(t, dir, statusNotJudged)
	if k := doc.Kernels[0]; k.Verdict != "inconclusive" || float64(k.Estimate) < float64(doc.Threshold) {
		t.Fatalf("got %s with %v, want an open slowdown", k.Verdict, k.Estimate)
	}
	for _, want := range []string{"Cannot tell yet: one slower, not yet beyond chance", "would have shown"} {
		if !strings.Contains(flat(text), want) {
			t.Errorf("does not say %q: %s", want, text)
		}
	}
}

// TestNcuNotJudged: what makes a comparison void is said, and nothing passes.
func TestNcuNotJudged(t *testing.T) {
	twice := func(r *ncutest.Recording) { r.Kernels[0].Stalls["long_scoreboard"] = 14 }
	above := func(line string) func(*ncutest.Recording) {
		return func(r *ncutest.Recording) { r.Above = append([]string{line}, r.Above...) }
	}
	for _, tt := range []struct {
		name       string
		base, cand func(*ncutest.Recording)
		says       string
	}{
		{"other device", nil, func(r *ncutest.Recording) { twice(r); r.Device, r.CC = "NVIDIA A100-SXM4-80GB", "8.0" }, "the two sides are not comparable"},
		{"clocks", above("ncu --csv --clock-control base ./train"), func(r *ncutest.Recording) { twice(r); above("ncu --csv --clock-control=none ./train")(r) }, "Differs: clock control, base and none"},
		{"caches", above("ncu --cache-control all ./train"), func(r *ncutest.Recording) { twice(r); above("ncu --cache-control none ./train")(r) }, "Differs: cache control, all and none"},
		{"replay", nil, func(r *ncutest.Recording) {
			twice(r)
			above(`==PROF== Profiling "attention" - 0: Application replay pass 1`)(r)
		}, "Differs: replay mode, kernel and application"},
		{"measured clock", nil, func(r *ncutest.Recording) { twice(r); r.Clock = 1.2e9 }, "Differs: measured SM clock, 1 500 MHz and 1 200 MHz"},
		{"few launches", func(r *ncutest.Recording) { once(r) }, func(r *ncutest.Recording) { twice(r); once(r) }, "Measured, not judged: 3 kernels on both sides, with fewer than five launches per side each."},
		{"nothing in common", nil, func(r *ncutest.Recording) { r.Kernels = r.Kernels[:1]; r.Kernels[0].Block = "(64, 1, 1)" }, "no kernel was launched with the same sizes"},
		{"same", nil, nil, "both sides hold the same recording"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base, cand := ncutest.Usual(), ncutest.Usual()
			for side, change := range []func(*ncutest.Recording){tt.base, tt.cand} {
				if change != nil {
					change([]*ncutest.Recording{&base, &cand}[side])
				}
			}
			doc, text, comment, page := kernelsOf(t, base, cand, statusNotJudged)
			for _, k := range doc.Kernels {
				if k.Verdict != "inconclusive" || k.Lo == k.Lo {
					t.Errorf("%s: got %s with an interval, want none", k.Name, k.Verdict)
				}
			}
			for what, in := range map[string]string{"summary": flat(text), "comment": comment, "page": page} {
				if !strings.Contains(strings.ToLower(in), "not judged") {
					t.Errorf("%s: does not say that nothing is judged", what)
				}
			}
			if !strings.Contains(strings.ReplaceAll(flat(text), "\u2009", " "), tt.says) {
				t.Errorf("does not say %q: %s", tt.says, text)
			}
		})
	}
}

// TestNcuUnclear: numbers that can be read in two ways judge nothing.
func TestNcuUnclear(t *testing.T) {
	dir := t.TempDir()
	for name, value := range map[string]string{"a.csv": "1.965", "b.csv": "1,965"} {
		text := `"ID","Kernel Name","Block Size","Grid Size","Device","CC","gpu__time_duration.sum"` + "\n" + `"","","","","","","us"` + "\n"
		for i := range 12 {
			text += fmt.Sprintf(`"%d","k","(32, 1, 1)","(4, 1, 1)","0","9.0","%s"`, i, value) + "\n"
		}
		writeFile(t, filepath.Join(dir, name), text)
	}
	out, _ := mustRun(t, statusNotJudged, "ncu", filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv"))
	if !strings.Contains(flat(out), "can be read in two ways") {
		t.Errorf("got %s", out)
	}
}

func once(r *ncutest.Recording) {
	for i := range r.Kernels {
		r.Kernels[i].Launches = 1
	}
}

// TestNcuMissing: what a side does not have is not recorded, with the option that collects it, and
// never zero; a page "details" and a page "raw" share what both have.
func TestNcuMissing(t *testing.T) {
	base, cand := ncutest.Usual(), ncutest.Usual()
	cand.Kernels[0].Stalls["long_scoreboard"] = 9
	cand.Sections = []string{"SpeedOfLight", "LaunchStats"}
	doc, text, comment, page := kernelsOf(t, base, cand, statusRegressed)
	for what, in := range map[string]string{"summary": flat(text), "page": page, "comment": strings.ReplaceAll(comment, `\-`, "-")} {
		for _, want := range []string{"Not recorded in the candidate: Achieved Occupancy, Theoretical Occupancy", "--section Occupancy", "roofline", "stall reasons", "--section WarpStateStats"} {
			if !strings.Contains(strings.ReplaceAll(in, `\_`, "_"), want) {
				t.Errorf("%s: does not say %q: %.3000s", what, want, in)
			}
		}
	}
	for _, m := range doc.Kernels[0].Quantities {
		if m.ID == "achieved_occupancy" && (m.Candidate.Launches != 0 || m.Candidate.Median == m.Candidate.Median || m.Baseline.Launches == 0) {
			t.Errorf("got %+v, want the baseline's alone", m)
		}
	}
	base.Details, cand.Sections = true, nil
	doc, _, _, _ = kernelsOf(t, base, cand, statusRegressed)
	k := doc.Kernels[0]
	if k.Verdict != "regressed" || len(k.Causes) == 0 || k.Causes[0].Kind != "latency" || len(k.Roofline.Baseline) != 0 || len(k.Roofline.Candidate) != 1 {
		t.Errorf("details against raw: got %s, %+v", k.Verdict, k.Causes)
	}
	if doc.Baseline.Files[0].Page != "details" || doc.Candidate.Files[0].Page != "raw" {
		t.Errorf("got %+v, %+v", doc.Baseline.Files, doc.Candidate.Files)
	}
}

// TestNcuDamaged: a file that is cut or damaged does not pass, and others of its side are kept.
func TestNcuDamaged(t *testing.T) {
	base, cand := ncutest.Usual(), ncutest.Usual()
	cand.Seed = 3
	whole := cand.Text()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "base.csv"), base.Text())
	writeFile(t, filepath.Join(dir, "cand.csv", "a.csv"), whole)
	writeFile(t, filepath.Join(dir, "cand.csv", "b.csv"), "a,b\n1,2\n")
	writeFile(t, filepath.Join(dir, "cand.csv", "c.csv"), whole)
	writeFile(t, filepath.Join(dir, "cand.csv", "d.txt"), "notes of somebody\n")
	writeFile(t, filepath.Join(dir, "cand.csv", "e.ncu-rep"), "binary")
	doc, text, _, page := kernelsAt(t, dir, statusNotJudged)
	for what, in := range map[string]string{"summary": flat(text), "page": page} {
		for _, want := range []string{"b.csv", "no table of kernels", "is a copy of a.csv, and counts once", "ncu is not on PATH", "A part of what was recorded could not be read."} {
			if !strings.Contains(in, want) {
				t.Errorf("%s: does not say %q: %.2000s", what, want, in)
			}
		}
	}
	if doc.Candidate.Launches != 36 || !doc.Incomplete || strings.Contains(text, "d.txt") {
		t.Errorf("got %+v", doc.Candidate)
	}
	for _, n := range []int{len(whole) / 3, len(whole) / 2, len(whole) - 90} {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "base.csv"), base.Text())
		writeFile(t, filepath.Join(dir, "cand.csv"), whole[:n])
		doc, text, _, _ := kernelsAt(t, dir, statusNotJudged)
		if !doc.Incomplete || !strings.Contains(flat(text), "cut or damaged") {
			t.Errorf("cut at %d: got %s", n, text)
		}
	}
}

// TestNcuErrors: what cannot be read at all is an error that names file, cause and remedy.
func TestNcuErrors(t *testing.T) {
	dir := t.TempDir()
	usual := ncutest.Usual()
	writeFile(t, filepath.Join(dir, "good.csv"), usual.Text())
	t.Setenv("PATH", dir)
	for name, tt := range map[string]struct{ text, says string }{
		"none.csv":     {"", "no table of kernels (print it with: ncu --csv --page raw)"},
		"failed.csv":   {"==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access counters at /home/x\n", "ncu says: ERR_NVGPUCTRPERM"},
		"summary.csv":  {`"Kernel Name","x"` + "\n" + `"ID","Kernel Name","Metric Name","Metric Unit","Minimum","Maximum","Average"` + "\n", "without --print-summary"},
		"empty.csv":    {`"ID","Kernel Name","gpu__time_duration.sum"` + "\n" + `"","","ns"` + "\n", "no launch"},
		"source.csv":   {`"ID","Kernel Name","Address","Source"` + "\n", "--page raw"},
		"mixed.csv":    {`"ID","Kernel Name","a__b"` + "\n" + `"","","ns"` + "\n" + `"0","k","1,234.5"` + "\n" + `"1","k","1.234,5"` + "\n", "numbers are written in two ways"},
		"quote.csv":    {`"ID","Kernel Name","a__b"` + "\n" + `"0","k` + strings.Repeat("x,\n", 2<<20), "line 2"},
		"here.ncu-rep": {"binary", "ncu is not on PATH"},
	} {
		writeFile(t, filepath.Join(dir, name), tt.text)
		stdout, stderr, status := runSeveral("ncu", filepath.Join(dir, name), filepath.Join(dir, "good.csv"))
		if status != statusError || stdout != "" || !strings.Contains(stderr, name) || !strings.Contains(stderr, tt.says) || strings.Contains(stderr, "/home/x") {
			t.Errorf("%s: got status %d, %s, want %q", name, status, stderr, tt.says)
		}
	}
	for _, name := range []string{"r.csv", "r.xml", "r.svg", "r"} {
		_, stderr, status := runSeveral("ncu", "x", "y", "-o", name)
		if status != statusError || !strings.Contains(stderr, name+": kernels of Nsight Compute are written as .html, .json, .md or .txt") || strings.Contains(stderr, "or .svg") {
			t.Errorf("%s: got %d, %s", name, status, stderr)
		}
	}
	for _, args := range [][]string{{"ncu"}, {"ncu", "x"}, {"ncu", "x", "y", "-o", "r.xml"}, {"ncu", "nowhere", "y"}, {"ncu", "x", "y", "--timeout", "0s"}, {"ncu", dir + "/none.csv", dir}} {
		if stdout, stderr, status := runSeveral(args...); status != statusError || stdout != "" || !strings.Contains(stderr, "perfdiff: error: ") {
			t.Errorf("%q: got status %d, %q, %s", args, status, stdout, stderr)
		}
	}
}

// TestNcuLink: the row of a kernel leads to what Nsight Compute recorded of it, and nothing else of
// the report changes: neither its numbers nor its exit status.
func TestNcuLink(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	at := func(name string) string { return filepath.Join(dir, name) }
	stdout, _, status := runSeveral(base, cand, "-o", at("plain.html"), "-o", at("plain.json"))
	var doc Document
	text, err := os.ReadFile(at("plain.json"))
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil || len(doc.Kernels) < 2 {
		t.Fatal("no kernels", err)
	}
	a, b := ncutest.Usual(), ncutest.Usual()
	a.Kernels[1].Name, b.Kernels[1].Name = doc.Kernels[1].Name, doc.Kernels[1].Name
	b.Kernels[1].Instructions *= 2
	writeFile(t, at("base.csv"), a.Text())
	writeFile(t, at("cand.csv"), b.Text())
	linked, stderr, got := runSeveral(base, cand, "-o", at("report.html"), "-o", at("report.json"), "--ncu", at("base.csv")+","+at("cand.csv"))
	if got != status || strings.ReplaceAll(linked, "report.html", "plain.html") != stdout {
		t.Errorf("got status %d, want %d, and the summary changed: %s%s", got, status, linked, stderr)
	}
	page, err := os.ReadFile(at("report.html"))
	if err != nil || !strings.Contains(string(page), `<a href="./report-ncu.html#kernel-1">Nsight Compute</a>`) || strings.Count(string(page), ">Nsight Compute</a>") != 1 {
		t.Errorf("the page has no link, or several: %v", err)
	}
	if other, err := os.ReadFile(at("report-ncu.html")); err != nil || !strings.Contains(string(other), `<section id="kernel-1"`) {
		t.Errorf("the page of kernels: %v", err)
	}
	with, err := os.ReadFile(at("report.json"))
	if err != nil || strings.Contains(string(with), "base.csv") || len(with) < len(text) {
		t.Errorf("JSON: %d bytes, want those of %d and no path: %v", len(with), len(text), err)
	}
	if strings.Contains(stderr, "no kernel of the timeline") {
		t.Errorf("got %s", stderr)
	}
	for i := range a.Kernels {
		a.Kernels[i].Name = fmt.Sprintf("of_another_program_%d", i)
	}
	writeFile(t, at("other.csv"), a.Text())
	if _, stderr, got := runSeveral(base, cand, "-o", at("none.html"), "--ncu", at("other.csv")+","+at("base.csv")); got != status ||
		!strings.Contains(stderr, "no kernel of the timeline is in what Nsight Compute recorded") {
		t.Errorf("no kernel in common: got status %d: %s", got, stderr)
	}
	for _, args := range [][]string{
		{base, cand, "--ncu", "a,b"}, {base, cand, "-o", at("r.html"), "--ncu", "a"}, {base, cand, "-o", at("r.html"), "--ncu", "a,b"},
		{base, cand, cand + "2", "-o", at("r.html"), "--ncu", "a,b"}, {base, cand, "-o", at("r.html"), "-o", at("r-ncu.html"), "--ncu", "a,b"},
	} {
		if _, stderr, status := runSeveral(args...); status != statusError || !strings.Contains(stderr, "ncu") {
			t.Errorf("%q: got status %d: %s", args, status, stderr)
		}
	}
}

// TestNcuHostile: names out of files are data in every output, however long, and nothing that a
// terminal obeys is written.
func TestNcuHostile(t *testing.T) {
	bad := "</script><img src=x onerror=alert(1)>\x1b[2J\u202e|`" + strings.Repeat("x", 100_000)
	hostile := func(r ncutest.Recording) ncutest.Recording {
		r.Kernels[0].Name, r.Device = bad, "\x1b]0;x\a<b>GPU"
		r.Kernels[0].Stalls["\x1b[31m"] = 3
		r.Kernels[1].Block = "<i>\x1b[2J"
		return r
	}
	base, cand := hostile(ncutest.Usual()), hostile(ncutest.Usual())
	cand.Kernels[0].Stalls["\x1b[31m"], cand.Kernels[1].Grid, cand.Seed = 9, "\x1b[2J(1)", 1
	doc, text, comment, page := kernelsOf(t, base, cand, statusRegressed)
	if len(doc.Kernels) != 2 || len(page) > 200_000 || len(comment) > 65_000 || len(text) > 20_000 {
		t.Errorf("got %d kernels, a page of %d bytes, a comment of %d, a summary of %d", len(doc.Kernels), len(page), len(comment), len(text))
	}
	for what, in := range map[string]string{"summary": text, "comment": comment, "page": page} {
		if strings.ContainsAny(in, "\x1b\a\u202e") || what == "page" && strings.Contains(in, "<img src") || strings.Contains(in, "<summary><") {
			t.Errorf("%s: a name got through: %.3000q", what, in)
		}
	}
}
