package synth

import (
	"fmt"
	"strings"
)

// products are the versions of Nsight Systems that write a schema.
var products = map[string]string{"3.16.1": "2024.6.2.225", "3.24.0": "2025.5.2.266"}

// minor returns the second part of a schema's version. Columns change with it.
func minor(schema string) int {
	var major, n int
	fmt.Sscanf(schema, "%d.%d", &major, &n)
	return n
}

// column is a column of an export.
type column struct {
	name, kind   string
	notNull, key bool
	since        int // minor version of the schema
}

// tables are the tables that are written and their columns, in the order of
// the exports. A column is INTEGER unless :T or :R says TEXT or REAL; ! is NOT
// NULL, * the primary key and @n since minor version n of schema 3.
var tables = map[string]string{
	"StringIds":                      "id!* value!:T",
	"TARGET_INFO_SYSTEM_ENV":         "globalVid devStateName!:T name!:T nameEnum! value!:T",
	"TARGET_INFO_SESSION_START_TIME": "utcEpochNs utcTime:T localTime:T",
	"ANALYSIS_DETAILS":               "globalVid! duration! startTime! stopTime!",
	"DIAGNOSTIC_EVENT":               "timestamp! timestampType! source! severity! text!:T globalPid",
	"CUPTI_ACTIVITY_KIND_RUNTIME":    "start! end! eventClass! globalTid correlationId nameId! returnValue! callchainId",
	"NVTX_EVENTS": "start! end eventType! rangeId category color text:T globalTid endGlobalTid textId domainId " +
		"uint64Value int64Value doubleValue:R uint32Value int32Value floatValue:R jsonTextId jsonText:T binaryData:T",
	"CUPTI_ACTIVITY_KIND_MEMCPY": "start! end! deviceId! contextId! greenContextId streamId! correlationId globalPid bytes! copyKind! " +
		"deprecatedSrcId srcKind dstKind srcDeviceId srcContextId dstDeviceId dstContextId migrationCause graphNodeId virtualAddress copyCount@17",
	"CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": "start! end! deviceId! contextId! greenContextId streamId! correlationId globalPid " +
		"deprecatedSyncType@17 syncType! eventId! eventSyncId@17",
	"CUPTI_ACTIVITY_KIND_CUDA_EVENT": "timestamp@24 deviceId! contextId! greenContextId streamId! correlationId globalPid eventId! eventSyncId@17",
	"CUPTI_ACTIVITY_KIND_KERNEL": "start! end! deviceId! contextId! greenContextId streamId! correlationId globalPid demangledName! shortName! " +
		"mangledName launchType cacheConfig registersPerThread! gridX! gridY! gridZ! blockX! blockY! blockZ! staticSharedMemory! " +
		"dynamicSharedMemory! localMemoryPerThread! localMemoryTotal! gridId! sharedMemoryExecuted graphNodeId sharedMemoryLimitConfig " +
		"qmdBulkReleaseDone@24 qmdPreexitDone@24 qmdLastCtaDone@24 graphId@24 clusterX@24 clusterY@24 clusterZ@24 " +
		"clusterSchedulingPolicy@24 maxPotentialClusterSize@24 maxActiveClusters@24",
	"CUDA_GPU_MEMORY_USAGE_EVENTS": "start! globalPid! deviceId! contextId! address! pc! bytes! memKind! memoryOperationType! name:T correlationId " +
		"streamId localMemoryPoolType",
	"GPU_METRICS":                     "rawTimestamp timestamp typeId metricId value",
	"TARGET_INFO_GPU_METRICS":         "typeId sourceId typeName:T metricId metricName:T",
	"CUPTI_ACTIVITY_KIND_GRAPH_TRACE": "start! end! deviceId! contextId! greenContextId streamId! correlationId globalPid graphId! graphExecId!",
	"PROCESSES":                       "globalPid pid name:T",
	"OSRT_API":                        "start! end! eventClass! globalTid nameId! returnValue! nestingLevel callchainId! argumentsId!@24",
	"OSRT_FILE_ACCESS_EVENTS":         "fileAccessId! threadId! startedAt! endedAt! eventType! apiCallId! bytesProcessed!",
	"OSRT_FILE_ACCESS_DESCRIPTORS":    "fileAccessId! processId! openedAt! closedAt! filePath!:T",
	"NVTX_PAYLOAD_SCHEMAS":            "domainId! schemaId! name:T type flags numEntries payloadSize alignTo",
	"NVTX_SCOPES":                     "domainId! scopeId! parentScopeId path:T",
	"NVTX_COUNTER_GROUPS":             "domainId! counterGroupId! schemaId! name:T scopeId!",
	"NVTX_COUNTER_SAMPLES_0_1":        "timestamp! Read! Write!",
	"ThreadNames":                     "nameId! priority globalTid",
	"TARGET_INFO_GPU": "vmId! id! name:T busLocation:T isDiscrete l2CacheSize totalMemory memoryBandwidth clockRate smCount pwGpuId uuid:T luid " +
		"chipName:T cuDevice ctxswDevPath:T ctrlDevPath:T revision nodeMask constantMemory maxIPC maxRegistersPerBlock maxShmemPerBlock " +
		"maxShmemPerBlockOptin maxShmemPerSm maxRegistersPerSm threadsPerWarp asyncEngines maxWarpsPerSm maxBlocksPerSm maxThreadsPerBlock " +
		"maxBlockDimX maxBlockDimY maxBlockDimZ maxGridDimX maxGridDimY maxGridDimZ computeMajor computeMinor smMajor smMinor",
	"TARGET_INFO_CUDA_DEVICE":          "gpuId cudaId! pid!",
	"TARGET_INFO_CUDA_CONTEXT_INFO":    "nullStreamId! hwId! vmId! processId! deviceId! contextId! parentContextId isGreenContext",
	"TARGET_INFO_CUDA_STREAM":          "streamId! hwId! vmId! processId! contextId! priority! flag!",
	"ENUM_NSYS_EVENT_TYPE":             "id!* name:T label:T",
	"ENUM_CUDA_MEMCPY_OPER":            "id!* name:T label:T",
	"ENUM_CUPTI_SYNC_TYPE":             "id!* name:T label:T",
	"ENUM_OSRT_FILE_ACCESS_EVENT_TYPE": "id!* name:T label:T",
	"META_DATA_CAPTURE":                "name!:T value:T",
	"META_DATA_EXPORT":                 "name!:T value:T",
}

// columns returns the columns of a table in a schema.
func columns(table, schema string) []column {
	var out []column
	for _, spec := range strings.Fields(tables[table]) {
		c := column{kind: "INTEGER"}
		c.name = spec[:strings.IndexAny(spec+"!", "!*:@")]
		c.notNull = strings.Contains(spec, "!")
		c.key = strings.Contains(spec, "*")
		switch {
		case strings.Contains(spec, ":T"):
			c.kind = "TEXT"
		case strings.Contains(spec, ":R"):
			c.kind = "REAL"
		}
		if _, since, ok := strings.Cut(spec, "@"); ok {
			fmt.Sscanf(since, "%d", &c.since)
		}
		if minor(schema) >= c.since {
			out = append(out, c)
		}
	}
	return out
}

// ddl returns the statement that makes a table, as in exports.
func ddl(table, schema string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "CREATE TABLE %s (", table)
	for i, c := range columns(table, schema) {
		if i > 0 {
			b.WriteByte(',')
		}
		line := fmt.Sprintf("\n    %-27s %-7s", c.name, c.kind)
		if c.notNull {
			line += "   NOT NULL"
		}
		if c.key {
			line += "   PRIMARY KEY"
		}
		b.WriteString(strings.TrimRight(line, " "))
	}
	b.WriteString("\n)")
	return b.String()
}
