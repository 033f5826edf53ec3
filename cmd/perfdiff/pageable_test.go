package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// alterExports runs statements on every export of a directory.
func alterExports(t *testing.T, dir string, statements ...string) {
	t.Helper()
	if len(statements) == 0 {
		return
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		e, err := openExport(filepath.Join(dir, f.Name()))
		if err == nil {
			err = e.run(statements...)
		}
		if err == nil {
			err = e.close()
		}
		if err != nil {
			t.Fatalf("%s: %v", f.Name(), err)
		}
	}
}

// TestPageableCopies: the finding about pageable memory stands on what both sides recorded of
// its kinds: where one does not say, or both have the same, copies that take longer are told
// without it; and that a few small copies are pageable is no finding.
func TestPageableCopies(t *testing.T) {
	const memcpy = "CUPTI_ACTIVITY_KIND_MEMCPY"
	for _, c := range []struct {
		name       string
		edit       []string // of the story
		base, cand []string // statements on the exports of a side
		says, not  string
		format     synth.Format
	}{
		{"as recorded", nil, nil, nil, "block the host: 50.3 MB from pageable memory at 3.10 GB/s take 16.2 ms per step, in the baseline 50.3 MB from pinned memory at 25.0 GB/s take 2.01 ms; calls that copy hold the host for 16.2 ms per step", "", synth.Nsight},
		{"of PyTorch", nil, nil, nil, "block the host: 50.3 MB from pageable memory at 3.10 GB/s take 16.2 ms per step, in the baseline 50.3 MB from pinned memory", "", synth.Kineto},
		{"of XLA", nil, nil, nil, "50.3 MB from pageable memory at 3.10 GB/s take 16.2 ms per step, in the baseline 50.3 MB from pinned memory", "", synth.XPlane},
		{"unknown in the baseline", nil, []string{"update " + memcpy + " set srcKind = 7"}, nil, "Exposed memory time rose from 2 to 16 ms per step: copies to the device run at another rate", "pageable", synth.Nsight},
		{"no such column", nil, []string{"alter table " + memcpy + " drop column srcKind"}, nil, "Exposed memory time rose from 2 to 16 ms per step: copies to the device run at another rate", "pageable", synth.Nsight},
		{"pageable on both", nil, []string{"update " + memcpy + " set srcKind = 0"}, nil, "Exposed memory time rose from 2 to 16 ms per step: copies to the device run at another rate", "from pageable", synth.Nsight},
		{"managed in the baseline", nil, []string{"update " + memcpy + " set srcKind = 4"}, nil, "Exposed memory time rose from 2 to 16 ms per step: copies to the device run at another rate", "from pageable", synth.Nsight},
		{"half of it", nil, nil, []string{"update " + memcpy + " set srcKind = correlationId % 2"}, "of them from pageable memory", "", synth.Nsight},
		{"not a call recorded", nil, nil, []string{"delete from CUPTI_ACTIVITY_KIND_RUNTIME where nameId in (select id from StringIds where value like '%Memcpy%')"}, "Copies to the device take longer", "block the host", synth.Nsight},
		{"too little to matter", []string{"candidate:", "job: {copy: {bytes: 100000}}\ncandidate:"}, nil, nil, "", "pageable", synth.Nsight},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir, _ := writeEdited(t, "pageable-copies", c.format, strings.NewReplacer(c.edit...))
			base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
			alterExports(t, base, c.base...)
			alterExports(t, cand, c.cand...)
			var texts []string
			for _, f := range findingsOf(t, base, cand) {
				texts = append(texts, f.Text)
			}
			said := oneLine(strings.Join(texts, "\n"))
			if !strings.Contains(said, c.says) || c.not != "" && strings.Contains(said, c.not) {
				t.Errorf("got %q, want %q in it and not %q", said, c.says, c.not)
			}
		})
	}
}
