package synth

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	_ "modernc.org/sqlite" // the driver
)

// Rows are the sizes of a large export.
type Rows struct{ Kernels, Calls, OS, Ranges int }

// LargeExport writes one rank's Nsight Systems export of any size, for
// benchmarks, in much less time than a story takes. Rows are as wide as real
// ones: 98 bytes a kernel, 41 a call, 45 a system call, 110 a range, and 6,000
// names of up to 3.5 kB. The device runs four streams whose rows are slightly
// out of order; a hundred ranges "step N" divide the whole. Nothing may exist
// at path.
func LargeExport(ctx context.Context, path string, n Rows) (err error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(0)&_pragma=journal_mode(off)")
	if err != nil {
		return err
	}
	defer func() {
		if e := db.Close(); err == nil {
			err = e
		}
	}()
	db.SetMaxOpenConns(1)
	statements := append([]string{largeSchema, "BEGIN"}, largeRows(n)...)
	for _, s := range append(statements, "COMMIT") {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%.60s: %w", s, err)
		}
	}
	return nil
}

// LargeSteps is the number of steps in a large export.
const LargeSteps = 100

var largeSchema = `
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

const largeProcess = int64(1)<<48 | 4242<<24

// largeRows are the statements that fill the tables; i counts the rows, $P
// is the process and $T its first thread.
func largeRows(n Rows) []string {
	fill := func(table string, rows int, values string) string {
		values = strings.NewReplacer("$P", fmt.Sprint(largeProcess), "$T", fmt.Sprint(largeProcess+4242)).Replace(values)
		return fmt.Sprintf("INSERT INTO %s WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM s WHERE i+1 < %d) SELECT %s FROM s",
			table, rows, values)
	}
	return []string{
		fill("StringIds", 6000, `i, iif(i = 7, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)',
			'void at::native::kernel_' || i || '<' || hex(zeroblob(i % 1750)) || '>(float*, int)')`),
		fill("CUPTI_ACTIVITY_KIND_KERNEL", n.Kernels, `i*15000 + (i%4)*9000 + 100000, i*15000 + (i%4)*9000 + 112000 + i%997, 0,
			1, NULL, 7 + i%4, i + i/2 + 1, $P, (i*7919)%3000, 3000 + (i*7919)%3000, (i*7919)%3000, 1, 0, 64, 256 + i%512, 1, 1, 128, 1, 1,
			1024, 16384, 0, 144703488, i + 1, 49152, NULL, 0, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0`),
		fill("CUPTI_ACTIVITY_KIND_RUNTIME", n.Calls, `i*10000, i*10000 + 4000 + i%3000, 0, $T, i + 1, 5000 + i%40, 0, NULL`),
		fill("OSRT_API", n.OS, `i*30000, i*30000 + 20000 + i%1000, 27, $T, NULL, 5100 + i%60, 0, 0, 0`),
		fill("NVTX_EVENTS", n.Ranges, `i*100000, i*100000 + 90000, 59, NULL, NULL, NULL,
			iif(i%2 = 0, 'autograd::engine::evaluate_function: op_' || i%300 || ', op_id = ' || i, NULL), $T, NULL,
			iif(i%2 = 1, 5200 + i%90, NULL), 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL`),
		fill("NVTX_EVENTS", LargeSteps, fmt.Sprintf(`i*%[1]d, (i+1)*%[1]d - 1000, 59, NULL, NULL, NULL, 'step ' || i, $T, NULL, NULL, 0,
			NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL`, int64(n.Kernels)*15000/LargeSteps)),
	}
}
