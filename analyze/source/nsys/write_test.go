package nsys

import (
	"fmt"
	"strings"
	"testing"

	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
)

// testValues are the values of columns that a row needs; others are null, or 0
// and "" where they must not be.
var testValues = map[string]string{
	"start": "100", "end": "200", "startedAt": "100", "endedAt": "200", "streamId": "7", "correlationId": "5", "bytes": "64", "copyKind": "1",
	"globalPid": fmt.Sprint(nsystest.Pid), "globalTid": fmt.Sprint(nsystest.Tid), "threadId": fmt.Sprint(nsystest.Tid), "bytesProcessed": "10",
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
	nsystest.WriteDatabase(t, path, "INSERT INTO StringIds VALUES (1, 'name')")
	return recorded
}

func insertRow(t *testing.T, path, table string) bool {
	t.Helper()
	db := nsystest.OpenDatabase(t, path)
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
		names, values = append(names, `"`+name+`"`), append(values, value)
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
