package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/analyze/synth/parquetdir"
)

// What a report says in place of a sentence: nothing, or, behind these words, what would have to be recorded.
const (
	seedNothing = "nothing"
	seedNeeds   = "not recorded, needs "
)

// seedSentences are what the seed's reader says after an hour with both recordings open, in that order, and how a
// report says it: "" where it does, and else what it says instead.
var seedSentences = []struct {
	name string
	said func(d *seedDocument) string
}{
	{"1 a node reads 14 GB/s, all the time", func(d *seedDocument) string {
		f := d.finding("read-throughput")
		if f == nil || f.Details.Reads == nil {
			return d.needsOf("io_read_throughput")
		}
		r := &f.Details.Reads.Baseline
		node := r.PerNode
		if math.IsNaN(float64(node)) {
			node = 8 * f.Value.Baseline // eight ranks on each
		}
		return unless(within5(node, 14e9) && r.Share > .9, f.Text)
	}},
	{"2 threads wait in pthread_cond_wait", func(d *seedDocument) string {
		share, absent := d.use("OS runtime", "pthread_cond_timedwait", "pthread_cond_wait")
		return cmp.Or(absent, unless(share.Baseline > .2 && share.Candidate < .05, share))
	}},
	{"3 files are read by calls that stand out", func(d *seedDocument) string {
		share, absent := d.use("OS runtime", "read", "pread64", "fread")
		return cmp.Or(absent, unless(share.Baseline > .2, share))
	}},
	{"4 steps grow from 100 to 220 ms, step 11 is left out", func(d *seedDocument) string {
		f := d.finding("drift")
		if f == nil || f.Details.Lines == nil {
			return seedNothing
		}
		line, s := f.Details.Lines.Baseline, d.Steps[0]
		return unless(within5(line.First, .112) && within5(line.Last, .216) && s.Number == 11 && strings.Contains(s.Dropped, "profiler starts"), f.Text, s)
	}},
	{"5 the duration of all-reduce varies", func(d *seedDocument) string {
		f := d.finding("collective-spread")
		if f == nil {
			return seedNothing
		}
		return unless(f.Part == "AllReduce" && f.Details.Calls[0].Deviation > 5*f.Details.Calls[1].Deviation, f.Text)
	}},
	{"6 all-reduce has the largest share of kernels, 24 %", func(d *seedDocument) string {
		share, absent := d.use("kernels", "nccl:AllReduce f32")
		return cmp.Or(absent, unless(within5(share.Baseline, .245) && strings.Contains(d.Summaries[0].Rows[0].Name, "AllReduce"), share))
	}},
	{"7 the device idles longer and longer", func(d *seedDocument) string {
		f := d.finding("drift")
		if f == nil {
			return seedNothing
		}
		for _, c := range f.Because {
			if c.Kind == "trend-part" && c.Side == "baseline" {
				return unless(slices.Equal(c.Names, []string{"Waiting for input"}) && c.Value.Baseline < .04 && c.Value.Candidate > .11 && strings.Contains(f.Text, "mostly waiting for input"), f.Text)
			}
		}
		return seedNothing
	}},
	{"8 so ranks wait for training data that is read", func(d *seedDocument) string {
		f := d.finding("input-wait")
		if f == nil {
			return d.needsOf("input_wait_time")
		}
		path := d.onPath("input", "reading from storage")
		wait := d.values("comm_wait_time", "", .01029, .00062)
		least := strings.Contains(f.Text, "at least") && f.Value.Baseline > .065 && f.Value.Baseline < .0767 // where no range tells
		return cmp.Or(wait, unless(f.Class == "better" && (least || within5(f.Value.Baseline, .0767) && f.Value.Candidate > .0019) && path.Baseline > .07 && path.Candidate < .01, f.Text, path))
	}},
	{"9 NCCL and compute never overlap", func(d *seedDocument) string { return d.values("overlap", "", 0, 0) }},
	{"10 ranks are not aligned", func(d *seedDocument) string { return d.values("arrival_skew", "", .00818, .00037) }},
	{"11 NCCL kernels are much shorter, and still do not overlap", func(d *seedDocument) string {
		f := d.finding("communication")
		if f == nil {
			return seedNothing
		}
		return cmp.Or(d.values("comm_time", "AllReduce", .0193, .0096), unless(strings.Contains(f.Text, "compute still hides none of it"), f.Text))
	}},
	{"12 ranks are aligned", func(d *seedDocument) string {
		f := d.finding("communication")
		if f == nil {
			return seedNothing
		}
		return unless(strings.Contains(f.Text, "ranks arrive closer together"), f.Text)
	}},
	{"13 steps are constant, at half the time", func(d *seedDocument) string {
		f := d.finding("drift")
		if f == nil || f.Details.Lines == nil {
			return seedNothing
		}
		return cmp.Or(d.values("step_time", "", .164, .0788), unless(f.Details.Lines.Candidate.Trend == 0, f.Text))
	}},
	{"14 data is read in bursts, at three times the rate", func(d *seedDocument) string {
		f := d.finding("read-throughput")
		if f == nil || f.Details.Reads == nil {
			return d.needsOf("io_read_throughput")
		}
		r := f.Details.Reads
		return unless(within5(r.Candidate.Burst/r.Baseline.Burst, 2.97) && r.Candidate.Share < .7, f.Text)
	}},
	{"15 gaps of 1 ms before NCCL remain, and nothing hides communication", func(d *seedDocument) string {
		f := d.finding("gap-before")
		if f == nil {
			return seedNothing
		}
		return cmp.Or(d.values("exposed_comm_time", "", .0193, .0096), unless(f.Class == "remains" && f.Part == "AllReduce" && within5(f.Value.Candidate, .001), f.Text))
	}},
	{"16 four threads read instead of one", func(d *seedDocument) string {
		for _, s := range d.Suspects {
			if s.Kind == "readers" {
				return unless(within5(s.Values.Baseline, 1) && within5(s.Values.Candidate, 3.85), s.Text)
			}
		}
		return d.needsOf("io_parallel_readers")
	}},
}

// Ways to take away what the seed's command records, or need not. A table that is gone was not asked for.
var (
	noLoader    = []string{"DELETE FROM NVTX_EVENTS WHERE text LIKE 'DataLoader%'", "VACUUM"} // numbers rows anew: none was lost
	noNCCLNames = []string{"DELETE FROM NVTX_EVENTS WHERE domainId = 1", "VACUUM"}
	noCounters  = []string{"DROP TABLE IF EXISTS NVTX_COUNTER_GROUPS", "DROP TABLE IF EXISTS NVTX_COUNTER_SAMPLES_0_1", "DROP TABLE IF EXISTS NVTX_SCOPES"}
	noFiles     = []string{"DROP TABLE OSRT_FILE_ACCESS_EVENTS", "DROP TABLE OSRT_FILE_ACCESS_DESCRIPTORS"}
	noCalls     = []string{"DROP TABLE OSRT_API"}
	// As the loop of the seed's job is recorded: its own ranges, read by fread in a process of its own.
	likeSeed = []string{"UPDATE NVTX_EVENTS SET text = replace(text, 'step ', 'step_')", "UPDATE NVTX_EVENTS SET text = 'data_loading' WHERE text LIKE 'DataLoader%'",
		"INSERT INTO PROCESSES SELECT globalPid + (1 << 24), pid + 1, name FROM PROCESSES",
		"UPDATE OSRT_API SET globalTid = globalTid + (1 << 24) WHERE nameId IN (SELECT id FROM StringIds WHERE value IN ('read', 'pread64'))",
		"UPDATE StringIds SET value = 'fread' WHERE value IN ('read', 'pread64')", "UPDATE StringIds SET value = 'pthread_cond_wait' WHERE value = 'pthread_cond_timedwait'"}
)

// TestSeed: whatever of the seed's recording is there, a report says each of the sentences, or what would have to be
// recorded for it; and none wrongly.
func TestSeed(t *testing.T) {
	for _, recording := range []struct {
		name string
		edit []string
		lost map[string]string // by the number of a sentence: words of what it needs
	}{
		{"whole", nil, nil},
		{"no range of the loader", noLoader, nil},
		{"no ranges of NCCL", noNCCLNames, nil},
		{"no storage counters", noCounters, nil},
		{"no file accesses", noFiles, nil},
		{"no bytes", slices.Concat(noCounters, noFiles), map[string]string{"1": "--storage-metrics", "14": "--storage-metrics"}},
		{"no system calls", noCalls, map[string]string{"2": "OSRT_API", "3": "OSRT_API"}},
		{"nothing of the system", slices.Concat(noCalls, noFiles), map[string]string{"2": "OSRT_API", "3": "OSRT_API", "16": "--osrt-file-access"}},
		{"no synchronization", []string{"DROP TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION"}, nil},
		{"no thread names", []string{"DROP TABLE ThreadNames"}, nil},
		{"as the seed's job", slices.Concat(noNCCLNames, noFiles, likeSeed), nil},
	} {
		t.Run(recording.name, func(t *testing.T) {
			t.Parallel()
			dir := seedRecording(t, recording.edit)
			holdsSeed(t, readPair[seedDocument](t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")), recording.lost)
		})
	}
}

// TestInputUnsure: where nothing tells whether waits are for input, a change of input that these could be is no verdict.
func TestInputUnsure(t *testing.T) {
	dir, _ := writeEdited(t, "o-direct", synth.Nsight, strings.NewReplacer("from: 2ms", "from: 18ms, to: 118ms", "nodes: 2", "nodes: 1", "ranks: 16", "ranks: 2"))
	for _, side := range []string{"baseline", "candidate"} {
		for _, statement := range slices.Concat(noFiles, noLoader) {
			alter(t, filepath.Join(dir, side), statement)
		}
	}
	reads := "OSRT_API WHERE nameId = (SELECT id FROM StringIds WHERE value = 'pread64')"
	alter(t, filepath.Join(dir, "candidate"), "DELETE FROM "+reads+" AND start > (SELECT min(start) + 1000000000 FROM "+reads+")")
	alter(t, filepath.Join(dir, "candidate"), "VACUUM")
	_, _, doc := summaryOf(t, filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate"))
	c := metricsOf(doc)["input_wait_time"]
	if c.Verdict != "inconclusive" || !strings.Contains(c.Why, "other idle time that may be input") || len(c.Notes) == 0 {
		t.Errorf("got %s: %s %v, %g to %g s", c.Verdict, c.Why, c.Notes, c.Median.Baseline, c.Median.Candidate)
	}
	if text := spoken(doc); strings.Contains(text, "Input wait") {
		t.Errorf("got %s", text)
	}
}

// TestSeedForms: Parquet and merged parts tell the same.
func TestSeedForms(t *testing.T) {
	dir, other := seedRecording(t, nil), t.TempDir()
	both := map[string][2]string{}
	for i, side := range []string{"baseline", "candidate"} {
		files, err := filepath.Glob(filepath.Join(dir, side, "*.sqlite"))
		if err != nil || len(files) != 16 {
			t.Fatal(len(files), err)
		}
		tables := filepath.Join(other, side)
		if err := os.Mkdir(tables, 0o777); err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			to := filepath.Join(tables, strings.TrimSuffix(filepath.Base(f), ".sqlite")+"_pqtdir")
			if err := parquetdir.Write(t.Context(), f, to); err != nil {
				t.Fatal(err)
			}
		}
		merged := filepath.Join(other, side+".perfdiff")
		mustRun(t, statusOK, "merge", measureShards(t, filepath.Join(dir, side), 2), "-q", "-o", merged)
		for form, path := range map[string]string{"Parquet": tables, "merged": merged} {
			pair := both[form]
			pair[i] = path
			both[form] = pair
		}
	}
	for form, pair := range both {
		t.Run(form, func(t *testing.T) { holdsSeed(t, readPair[seedDocument](t, pair[0], pair[1]), nil) })
	}
}

// seedRecording writes the seed's two recordings, and edits each file.
func seedRecording(t *testing.T, edit []string) (dir string) {
	t.Helper()
	dir = writeStory(t, "o-direct", synth.Nsight)
	for _, side := range []string{"baseline", "candidate"} {
		for _, statement := range edit {
			alter(t, filepath.Join(dir, side), statement)
		}
	}
	return dir
}

// holdsSeed holds a report to the sentences.
func holdsSeed(t *testing.T, d *seedDocument, lost map[string]string) {
	t.Helper()
	for _, s := range seedSentences {
		number, _, _ := strings.Cut(s.name, " ")
		got, needs := s.said(d), lost[number]
		switch {
		case needs != "":
			if !strings.HasPrefix(got, seedNeeds) || !strings.Contains(got, needs) {
				t.Errorf("%s: got %q, want that it needs %s", s.name, got, needs)
			}
		case got != "":
			t.Errorf("%s: got %s", s.name, got)
		}
	}
}

// seedDocument is what the sentences stand on, of a report as JSON.
type seedDocument struct {
	Findings       []seedFinding
	Metrics, Parts []Comparison
	Path           struct {
		Parts []struct {
			Part string
			Mean Both[Number]
		}
	}
	Summaries []struct {
		Table string
		Rows  []struct {
			Name                string
			Baseline, Candidate struct{ Share Number }
		}
	}
	Suspects []struct {
		Kind, Text string
		Values     Both[Number]
	}
	Steps []struct {
		Number  int
		Dropped string
	}
	Descriptions []struct{ Name, Needs string }
	Warnings     []Warning
}

type seedFinding struct {
	Kind, Part, Class, Text string
	Value                   Both[Number]
	Because                 []struct {
		Kind, Side string
		Names      []string
		Value      Both[Number]
	}
	Details struct {
		Lines *Both[struct {
			Trend       int
			First, Last Number
		}]
		Calls []struct {
			Deviation Number `json:"standard_deviation"`
		}
		Reads *Both[struct {
			Burst   Number `json:"burst_rate"`
			Share   Number `json:"time_share"`
			PerNode Number `json:"per_node"`
		}]
	}
}

// finding returns the first finding of a kind; nil without one.
func (d *seedDocument) finding(kind string) *seedFinding {
	for i := range d.Findings {
		if f := &d.Findings[i]; f.Kind == kind {
			f.Text = plainSpaces(f.Text)
			return f
		}
	}
	return nil
}

// values compares a metric, or one of its parts, with what it must be on both sides.
func (d *seedDocument) values(metric, part string, base, cand float64) string {
	for _, c := range slices.Concat(d.Metrics, d.Parts) {
		if got := c.Median; c.Metric == metric && c.Part == part && !math.IsNaN(float64(got.Baseline+got.Candidate)) {
			return unless(within5(got.Baseline, base) && within5(got.Candidate, cand), metric, got)
		}
	}
	return d.needsOf(metric)
}

func (d *seedDocument) needsOf(metric string) string {
	for _, x := range d.Descriptions {
		if x.Name == metric {
			return seedNeeds + x.Needs
		}
	}
	return seedNothing
}

// use returns the share of names in their table on either side; without the table, what warnings say of it.
func (d *seedDocument) use(table string, names ...string) (shares Both[Number], absent string) {
	absent = seedNeeds
	for _, w := range d.Warnings {
		absent += w.Text + " "
	}
	for _, t := range d.Summaries {
		if t.Table != table {
			continue
		}
		absent = seedNothing
		for _, r := range t.Rows {
			if slices.Contains(names, r.Name) {
				shares.Baseline, shares.Candidate = shares.Baseline+r.Baseline.Share, shares.Candidate+r.Candidate.Share
				absent = ""
			}
		}
	}
	return shares, absent
}

// onPath returns what a step depends on parts of the critical path for, s.
func (d *seedDocument) onPath(parts ...string) (sum Both[Number]) {
	for _, x := range d.Path.Parts {
		if slices.Contains(parts, x.Part) {
			sum.Baseline, sum.Candidate = sum.Baseline+x.Mean.Baseline, sum.Candidate+x.Mean.Candidate
		}
	}
	return sum
}

// unless returns "" where a condition holds, and else what a report says.
func unless(holds bool, says ...any) string {
	if holds {
		return ""
	}
	return fmt.Sprint(says...)
}
