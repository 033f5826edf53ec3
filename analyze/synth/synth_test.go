package synth

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/testdata"
)

func parse(t *testing.T, name string) *Story {
	t.Helper()
	text, err := testdata.Story(name)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func write(t *testing.T, s *Story, format Format) (string, Truth) {
	t.Helper()
	dir := t.TempDir()
	truth, err := s.Write(context.Background(), dir, format)
	if err != nil {
		t.Fatal(err)
	}
	return dir, truth
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", "about is missing"},
		{"not a mapping", "3", "story x: "},
		{"unknown key", "about: a\nrank: 3\n", `unknown field "rank"`},
		{"unknown key of a job", "about: a\njob:\n  input: {form: 1ms}\n", `unknown field "form"`},
		{"unknown key of a side", "about: a\ncandidate: {layer: 2}\n", `unknown field "layer"`},
		{"twice", "about: a\nabout: b\n", "already defined"},
		{"no duration", "about: a\njob: {forward: soon}\n", "story x: "},
		{"no unit", "about: a\njob: {forward: 8}\n", "[2:16] cannot unmarshal"},
		{"too short", "about: a\njob: {forward: 8ns}\n", "baseline: forward, in ns, is 8: it must be from 1000"},
		{"no ranks", "about: a\nranks: 0\n", "ranks is 0: it must be from 1 to 1024"},
		{"uneven", "about: a\nranks: 5\nnodes: 2\n", "5 ranks cannot be spread evenly over 2 nodes"},
		{"schema", "about: a\nschema: 9.9.9\n", `schema "9.9.9" is not known`},
		{"kernel", "about: a\ncandidate: {kernels: {gemm: 2}}\n", `candidate: kernels: "gemm" is none of the job's kernels: conv_fprop`},
		{"rank", "about: a\nranks: 2\ncandidate: {missing: [2]}\n", "missing or truncated rank is 2: it must be from 0 to 1"},
		{"slow", "about: a\nranks: 2\ncandidate: {slow: {0: 0}}\n", "slow is 0"},
		{"noise", "about: a\njob: {noise: .nan}\n", "noise is NaN"},
	}
	for _, tt := range tests {
		_, err := Parse("x", []byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got error %v, want one line with %q", tt.name, err, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, name := range testdata.Names() {
		text, err := testdata.Story(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) { Parse("fuzz", text) })
}

func TestUnknownStory(t *testing.T) {
	if _, err := testdata.Story("none"); err == nil || !strings.Contains(err.Error(), "o-direct") {
		t.Errorf("got error %v, want one that names the stories", err)
	}
}

// each calls f for every step of a truth.
func (t Truth) each(f func(side string, r *Rank, s *Step)) {
	for i, runs := range [][]Run{t.Baseline, t.Candidate} {
		for _, run := range runs {
			for k := range run.Ranks {
				for j := range run.Ranks[k].Steps {
					f(sideNames[i], &run.Ranks[k], &run.Ranks[k].Steps[j])
				}
			}
		}
	}
}

// TestTruth: every story can be written in every format, and its truth adds up
// and does not depend on the format.
func TestTruth(t *testing.T) {
	for _, name := range testdata.Names() {
		s := parse(t, name)
		_, truth := write(t, s, Nsight)
		_, same := write(t, s, Kineto)
		truth.each(func(side string, r *Rank, st *Step) {
			at := fmt.Sprintf("%s, %s, rank %d, step %d", name, side, r.Rank, st.Number)
			if sum := st.Compute + st.ExposedComm + st.ExposedMemory + st.Idle; sum != st.Time || st.Time <= 0 {
				t.Errorf("%s: the parts add up to %d, want the step, %d", at, sum, st.Time)
			}
			var gaps, comm int64
			for _, g := range st.Gaps {
				gaps += g
			}
			for _, c := range st.Collectives {
				comm += c.Time
			}
			if gaps != st.Idle || comm != st.Comm || st.ExposedComm > st.Comm {
				t.Errorf("%s: got gaps %d, collectives %d, want idle %d, communication %d", at, gaps, comm, st.Idle, st.Comm)
			}
		})
		var times, again []int64
		truth.each(func(_ string, _ *Rank, s *Step) { times = append(times, s.Time, s.HostTime, s.InputWait, s.Comm) })
		same.each(func(_ string, _ *Rank, s *Step) { again = append(again, s.Time, s.HostTime, s.InputWait, s.Comm) })
		if !slices.Equal(times, again) {
			t.Errorf("%s: the formats hold different steps", name)
		}
	}
}

// TestWait: in every collective one rank waits for nobody.
func TestWait(t *testing.T) {
	_, truth := write(t, parse(t, "straggler-rank3"), Nsight)
	ranks := truth.Candidate[0].Ranks
	last := map[int]int{}
	for step := range ranks[0].Steps {
		for c := range ranks[0].Steps[step].Collectives {
			least := slices.MinFunc(ranks, func(a, b Rank) int {
				return int(a.Steps[step].Collectives[c].Wait - b.Steps[step].Collectives[c].Wait)
			})
			if w := least.Steps[step].Collectives[c].Wait; w != 0 {
				t.Errorf("step %d, collective %d: the last rank waits %d ns, want 0", step, c, w)
			}
			last[least.Rank]++
		}
	}
	if last[3] < 40 {
		t.Errorf("rank 3 came last %d times of 48", last[3])
	}
}

// digest is over the names and the bytes of all files in dir.
func digest(t *testing.T, dir string) (sum [sha256.Size]byte, files []string) {
	t.Helper()
	h := sha256.New()
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, path))
		fmt.Fprintf(h, "%s %d\n%s", path, len(text), text)
		files = append(files, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return [sha256.Size]byte(h.Sum(nil)), files
}

func TestDeterminism(t *testing.T) {
	for _, name := range []string{"few-steps", "several-runs", "truncated", "graphs"} {
		for _, format := range []Format{Nsight, Kineto, KinetoGzip} {
			one, _ := write(t, parse(t, name), format)
			two, _ := write(t, parse(t, name), format)
			a, files := digest(t, one)
			if b, _ := digest(t, two); a != b || len(files) == 0 {
				t.Errorf("%s in format %d: two writes differ (%d files)", name, format, len(files))
			}
		}
	}
}

func TestNames(t *testing.T) {
	tests := []struct {
		story  string
		format Format
		files  int
		some   []string
	}{
		{"several-runs", Nsight, 12, []string{"baseline/run1/report.0.sqlite", "candidate/run3/report.1.sqlite"}},
		{"missing-rank", Nsight, 14, []string{"baseline/report.2.sqlite", "candidate/report.7.sqlite"}},
		{"few-steps", Kineto, 8, []string{"baseline/worker0.1694128200749.pt.trace.json"}},
		{"few-steps", KinetoGzip, 8, []string{"baseline/worker0.1694128200749.pt.trace.json.gz"}},
	}
	for _, tt := range tests {
		dir, _ := write(t, parse(t, tt.story), tt.format)
		_, files := digest(t, dir)
		for _, want := range tt.some {
			if len(files) != tt.files || !slices.Contains(files, want) {
				t.Errorf("%s: got %d files %v, want %d with %s", tt.story, len(files), files, tt.files, want)
			}
		}
		if slices.Contains(files, "candidate/report.5.sqlite") {
			t.Errorf("%s: the file of a missing rank was written", tt.story)
		}
	}
}

func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func number(t *testing.T, db *sql.DB, query string) (n int64) {
	t.Helper()
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func TestNsight(t *testing.T) {
	dir, truth := write(t, parse(t, "o-direct"), Nsight)
	db := open(t, dir+"/baseline/report.9.sqlite")
	kernels := 1 + 1 // launched behind the last step: a copy and a kernel
	for _, s := range truth.Baseline[0].Ranks[9].Steps {
		for _, k := range s.Kernels {
			kernels += k.Launches
		}
	}
	tests := []struct {
		query string
		want  int
	}{
		{"SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL", kernels - 1},
		{"SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE copyKind = 1 AND bytes = 113246208", 20},
		{"SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r USING (correlationId) " +
			"WHERE r.globalTid & ~0xFFFFFF = k.globalPid AND r.start < k.start", kernels - 1},
		{"SELECT count(*) FROM NVTX_EVENTS WHERE text GLOB 'step *' AND eventType = 59", 19},
		{"SELECT count(*) FROM NVTX_EVENTS n JOIN StringIds s ON n.textId = s.id WHERE s.value = 'ncclAllReduce' AND domainId = 1", 3 * 19},
		{"SELECT count(DISTINCT threadId) FROM OSRT_FILE_ACCESS_EVENTS WHERE eventType = 3", 4},
		{"SELECT sum(bytesProcessed) FROM OSRT_FILE_ACCESS_EVENTS", 20 * 276_000_000},
		{"SELECT count(*) FROM OSRT_API o JOIN StringIds s ON o.nameId = s.id WHERE s.value = 'read'", 20 * 66},
		{"SELECT count(*) FROM META_DATA_CAPTURE WHERE value = 'SLURM_PROCID=\"9\"'", 1},
		{"SELECT count(*) FROM TARGET_INFO_SYSTEM_ENV WHERE name = 'Hostname' AND value = 'node0002'", 1},
		{"SELECT min(deviceId) FROM CUPTI_ACTIVITY_KIND_KERNEL", 1},
		{"PRAGMA page_size", 4096},
	}
	for _, tt := range tests {
		if got := number(t, db, tt.query); got != int64(tt.want) {
			t.Errorf("%s: got %d, want %d", tt.query, got, tt.want)
		}
	}
	var ok string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&ok); err != nil || ok != "ok" {
		t.Errorf("integrity check: got %q, %v", ok, err)
	}
}

func TestGraphs(t *testing.T) {
	dir, truth := write(t, parse(t, "graphs"), Nsight)
	db := open(t, dir+"/baseline/report.0.sqlite")
	// A graph for forward and backward each and one for the optimizer; the
	// first of the step behind the last is there too.
	if got := number(t, db, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_GRAPH_TRACE"); got != 3*30+1 {
		t.Errorf("graph replays: got %d, want %d", got, 3*30+1)
	}
	if got := number(t, db, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"); got != 30 {
		t.Errorf("kernels beside the graphs: got %d, want the 30 collectives", got)
	}
	if s := truth.Baseline[0].Ranks[0].Steps[0]; s.Graphs != 3 || len(s.Kernels) != 1 {
		t.Errorf("truth: got %d graphs, %d kernels, want 3, 1", s.Graphs, len(s.Kernels))
	}
}

// TestOwnSchema holds the tables to those of real exports of the same versions.
func TestOwnSchema(t *testing.T) {
	for file, schema := range map[string]string{"osrt-2024.6.sqlite": "3.16.1", "graphs-fileaccess-2025.5.sqlite": "3.24.0"} {
		path := "../../../shared/data/nsys/" + file
		if _, err := os.Stat(path); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("%s is missing", file)
			}
			t.Skipf("%s is not here", file)
		}
		db := open(t, path)
		for table := range tables {
			var real string
			if err := db.QueryRow("SELECT sql FROM sqlite_schema WHERE name = ?", table).Scan(&real); err != nil {
				continue // exports have only the tables that they need
			}
			if got, want := strings.Fields(ddl(table, schema)), strings.Fields(withoutComments(real)); !slices.Equal(got, want) {
				t.Errorf("%s, %s: got\n%s\nwant\n%s", schema, table, got, want)
			}
		}
	}
}

func withoutComments(ddl string) string {
	lines := strings.Split(ddl, "\n")
	for i, l := range lines {
		lines[i], _, _ = strings.Cut(l, "--")
	}
	return strings.Join(lines, "\n")
}

// event is what the tests look at.
type event struct {
	Ph, Cat, Name string
	Ts            json.Number
	Args          map[string]any
}

type kinetoFile struct {
	Base   int64              `json:"baseTimeNanoseconds"`
	Dist   struct{ Rank int } `json:"distributedInfo"`
	Events []event            `json:"traceEvents"`
}

func TestKineto(t *testing.T) {
	dir, truth := write(t, parse(t, "few-steps"), KinetoGzip)
	f, err := os.Open(filepath.Join(dir, "candidate", truth.Candidate[0].Ranks[3].File))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var doc kinetoFile
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, e := range doc.Events {
		counts[e.Cat]++
		if e.Name == loaderRange || strings.HasPrefix(e.Name, "ProfilerStep#") {
			counts[e.Name]++
		}
		if _, decimals, ok := strings.Cut(e.Ts.String(), "."); !ok || len(decimals) != 3 {
			t.Errorf("%s: time stamp %s, want three decimals", e.Name, e.Ts)
		}
		if e.Args["Collective name"] == "allreduce" {
			counts["allreduce"]++
		}
	}
	perStep := 4*3 + 4*4 + optimizerLaunches + 2 // layers, and two collectives
	for what, want := range map[string]int{
		"kernel": 5*perStep + 1, "gpu_memcpy": 6, "ProfilerStep#0": 1, "ProfilerStep#4": 1, loaderRange: 6, "allreduce": 10,
		"cuda_runtime": 5*perStep + 1 + 6 + 5,
	} {
		if counts[what] != want {
			t.Errorf("%s: got %d, want %d", what, counts[what], want)
		}
	}
	if doc.Dist.Rank != 3 || doc.Base < 1_694_128_200_000_000_000 {
		t.Errorf("got rank %d, base %d, want 3 and the run's time", doc.Dist.Rank, doc.Base)
	}
}

func TestTruncated(t *testing.T) {
	dir, truth := write(t, parse(t, "truncated"), Nsight)
	whole, err := os.Stat(dir + "/candidate/report.0.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	cut, err := os.Stat(dir + "/candidate/report.1.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	if share := float64(cut.Size()) / float64(whole.Size()); share < 0.4 || share > 0.6 {
		t.Errorf("the file that was cut has %.2f of another's size, want about half", share)
	}
	if !truth.Candidate[0].Ranks[1].Truncated || truth.Candidate[0].Ranks[0].Truncated {
		t.Errorf("the truth does not say which file was cut")
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	if _, err := parse(t, "aa").Write(ctx, dir, Nsight); err == nil {
		t.Errorf("writing under a cancelled context: got no error")
	}
	if _, files := digest(t, dir); len(files) > 0 {
		t.Errorf("files were left: %v", files)
	}
}
