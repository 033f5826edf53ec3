package words

import (
	"math"
	"strings"
	"testing"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// TestSides: sides have their names where these tell them apart in the room that there is, else
// their roles, and what people gave stays as it is.
func TestSides(t *testing.T) {
	for _, tt := range []struct {
		names [2]string
		limit int
		want  [2]string
	}{
		{[2]string{}, 14, [2]string{"Baseline", "Candidate"}},
		{[2]string{"buffered", "O_DIRECT"}, 14, [2]string{"buffered", "O_DIRECT"}},
		{[2]string{"a long name of a side", "b"}, 11, [2]string{"a long…side", "b"}},
		{[2]string{"experiment with 1 loader", "experiment with 2 loader"}, 9, [2]string{"Baseline", "Candidate"}},
	} {
		if got := SideHeads(&diff.Report{About: diff.About{Names: tt.names}}, tt.limit); got != tt.want {
			t.Errorf("%q in %d: got %q, want %q", tt.names, tt.limit, got, tt.want)
		}
	}
}

// TestCaptured: a time to the minute, and two where runs began at several.
func TestCaptured(t *testing.T) {
	const at = 1_700_000_000_000_000_000
	for _, tt := range []struct {
		c    diff.Captured
		want string
	}{
		{diff.Captured{}, ""},
		{diff.Captured{First: at, Last: at + 1e9}, "2023-11-14 22:13 UTC"},
		{diff.Captured{First: at, Last: at + 3600e9}, "2023-11-14 22:13 to 2023-11-14 23:13 UTC"},
	} {
		if got := Captured(tt.c); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.c, got, tt.want)
		}
	}
}

// TestSuspects: each kind has a sentence of its own, and the note claims no cause; facts that deserve a
// look stand before, those of the machine first.
func TestSuspects(t *testing.T) {
	nan := [2]float64{math.NaN(), math.NaN()}
	r := &diff.Report{Judged: true, Verdict: verdict.Improved, Suspects: []cause.Suspect{
		{Kind: cause.SuspectLoader, Names: [2]string{"one", "many"}, Values: nan, Times: nan},
		{Kind: cause.SuspectReadCall, Names: [2]string{"read", "pread64"}, Values: [2]float64{34, 35}, Times: [2]float64{0.15, 0.2}},
		{Kind: cause.SuspectDirect, Values: [2]float64{0, 1}, Times: nan},
		{Kind: cause.SuspectReaders, Values: [2]float64{1, 4}, Times: nan},
		{Kind: cause.SuspectSize, Values: [2]float64{131072, 4194304}, Times: nan},
	}, Differences: []verdict.Difference{
		{Name: "nccl", Base: "2.20", Cand: "2.21", Class: policy.ClassLook, Why: policy.OtherNCCL},
		{Name: "driver", Base: "550", Cand: "560", Class: policy.ClassLook, Why: policy.OtherDriver}, {Name: "os", Base: "1", Cand: "2", Class: policy.ClassHarmless},
		{Name: "ranks", Base: "0-3", Cand: "0-2", Class: policy.ClassLook, Why: policy.RanksOfBoth},
	}}
	want := `Batches come from many instead of one.
Files are read with pread64 (35.0 calls per step and rank, 200 ms over its threads) instead of read (34.0 calls, 150 ms).
100 % of the bytes read come in large aligned requests instead of 0 %, which could be O_DIRECT.
4 threads of a rank read at once instead of 1 thread.
A read asks for 4.19 MB instead of 0.13 MB.`
	if got := plain(strings.Join(Suspects(r), "\n")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := SuspectNote(r); !strings.Contains(got, "is not shown") {
		t.Errorf("got %q", got)
	}
	const first = "Look first: Driver: 560, in the baseline 550 (the driver can change clocks, launches and copies). " +
		"NCCL: 2.21, in the baseline 2.20 (NCCL chooses other algorithms from version to version)."
	if got := plain(NotAlike(r)); got != first {
		t.Errorf("got %q, want %q", got, first)
	}
}
