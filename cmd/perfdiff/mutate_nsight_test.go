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

// tablesWithTimes are the tables whose rows begin and end at some time, with the names of the two columns; onDevice
// are those whose times are the device's.
var (
	tablesWithTimes = map[string][2]string{
		"CUPTI_ACTIVITY_KIND_KERNEL": {"start", "end"}, "CUPTI_ACTIVITY_KIND_MEMCPY": {"start", "end"},
		"CUPTI_ACTIVITY_KIND_MEMSET": {"start", "end"}, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": {"start", "end"},
		"CUPTI_ACTIVITY_KIND_RUNTIME": {"start", "end"}, "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION": {"start", "end"},
		"NVTX_EVENTS": {"start", "end"}, "OSRT_API": {"start", "end"}, "OSRT_FILE_ACCESS_EVENTS": {"startedAt", "endedAt"},
	}
	onDevice = []string{"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"}
)

// numbersOf are the numbers that a query lists.
func (e *exported) numbersOf(query string) (out []int64, err error) {
	rows, err := e.db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var v int64
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

func (e *exported) steps() ([]int64, error) {
	return e.numbersOf("select start from NVTX_EVENTS where " + stepRange + " order by start")
}

func (e *exported) kernels(from, to int64) ([]int64, error) {
	return e.numbersOf(fmt.Sprintf(`select start from CUPTI_ACTIVITY_KIND_KERNEL k join StringIds s on s.id = k.shortName
		where value not like 'nccl%%' and start >= %d and start < %d order by start`, from, to))
}

func (e *exported) lose(from, to int64) error {
	if err := e.loseWhere(fmt.Sprintf("start >= %d and start < %d", from, to), true); err != nil {
		return err
	}
	return e.run("vacuum") // rows that never were leave no hole in the numbers
}

func (e *exported) loseEvery(n int, launches bool) error {
	return e.loseWhere(fmt.Sprintf("(rowid + rowid / 31) %% %d = %d and streamId = 7", n, 3%n), launches)
}

func (e *exported) loseComm() error {
	return e.loseWhere("shortName in (select id from StringIds where value like 'nccl%')", true)
}

// loseWhere deletes kernels, and their launches too.
func (e *exported) loseWhere(which string, launches bool) error {
	kernels := "CUPTI_ACTIVITY_KIND_KERNEL where " + which
	if launches {
		if err := e.run("delete from CUPTI_ACTIVITY_KIND_RUNTIME where correlationId in (select correlationId from " + kernels + ")"); err != nil {
			return err
		}
	}
	return e.run("delete from " + kernels)
}

func (e *exported) warp(bends []bend) error {
	for table, columns := range tablesWithTimes {
		for _, c := range columns {
			if err := e.run(fmt.Sprintf("update %s set %s = %s where %[2]s is not null", table, c, bentSQL(c, bends))); err != nil {
				return err
			}
		}
	}
	return e.run("update ANALYSIS_DETAILS set duration = " + bentSQL("duration", bends))
}

// bentSQL is bent as an expression.
func bentSQL(t string, bends []bend) string {
	var b strings.Builder
	b.WriteString("case when " + t + " < " + fmt.Sprint(bends[0].at) + " then " + t)
	for i, x := range bends {
		until := "else"
		if i+1 < len(bends) {
			until = fmt.Sprintf("when %s < %d then", t, bends[i+1].at)
		}
		fmt.Fprintf(&b, " %s %d + (%s - %d) * %d / %d", until, bent(x.at, bends), t, x.at, x.num, x.den)
	}
	return b.String() + " end"
}

func (e *exported) delayDevice(ns int64) (err error) {
	for _, table := range onDevice {
		if err == nil {
			err = e.run(fmt.Sprintf("update %s set start = start + %d, end = end + %[2]d", table, ns))
		}
	}
	return err
}

func (e *exported) stretchSteps(num, den int64) error {
	return e.run(fmt.Sprintf("update NVTX_EVENTS set end = start + (end - start) * %d / %d where %s", num, den, stepRange))
}

func (e *exported) recordMore() error {
	return e.run("insert into META_DATA_CAPTURE values ('CAPTURE_EVENT_TYPE', 'SampledCpu'), ('CAPTURE_EVENT_TYPE', 'PythonBacktraces')")
}

func (e *exported) halveSMs() error {
	return e.run("update TARGET_INFO_GPU set smCount = smCount / 2")
}

func (e *exported) lowerClock() error {
	return e.run("update TARGET_INFO_GPU set clockRate = 1410000000")
}

func (e *exported) setHost(name string) error {
	return e.run("update TARGET_INFO_SYSTEM_ENV set value = '" + name + "' where name = 'Hostname'")
}

func (e *exported) scaleWork(num, den int64) error {
	return e.run(fmt.Sprintf("update CUPTI_ACTIVITY_KIND_KERNEL set gridX = max(1, gridX * %d / %d)", num, den),
		fmt.Sprintf("update CUPTI_ACTIVITY_KIND_MEMCPY set bytes = bytes * %d / %d", num, den))
}

func (e *exported) openLoaderBefore(ns int64) error {
	first := "(select min(start) from NVTX_EVENTS where text like 'DataLoader%')"
	return e.run(fmt.Sprintf("update NVTX_EVENTS set start = start - %d where text like 'DataLoader%%' and start = %s", ns, first))
}
