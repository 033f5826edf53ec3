package nsys

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/synth/parquetdir"
	"perfdiff/analyze/trace"
)

// TestCountersBeside: what was sampled is read from an export to Parquet beside the SQLite file of its name, where that
// lacks it and unless it is of another session; and the file says so.
func TestCountersBeside(t *testing.T) {
	const volumes = `CREATE TABLE NVTX_COUNTER_GROUPS (domainId INTEGER, counterGroupId INTEGER, schemaId INTEGER, name TEXT, scopeId INTEGER);
		CREATE TABLE NVTX_PAYLOAD_SCHEMAS (domainId INTEGER, schemaId INTEGER, name TEXT);
		CREATE TABLE NVTX_SCOPES (domainId INTEGER, scopeId INTEGER, path TEXT);
		CREATE TABLE NVTX_COUNTER_SAMPLES_0_2 (timestamp INTEGER, Read INTEGER, Write INTEGER);
		INSERT INTO NVTX_PAYLOAD_SCHEMAS VALUES (0, 4, 'Throughput Counter Group Schema');
		INSERT INTO NVTX_SCOPES VALUES (0, 6, 'Mounts//secret/data');
		INSERT INTO NVTX_COUNTER_GROUPS VALUES (0, 2, 4, '', 6);
		INSERT INTO NVTX_COUNTER_SAMPLES_0_2 VALUES (0, 7, 7), (1000000000, 200, 100);`
	const session = `CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER); INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES `
	for _, tt := range []struct {
		name, own, beside, says string
		reads                   bool
	}{
		{"counters alone", "", volumes, "table NVTX_COUNTER_GROUPS was read from small_pqtdir beside it", true},
		{"of this session", "", volumes + session + "(1700000000000000000)", "table NVTX_COUNTER_GROUPS was read", true},
		{"of another", "", volumes + session + "(1700000000000000001)", "small_pqtdir beside it was left out: it is of another session", false},
		{"in both", volumes, volumes, "", true},
		{"in neither", "", session + "(1700000000000000000)", "", false},
	} {
		path := nsystest.Export(t, nsystest.KernelRow, tt.own)
		tables := filepath.Join(t.TempDir(), "tables.sqlite")
		nsystest.WriteDatabase(t, tables, tt.beside)
		if err := parquetdir.Write(context.Background(), tables, strings.TrimSuffix(path, ".sqlite")+"_pqtdir"); err != nil {
			t.Fatal(err)
		}
		x := read(t, path)[0]
		if got := x.Recorded.Has(trace.HasStorage); got != tt.reads {
			t.Errorf("%s: storage recorded: got %v", tt.name, got)
		}
		if tt.says != "" && !warned(x, tt.says) || tt.says == "" && warned(x, "beside it") {
			t.Errorf("%s: got %v, want a warning %q", tt.name, x.Warnings, tt.says)
		}
	}
}
