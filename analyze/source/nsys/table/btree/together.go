package btree

import "context"

// Table is one of the tables that are scanned together, as Scan has them.
type Table struct {
	Root uint32
	Cols []Column
	Emit func(rows [][]int64, n int) error
}

// ScanTogether scans several tables whose pages alternate in the file, as exporters leave them that write while they
// read: it reads leaves in the order of the file, so that each part of it is read once. Each table has an error of its
// own.
func ScanTogether(ctx context.Context, pages Pages, tables []Table) []error {
	errs, scans, walks := make([]error, len(tables)), make([]*scan, len(tables)), make([]walk, len(tables))
	for i, t := range tables {
		scans[i], walks[i] = newScan(ctx, pages, t.Cols, t.Emit), walk{at: t.Root, more: true}
		defer scans[i].release()
	}
	for {
		i := nearest(walks)
		if i < 0 {
			return errs
		}
		if _, err := scans[i].advance(&walks[i]); err != nil || !walks[i].more {
			walks[i].more, errs[i] = false, scans[i].end(err)
		}
	}
}

// nearest returns the walk whose next leaf comes first in the file, -1 if all are done. A walk that must visit another
// page first does not know its next leaf yet, and goes first.
func nearest(walks []walk) int {
	first := -1
	for i := range walks {
		switch {
		case !walks[i].more:
		case !walks[i].atLeaf():
			return i
		case first < 0 || walks[i].at < walks[first].at:
			first = i
		}
	}
	return first
}

// Leaves returns the first and the last leaf page of the table with that root page, between
// which the others mostly lie.
func Leaves(pages Pages, root uint32) (first, last uint32, err error) {
	if first, err = leafOf(pages, root, 0); err == nil {
		last, err = leafOf(pages, root, -1)
	}
	return first, last, err
}

// leafOf returns the leaf that the first child of each page leads to, or with -1 the last one.
func leafOf(pages Pages, at uint32, child int) (uint32, error) {
	for range maxDepth {
		page, head, err := pageOf(pages, at)
		if err != nil || page[head] == leafTable {
			return at, err
		}
		if page[head] != interiorTable {
			return 0, damaged(at, "it is no page of a table, but of type %d", page[head])
		}
		children, err := interior(at, page, head, cellsOf(page, head))
		if err != nil {
			return 0, err
		}
		at = children[(child+len(children))%len(children)]
	}
	return 0, damaged(at, "the tree is too deep")
}
