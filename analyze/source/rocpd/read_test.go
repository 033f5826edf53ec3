package rocpd

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
)

// base are the tables that all tests have, of the process $: two GPUs and a kernel symbol.
const base = `
CREATE TABLE rocpd_metadata$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, tag TEXT NOT NULL, value TEXT NOT NULL);
CREATE TABLE rocpd_string$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, guid TEXT DEFAULT "g" NOT NULL, string TEXT NOT NULL UNIQUE ON CONFLICT ABORT);
CREATE TABLE rocpd_info_node$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, hostname TEXT, system_name TEXT, release TEXT);
CREATE TABLE rocpd_info_process$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, pid INTEGER NOT NULL, environment JSONB DEFAULT "{}" NOT NULL);
CREATE TABLE rocpd_info_thread$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, tid INTEGER NOT NULL);
CREATE TABLE rocpd_info_agent$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, type TEXT CHECK (type IN ('CPU', 'GPU')), type_index INTEGER, product_name TEXT);
CREATE TABLE rocpd_info_kernel_symbol$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, kernel_name TEXT, display_name TEXT, arch_vgpr_count INTEGER);
CREATE TABLE rocpd_event$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, category_id INTEGER, stack_id INTEGER, parent_stack_id INTEGER, extdata JSONB DEFAULT "{}" NOT NULL);
INSERT INTO rocpd_metadata$ (tag, value) VALUES ('schema_version', '3');
INSERT INTO rocpd_string$ (id, string) VALUES (1, ''), (2, 'HIP_RUNTIME_API_EXT'), (3, 'hipLaunchKernel'), (4, 'MARKER_CORE_RANGE_API'),
	(5, 'roctxThreadRangeA'), (6, 'HSA_AMD_EXT_API'), (7, 'hsa_amd_memory_async_copy_on_engine'), (8, 'KERNEL_DISPATCH'),
	(9, 'MEMORY_COPY_HOST_TO_DEVICE'), (10, 'hipMemcpyAsync'), (11, 'rocm_marker_api'), (12, 'forward'), (13, 'RCCL_API'), (14, 'ncclAllReduce');
INSERT INTO rocpd_info_node$ VALUES (7, 'node7', 'Linux', '5.15');
INSERT INTO rocpd_info_process$ VALUES (3, 4711, '{"RANK": "5", "WORLD_SIZE": "8", "NCCL_ALGO": "Ring", "TOKEN": "secret"}');
INSERT INTO rocpd_info_thread$ VALUES (2, 4712);
INSERT INTO rocpd_info_agent$ VALUES (0, 'CPU', 0, 'EPYC'), (1, 'GPU', 0, 'MI300X'), (2, 'GPU', 1, 'MI300X');
INSERT INTO rocpd_info_kernel_symbol$ VALUES (1, '_Zgemm.kd', 'gemm(float*)', 48), (2, 'ncclDevKernel_Generic_1.kd', NULL, 8), (3, NULL, NULL, NULL);
INSERT INTO rocpd_event$ VALUES (1, 2, 101, 101, '{}'), (2, 8, 101, 101, '{}'), (3, 4, 102, 102, '{"message": "step 4"}');
`

// plain are the large tables with times and places in the rows.
const plain = `
CREATE TABLE rocpd_region$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, pid INTEGER NOT NULL, tid INTEGER NOT NULL, start BIGINT NOT NULL, "end" BIGINT NOT NULL, name_id INTEGER NOT NULL, event_id INTEGER);
CREATE TABLE rocpd_kernel_dispatch$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, pid INTEGER NOT NULL, tid INTEGER, agent_id INTEGER NOT NULL, kernel_id INTEGER NOT NULL,
	queue_id INTEGER NOT NULL, stream_id INTEGER NOT NULL, start BIGINT, "end" BIGINT, group_segment_size INTEGER,
	workgroup_size_x INTEGER, workgroup_size_y INTEGER, workgroup_size_z INTEGER, grid_size_x INTEGER, grid_size_y INTEGER, grid_size_z INTEGER, event_id INTEGER);
CREATE TABLE rocpd_memory_copy$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, pid INTEGER NOT NULL, tid INTEGER, start BIGINT NOT NULL, "end" BIGINT NOT NULL, name_id INTEGER NOT NULL,
	dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER NOT NULL, queue_id INTEGER, stream_id INTEGER, event_id INTEGER);
INSERT INTO rocpd_region$ VALUES (1, 3, 2, 1000, 1100, 3, 1), (2, 3, 2, 900, 5000, 5, 3);
INSERT INTO rocpd_kernel_dispatch$ VALUES (1, 3, 2, 2, 1, 6, 0, 2000, 2500, 128, 256, 1, 1, 1000, 2, 1, 2);
`

// write makes a database of statements, each with the end of the names of tables in place of $.
func write(t *testing.T, suffix string, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "4711_results.db")
	add(t, path, suffix, statements...)
	return path
}

func add(t *testing.T, path, suffix string, statements ...string) {
	t.Helper()
	for i := range statements {
		statements[i] = strings.ReplaceAll(statements[i], "$", suffix)
	}
	nsystest.WriteDatabase(t, path, statements...)
}

func read(t *testing.T, path string) []*trace.Trace {
	t.Helper()
	told := int64(0)
	traces, err := Read(context.Background(), path, &trace.Options{Progress: func(n int64) { told += n }})
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() != told {
		t.Errorf("progress: got %d bytes want %d", told, info.Size())
	}
	return traces
}

// texts are what a trace warns of, one a line.
func texts(x *trace.Trace) string {
	var all []string
	for _, w := range x.Warnings {
		all = append(all, w.Text)
	}
	return strings.Join(all, "\n")
}

func factOf(x *trace.Trace, key string) string {
	for _, f := range x.Facts {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

func check(t *testing.T, x *trace.Trace) {
	t.Helper()
	id := x.Identity
	if id.Rank != 5 || id.RankFrom != "RANK" || id.WorldSize != 8 || id.Host != "node7" || id.Process != 4711 || id.Device != 1 {
		t.Errorf("got identity %+v", id)
	}
	if len(x.Device) != 1 || len(x.API) != 1 || len(x.Ranges) != 1 {
		t.Fatalf("got %d spans, %d calls and %d ranges, want one each", len(x.Device), len(x.API), len(x.Ranges))
	}
	s := x.Device[0]
	if s.Start != 2000 || s.End != 2500 || s.Launch != 1000 || s.Stream != 6 || s.Kind != trace.Kernel || s.Class != trace.Compute || x.Names.Text(s.Name) != "gemm(float*)" {
		t.Errorf("got span %+v called %q", s, x.Names.Text(s.Name))
	}
	if c := x.API[0]; c.Start != 1000 || c.End() != 1100 || x.Names.Caller(c).Thread != 4712 || x.Names.Text(x.Names.Caller(c).Name) != "hipLaunchKernel" {
		t.Errorf("got call %+v", c)
	}
	if r := x.Ranges[0]; r.Start != 900 || r.End != 5000 || r.Thread != 4712 || x.Names.Text(r.Name) != "step 4" {
		t.Errorf("got range %+v called %q", r, x.Names.Text(r.Name))
	}
	if shape := x.Shapes[s.Name]; shape != (trace.Shape{Grid: [3]int32{4, 2, 1}, Block: [3]int32{256, 1, 1}, Registers: 48, Shared: 128}) {
		t.Errorf("got shape %+v: grids of ROCm count work-items", shape)
	}
	if want := trace.HasDevice | trace.HasLaunches | trace.HasRanges; x.Recorded != want {
		t.Errorf("recorded: got %b want %b", x.Recorded, want)
	}
	if x.Epoch != trace.NoTime || x.Capture != (trace.Interval{Start: 900, End: 5000}) {
		t.Errorf("got epoch %d and capture %v", x.Epoch, x.Capture)
	}
	for key, want := range map[string]string{trace.FactGPU: "MI300X", trace.FactCPU: "EPYC", trace.FactOS: "Linux 5.15", trace.FactSchema: "3", "NCCL_ALGO": "Ring"} {
		if got := factOf(x, key); got != want {
			t.Errorf("fact %s: got %q want %q", key, got, want)
		}
	}
	if strings.Contains(fmt.Sprint(x.Facts, x.Warnings), "secret") {
		t.Error("the environment is in what is told")
	}
}

func TestRead(t *testing.T) {
	for _, suffix := range []string{"", "_0199a1b2_0000_7000"} {
		traces := read(t, write(t, suffix, base, plain))
		if len(traces) != 1 {
			t.Fatalf("got %d traces, want one", len(traces))
		}
		check(t, traces[0])
	}
}

// TestTracks: rows that have the numbers of timestamps and of a track say the same.
func TestTracks(t *testing.T) {
	traces := read(t, write(t, "_0199a1b2", base, `
		CREATE TABLE rocpd_timestamp$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, value BIGINT NOT NULL, phase INTEGER CHECK (phase IN (0, 1, 2)), track_id INTEGER);
		CREATE TABLE rocpd_track$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, nid INTEGER NOT NULL, pid INTEGER, tid INTEGER, agent_id INTEGER, queue_id INTEGER, stream_id INTEGER, name_id INTEGER);
		CREATE TABLE rocpd_region$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, track_id INTEGER NOT NULL, name_id INTEGER NOT NULL, start_id INTEGER NOT NULL, end_id INTEGER NOT NULL, event_id INTEGER);
		CREATE TABLE rocpd_kernel_dispatch$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, track_id INTEGER NOT NULL, kernel_id INTEGER NOT NULL, start_id INTEGER NOT NULL, end_id INTEGER NOT NULL, group_segment_size INTEGER,
			workgroup_size_x INTEGER, workgroup_size_y INTEGER, workgroup_size_z INTEGER, grid_size_x INTEGER, grid_size_y INTEGER, grid_size_z INTEGER, event_id INTEGER);
		INSERT INTO rocpd_timestamp$ (id, value) VALUES (1, 1000), (2, 1100), (3, 900), (4, 5000), (5, 2000), (6, 2500);
		INSERT INTO rocpd_track$ VALUES (1, 7, 3, 2, NULL, NULL, NULL, 1), (2, 7, 3, 2, 2, 6, 0, 1);
		INSERT INTO rocpd_region$ VALUES (1, 1, 3, 1, 2, 1), (2, 1, 5, 3, 4, 3);
		INSERT INTO rocpd_kernel_dispatch$ VALUES (1, 2, 1, 5, 6, 128, 256, 1, 1, 1000, 2, 1, 2);`))
	if len(traces) != 1 {
		t.Fatalf("got %d traces, want one", len(traces))
	}
	check(t, traces[0])
}

// TestMerged: a database with the tables of several processes has a trace for each.
func TestMerged(t *testing.T) {
	path := write(t, "_a", base, plain)
	add(t, path, "_b", base, plain, `UPDATE rocpd_info_process$ SET pid = 4799, environment = '{"RANK": "6", "WORLD_SIZE": "8"}'`)
	traces := read(t, path)
	if len(traces) != 2 || traces[0].Identity.Rank != 5 || traces[1].Identity.Rank != 6 || traces[1].Identity.Process != 4799 {
		t.Errorf("got %d traces", len(traces))
	}
}

// TestSeveralDevices: the rank of a process is not that of one of its devices.
func TestSeveralDevices(t *testing.T) {
	traces := read(t, write(t, "", base, plain, `INSERT INTO rocpd_kernel_dispatch$ VALUES (2, 3, 2, 1, 1, 6, 0, 2100, 2600, 0, 1, 1, 1, 1, 1, 1, 2)`))
	if len(traces) != 2 || traces[0].Identity.Device != 0 || traces[1].Identity.Device != 1 || traces[0].Identity.Rank != -1 || traces[1].Identity.Rank != -1 {
		t.Fatalf("got %d traces", len(traces))
	}
	if len(traces[0].Ranges) != 1 || len(traces[1].API) != 1 {
		t.Error("the host's activity is not in both traces")
	}
}

// TestCopies: directions by the processors at the ends; what HSA launches within a call of HIP
// was launched by that.
func TestCopies(t *testing.T) {
	x := read(t, write(t, "", base, plain, `
		INSERT INTO rocpd_event$ VALUES (4, 2, 110, 110, '{}'), (5, 6, 111, 110, '{}'), (6, 1, 111, 111, '{}');
		INSERT INTO rocpd_region$ VALUES (3, 3, 2, 1200, 1300, 10, 4), (4, 3, 2, 1210, 1290, 7, 5);
		INSERT INTO rocpd_memory_copy$ VALUES (1, 3, 2, 3000, 3100, 9, 2, 0, 64, NULL, 0, 6), (2, 3, 2, 3200, 3300, 9, 0, 2, 65, NULL, 0, NULL),
			(3, 3, 2, 3400, 3500, 9, 2, 2, 66, NULL, 0, NULL), (4, 3, 2, 3600, 3700, 9, 1, 2, 67, NULL, 0, NULL), (5, 3, 2, 3800, 3900, 9, 0, 0, 68, NULL, 0, NULL);`))[0]
	var got []string
	for _, s := range x.Device[1:] {
		got = append(got, fmt.Sprint(s.Copy, s.Bytes(), s.Class == trace.Memory, s.Launch))
	}
	none := fmt.Sprint(trace.NoTime)
	want := "h2d 64 true 1200,d2h 65 true " + none + ",d2d 66 true " + none + ",p2p 67 true " + none
	if strings.Join(got, ",") != want {
		t.Errorf("got %s want %s", strings.Join(got, ","), want)
	}
	if len(x.API) != 2 || !strings.Contains(texts(x), "1 rows were left out: they are of no GPU") {
		t.Errorf("got %d calls and warnings %q", len(x.API), texts(x))
	}
}

// TestRanges: ranges are named by their message, marks are none, and calls of RCCL are in a
// domain of their own.
func TestRanges(t *testing.T) {
	x := read(t, write(t, "", base, plain, `
		INSERT INTO rocpd_event$ VALUES (4, 4, 1, 1, '{}'), (5, 11, 1, 1, '{}'), (6, 13, 1, 1, '{}'), (7, 4, 1, 1, '{"message": "a \"quoted\" one"}'), (8, 4, 1, 1, '{"message": '), (9, 99, 1, 1, '{}');
		INSERT INTO rocpd_region$ VALUES (3, 3, 2, 10, 20, 5, 4), (4, 3, 2, 30, 40, 12, 5), (5, 3, 2, 50, 60, 14, 6), (6, 3, 2, 70, 80, 5, 7), (7, 3, 2, 90, 95, 5, 8), (8, 3, 2, 96, 97, 12, 9), (9, 3, 2, 98, 99, 12, NULL);`))[0]
	var got []string
	for _, r := range x.Ranges {
		got = append(got, x.Names.Text(r.Domain)+":"+x.Names.Text(r.Name))
	}
	if want := `:forward|RCCL:ncclAllReduce|:a "quoted" one|:step 4`; strings.Join(got, "|") != want {
		t.Errorf("got %s want %s", strings.Join(got, "|"), want)
	}
}

// TestCollectives: kernels of RCCL, which are all called Generic, are named by the calls during
// which they were launched.
func TestCollectives(t *testing.T) {
	x := read(t, write(t, "", base, plain, `
		INSERT INTO rocpd_string$ (id, string) VALUES (20, 'ncclGroupStart'), (21, 'ncclGroupEnd'), (22, 'ncclSend'), (23, 'ncclRecv'), (24, 'ncclAllGather'), (25, 'ncclCommInitRank');
		INSERT INTO rocpd_event$ SELECT 100 + i, 13, 0, 0, '{}' FROM (SELECT 0 AS i UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9 UNION SELECT 10);
		INSERT INTO rocpd_region$ VALUES (50, 3, 2, 10000, 10500, 14, 100), (51, 3, 2, 11000, 11010, 20, 101), (52, 3, 2, 11020, 11030, 22, 102), (53, 3, 2, 11040, 11050, 23, 103), (54, 3, 2, 11100, 11500, 21, 104),
			(55, 3, 2, 12000, 12010, 20, 105), (56, 3, 2, 12020, 12030, 22, 106), (57, 3, 2, 12040, 12050, 24, 107), (58, 3, 2, 12100, 12500, 21, 108), (59, 3, 2, 13000, 13500, 25, 109);
		INSERT INTO rocpd_event$ VALUES (200, 2, 901, 0, '{}'), (201, 2, 902, 0, '{}'), (202, 2, 903, 0, '{}'), (203, 2, 904, 0, '{}');
		INSERT INTO rocpd_region$ VALUES (60, 3, 2, 10100, 10110, 3, 200), (61, 3, 2, 11200, 11210, 3, 201), (62, 3, 2, 12200, 12210, 3, 202), (63, 3, 2, 14000, 14010, 3, 203);
		INSERT INTO rocpd_kernel_dispatch$ VALUES (60, 3, 2, 2, 2, 6, 0, 20000, 20100, 0, 1, 1, 1, 1, 1, 1, 200), (61, 3, 2, 2, 2, 6, 0, 21000, 21100, 0, 1, 1, 1, 1, 1, 1, 201),
			(62, 3, 2, 2, 2, 6, 0, 22000, 22100, 0, 1, 1, 1, 1, 1, 1, 202), (63, 3, 2, 2, 2, 6, 0, 23000, 23100, 0, 1, 1, 1, 1, 1, 1, 203);`))[0]
	var got []string
	for _, s := range x.Device[1:] {
		if s.Class != trace.Comm {
			t.Errorf("%s is no communication", x.Names.Text(s.Name))
		}
		got = append(got, x.Names.Text(x.Messages.Coll(&s)))
	}
	if want := "AllReduce SendRecv Generic Generic"; strings.Join(got, " ") != want {
		t.Errorf("got %s want %s", strings.Join(got, " "), want)
	}
}

// TestLosses: what a database lacks is said, and what follows from it is not recorded.
func TestLosses(t *testing.T) {
	// 50 kernels and their launches from 1,000 and 10,000 on
	const many = `WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 59) INSERT INTO rocpd_event$ SELECT i, 2, 1000 + i, 0, '{}' FROM n UNION ALL SELECT 100 + i, 8, 1000 + i, 0, '{}' FROM n;
		WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 59) INSERT INTO rocpd_region$ SELECT i, 3, 2, i * 1000, i * 1000 + 10, 3, i FROM n;
		WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 59) INSERT INTO rocpd_kernel_dispatch$ SELECT i, 3, 2, 2, 1, 6, 0, i * 1000 + 100, i * 1000 + 200, 0, 1, 1, 1, 1, 1, 1, 100 + i FROM n;`
	for _, tt := range []struct {
		name, statement, want string
		lost                  trace.Content
	}{
		{"whole", "", "", 0},
		{"half of the kernels", `DELETE FROM rocpd_kernel_dispatch$ WHERE id % 2 = 0`, "lacks a kernel for each launch: 25 of 51 have none", trace.Kernels},
		{"no kernels", `DELETE FROM rocpd_kernel_dispatch$; INSERT INTO rocpd_memory_copy$ VALUES (1, 3, 2, 3000, 3100, 9, 2, 0, 64, NULL, 0, NULL)`, "lacks kernels: the device copied", trace.Kernels | trace.Kinds},
		{"half of the calls", `DELETE FROM rocpd_region$ WHERE id % 2 = 0 AND id > 9`, "lacks the calls that launch: 25 of 51 kernels, copies and sets have none", trace.Calls},
		{"no calls", `DELETE FROM rocpd_region$ WHERE name_id = 3`, "lacks the calls that launch, so that the edges of steps are the host's", 0},
		{"no names", `UPDATE rocpd_kernel_dispatch$ SET kernel_id = 3 WHERE id % 2 = 0`, "lacks names of kernels: 25 of 51 have none", trace.Kinds},
		{"no events", `DELETE FROM rocpd_event$`, "lacks the calls that launch", 0},
		{"times that cannot be", `UPDATE rocpd_kernel_dispatch$ SET "end" = start - 1 WHERE id % 2 = 0`, "lacks times of kernels: 25 of 51 have none", trace.Kernels},
		{"times of no length", `UPDATE rocpd_kernel_dispatch$ SET "end" = start WHERE id % 2 = 0`, "", 0},
		{"one time that is none", `UPDATE rocpd_kernel_dispatch$ SET start = NULL WHERE id = 10`, "1 of 51 kernels were left out", 0},
		{"counters", `CREATE TABLE rocpd_pmc_event$ (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, value REAL); INSERT INTO rocpd_pmc_event$ VALUES (1, 2.5)`, "kernels run one at a time", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := read(t, write(t, "", base, plain, many, tt.statement))[0]
			if got := texts(x); !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
				t.Errorf("got %q want %q", got, tt.want)
			}
			if got := x.Incomplete(); got&tt.lost != tt.lost || tt.lost == 0 && got != 0 {
				t.Errorf("lost: got %b want %b", got, tt.lost)
			}
		})
	}
}

// TestRefused: what is no database, not whole, or brings SQL in place of rows.
func TestRefused(t *testing.T) {
	for _, tt := range []struct{ name, statement, want string }{
		{"a view", `DROP TABLE rocpd_region$; CREATE VIEW rocpd_region$ AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS start FROM n`,
			"table rocpd_region_a is a view, and SQL that a file brings is never run (record again with rocprofv3)"},
		{"no tables", `DROP TABLE rocpd_region$; DROP TABLE rocpd_kernel_dispatch$`, "not a rocpd database: no table rocpd_kernel_dispatch or rocpd_region"},
		{"nothing", `DELETE FROM rocpd_region$; DELETE FROM rocpd_kernel_dispatch$`, "it holds no kernels, copies or ranges"},
	} {
		_, err := Read(context.Background(), write(t, "_a", base, plain, tt.statement), nil)
		if err == nil || !strings.HasPrefix(err.Error(), "4711_results.db: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v want %q", tt.name, err, tt.want)
		}
	}
}

// TestCut: a file that is cut anywhere is refused, with what is to be done.
func TestCut(t *testing.T) {
	whole, err := os.ReadFile(write(t, "_a", base, plain))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "cut.db")
	for n := 1; n < len(whole); n += 997 {
		if err := os.WriteFile(path, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(context.Background(), path, nil)
		if err == nil || strings.Contains(err.Error(), "nsys") || strings.Contains(err.Error(), "Nsight") {
			t.Errorf("%d bytes: got %v", n, err)
		}
	}
}

// TestFlipped: bytes that are wrong give an error or some trace, soon.
func TestFlipped(t *testing.T) {
	whole, err := os.ReadFile(write(t, "_a", base, plain))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "flipped.db")
	for n := 16; n < len(whole); n += 211 {
		for _, by := range []byte{0x01, 0x80, 0xff} {
			damaged := append([]byte(nil), whole...)
			damaged[n] ^= by
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			Read(context.Background(), path, nil)
		}
	}
}

// TestMissingRows: rows that the database numbered and that are gone are said, and what they hold is lost.
func TestMissingRows(t *testing.T) {
	path := write(t, "_a", base, plain, `WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
		INSERT INTO rocpd_region$ SELECT i, 3, 2, 900 + i, 5000, 5, 3 FROM n;`, `DELETE FROM rocpd_region$ WHERE id BETWEEN 10 AND 30;`)
	all, err := Read(context.Background(), path, nil)
	if err != nil || len(all) != 1 {
		t.Fatalf("got %d traces, %v", len(all), err)
	}
	const want = "table rocpd_region_a: 21 of 40 rows are missing"
	if said := fmt.Sprint(all[0].Warnings); !strings.Contains(said, want) || all[0].Incomplete()&trace.Ranges == 0 {
		t.Errorf("got %s, lost %v; want %q and the ranges lost", said, all[0].Incomplete(), want)
	}
}

// TestRoom: where memory is short the reading ends before rows are read.
func TestRoom(t *testing.T) {
	path := write(t, "", base, plain, `WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 40000) INSERT INTO rocpd_kernel_dispatch$ SELECT i, 3, 2, 2, 1, 6, 0, i, i + 1, 0, 1, 1, 1, 1, 1, 1, 2 FROM n;`)
	ctx, cancel := context.WithCancelCause(context.Background())
	_, err := Read(ctx, path, &trace.Options{Room: func(int64) bool { cancel(context.DeadlineExceeded); return false }})
	if err == nil {
		t.Error("got no error")
	}
}

func TestSniff(t *testing.T) {
	head, err := os.ReadFile(write(t, "_a", base, plain))
	if err != nil {
		t.Fatal(err)
	}
	if !Sniff(head[:min(len(head), 64<<10)]) || Sniff([]byte("SQLite format 3\x00 CREATE TABLE rocpd_api")) || Sniff([]byte("rocpd_info_node")) {
		t.Error("databases are not told apart")
	}
	if !table.IsDatabase(head) {
		t.Error("not a database")
	}
}
