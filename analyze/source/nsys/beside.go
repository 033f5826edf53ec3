package nsys

import (
	"context"
	"path/filepath"
	"strings"

	"perfdiff/analyze/source/nsys/table"
)

// lookBeside finds the export to Parquet beside a SQLite file: report.sqlite, report_pqtdir. NVIDIA's recipes read
// samples of volumes from there, which SQLite may lack.
func (r *sampler) lookBeside(path string) {
	stem, is := strings.CutSuffix(path, ".sqlite")
	if dir := stem + "_pqtdir"; is && IsExport(dir) {
		r.beside = dir
	}
}

// readBeside reads from there the samples that the file lacks, unless it says that it is of another session.
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
	own, _ := firstNumber(ctx, r.src, sessionTable, "utcEpochNs")
	if began, err := firstNumber(ctx, dir, sessionTable, "utcEpochNs"); err != nil || began != table.Null && own != table.Null && began != own {
		r.losses.Warn("%s beside it was left out: it is of another session", name)
		return err
	}
	other := *r
	other.src = dir
	for i, read := range []func(context.Context) error{other.readVolumes, other.readPorts, other.readActivity} {
		tableName := []string{groupTable, portTable, activityTable}[i]
		if r.src.Rows(ctx, tableName) > 0 || dir.Rows(ctx, tableName) == 0 {
			continue
		}
		if err := read(ctx); err != nil {
			return err
		}
		r.losses.Warn("table %s was read from %s beside it, since this file has none", tableName, name)
	}
	return nil
}
