package table

import (
	"context"

	"perfdiff/analyze/source/nsys/table/btree"
)

// Scan is one of several scans, with the arguments of Source.Scan.
type Scan struct {
	Table string
	Cols  []Column
	Emit  func(*Batch)
}

// Mixed reports whether the pages of two tables alternate in the file, so that reading one table after the other would
// read most of the file twice.
func (d *database) Mixed(_ context.Context, a, b string) bool {
	var first, last [2]uint32
	for i, table := range []string{a, b} {
		s, err := d.shape(table)
		if s == nil || err != nil || s.clustered || d.on || d.second.always || d.second.has(table) {
			return false
		}
		if first[i], last[i], err = btree.Leaves(d.pages, s.root); err != nil {
			return false
		}
	}
	return first[0] < last[1] && first[1] < last[0]
}

// ScanTogether reads the tables in the order in which their pages lie in the file, or one
// after the other where SQLite reads any.
func (d *database) ScanTogether(ctx context.Context, scans []Scan) []error {
	if len(scans) == 1 {
		return oneByOne(ctx, d, scans)
	}
	tables, all := make([]btree.Table, len(scans)), make([]*scan, len(scans))
	for i, one := range scans {
		s, err := d.scan(one)
		if s == nil || err != nil || d.on || s.leftToSQLite() != "" {
			return oneByOne(ctx, d, scans)
		}
		all[i], tables[i] = s, btree.Table{Root: s.shape.root, Cols: s.bound, Emit: s.each}
	}
	errs := btree.ScanTogether(ctx, d.pages, tables)
	for i, err := range errs {
		errs[i] = all[i].doubt(ctx, err)
	}
	return errs
}

// Mixed returns false: each table is a file.
func (d *directory) Mixed(context.Context, string, string) bool { return false }

// ScanTogether reads one table after the other.
func (d *directory) ScanTogether(ctx context.Context, scans []Scan) []error {
	return oneByOne(ctx, d, scans)
}

func oneByOne(ctx context.Context, src Source, scans []Scan) []error {
	errs := make([]error, len(scans))
	for i, s := range scans {
		errs[i] = src.Scan(ctx, s.Table, s.Cols, s.Emit)
	}
	return errs
}
