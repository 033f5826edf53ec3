// Package nsystest makes small exports of Nsight Systems for tests of what reads them:
// the columns that are read, a few rows, logs beside a file and tables of Parquet; and, in large.go,
// large ones for benchmarks.
package nsystest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// The globalPid of process 4242, and the globalTid of its first thread.
const (
	Pid = int64(1)<<48 | 4242<<24
	Tid = Pid + 4242
)

// Schema is SQL that makes the tables of an export with the columns that are read, and some names.
const Schema = `
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

// IDs replaces $P and $T by the process and thread of most rows, $Q and $U by others.
var IDs = strings.NewReplacer("$P", fmt.Sprint(Pid), "$T", fmt.Sprint(Tid),
	"$Q", fmt.Sprint(Pid+1<<24), "$U", fmt.Sprint(Tid+1<<24))

// KernelRow is a kernel of process $P that is launched by a call.
const KernelRow = `INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (100, 200, 0, 7, 1, $P, 0);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (50, 60, $T, 1, 2);`

// Export returns the path of a file with Schema and the rows that the statements insert, in
// which IDs are replaced.
func Export(t testing.TB, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.sqlite")
	all := []string{Schema}
	for _, s := range statements {
		all = append(all, IDs.Replace(s))
	}
	WriteDatabase(t, path, all...)
	return path
}
