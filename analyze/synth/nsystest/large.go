package nsystest

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	_ "modernc.org/sqlite" // the driver
)

// Rows says how large an export is, and of what kind.
type Rows struct {
	Kernels, Calls, OS, Ranges int
	// Interleaved alternates the pages of tables, as an exporter leaves them that writes while
	// it reads. Otherwise one table follows the other.
	Interleaved bool
	// Unique gives half of the ranges a name of their own, as autograd does.
	Unique bool
}

// LargeExport writes one rank's Nsight Systems export of any size, for
// benchmarks, in much less time than a story takes. Rows are as wide and as
// different as real ones: 38 columns a kernel, launched in hundreds of ways on
// four streams slightly out of order, 60 threads of system calls, a payload of
// NCCL with one range in eight, and 6,000 names of up to 3.5 kB. A hundred
// ranges "step N" divide the whole. Nothing may exist at path.
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
	if _, err := db.ExecContext(ctx, largeSchema); err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fillLarge(ctx, tx, n); err != nil {
		tx.Rollback() // the first error is the one to tell
		return err
	}
	return tx.Commit()
}

// rounds is in how many turns interleaved tables are written. In each turn a table gets about a
// page.
func (n Rows) rounds() int {
	if n.Interleaved {
		return max(1, n.Kernels/40)
	}
	return 1
}

// fillLarge writes the rows of all tables.
func fillLarge(ctx context.Context, tx *sql.Tx, n Rows) error {
	tables := largeTables(n)
	statements := make([]*sql.Stmt, len(tables))
	for i, t := range tables {
		insert, err := tx.PrepareContext(ctx, t.insert())
		if err != nil {
			return fmt.Errorf("table %s: %w", t.name, err)
		}
		defer insert.Close()
		statements[i] = insert
	}
	for part, parts := 0, n.rounds(); part < parts; part++ {
		for i, t := range tables {
			from, to := t.rows*part/parts, t.rows*(part+1)/parts
			if from == to {
				continue
			}
			if _, err := statements[i].ExecContext(ctx, from, to); err != nil {
				return fmt.Errorf("table %s: %w", t.name, err)
			}
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

// largeTable is a table, and how its rows are made.
type largeTable struct {
	name   string
	rows   int
	values string // of row i; $P is the process, $T its first thread, $1 to $9 differ from row to row
}

// insert returns the statement that writes the rows from ?1 to before ?2.
func (t *largeTable) insert() string {
	pairs := []string{"$P", fmt.Sprint(largeProcess), "$T", fmt.Sprint(largeProcess + 4242)}
	for k, prime := range []int{7919, 15485863, 32452843, 49979687, 67867967, 86028121, 104395301, 122949823, 141650939} {
		pairs = append(pairs, fmt.Sprintf("$%d", k+1), fmt.Sprintf("((i+1)*%d%%65521)", prime))
	}
	return fmt.Sprintf("INSERT INTO %s WITH RECURSIVE s(i) AS (SELECT ?1 UNION ALL SELECT i+1 FROM s WHERE i+1 < ?2) SELECT %s FROM s",
		t.name, strings.NewReplacer(pairs...).Replace(t.values))
}

// largeTables returns the tables in the order in which they are written.
func largeTables(n Rows) []largeTable {
	name := "'autograd::engine::evaluate_function: op_' || $1%300 || ', op_id = ' || i"
	if n.Unique {
		name = "'aten::addmm, seq = ' || i || ', op_id = ' || (3*i) || ', sizes = [[' || $1 || '], [' || $2 || ', 8192], [8192, ' || $3 || ']]'"
	}
	length := int64(n.Kernels) * largePeriod / LargeSteps
	return []largeTable{
		{"StringIds", 6000, `i, iif(i < 40, 'ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<(unsigned long)4096>)',
			iif(i < 800, 'void at::native::kernel_' || i || '<' || hex(zeroblob(iif(i%50 = 0, 1750, $1%300))) || '>(float*, int)', 'call_' || i || '_v' || $1%12000))`},
		// Times and streams, ids, names, how it was launched, memory, and what newer schemas add.
		{"CUPTI_ACTIVITY_KIND_KERNEL", n.Kernels, fmt.Sprintf(`i*%[1]d + (i%%4)*9000 + 100000,
			i*%[1]d + (i%%4)*9000 + 102000 + iif(i%%40 = 0, 80000 + $1*10, $2%%12000), 3,
			1, NULL, iif(i%%40 = 0, 20 + $3%%2*4, iif($4%%30 = 0, 27, 7)), i + i/2 + 1, $P,
			iif(i%%40 = 0, $5%%40, 40 + iif($6%%10 < 8, $7%%60, $7%%760)), iif(i%%40 = 0, $5%%40, 840 + $7%%760), 1640 + $7%%760, 1, 0,
			16 + $8%%200, 1 + $9%%20000, 1 + iif($1%%4 = 0, $2%%64, 0), 1, 128 + $3%%2*128, 1, 1,
			$4%%2*($5%%48000), $6%%2*($7*3), 0, 147324928,
			i + 1, 32768 + $8%%8*1024, iif($9%%3 = 0, 4294967296 + $1, NULL), 1, NULL, NULL, NULL, NULL, 1, 1, 1, 0, 8, 16 + $2%%40`, largePeriod)},
		{"CUPTI_ACTIVITY_KIND_RUNTIME", n.Calls, fmt.Sprintf(`i*%d + $1%%3000, i*%[1]d + 3500 + $2%%6000, 0, $T + $3%%3, i + 1, 2500 + $4%%60, 0, iif($5%%20 = 0, $6, NULL)`,
			largePeriod*int64(n.Kernels)/int64(max(1, n.Calls)))},
		{"NVTX_EVENTS", n.Ranges, fmt.Sprintf(`i*%d + $4%%9000, iif($5%%10 = 0, NULL, i*%[1]d + 15000 + $6), iif($5%%10 = 0, 34, 59), NULL, NULL, NULL,
			iif(i%%2 = 0, %s, NULL), $T + $7%%3, NULL, iif(i%%2 = 1, 3000 + $8%%2000, NULL), $9%%8 = 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
			iif($2%%8 = 0, '{"NCCL communicator ID":' || ($1*65521*65521 + $3) || ',"Message size [bytes]":' || ($4*1500) || ',"Reduction operation":"Sum"}', NULL), NULL`,
			largePeriod*int64(n.Kernels)/int64(max(1, n.Ranges)), name)},
		{"OSRT_API", n.OS, fmt.Sprintf(`i*%d, i*%[1]d + 1000 + iif($1%%5 > 0, $2%%5000, $2*1500), 27, $T + $3%%60, i, 5000 + $4%%80, $5%%4, $6%%3, $7`,
			largePeriod*int64(n.Kernels)/int64(max(1, n.OS)))},
		{"NVTX_EVENTS", LargeSteps, fmt.Sprintf(`i*%[1]d, (i+1)*%[1]d - 1000, 59, NULL, NULL, NULL, 'step ' || i, $T, NULL, NULL, 0,
			NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL`, length)},
	}
}

// largePeriod is the time from a kernel to the next, in ns.
const largePeriod = int64(15000)
