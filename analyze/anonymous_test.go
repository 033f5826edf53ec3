package analyze

import (
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestAnonymizeText: names are found in messages where they stand alone, and words of the
// messages themselves are not names.
func TestAnonymizeText(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"rank 3 is in job/gpu17/a.sqlite already", "rank 3 is in file-1 already"},
		{"a.sqlite: truncated; gpu17's twin", "file-1: truncated; run-1's twin"},
		{"hosts box7 and box71, not abox7", "hosts node-1 and box71, not abox7"},
		{"b.sqlite, in two directories", "a file, in two directories"},
		{"the candidate and the data are 1 step", "the candidate and the data are 1 step"}, // directories of these names exist
		{"secret holds profiles", "baseline holds profiles"}, {"é-box7-é", "é-node-1-é"}, {"", ""},
	} {
		set := &run.Set{Label: "secret", Warnings: []trace.Warning{{Text: tt.text}}, OtherDirs: []string{"candidate", "data", "1"},
			Files: []run.File{{Name: "job/gpu17/a.sqlite"}, {Name: "job/gpu17/b.sqlite"}, {Name: "job/gpu18/b.sqlite"}},
			Runs:  []run.Run{{Name: "job/gpu17", Ranks: []run.Rank{{Host: "box7", Files: []string{"job/gpu17/a.sqlite"}}}}, {Name: "job/gpu18"}}}
		Anonymize([]Named{{"baseline", set}})
		if got := set.Warnings[0].Text; got != tt.want {
			t.Errorf("%q: got %q want %q", tt.text, got, tt.want)
		}
		if r := set.Runs[0]; set.Label != "baseline" || r.Name != "run-1" || r.Ranks[0].Host != "node-1" || r.Ranks[0].Files[0] != "file-1" || set.Files[2].Name != "file-3" {
			t.Errorf("got %+v", set)
		}
	}
}

// TestAnonymizeHosts: a host that several sets have has one number, and numbers sort as such.
func TestAnonymizeHosts(t *testing.T) {
	set := func(hosts ...string) *run.Set {
		r := run.Run{Name: "r"}
		for i, h := range hosts {
			r.Ranks = append(r.Ranks, run.Rank{Rank: i, Host: h})
		}
		return &run.Set{Label: "x", Runs: []run.Run{r}}
	}
	a, b := set("c", "a", "", "c", "d", "e", "f", "g", "h", "i", "j"), set("k", "a")
	Anonymize([]Named{{"baseline", a}, {"candidate", b}})
	ra, rb := a.Runs[0].Ranks, b.Runs[0].Ranks
	if ra[0].Host != "node-01" || ra[3].Host != "node-01" || ra[2].Host != "" || rb[1].Host != ra[1].Host || rb[0].Host != "node-10" {
		t.Errorf("got %+v, %+v", ra, rb)
	}
}

// TestAnonymizeThreads: threads keep their numbers, and lose their names.
func TestAnonymizeThreads(t *testing.T) {
	set := &run.Set{Runs: []run.Run{{Excerpts: []run.Excerpt{{Ranks: []run.Strip{{Tracks: []run.Track{{Host: true, ID: 7, Name: "train_of_jane"}, {ID: 3}}}}}}}}}
	Anonymize([]Named{{"baseline", set}})
	if got := set.Runs[0].Excerpts[0].Ranks[0].Tracks; got[0] != (run.Track{Host: true, ID: 7}) || got[1] != (run.Track{ID: 3}) {
		t.Errorf("got %+v", got)
	}
}
