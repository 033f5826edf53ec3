package btree

import (
	"context"
	"math"
	"slices"
	"testing"
)

// counted counts the pages that are asked for.
type counted struct {
	memory
	asked []uint32
}

func (c *counted) Page(n uint32) ([]byte, error) {
	c.asked = append(c.asked, n)
	return c.memory.Page(n)
}

// TestScanFrom: a second scan passes over what holds no wanted row, and gives all that are.
func TestScanFrom(t *testing.T) {
	record := func(v byte) []byte { return []byte{3, 1, 9, v} }
	// Pages 2 to 5 are interior ones, with the root first; leaves follow.
	file := &counted{memory: slices.Concat(make(memory, pageSize), interiorPage(3, 4, 5),
		interiorPage(6, 7), interiorPage(8, 9), interiorPage(10, 11),
		leafPage(record(1), record(4)), leafPage(record(2), record(5)),
		leafPage(record(12), record(11)), leafPage(record(13), record(3)),
		leafPage(record(20), record(21)), leafPage(record(22)))}
	var x Extents
	scan := func(from, to int64) (values []int64, pages int) {
		t.Helper()
		file.asked = nil
		err := ScanFrom(context.Background(), file, 2, []Column{{Field: 0}}, &x, from, to, func(rows [][]int64, n int) error {
			for _, v := range rows[0][:n] {
				if v >= from && v < to {
					values = append(values, v)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return values, len(file.asked)
	}
	if got, pages := scan(math.MinInt64, math.MaxInt64); len(got) != 11 || pages != 10 {
		t.Errorf("first: %v on %d pages, want 11 rows on 10", got, pages)
	}
	for _, c := range []struct {
		from, to int64
		want     []int64
		pages    int
	}{
		{0, 3, []int64{1, 2}, 10}, {20, 30, []int64{20, 21, 22}, 10}, {30, 40, nil, 1}, {-9, 0, nil, 1},
	} {
		if got, pages := scan(c.from, c.to); !slices.Equal(got, c.want) || pages != c.pages {
			t.Errorf("[%d, %d): %v on %d pages, want %v on %d", c.from, c.to, got, pages, c.want, c.pages)
		}
	}
}

// TestExtentsAreOfBatches: extents are learnt batch by batch, whose rows are of all pages
// noted since the last one.
func TestExtentsAreOfBatches(t *testing.T) {
	w := keyRange{x: &Extents{of: map[uint32]extent{}}, from: 0, to: 10}
	w.leaf(7)
	w.leaf(7)
	w.learn([]int64{20, 30})
	w.leaf(8) // a part of the next rows is of page 7 still
	w.learn([]int64{40, 35})
	w.learn([]int64{50})
	want := map[uint32]extent{7: {20, 40}, 8: {35, 50}}
	for page, e := range want {
		if got := w.x.of[page]; got != e {
			t.Errorf("page %d: %v, want %v", page, got, e)
		}
	}
	if !w.passes(7) || w.passes(9) {
		t.Errorf("passes page 7: %v, 9: %v, want true and false", w.passes(7), w.passes(9))
	}
	if w.from, w.to = 40, 41; w.passes(7) || w.passes(8) {
		t.Error("passes over wanted rows")
	}
}
