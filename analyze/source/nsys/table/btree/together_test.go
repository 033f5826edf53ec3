package btree

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// alternating is two tables with the roots 2 and 3, whose leaves alternate on pages 4 to 10; the
// pages above them lie behind.
func alternating() *counted {
	record := func(v byte) []byte { return []byte{3, 1, 9, v} }
	return &counted{memory: slices.Concat(make(memory, pageSize), interiorPage(11, 12), interiorPage(5, 7, 9),
		leafPage(record(1), record(2)), leafPage(record(11)), leafPage(record(3)),
		leafPage(record(12), record(13)), leafPage(record(4)), leafPage(record(14)),
		leafPage(record(5)), interiorPage(4, 6), interiorPage(8, 10))}
}

// scanBoth scans them together: the values of each, and the errors.
func scanBoth(ctx context.Context, pages Pages) (values [2][]int64, errs []error) {
	tables := make([]Table, 2)
	for i := range tables {
		tables[i] = Table{Root: uint32(2 + i), Cols: []Column{{Field: 0}}, Emit: func(rows [][]int64, n int) error {
			values[i] = append(values[i], rows[0][:n]...)
			return nil
		}}
	}
	errs = ScanTogether(ctx, pages, tables)
	return values, errs
}

func TestScanTogether(t *testing.T) {
	want := [2][]int64{{1, 2, 3, 4, 5}, {11, 12, 13, 14}}
	file := alternating()
	values, errs := scanBoth(context.Background(), file)
	if !slices.Equal(values[0], want[0]) || !slices.Equal(values[1], want[1]) || errors.Join(errs...) != nil {
		t.Errorf("got %v and %v, want %v", values, errs, want)
	}
	leaves := slices.DeleteFunc(file.asked, func(page uint32) bool { return page < 4 || page > 10 })
	if !slices.Equal(leaves, []uint32{4, 5, 6, 7, 8, 9, 10}) {
		t.Errorf("got leaves in the order %v, want that of the file", leaves)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, errs := scanBoth(ctx, file); errs[0] != context.Canceled || errs[1] != context.Canceled {
		t.Errorf("canceled: got %v", errs)
	}
}

// TestScanTogetherDamaged: a damaged page of one table ends that table alone, behind
// the rows before it.
func TestScanTogetherDamaged(t *testing.T) {
	file := alternating()
	file.memory[6*pageSize] = 99
	values, errs := scanBoth(context.Background(), file)
	if errs[0] != nil || !isDamage(errs[1]) || !slices.Equal(values[0], []int64{1, 2, 3, 4, 5}) || !slices.Equal(values[1], []int64{11}) {
		t.Errorf("got %v and %v, want the second table damaged behind its first row", values, errs)
	}
}

func TestLeaves(t *testing.T) {
	file := alternating()
	for root, want := range map[uint32][2]uint32{2: {4, 10}, 3: {5, 9}, 6: {6, 6}} {
		if first, last, err := Leaves(file, root); first != want[0] || last != want[1] || err != nil {
			t.Errorf("root %d: got %d, %d, %v, want %v", root, first, last, err, want)
		}
	}
	if _, _, err := Leaves(memory(slices.Concat(make([]byte, pageSize), interiorPage(3, 2), interiorPage(2))), 2); !isDamage(err) {
		t.Errorf("a loop: got %v, want damage", err)
	}
}
