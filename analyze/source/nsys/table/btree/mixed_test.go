package btree

import (
	"encoding/binary"
	"slices"
	"testing"
)

// length is a column of texts, of which the length and the first byte are taken.
func length(field int) Column {
	return Column{Field: field, Text: func(s string) int64 {
		if s == "" {
			return 0
		}
		return int64(len(s))<<8 | int64(s[0])
	}}
}

// mixedColumns are columns of each kind, not in the order of their fields, and one of no field.
func mixedColumns() []Column {
	return []Column{{Field: 6}, length(3), {Field: 0}, {Field: Absent}, length(12), {Field: 13, Real: true}, length(7), {Field: 4}}
}

// mixedRecord is a record of these types, of which each value begins with another byte.
func mixedRecord(types []int, behind ...byte) []byte {
	var head, body []byte
	for i, serial := range types {
		size := 0
		if serial < 12 {
			size = int(sizes[serial])
		} else {
			size = (serial - 12) / 2
		}
		if serial >= 0x80 {
			head = append(head, byte(0x80|serial>>7))
		}
		head = append(head, byte(serial&0x7f))
		value := slices.Repeat([]byte{byte('a' + i)}, size)
		if serial == 7 {
			value = binary.BigEndian.AppendUint64(nil, 0x4008000000000000)
		}
		body = append(body, value...)
	}
	return slices.Concat([]byte{byte(len(head) + 1)}, head, body, behind)
}

// TestMixedRows holds the reading of rows with texts to the reading of any row.
func TestMixedRows(t *testing.T) {
	long := []int{1, 0, 0, 33, 2, 0, 6, 0, 0, 0, 0, 0, 139, 7, 0, 0, 1}
	nulls := make([]int, 14)
	for _, c := range []struct {
		name    string
		records [][]byte
		mixed   int // so many are read in the way for them
		damage  bool
	}{
		{"of texts and numbers", [][]byte{mixedRecord(long), mixedRecord(long)}, 2, false},
		{"of integers alone", [][]byte{mixedRecord([]int{1, 2, 3, 4, 5, 6, 8, 9, 1, 1, 1, 1, 1, 1})}, 1, false},
		{"of nothing", [][]byte{mixedRecord(nulls), mixedRecord(nulls[:13])}, 1, false},
		{"of nothing behind", [][]byte{mixedRecord(append(slices.Clone(long), nulls[:4]...))}, 1, false},
		{"of blobs and empty texts", [][]byte{mixedRecord([]int{12, 0, 0, 13, 12, 12, 14, 212, 0, 0, 0, 0, 18, 13})}, 1, false},
		{"of reserved types", [][]byte{mixedRecord([]int{10, 0, 0, 11, 0, 0, 10, 0, 0, 0, 0, 0, 0, 11})}, 1, false},
		{"of floats", [][]byte{mixedRecord([]int{7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7})}, 1, false},
		{"that end early", [][]byte{mixedRecord(long[:13]), mixedRecord(long), mixedRecord(long[:1])}, 1, false},
		{"with something behind", [][]byte{mixedRecord(long[:14], 0)}, 0, true},
		{"with something behind what is wanted", [][]byte{mixedRecord(long, 0)}, 1, false},
		{"whose values are not there", [][]byte{mixedRecord(long)[:60]}, 0, true},
		{"whose header is too big", [][]byte{append([]byte{100}, mixedRecord(long)[1:]...)}, 0, true},
		{"without a header", [][]byte{{0, 1, 2}}, 0, false},
		{"with a type that leaves the header", [][]byte{{2, 0x81, 0x81, 1}}, 0, true},
		{"with a type of three bytes", [][]byte{{4, 0x80, 0x80, 1, 7}}, 0, false},
	} {
		pages := memory(slices.Concat(make([]byte, pageSize), leafPage(c.records...)))
		got, gotErr := quickly(pages, mixedColumns())
		want, wantErr := slowly(pages, mixedColumns())
		if !slices.EqualFunc(got, want, slices.Equal) || isDamage(gotErr) != c.damage || isDamage(wantErr) != c.damage {
			t.Errorf("rows %s: got %v and %v, want %v and %v", c.name, got, gotErr, want, wantErr)
		}
		mixed := 0
		s := newScan(t.Context(), pages, mixedColumns(), nil)
		for _, r := range c.records {
			if _, ok := s.mixed.find(slices.Concat(make([]byte, 8), r, make([]byte, 8)), 8, len(r)); ok {
				mixed++
			}
		}
		if mixed != c.mixed {
			t.Errorf("rows %s: got %d of %d that are read in the way for rows with texts, want %d", c.name, mixed, len(c.records), c.mixed)
		}
	}
}

// TestMixedRowsOff: columns that are asked for twice, and ids of rows, are read as any row is.
func TestMixedRowsOff(t *testing.T) {
	pages := memory(slices.Concat(make([]byte, pageSize), leafPage(mixedRecord([]int{1, 0, 0, 33}), mixedRecord([]int{2, 0, 0, 35}))))
	for _, cols := range [][]Column{{length(3), {Field: 3}}, {{Field: Rowid}, length(3)}, {length(Absent)}} {
		got, err := quickly(pages, cols)
		want, _ := slowly(pages, cols)
		if newScan(t.Context(), pages, cols, nil).mixed.on || err != nil || len(got) != 2 || !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("columns %v: got %v and %v, want %v, and no quick way", cols, got, err, want)
		}
	}
}

// FuzzMixedRows holds the two to each other on any page.
func FuzzMixedRows(f *testing.F) {
	long := []int{1, 0, 0, 33, 2, 0, 6, 0, 0, 0, 0, 0, 139, 7, 0, 0, 1}
	f.Add(leafPage(mixedRecord(long), mixedRecord(long[3:]), mixedRecord(long)))
	f.Fuzz(func(t *testing.T, b []byte) {
		pages := anyLeaf(b)
		got, gotErr := quickly(pages, mixedColumns())
		want, wantErr := slowly(pages, mixedColumns())
		if !slices.EqualFunc(got, want, slices.Equal) || (gotErr == nil) != (wantErr == nil) {
			t.Errorf("got %v and %v, want %v and %v", got, gotErr, want, wantErr)
		}
	})
}
