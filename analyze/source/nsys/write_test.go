package nsys

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// writeDatabase creates a SQLite file, or adds to it, what the statements make.
func writeDatabase(t testing.TB, path string, statements ...string) {
	t.Helper()
	db := openForWriting(t, path)
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%.80s: %v", s, err)
		}
	}
}

func openForWriting(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(0)&_pragma=journal_mode(off)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}

const (
	testPid = int64(1)<<48 | 4242<<24 // of process 4242
	testTid = testPid + 4242          // of its first thread
)

// testValues are the values of columns that a row needs; others are null, or 0
// and "" where they must not be.
var testValues = map[string]string{
	"start": "100", "end": "200", "startedAt": "100", "endedAt": "200", "streamId": "7", "correlationId": "5", "bytes": "64", "copyKind": "1",
	"globalPid": fmt.Sprint(testPid), "globalTid": fmt.Sprint(testTid), "threadId": fmt.Sprint(testTid), "bytesProcessed": "10",
	"demangledName": "1", "nameId": "1", "textId": "1", "eventType": "59", "syncType": "3", "duration": "1000",
}

// insertEverywhere puts a row into each table that Read knows and that the
// file has, and returns what is then recorded.
func insertEverywhere(t *testing.T, path string) trace.Recorded {
	t.Helper()
	recorded := trace.Recorded(0)
	bits := map[string]trace.Recorded{
		"CUPTI_ACTIVITY_KIND_KERNEL": trace.HasDevice, "CUPTI_ACTIVITY_KIND_MEMCPY": trace.HasDevice | trace.HasMemcpyBytes,
		"CUPTI_ACTIVITY_KIND_MEMSET": trace.HasDevice, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": trace.HasDevice | trace.HasGraphs,
		"CUPTI_ACTIVITY_KIND_RUNTIME": trace.HasLaunches, "OSRT_API": trace.HasOS, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": trace.HasSyncs,
		"OSRT_FILE_ACCESS_EVENTS": trace.HasFileBytes, "NVTX_EVENTS": trace.HasRanges, "ANALYSIS_DETAILS": 0,
	}
	for table, bit := range bits {
		if insertRow(t, path, table) {
			recorded |= bit
		}
	}
	writeDatabase(t, path, "INSERT INTO StringIds VALUES (1, 'name')")
	return recorded
}

func insertRow(t *testing.T, path, table string) bool {
	t.Helper()
	db := openForWriting(t, path)
	defer db.Close()
	rows, err := db.Query(`SELECT name, type, "notnull" FROM pragma_table_info(?)`, table)
	if err != nil {
		t.Fatal(err)
	}
	var names, values []string
	for rows.Next() {
		var name, kind string
		var required bool
		if err := rows.Scan(&name, &kind, &required); err != nil {
			t.Fatal(err)
		}
		value, known := testValues[name]
		switch {
		case name == "start" && table == "CUPTI_ACTIVITY_KIND_RUNTIME":
			value = "50"
		case known:
		case required && kind == "TEXT":
			value = "''"
		case required:
			value = "0"
		default:
			value = "NULL"
		}
		names, values = append(names, quote(name)), append(values, value)
	}
	if len(names) == 0 {
		return false
	}
	insert := fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(names, ","), strings.Join(values, ","))
	if _, err := db.Exec(insert); err != nil {
		t.Fatalf("%s: %v", insert, err)
	}
	return true
}

// smallSchema has the columns of an export that Read looks at.
const smallSchema = `
CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, correlationId, globalPid, demangledName);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, streamId, correlationId, globalPid, bytes, copyKind);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId, nameId);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start, end, deviceId, streamId, globalPid, syncType);
CREATE TABLE OSRT_API (start, end, globalTid, nameId);
CREATE TABLE OSRT_FILE_ACCESS_EVENTS (fileAccessId, threadId, startedAt, endedAt, eventType, bytesProcessed);
CREATE TABLE OSRT_FILE_ACCESS_DESCRIPTORS (fileAccessId, processId);
CREATE TABLE NVTX_EVENTS (start, end, eventType, text, textId, domainId, globalTid, jsonText);
CREATE TABLE ThreadNames (nameId, globalTid);
CREATE TABLE MPI_RANKS (globalTid, rank);
CREATE TABLE PROCESSES (globalPid, pid, name);
CREATE TABLE META_DATA_CAPTURE (name, value);
CREATE TABLE META_DATA_EXPORT (name, value);
CREATE TABLE DIAGNOSTIC_EVENT (severity, text);
CREATE TABLE TARGET_INFO_SYSTEM_ENV (name, value);
CREATE TABLE TARGET_INFO_GPU (id, cuDevice, name, totalMemory);
CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId, cudaId, pid);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs);
CREATE TABLE ANALYSIS_DETAILS (duration);
INSERT INTO StringIds VALUES (0, 'void add<float>(float*)'), (1, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)'),
  (2, 'cudaLaunchKernel_v7000'), (3, 'read'), (4, 'OS runtime libraries profiling started'), (5, 'forward, op_id = 7'),
  (900000000, 'far');
INSERT INTO ANALYSIS_DETAILS VALUES (10000);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000);
`

// $P and $T stand for the process and thread of most rows, $Q and $U for others.
var testIDs = strings.NewReplacer("$P", fmt.Sprint(testPid), "$T", fmt.Sprint(testTid),
	"$Q", fmt.Sprint(testPid+1<<24), "$U", fmt.Sprint(testTid+1<<24))

// kernelRow is a kernel of process $P that is launched by a call.
const kernelRow = `INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (100, 200, 0, 7, 1, $P, 0);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (50, 60, $T, 1, 2);`

// smallExport is the path of an export with the rows that the statements
// insert.
func smallExport(t testing.TB, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.sqlite")
	all := []string{smallSchema}
	for _, s := range statements {
		all = append(all, testIDs.Replace(s))
	}
	writeDatabase(t, path, all...)
	return path
}
