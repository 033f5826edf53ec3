package btree

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
)

// TestSerialTypes: an integer of each width, by both ways of reading.
func TestSerialTypes(t *testing.T) {
	for _, c := range []struct {
		serial byte
		value  []byte
		want   int64
	}{
		{0, nil, Null}, {8, nil, 0}, {9, nil, 1},
		{1, []byte{0x80}, -128}, {1, []byte{0x7f}, 127},
		{2, []byte{0x80, 0}, -1 << 15}, {3, []byte{0x7f, 0xff, 0xff}, 1<<23 - 1},
		{4, []byte{0x80, 0, 0, 1}, -1<<31 + 1}, {4, []byte{1, 2, 3, 4}, 0x01020304},
		{5, []byte{1, 2, 3, 4, 5, 6}, 0x010203040506}, {5, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xfd}, -3},
		{6, []byte{1, 2, 3, 4, 5, 6, 7, 8}, 0x0102030405060708}, {6, []byte{0x80, 0, 0, 0, 0, 0, 0, 1}, -1<<63 + 1},
		{7, []byte{0x40, 0x08, 0, 0, 0, 0, 0, 0}, 3},
	} {
		record := slices.Concat([]byte{4, 1, c.serial, 1, 7}, c.value, []byte{9})
		for _, rows := range []int{1, 8} { // few and many are read in different ways
			pages := memory(slices.Concat(make([]byte, pageSize), leafPage(slices.Repeat([][]byte{record}, rows)...)))
			for name, read := range map[string]func(Pages, []Column) ([][]int64, error){"quickly": quickly, "slowly": slowly} {
				got, err := read(pages, []Column{{Field: 0}, {Field: 1}, {Field: 2}})
				if err != nil || len(got) != rows || !slices.Equal(got[rows-1], []int64{7, c.want, 9}) {
					t.Errorf("type %d of %x, %d rows %s: got %v and %v, want 7, %d and 9", c.serial, c.value, rows, name, got, err, c.want)
				}
			}
		}
	}
}

// TestLocal: how much of a long row stays on its leaf, worked out by hand from the
// formula of the format: with 512 usable bytes 39 at least and 477 at most.
func TestLocal(t *testing.T) {
	for _, c := range []struct {
		size   uint64
		usable int
		want   int
	}{{478, 512, 39}, {984, 512, 476}, {985, 512, 477}, {986, 512, 39}, {547, 512, 39}, {548, 512, 40}, {4062, 4096, 489}} {
		if got := local(c.size, c.usable, c.usable-35); got != c.want {
			t.Errorf("local(%d, %d): got %d, want %d", c.size, c.usable, got, c.want)
		}
	}
}

// longRowPages are pages 2 and 3 of a table of one row, of so many bytes: 30 integers from 1
// on of a byte each, and a text. Of it are local bytes on the leaf, and the rest, if
// there is one, is on page 3.
func longRowPages(size, local int) memory {
	text := size - 1 - 30 - 2 - 30
	record := append([]byte{1 + 30 + 2}, slices.Repeat([]byte{1}, 30)...)
	record = append(record, byte(0x80|(2*text+13)>>7), byte((2*text+13)&0x7f))
	for i := range 30 {
		record = append(record, byte(i+1))
	}
	record = append(record, slices.Repeat([]byte{'x'}, text)...)
	cell := append([]byte{byte(0x80 | size>>7), byte(size & 0x7f), 1}, record[:local]...)
	rest := record[local:]
	if len(rest) > 0 {
		cell = append(cell, 0, 0, 0, 3)
	}
	pages := make([]byte, 3*pageSize)
	leaf := pages[pageSize:]
	leaf[0], leaf[4] = leafTable, 1
	at := pageSize - len(cell)
	if len(rest) > 0 {
		at = 10 // so that all of the row would be on the page if it were no longer
	}
	copy(leaf[at:pageSize], cell)
	binary.BigEndian.PutUint16(leaf[8:], uint16(at))
	copy(pages[2*pageSize+4:], rest)
	return pages
}

// TestLongRows: rows that just fit on their page, and those longer by a byte.
func TestLongRows(t *testing.T) {
	for _, c := range []struct{ size, local int }{{476, 476}, {477, 477}, {478, 39}, {479, 39}, {548, 40}, {984, 476}, {985, 477}} {
		pages := longRowPages(c.size, c.local)
		var text string
		long := []Column{{Field: 0}, {Field: 29}, {Field: 30, Text: func(s string) int64 { text = s; return int64(len(s)) }}}
		for _, cols := range [][]Column{long, long[:2]} { // with the text, and integers alone
			var got []int64
			err := Scan(context.Background(), pages, 2, cols, func(rows [][]int64, n int) error {
				for i := range rows {
					got = append(got, rows[i][:n]...)
				}
				return nil
			})
			if want := []int64{1, 30, int64(c.size - 63)}[:len(cols)]; err != nil || !slices.Equal(got, want) {
				t.Errorf("a row of %d bytes, %d columns: got %v and %v, want %v", c.size, len(cols), got, err, want)
			}
		}
		for i, r := range text {
			if r != 'x' {
				t.Errorf("a row of %d bytes: got %q at %d of its text", c.size, r, i)
				break
			}
		}
	}
}

// TestQuickLongRows: a row whose header is short and whose wanted integers are behind what
// the leaf holds of it.
func TestQuickLongRows(t *testing.T) {
	for _, size := range []int{477, 478} {
		const ints = 15
		text := size - 1 - ints - 2 - 8*ints
		record := append([]byte{1 + ints + 2}, slices.Repeat([]byte{6}, ints)...)
		record = append(record, byte(0x80|(2*text+13)>>7), byte((2*text+13)&0x7f))
		for i := range ints {
			record = binary.BigEndian.AppendUint64(record, uint64(i+1))
		}
		record = append(record, make([]byte, text)...)
		here := record
		pages := make([]byte, 3*pageSize)
		if size > pageSize-35 {
			here = append(slices.Clone(record[:39]), 0, 0, 0, 3)
			copy(pages[2*pageSize+4:], record[39:])
		}
		leaf := pages[pageSize:]
		leaf[0], leaf[4], leaf[9] = leafTable, 1, 10
		copy(leaf[10:], append([]byte{byte(0x80 | size>>7), byte(size & 0x7f), 1}, here...))
		got, err := quickly(memory(pages), []Column{{Field: 0}, {Field: 14}})
		if fmt.Sprint(got) != "[[1 15]]" || err != nil {
			t.Errorf("a row of %d bytes: got %v and %v, want 1 and 15", size, got, err)
		}
	}
}

// TestRecordSize: a record is as long as its header says, and not a byte shorter or
// longer, as far as columns are wanted: SQLite looks no farther.
func TestRecordSize(t *testing.T) {
	first, two, all := []Column{{Field: 0}}, []Column{{Field: Rowid}, {Field: 1}}, []Column{{Field: 2, Text: func(string) int64 { return 0 }}}
	for _, c := range []struct {
		name   string
		record []byte
		cols   []Column
		damage bool
	}{
		{"as long", one, first, false}, {"as long", one, two, false}, {"as long", one, all, false},
		{"a byte longer", append(slices.Clone(one), 0), first, false}, {"a byte longer", append(slices.Clone(one), 0), all, true},
		{"a byte shorter", one[:len(one)-1], two, false}, {"a byte shorter", one[:len(one)-1], all, true},
		{"three bytes shorter", one[:len(one)-3], two, true}, {"of another type", []byte{4, 9, 11, 10}, all, false},
		{"without a header", []byte{0, 9, 1, 17, 0xfe, 'h', 'i'}, all, false}, {"with nothing in it", []byte{1}, first, true},
		{"with nothing in it", []byte{1}, []Column{{Field: Rowid}}, false},
	} {
		// The next cell of the page lies behind it, so that there are bytes to read.
		pages := memory(slices.Concat(make([]byte, pageSize), leafPage(one, c.record)))
		if _, err := quickly(pages, c.cols); isDamage(err) != c.damage {
			t.Errorf("%s, columns %v: got %v, want damage %v", c.name, c.cols[0].Field, err, c.damage)
		}
	}
}

// TestPresets: a row without a field that the declaration says is damage, where it is asked for.
func TestPresets(t *testing.T) {
	pages := memory(slices.Concat(make([]byte, pageSize), leafPage([]byte{2, 9})))
	if got, err := quickly(pages, []Column{{Field: 1}}); err != nil || len(got) != 1 || got[0][0] != Null {
		t.Errorf("no preset: got %v and %v, want NULL", got, err)
	}
	if got, err := quickly(pages, []Column{{Field: 1, Preset: true}}); !isDamage(err) || len(got) != 0 {
		t.Errorf("a preset: got %v and %v, want no row", got, err)
	}
	if got, err := quickly(pages, []Column{{Field: 0, Preset: true}}); err != nil || len(got) != 1 {
		t.Errorf("a preset of a field that is there: got %v and %v, want a row", got, err)
	}
}

// TestSharedPages: rows that go on on the same pages, over and over, are damage once these
// are more than the file has; what is not asked for of a row costs no page.
func TestSharedPages(t *testing.T) {
	const size = 986 // of which 39 bytes are on the leaf, and the rest on two pages
	record := append([]byte{4, 1, 0x8f, 0x37}, slices.Repeat([]byte{7}, 35)...)
	cell := append([]byte{0x80 | size>>7, size & 0x7f, 1}, record...)
	cell = append(cell, 0, 0, 0, 3)
	pages := make([]byte, 3*pageSize)
	leaf := pages[pageSize:]
	leaf[0], leaf[4] = leafTable, 5
	for i := range 5 {
		binary.BigEndian.PutUint16(leaf[8+2*i:], uint16(pageSize-(i+1)*len(cell)))
		copy(leaf[pageSize-(i+1)*len(cell):], cell)
	}
	binary.BigEndian.PutUint32(pages[2*pageSize:], 3) // it goes on on itself
	text := []Column{{Field: 1, Text: func(s string) int64 { return int64(len(s)) }}}
	if got, err := quickly(memory(pages), text); !isDamage(err) || err.Error() != "page 2: rows share the pages that they go on on" || len(got) != 1 {
		t.Errorf("texts: got %v and %v, want one row and that pages are shared", got, err)
	}
	if got, err := quickly(memory(pages), []Column{{Field: 0}}); err != nil || len(got) != 5 {
		t.Errorf("numbers: got %v and %v, want 5 rows", got, err)
	}
}
