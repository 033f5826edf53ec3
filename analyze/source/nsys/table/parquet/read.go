package parquet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"
)

// batch bounds the values that are handed over at a time.
const batch = 1024

// maxPage bounds a page, in bytes: writers begin another after 1 MB, few after 100 MB.
const maxPage = 1 << 27

// Reader reads one column of a group of rows.
type Reader struct {
	column Column
	chunk  chunk
	in     *bufio.Reader
	bytes  int64 // of the chunk that were not read
	left   int64 // values in pages to come

	packed, flat []byte // rooms of the page, as it is written and inflated
	zstd         *zstd.Decoder
	dictionary   *dictionary
	page         page

	present [batch]int64
	ints    [batch]int64
	texts   [batch][]byte
}

// page is the unread rest of a page of data.
type page struct {
	values int
	levels *runLengths // 0 where a value is null; nil where none can be
	ints   numbers
	texts  texts
}

// Values are N values in order of rows, valid until the next are read.
type Values struct {
	N       int
	Present []int64 // 0 where a value is null; nil where none is
	Ints    []int64 // of integers and floats
	Texts   [][]byte
}

// Read begins to read a column of the group of rows. What cannot be read is Unread.
func (f *File) Read(group int, column Column) (*Reader, error) {
	if column.unread != "" {
		return nil, column.unread
	}
	g := &f.Groups[group]
	c := g.chunks[column.leaf]
	switch {
	case c.elsewhere:
		return nil, Unsupported("a column in another file, or encrypted,")
	case c.physical != column.physical:
		return nil, errors.New("the type is not that of the schema")
	case c.values != g.Rows:
		return nil, fmt.Errorf("%d values in %d rows", c.values, g.Rows)
	}
	in := bufio.NewReaderSize(io.NewSectionReader(f.r, c.start(), c.size), maxHead)
	return &Reader{column: column, chunk: c, in: in, bytes: c.size, left: c.values}, nil
}

// Next reads some values, at least one and at most so many.
func (r *Reader) Next(most int) (Values, error) {
	for r.page.values == 0 {
		if r.left <= 0 {
			return Values{}, errors.New("fewer values than rows")
		}
		if err := r.nextPage(); err != nil {
			return Values{}, err
		}
	}
	v := Values{N: min(most, r.page.values, batch)}
	r.page.values -= v.N
	stored := v.N
	if r.page.levels != nil {
		v.Present = r.present[:v.N]
		if err := r.page.levels.ints(v.Present); err != nil {
			return Values{}, err
		}
		stored = 0
		for _, one := range v.Present {
			if one > 1 {
				return Values{}, errLevel
			}
			stored += int(one)
		}
	}
	if r.column.Kind == Text {
		v.Texts = r.texts[:v.N]
		err := r.page.texts.texts(v.Texts[:stored])
		spread(v.Texts, stored, v.Present)
		return v, err
	}
	v.Ints = r.ints[:v.N]
	err := r.page.ints.ints(v.Ints[:stored])
	r.widen(v.Ints[:stored])
	spread(v.Ints, stored, v.Present)
	return v, err
}

// widen turns stored integers into the values that they stand for.
func (r *Reader) widen(ints []int64) {
	switch {
	case r.column.unsigned:
		for i, x := range ints {
			ints[i] = int64(uint32(x))
		}
	case r.column.physical == typeBool: // writers fill the byte of a run of them
		for i := range ints {
			ints[i] &= 1
		}
	case r.column.physical == typeFloat:
		for i, x := range ints {
			ints[i] = int64(math.Float64bits(float64(math.Float32frombits(uint32(x)))))
		}
	}
}

// spread moves the values that are stored to where they belong.
func spread[V any](values []V, stored int, present []int64) {
	if stored == len(values) {
		return
	}
	for i := len(values) - 1; i >= 0; i-- {
		if present[i] == 1 {
			stored--
			values[i] = values[stored]
		}
	}
}

// nextPage begins the next page, and reads a dictionary.
func (r *Reader) nextPage() error {
	h, err := r.header()
	if err != nil {
		return err
	}
	if h.packed < 0 || h.packed > min(r.bytes, maxPage) || h.flat < 0 || h.flat > maxPage {
		return fmt.Errorf("a page of %d bytes, and %d as it is written", h.flat, h.packed)
	}
	if int64(cap(r.packed)) < h.packed {
		r.packed = make([]byte, h.packed)
	}
	body := r.packed[:h.packed]
	if _, err := io.ReadFull(r.in, body); err != nil {
		return errEnds
	}
	r.bytes -= h.packed
	if h.checked && crc32.ChecksumIEEE(body) != h.sum {
		return errors.New("a page whose checksum does not fit")
	}
	switch h.kind {
	case dataPage, dataPage2:
		return r.begin(&h, body)
	case dictionaryPage:
		return r.define(&h, body)
	}
	return nil // an index, or what later versions may add
}

// define reads a dictionary, which keeps the page's rooms.
func (r *Reader) define(h *header, body []byte) error {
	if r.dictionary != nil {
		return errors.New("two dictionaries")
	}
	if h.encoding != plain && h.encoding != plainDictionary {
		return Unsupported("a dictionary by encoding " + encodingName(h.encoding))
	}
	flat, err := r.inflate(body, int(h.flat), nil)
	if err != nil {
		return err
	}
	r.packed = nil
	r.dictionary, err = readDictionary(&r.column, flat, h.values)
	return err
}

// begin takes levels and values of a page apart.
func (r *Reader) begin(h *header, body []byte) (err error) {
	if h.values < 0 || h.values > r.left {
		return errors.New("more values than rows")
	}
	r.left -= h.values
	levels := int(h.levels) // bytes, of the second kind of pages
	if h.repeated != 0 || h.levels < 0 || levels > len(body) || levels > int(h.flat) {
		return errLevel
	}
	flat := body[levels:]
	if !h.stored {
		if flat, err = r.inflate(flat, int(h.flat)-levels, r.flat); err != nil {
			return err
		}
		if r.chunk.codec != codecNone {
			r.flat = flat
		}
	}
	r.page = page{values: int(h.values)}
	switch {
	case !r.column.optional:
	case h.kind == dataPage2:
		r.page.levels = &runLengths{b: body[:levels], width: 1}
	case h.by != runLength:
		return Unsupported("levels by encoding " + encodingName(h.by))
	default:
		if r.page.levels, flat, err = counted(flat); err != nil {
			return err
		}
	}
	return r.decode(h.encoding, flat)
}

// counted returns runs of single bits, which follow their length in bytes, and the rest.
func counted(b []byte) (levels *runLengths, rest []byte, err error) {
	if len(b) < 4 || int64(binary.LittleEndian.Uint32(b)) > int64(len(b)-4) {
		return nil, nil, errEnds
	}
	n := 4 + int(binary.LittleEndian.Uint32(b))
	return &runLengths{b: b[4:n], width: 1}, b[n:], nil
}

// decode finds how the values of a page are decoded.
func (r *Reader) decode(encoding int64, b []byte) (err error) {
	p, width, kind := &r.page, widths[r.column.physical], r.column.Kind
	switch {
	case encoding == plain && width > 0:
		p.ints = &fixedWidth{b, width}
	case encoding == plain && kind == Text:
		p.texts = &prefixedTexts{b}
	case encoding == plain:
		p.ints = &boolBits{b: b}
	case encoding == runDictionary || encoding == plainDictionary:
		return r.look(b)
	case encoding == runLength && width == 0 && kind == Integer:
		p.ints, _, err = counted(b)
	case encoding == deltaPacked && width > 0 && kind == Integer:
		p.ints, err = newDelta(b, width == 4)
	case encoding == deltaLength && kind == Text:
		p.texts, err = newLengths(b)
	case encoding == streamSplit && width > 0:
		if len(b)%width != 0 {
			return errEnds
		}
		p.ints = &byteSplit{b: b, width: width, n: len(b) / width}
	default:
		return Unsupported("encoding " + encodingName(encoding))
	}
	return err
}

// look prepares for values as indexes, whose bits are stated first.
func (r *Reader) look(b []byte) error {
	if r.dictionary == nil {
		return errors.New("a page without its dictionary")
	}
	x := &dictionaryIndexes{dictionary: r.dictionary}
	if len(b) > 0 { // a page of nulls may have nothing
		if b[0] > 32 {
			return errIndex
		}
		x.indexes = runLengths{b: b[1:], width: uint(b[0])}
	}
	if r.page.ints = x; r.column.Kind == Text {
		r.page.texts = x
	}
	return nil
}
