package btree

import (
	"context"
	"encoding/binary"
	"slices"
	"testing"
)

// numbers is a record of integers, and perhaps something behind them.
func numbers(types []byte, behind ...byte) []byte {
	record := append([]byte{byte(len(types) + 1)}, types...)
	for i, serial := range types {
		if serial < 10 {
			record = append(record, []byte{0xff, 0xfe, byte(i), 4, 5, 6, 7, 8}[:sizes[serial]]...)
		}
	}
	return append(record, behind...)
}

// slowly reads the same rows in the way that suits any row.
func slowly(pages Pages, cols []Column) (rows [][]int64, err error) {
	return rowsOf(pages, cols, func(s *scan) { s.quick.on, s.mixed.on = false, false })
}

func quickly(pages Pages, cols []Column) (rows [][]int64, err error) {
	return rowsOf(pages, cols, func(*scan) {})
}

func rowsOf(pages Pages, cols []Column, set func(*scan)) (rows [][]int64, err error) {
	s := newScan(context.Background(), pages, cols, func(b [][]int64, n int) error {
		for i := range n {
			var row []int64
			for c := range b {
				row = append(row, b[c][i])
			}
			rows = append(rows, row)
		}
		return nil
	})
	set(s)
	err = s.run(2)
	return rows, err
}

// TestQuickRows holds the quick reading of integers to the reading of any row.
func TestQuickRows(t *testing.T) {
	for _, more := range []int{0, 6, 7, 12, 22, 23} { // columns: no more than a key of two words holds, and of four
		checkQuickRows(t, more)
	}
}

func checkQuickRows(t *testing.T, more int) {
	t.Helper()
	cols := []Column{{Field: 2}, {Field: 0}, {Field: Absent}, {Field: 9 + more}, {Field: 8 + more}, {Field: 1}}
	numbers := func(types []byte, behind ...byte) []byte {
		at := min(3, len(types))
		return numbers(slices.Concat(types[:at], slices.Repeat([]byte{9}, more), types[at:]), behind...)
	}
	wide := []byte{0, 1, 2, 3, 4, 5, 6, 8, 9, 1, 2, 3, 7, 0, 8, 9, 6}
	for name, c := range map[string]struct {
		records [][]byte
		damage  bool
	}{
		"of all widths":              {[][]byte{numbers(wide), numbers(wide), numbers(slices.Concat(wide[3:], wide[:5]))}, false},
		"with nothing behind":        {[][]byte{numbers(wide[:10]), numbers(wide[:10])}, false},
		"with a text behind":         {[][]byte{numbers(wide), numbers(append(slices.Clone(wide), 17), 'h', 'i')}, false},
		"with a text among":          {[][]byte{numbers([]byte{1, 17, 1, 1, 1, 1, 1, 1, 1, 1}, 'h', 'i')}, false},
		"with a float among":         {[][]byte{numbers(wide), numbers([]byte{7, 7, 7, 1, 1, 1, 1, 1, 1, 1})}, false},
		"that end early":             {[][]byte{numbers(wide), numbers(wide[:4]), numbers(wide), numbers([]byte{9})}, false},
		"with something behind":      {[][]byte{numbers(wide[:10]), numbers(wide[:10], 0)}, true},
		"whose values are not there": {[][]byte{numbers(wide), numbers(wide)[:40]}, true},
		"of a reserved type":         {[][]byte{numbers(wide), numbers([]byte{1, 10, 1, 1, 1, 1, 1, 1, 1, 1})}, false},
		"whose header is too big":    {[][]byte{append([]byte{90}, numbers(wide)[1:]...)}, true},
	} {
		pages := memory(slices.Concat(make([]byte, pageSize), leafPage(c.records...)))
		got, gotErr := quickly(pages, cols)
		want, wantErr := slowly(pages, cols)
		if !slices.EqualFunc(got, want, slices.Equal) || isDamage(gotErr) != c.damage || isDamage(wantErr) != c.damage {
			t.Errorf("rows %s, %d columns more: got %v and %v, want %v and %v", name, more, got, gotErr, want, wantErr)
		}
	}
}

// TestQuickRowsAreRead: what exporters write takes the quick way.
func TestQuickRowsAreRead(t *testing.T) {
	wide := []byte{5, 5, 1, 2, 3, 4, 6, 8, 9, 1, 2, 3, 7, 0}
	page := leafPage(numbers(wide), numbers(wide), numbers(wide))
	s := newScan(context.Background(), memory(page), []Column{{Field: 0}, {Field: 8}}, nil)
	if rows := s.quickRows(page, page[8:14], 14); rows != 3 || s.n != 3 || s.out[1][2] != 1 {
		t.Errorf("got %d rows of 3, %v", rows, s.out)
	}
	wide = slices.Concat(wide[:12], wide[:12]) // as kernels with their shapes are
	page = leafPage(numbers(wide), numbers(wide), numbers(wide))
	s = newScan(context.Background(), memory(page), []Column{{Field: 0}, {Field: 20}}, nil)
	if rows := s.quickRows(page, page[8:14], 14); rows != 3 || s.n != 3 || s.out[1][2] != 1 {
		t.Errorf("of a wide table: got %d rows of 3, %v", rows, s.out)
	}
}

// FuzzQuickRows holds the two to each other on any page. The quick one may go on behind a
// row of which only what is not wanted is damaged.
func FuzzQuickRows(f *testing.F) {
	wide := []byte{0, 1, 2, 3, 4, 5, 6, 8, 9, 1, 2, 3, 7, 0, 8, 9, 6}
	f.Add(leafPage(numbers(wide), numbers(wide[3:]), numbers(wide)))
	f.Fuzz(func(t *testing.T, b []byte) {
		pages := anyLeaf(b)
		cols := []Column{{Field: 0}, {Field: 3}, {Field: 1}, {Field: Absent}}
		got, gotErr := quickly(pages, cols)
		want, wantErr := slowly(pages, cols)
		if wantErr != nil && len(got) > len(want) {
			got, gotErr = got[:len(want)], wantErr
		}
		if !slices.EqualFunc(got, want, slices.Equal) || (gotErr == nil) != (wantErr == nil) && wantErr == nil {
			t.Errorf("got %v and %v, want %v and %v", got, gotErr, want, wantErr)
		}
	})
}

// anyLeaf is a leaf, as page 2, of any bytes.
func anyLeaf(b []byte) memory {
	page := make([]byte, pageSize)
	copy(page, b)
	page[0] = leafTable
	if cells := binary.BigEndian.Uint16(page[3:]); cells > 64 {
		page[3], page[4] = 0, byte(cells%64)
	}
	return memory(slices.Concat(make([]byte, pageSize), page))
}
