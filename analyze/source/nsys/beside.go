package nsys

import (
	"context"
	"path/filepath"
	"strings"

	"perfdiff/analyze/source/nsys/table"
)

// An export to SQLite may lack what was sampled of volumes, which NVIDIA's recipes read from exports to Parquet. Where
// one lies beside the file under its name, that is read from there.

// sampledTables are tables of samples, with what reads them.
var sampledTables = []struct {
	table string
	read  func(*sampler, context.Context) error
}{
	{groupTable, (*sampler).readVolumes}, {portTable, (*sampler).readPorts}, {activityTable, (*sampler).readActivity},
}

// lookBeside finds the directory of tables beside a SQLite file: report.sqlite, report_pqtdir.
func (r *sampler) lookBeside(path string) {
	if stem, is := strings.CutSuffix(path, ".sqlite"); is && IsExport(stem+tablesSuffix) {
		r.beside = stem + tablesSuffix
	}
}

// tablesSuffix ends the name of a directory to which nsys exported tables.
const tablesSuffix = "_pqtdir"

// readBeside reads from the directory what the file lacks. A directory that says that it is of another session is
// left out.
func (r *sampler) readBeside(ctx context.Context) error {
	if r.beside == "" {
		return nil
	}
	name := filepath.Base(r.beside)
	dir, _, err := table.Open(ctx, r.beside, table.ExportWords, nil)
	if err != nil {
		return err
	}
	defer dir.Close()
	began, err := firstNumber(ctx, dir, sessionTable, "utcEpochNs")
	if err != nil {
		return err
	}
	if own, err := firstNumber(ctx, r.src, sessionTable, "utcEpochNs"); err != nil || began != table.Null && own != table.Null && began != own {
		r.losses.Warn("%s beside it was left out: it is of another session", name)
		return err
	}
	other := *r
	other.src = dir
	for _, x := range sampledTables {
		if r.src.Rows(ctx, x.table) > 0 || dir.Rows(ctx, x.table) == 0 {
			continue
		}
		if err := x.read(&other, ctx); err != nil {
			return err
		}
		r.losses.Warn("table %s was read from %s beside it, since this file has none", x.table, name)
	}
	return nil
}
