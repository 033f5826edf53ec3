package btree

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestUvarint(t *testing.T) {
	for _, c := range []struct {
		b    []byte
		want uint64
		n    int
	}{
		{[]byte{0}, 0, 1}, {[]byte{0x7f}, 127, 1}, {[]byte{0x81, 0}, 128, 2}, {[]byte{0x81, 0x80, 0}, 1 << 14, 3},
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, math.MaxUint64, 9},
		{nil, 0, 0}, {[]byte{0x81}, 0, 0}, {[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 0, 0},
	} {
		if got, n := uvarint(c.b); got != c.want || n != c.n {
			t.Errorf("uvarint(%x): got %d of %d bytes, want %d of %d", c.b, got, n, c.want, c.n)
		}
		if got, n := shortVarint(c.b); got != c.want || n != c.n {
			t.Errorf("shortVarint(%x): got %d of %d bytes, want %d of %d", c.b, got, n, c.want, c.n)
		}
	}
}

// memory is pages that lie in memory.
type memory []byte

const pageSize = 512

func (m memory) Count() uint32 { return uint32(len(m) / pageSize) }

func (m memory) Page(n uint32) ([]byte, error) {
	return m[(int(n)-1)*pageSize : int(n)*pageSize], nil
}

// rowID is the id of the last row that was put on a page: they rise.
var rowID int

// leafPage is a leaf with a cell for each record, the first at the end of the page.
func leafPage(records ...[]byte) []byte {
	page := make([]byte, pageSize)
	page[0] = leafTable
	binary.BigEndian.PutUint16(page[3:], uint16(len(records)))
	at := pageSize
	for i, r := range records {
		rowID++
		cell := append([]byte{byte(len(r)), 0x80 | byte(rowID>>7), byte(rowID & 0x7f)}, r...)
		at -= len(cell)
		copy(page[at:], cell)
		binary.BigEndian.PutUint16(page[8+2*i:], uint16(at))
	}
	return page
}

func interiorPage(children ...uint32) []byte {
	page := make([]byte, pageSize)
	page[0] = interiorTable
	last := len(children) - 1
	binary.BigEndian.PutUint16(page[3:], uint16(last))
	binary.BigEndian.PutUint32(page[8:], children[last])
	for i, c := range children[:last] {
		at := pageSize - 8*(i+1)
		binary.BigEndian.PutUint16(page[12+2*i:], uint16(at))
		binary.BigEndian.PutUint32(page[at:], c)
	}
	return page
}

// one is a record with the values 1 (constant) and -2 (one byte), and a text.
var one = []byte{4, 9, 1, 17, 0xfe, 'h', 'i'}

// isDamage reports whether an error is of what is wrong with the pages.
func isDamage(err error) bool {
	var damage *Damage
	return errors.As(err, &damage)
}

func scanAll(pages Pages, root uint32) (rows [][3]int64, err error) {
	text := func(s string) int64 { return int64(len(s)) }
	err = Scan(context.Background(), pages, root, []Column{{Field: 0}, {Field: 1}, {Field: 2, Text: text}}, func(b [][]int64, n int) error {
		for i := range n {
			rows = append(rows, [3]int64{b[0][i], b[1][i], b[2][i]})
		}
		return nil
	})
	return rows, err
}

func TestScan(t *testing.T) {
	row := [3]int64{1, -2, 2}
	leaf, head := leafPage(one, one), make([]byte, pageSize)
	for name, c := range map[string]struct {
		pages  [][]byte
		want   int
		damage bool
	}{
		"a leaf":              {[][]byte{head, leaf}, 2, false},
		"two levels":          {[][]byte{head, interiorPage(3, 4), leaf, leafPage(one, one)}, 4, false},
		"two that swapped":    {[][]byte{head, interiorPage(4, 3), leaf, leafPage(one, one)}, 2, true},
		"a loop":              {[][]byte{head, interiorPage(3, 2), leaf}, 0, true},
		"a child that is not": {[][]byte{head, interiorPage(3, 9), leaf}, 2, true},
		"child 0":             {[][]byte{head, interiorPage(0, 3), leaf}, 0, true},
		"an index":            {[][]byte{head, append([]byte{10}, leaf[1:]...)}, 0, true},
		"an empty leaf":       {[][]byte{head, leafPage()}, 0, false},
		"an empty child":      {[][]byte{head, interiorPage(3, 4), leaf, leafPage()}, 2, true},
		"a short record":      {[][]byte{head, leafPage([]byte{4, 9, 1, 17, 0xfe})}, 0, true},
		"a leaf without end":  {[][]byte{head, append([]byte{13, 0, 0, 0, 200}, leaf[5:]...)}, 0, true},
		"a long header":       {[][]byte{head, leafPage([]byte{60, 9, 1, 17, 0xfe, 'h', 'i'})}, 0, true},
		"good, then bad":      {[][]byte{head, leafPage(one, []byte{4, 9, 1, 19, 0xfe, 'h', 'i'})}, 1, true},
	} {
		rows, err := scanAll(memory(slices.Concat(c.pages...)), 2)
		if len(rows) != c.want && name != "a loop" || isDamage(err) != c.damage {
			t.Errorf("%s: got %d rows and %v, want %d and damage %v", name, len(rows), err, c.want, c.damage)
		}
		for _, r := range rows {
			if r != row {
				t.Errorf("%s: got row %v want %v", name, r, row)
			}
		}
	}
}

func TestOpenFile(t *testing.T) {
	valid := make([]byte, 2*4096)
	copy(valid, "SQLite format 3\x00")
	binary.BigEndian.PutUint16(valid[16:], 4096)
	copy(valid[18:], []byte{1, 1, 0, 64, 32, 32})
	for name, c := range map[string]struct {
		at   int
		b    byte
		want bool
	}{
		"valid":          {56, 0, true},
		"UTF-8":          {59, 1, true},
		"UTF-16":         {59, 2, true},
		"page size 4097": {17, 1, false},
		"future":         {19, 3, false},
		"future writers": {18, 3, true},
		"future schema":  {47, 5, false},
		"reserved":       {20, 32, true},
		"fractions":      {21, 63, false},
	} {
		changed := slices.Clone(valid)
		changed[c.at] = c.b
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		image, err := OpenImage(path)
		if err != nil {
			t.Fatal(err)
		}
		defer image.Close()
		f, err := NewFile(image)
		if (err == nil) != c.want {
			t.Errorf("%s: got %v, want to open it: %v", name, err, c.want)
		}
		if err != nil {
			continue
		}
		if page, err := f.Page(2); err != nil || len(page) != 4096-int(changed[20]) {
			t.Errorf("%s: page 2 has %d bytes and %v", name, len(page), err)
		}
		if _, err := f.Page(3); err == nil {
			t.Errorf("%s: page 3 of 2 was read", name)
		}
	}
}

// FuzzScan reads arbitrary pages: nothing panics, and no more rows come than
// pages can hold.
func FuzzScan(f *testing.F) {
	leaf := leafPage(one, one, []byte{3, 6, 7, 0, 0, 0, 0, 0, 0, 0, 5, 63, 240, 0, 0, 0, 0, 0, 0})
	f.Add(slices.Concat(make([]byte, pageSize), interiorPage(3, 4), leaf, leaf))
	f.Fuzz(func(t *testing.T, b []byte) {
		pages := memory(b[:len(b)/pageSize*pageSize])
		rows, _ := scanAll(pages, 2)
		if len(rows) > len(b)/4 {
			t.Errorf("%d rows of %d bytes", len(rows), len(b))
		}
	})
}
