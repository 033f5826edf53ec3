package nsys

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// rowsOf are the sizes of a generated rank file.
type rowsOf struct{ kernels, runtime, os, ranges int }

// benchSize is a file that is read in a moment, or with PERFDIFF_BENCH_FULL=1
// one as a long run leaves it (about 390 MB).
func benchSize() rowsOf {
	if os.Getenv("PERFDIFF_BENCH_FULL") == "1" {
		return rowsOf{2_000_000, 3_000_000, 1_000_000, 300_000}
	}
	return rowsOf{200_000, 300_000, 100_000, 30_000}
}

// benchSQL fills a file with rows as wide as real ones: 98 bytes a kernel, 41
// a call, 45 a system call, 110 a range, and 6,000 names of up to 3.5 kB. The
// device runs four streams whose rows are slightly out of order.
var benchSQL = `
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER,
  demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, launchType INTEGER, cacheConfig INTEGER,
  registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, gridZ INTEGER NOT NULL,
  blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, staticSharedMemory INTEGER NOT NULL,
  dynamicSharedMemory INTEGER NOT NULL, localMemoryPerThread INTEGER NOT NULL, localMemoryTotal INTEGER NOT NULL,
  gridId INTEGER NOT NULL, sharedMemoryExecuted INTEGER, graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER,
  qmdBulkReleaseDone INTEGER, qmdPreexitDone INTEGER, qmdLastCtaDone INTEGER, graphId INTEGER, clusterX INTEGER,
  clusterY INTEGER, clusterZ INTEGER, clusterSchedulingPolicy INTEGER, maxPotentialClusterSize INTEGER, maxActiveClusters INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL,
  globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER);
CREATE TABLE OSRT_API (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER,
  correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, nestingLevel INTEGER, callchainId INTEGER NOT NULL);
CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER,
  color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, uint64Value INTEGER,
  int64Value INTEGER, doubleValue REAL, uint32Value INTEGER, int32Value INTEGER, floatValue REAL, jsonTextId INTEGER,
  jsonText TEXT, binaryData TEXT);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000, '', '');
`

const benchPid = int64(1)<<48 | 4242<<24

// benchInserts are the statements that fill the tables; i counts the rows, $P
// is the process and $T its first thread.
func benchInserts(n rowsOf) []string {
	fill := func(table string, rows int, values string) string {
		values = strings.NewReplacer("$P", fmt.Sprint(benchPid), "$T", fmt.Sprint(benchPid+4242)).Replace(values)
		return fmt.Sprintf("INSERT INTO %s WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM s WHERE i+1 < %d) SELECT %s FROM s",
			table, rows, values)
	}
	return []string{
		fill("StringIds", 6000, `i, iif(i = 7, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)',
			'void at::native::kernel_' || i || '<' || hex(zeroblob(i % 1750)) || '>(float*, int)')`),
		fill("CUPTI_ACTIVITY_KIND_KERNEL", n.kernels, `i*15000 + (i%4)*9000 + 100000, i*15000 + (i%4)*9000 + 112000 + i%997, 0,
			1, NULL, 7 + i%4, i + i/2 + 1, $P, (i*7919)%3000, 3000 + (i*7919)%3000, (i*7919)%3000, 1, 0, 64, 256 + i%512, 1, 1, 128, 1, 1,
			1024, 16384, 0, 144703488, i + 1, 49152, NULL, 0, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0`),
		fill("CUPTI_ACTIVITY_KIND_RUNTIME", n.runtime, `i*10000, i*10000 + 4000 + i%3000, 0, $T, i + 1, 5000 + i%40, 0, NULL`),
		fill("OSRT_API", n.os, `i*30000, i*30000 + 20000 + i%1000, 27, $T, NULL, 5100 + i%60, 0, 0, 0`),
		fill("NVTX_EVENTS", n.ranges, `i*100000, i*100000 + 90000, 59, NULL, NULL, NULL,
			iif(i%2 = 0, 'autograd::engine::evaluate_function: op_' || i%300 || ', op_id = ' || i, NULL), $T, NULL,
			iif(i%2 = 1, 5200 + i%90, NULL), 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL`),
	}
}

// stepSQL are the columns that Read uses.
var stepSQL = []string{
	"SELECT start, end, globalPid, deviceId, streamId, correlationId, demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL",
	"SELECT start, end, globalTid, correlationId, nameId FROM CUPTI_ACTIVITY_KIND_RUNTIME",
	"SELECT start, end, globalTid, nameId FROM OSRT_API",
	"SELECT start, end, eventType, textId, domainId, globalTid, text FROM NVTX_EVENTS",
}

// stepC steps through the statements with C SQLite and fetches every value in
// one call, as a careful reader in C would: each call takes SQLite's mutex, so
// that asking for the type too would make the peer a quarter slower.
const stepC = `#include <sqlite3.h>
#include <string.h>
int main(int argc, char **argv) {
  sqlite3 *db; sqlite3_stmt *s; long long sum = 0;
  if (sqlite3_open(argv[1], &db)) return 1;
  for (int q = 2; q < argc; q++) {
    if (sqlite3_prepare_v2(db, argv[q], -1, &s, 0)) return 1;
    int n = sqlite3_column_count(s), text[16] = {0};
    for (int i = 0; i < n; i++) text[i] = !strcmp(sqlite3_column_decltype(s, i), "TEXT");
    while (sqlite3_step(s) == SQLITE_ROW)
      for (int i = 0; i < n; i++)
        sum += text[i] ? sqlite3_column_bytes(s, i) : sqlite3_column_int64(s, i);
    sqlite3_finalize(s);
  }
  return sum == 42;
}`

func writeBench(b *testing.B, path string, n rowsOf) {
	b.Helper()
	statements := append([]string{benchSQL, "BEGIN"}, benchInserts(n)...)
	writeDatabase(b, path, append(statements, "COMMIT")...)
}

// processorTime is the user and system time of this process or its children.
func processorTime(b *testing.B, who int) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(who, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkRead reads a whole rank file and compares its processor time with
// what C SQLite needs to step through the same columns: x-sqlite3. The two take
// turns, so that a machine that changes its speed changes both.
func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "rank.sqlite")
	n := benchSize()
	writeBench(b, path, n)
	program := buildStep(b)
	var own, peer time.Duration
	for b.Loop() {
		before := processorTime(b, syscall.RUSAGE_SELF)
		traces, err := Read(context.Background(), path, nil)
		if err != nil {
			b.Fatal(err)
		}
		if got := len(traces[0].Device); got != n.kernels {
			b.Fatalf("spans: got %d want %d", got, n.kernels)
		}
		own += processorTime(b, syscall.RUSAGE_SELF) - before
		b.StopTimer()
		peer += stepThrough(b, program, path)
		b.StartTimer()
	}
	b.ReportMetric(own.Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(peakMemory(b), "peak-MB")
	if peer > 0 {
		b.ReportMetric(peer.Seconds()/float64(b.N), "sqlite3-cpu-s")
		b.ReportMetric(own.Seconds()/peer.Seconds(), "x-sqlite3")
	}
}

// buildStep compiles stepC; "" where there is no compiler or no library.
func buildStep(b *testing.B) string {
	b.Helper()
	program := filepath.Join(b.TempDir(), "step")
	source := program + ".c"
	if err := os.WriteFile(source, []byte(stepC), 0o600); err != nil {
		b.Fatal(err)
	}
	if out, err := exec.Command("cc", "-O2", "-o", program, source, "-lsqlite3").CombinedOutput(); err != nil {
		b.Logf("no C SQLite to compare with: %v %s", err, out)
		return ""
	}
	return program
}

// stepThrough is the processor time of one run of C SQLite.
func stepThrough(b *testing.B, program, path string) time.Duration {
	b.Helper()
	if program == "" {
		return 0
	}
	before := processorTime(b, syscall.RUSAGE_CHILDREN)
	if out, err := exec.Command(program, append([]string{path}, stepSQL...)...).CombinedOutput(); err != nil {
		b.Fatalf("step: %v: %s", err, out)
	}
	return processorTime(b, syscall.RUSAGE_CHILDREN) - before
}

// peakMemory is the highest resident size of this process so far, in MB, the
// writing of the file included.
func peakMemory(b *testing.B) float64 {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Maxrss) / 1024
}
