package render

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"perfdiff/diff"
)

// ofPortrait are the parts of a report that a run set alone has; what of them is of the baseline, or
// of a comparison, is not in its JSON.
var ofPortrait = []string{"Waterfall.Parts", "Metrics", "Parts", "Per", "Kernels", "Launched.Nodes", "Groups", "Pairs", "Pipeline[1]", "Path.Parts", "Bounds", "RankWaits[1]", "HostWaits[1]",
	"Gaps", "Longest[1]", "Loads", "Steps", "Ranks", "Activity", "Timeline[1]", "Summaries", "Descriptions"}

// TestPortraitJSONIsComplete changes every field of what a run set alone is, and everything that a
// report has of its second side, one by one; each change must be seen in its JSON.
func TestPortraitJSONIsComplete(t *testing.T) {
	p := &diff.Portrait{}
	n := 0
	fill(reflect.ValueOf(p).Elem(), &n)
	p.Report, p.Notes[0].Kind = filled(), diff.NoteStraggler
	write := func() string {
		var b strings.Builder
		if err := WritePortrait(&b, p, JSON, Options{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	want := write()
	seen := func(path string, v reflect.Value) bool {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		change(v)
		is := write() != want
		v.Set(old)
		return is
	}
	fields := 0
	leaves(reflect.ValueOf(p).Elem(), "", func(path string, v reflect.Value) {
		if strings.HasPrefix(path, "Report.") || strings.HasPrefix(path, "Warnings[0].") && path != "Warnings[0].Warning.Text" {
			return // the report follows; of warnings the sentences are tested in words
		}
		// A note's rank, level and bound are told as its kind needs them.
		if strings.HasPrefix(path, "Notes[0].") && !slices.Contains([]string{"Notes[0].Size", "Notes[0].Share", "Notes[0].Rank.Rank"}, path) {
			return
		}
		if fields++; !seen(path, v) && !exceptions["Cand."+strings.TrimPrefix(path, "Side.")] {
			t.Errorf("%s is not in the document", path)
		}
	})
	leaves(reflect.ValueOf(p.Report).Elem(), "", func(path string, v reflect.Value) {
		if !slices.ContainsFunc(ofPortrait, func(x string) bool { return strings.HasPrefix(path+".", x+".") || strings.HasPrefix(path, x+"[") }) || !strings.Contains(path, "Cand") {
			return
		}
		if strings.Contains(path, "FLOPs") || strings.Contains(path, ".Context.") || strings.HasSuffix(path, ".TestedCandidates") || exceptions[path] {
			return
		}
		if fields++; !seen(path, v) {
			t.Errorf("%s is not in the document", path)
		}
	})
	if fields < 120 {
		t.Errorf("only %d fields were tried", fields)
	}
}
