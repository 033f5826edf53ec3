package main

import (
	"database/sql"
	"fmt"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// exported is an Nsight Systems export that is being edited.
type exported struct{ db *sql.DB }

func openExport(path string) (*exported, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(0)&_pragma=journal_mode(off)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	var ok string
	if err := db.QueryRow("pragma quick_check(1)").Scan(&ok); err != nil || ok != "ok" {
		db.Close()
		return nil, fmt.Errorf("cut or damaged: %s: %v", ok, err)
	}
	return &exported{db}, nil
}

func (e *exported) close() error { return e.db.Close() }

// run runs statements on the tables that are there.
func (e *exported) run(statements ...string) error {
	for _, s := range statements {
		if _, err := e.db.Exec(s); err != nil && !strings.Contains(err.Error(), "no such table") {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

const stepRange = `text like 'step %'`

func (e *exported) dropMarkers() error { return e.run("delete from NVTX_EVENTS") }

func (e *exported) dropSteps() error { return e.run("delete from NVTX_EVENTS where " + stepRange) }

func (e *exported) renameSteps(word string) error {
	return e.run("update NVTX_EVENTS set text = '" + word + "' || substr(text, 5) where " + stepRange)
}

func (e *exported) renameComm(kernel string) error {
	short, _, _ := strings.Cut(strings.TrimPrefix(kernel, "void "), "<")
	return e.run(
		"update StringIds set value = '"+kernel+"' where value like 'ncclDevKernel%(%'",
		"update StringIds set value = '"+short+"' where value like 'ncclDevKernel%'",
		"update StringIds set value = '_Z"+short+"' where value like '_ZncclDevKernel%'",
		"delete from NVTX_EVENTS where domainId = 1")
}

func (e *exported) setRank(rank int) error {
	if rank < 0 {
		return e.run(`delete from META_DATA_CAPTURE where value like 'SLURM_%'`,
			`delete from META_DATA_EXPORT where name = 'EXPORT_PARAM_INPUT_FILE'`,
			`delete from NVTX_EVENTS where domainId = 1`)
	}
	return e.run(
		fmt.Sprintf(`update META_DATA_CAPTURE set value = 'SLURM_PROCID="%d"' where value like 'SLURM_PROCID=%%'`, rank),
		fmt.Sprintf(`update META_DATA_EXPORT set value = 'report.%d.nsys-rep' where name = 'EXPORT_PARAM_INPUT_FILE'`, rank),
		fmt.Sprintf(`update NVTX_EVENTS set jsonText = json_set(jsonText, '$.Rank', %d) where json_extract(jsonText, '$.Rank') is not null`, rank))
}

// cut deletes what starts behind the steps that are kept, by their own ranges or else
// by their share of the device's activity.
func (e *exported) cut(steps, of int) error {
	var at sql.NullInt64
	err := e.db.QueryRow("select start from NVTX_EVENTS where "+stepRange+" order by start limit 1 offset ?", steps).Scan(&at)
	if err != nil {
		var first, last int64
		if err := e.db.QueryRow("select min(start), max(end) from CUPTI_ACTIVITY_KIND_RUNTIME").Scan(&first, &last); err != nil {
			return errNoCalls
		}
		at.Int64 = first + (last-first)*int64(steps)/int64(of)
	}
	for table, column := range map[string]string{
		"CUPTI_ACTIVITY_KIND_KERNEL": "start", "CUPTI_ACTIVITY_KIND_MEMCPY": "start", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": "start",
		"CUPTI_ACTIVITY_KIND_RUNTIME": "start", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": "start", "NVTX_EVENTS": "start",
		"OSRT_API": "start", "OSRT_FILE_ACCESS_EVENTS": "startedAt",
	} {
		if err := e.run(fmt.Sprintf("delete from %s where %s >= %d", table, column, at.Int64)); err != nil {
			return err
		}
	}
	return e.run(fmt.Sprintf("update ANALYSIS_DETAILS set duration = %d", at.Int64))
}

// A replay holds up to so many kernels, in order of launch, of which none begins later
// than so long, in ns, after those before it were done.
const (
	replayed    = 8
	replayPause = 50_000
)

// replayGraphs makes of kernels replays as they are recorded with
// --cuda-graph-trace=graph: one row each, and one launch. A job that replays graphs
// already stays as it is.
func (e *exported) replayGraphs() error {
	replays := 0
	if e.db.QueryRow("select count(*) from CUPTI_ACTIVITY_KIND_GRAPH_TRACE").Scan(&replays); replays > 0 {
		return nil // an error is that of a table that is not there
	}
	return e.run(
		`create table if not exists CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER NOT NULL, end INTEGER NOT NULL,
			deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, greenContextId INTEGER, streamId INTEGER NOT NULL,
			correlationId INTEGER, globalPid INTEGER, graphId INTEGER NOT NULL, graphExecId INTEGER NOT NULL)`,
		fmt.Sprintf(`create temp table stretches as select *, sum(pause) over (order by correlationId) as stretch from (
			select *, coalesce(start - max(end) over (order by correlationId rows between unbounded preceding and 1 preceding), 0) > %d as pause
			from CUPTI_ACTIVITY_KIND_KERNEL)`, replayPause),
		fmt.Sprintf(`create temp table replays as select *, stretch * 1000000 +
			(row_number() over (partition by stretch order by correlationId) - 1) / %d as nth from stretches`, replayed),
		`insert into CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end, deviceId, contextId, streamId, correlationId, globalPid, graphId, graphExecId)
			select min(start), max(end), deviceId, contextId, 7, min(correlationId), globalPid, 1, 2 from replays group by nth`,
		`delete from CUPTI_ACTIVITY_KIND_RUNTIME where correlationId in (select correlationId from replays)
			and correlationId not in (select min(correlationId) from replays group by nth)`,
		`insert into StringIds (id, value) select max(id) + 1, 'cudaGraphLaunch_v10000' from StringIds`,
		`update CUPTI_ACTIVITY_KIND_RUNTIME set nameId = (select max(id) from StringIds)
			where correlationId in (select min(correlationId) from replays group by nth)`,
		`delete from CUPTI_ACTIVITY_KIND_KERNEL`)
}
