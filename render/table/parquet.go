package table

import (
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"
)

// What the format numbers, as parquet.thrift does.
const (
	physicalBool   = 0
	physicalInt64  = 2
	physicalDouble = 5
	physicalBytes  = 6

	repetitionOptional = 1
	convertedUTF8      = 0
	encodingPlain      = 0
	encodingRuns       = 3
	codecZstandard     = 6
	pageOfData         = 0
	logicalString      = 1 // field of the union
)

var physicals = [...]int64{Text: physicalBytes, Integer: physicalInt64, Float: physicalDouble, Bool: physicalBool}

// Limits of a group of rows, which is held in memory, in columns: a page holds a column of a
// group. Chosen, not measured: readers take a group at a time, and 32 MB of columns is little.
const (
	maxGroupRows  = 1 << 17
	maxGroupBytes = 32 << 20
)

const parquetMagic = "PAR1"

// SchemaKey is the key of the schema in the metadata of a Parquet file: the JSON of Schema.
const SchemaKey = "perfdiff.schema"

// WriteParquet writes a table as Apache Parquet: flat optional columns, encoded plainly, with
// definition levels as runs, each column of a group in one page by Zstandard with its checksum.
// The metadata has the schema with units under SchemaKey. A library for it would be a quarter of
// the program; dictionaries and statistics of columns, which it could write, are for files of
// many gigabytes.
func WriteParquet(w io.Writer, t *Table, createdBy string) error {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	f := &parquetFile{w: w, table: t, zstd: z, columns: make([]pageOfColumn, len(t.Columns))}
	f.write([]byte(parquetMagic))
	err = t.Rows(func(row []Cell) error {
		f.add(row)
		if f.rows == maxGroupRows || f.bytes >= maxGroupBytes {
			f.flush()
		}
		return f.err
	})
	if err != nil {
		return err
	}
	f.flush()
	f.foot(createdBy)
	return f.err
}

// parquetFile is a file in the making. The first error stays.
type parquetFile struct {
	w       io.Writer
	table   *Table
	zstd    *zstd.Encoder
	columns []pageOfColumn
	rows    int // of the group
	bytes   int // of its values
	at      int64
	groups  []parquetGroup
	err     error
}

// parquetGroup is where a group of rows is.
type parquetGroup struct {
	rows   int
	chunks []parquetChunk
}

// parquetChunk is where the column of a group is; sizes are with the head of the page.
type parquetChunk struct{ at, flat, packed int64 }

// pageOfColumn is a page in the making.
type pageOfColumn struct {
	values []byte // encoded plainly, of cells that have one
	bits   int    // truth values, of which values has the bits
	levels []byte // runs that are complete
	run    int    // cells of the last run
	on     bool   // they have values
}

func (f *parquetFile) write(p []byte) {
	if f.err == nil {
		_, f.err = f.w.Write(p)
	}
	f.at += int64(len(p))
}

func (f *parquetFile) add(row []Cell) {
	for i := range row {
		c := &f.columns[i]
		before := len(c.values)
		c.add(f.table.Columns[i].Kind, &row[i])
		f.bytes += len(c.values) - before
	}
	f.rows++
}

func (p *pageOfColumn) add(kind Kind, c *Cell) {
	if p.run > 0 && p.on != c.Present {
		p.endRun()
	}
	p.run, p.on = p.run+1, c.Present
	if !c.Present {
		return
	}
	switch kind {
	case Integer:
		p.values = binary.LittleEndian.AppendUint64(p.values, uint64(c.Integer))
	case Float:
		p.values = binary.LittleEndian.AppendUint64(p.values, math.Float64bits(c.Float))
	case Bool:
		if p.bits%8 == 0 {
			p.values = append(p.values, 0)
		}
		p.values[p.bits/8] |= byte(c.Integer) << (p.bits % 8)
		p.bits++
	default:
		p.values = binary.LittleEndian.AppendUint32(p.values, uint32(len(c.Text)))
		p.values = append(p.values, c.Text...)
	}
}

// endRun writes a run of definition levels: its length, and the level in a byte.
func (p *pageOfColumn) endRun() {
	level := byte(0)
	if p.on {
		level = 1
	}
	p.levels = append(binary.AppendUvarint(p.levels, uint64(p.run)<<1), level)
	p.run = 0
}

// flush writes the rows that are held as a group.
func (f *parquetFile) flush() {
	if f.rows == 0 {
		return
	}
	g := parquetGroup{rows: f.rows}
	for i := range f.columns {
		p := &f.columns[i]
		p.endRun()
		body := binary.LittleEndian.AppendUint32(nil, uint32(len(p.levels)))
		body = append(append(body, p.levels...), p.values...)
		packed := f.zstd.EncodeAll(body, nil)
		head := pageHead(f.rows, len(body), packed)
		at := f.at
		f.write(head)
		f.write(packed)
		g.chunks = append(g.chunks, parquetChunk{at, int64(len(head) + len(body)), int64(len(head) + len(packed))})
		*p = pageOfColumn{values: p.values[:0], levels: p.levels[:0]}
	}
	f.groups = append(f.groups, g)
	f.rows, f.bytes = 0, 0
}

// pageHead is PageHeader with its DataPageHeader.
func pageHead(rows, flat int, packed []byte) []byte {
	var t thrift
	t.object(func() {
		t.int32(1, pageOfData)
		t.int32(2, int64(flat))
		t.int32(3, int64(len(packed)))
		t.int32(4, int64(int32(crc32.ChecksumIEEE(packed))))
		t.inner(5, func() {
			t.int32(1, int64(rows))
			t.int32(2, encodingPlain)
			t.int32(3, encodingRuns)
			t.int32(4, encodingRuns)
		})
	})
	return t.b
}

// foot writes FileMetaData and what ends a file.
func (f *parquetFile) foot(createdBy string) {
	schema, err := json.Marshal(f.table.Schema)
	if err != nil && f.err == nil {
		f.err = err
	}
	rows := int64(0)
	for i := range f.groups {
		rows += int64(f.groups[i].rows)
	}
	var t thrift
	t.object(func() {
		t.int32(1, 1) // version of the format
		t.list(2, len(f.columns)+1, thriftStruct)
		t.object(func() {
			t.text(4, f.table.Name)
			t.int32(5, int64(len(f.columns)))
		})
		for i := range f.table.Columns {
			t.object(func() { describeColumn(&t, &f.table.Columns[i]) })
		}
		t.int64(3, rows)
		t.list(4, len(f.groups), thriftStruct)
		for i := range f.groups {
			t.object(func() { f.describeGroup(&t, &f.groups[i]) })
		}
		t.list(5, 1, thriftStruct)
		t.object(func() {
			t.text(1, SchemaKey)
			t.text(2, string(schema))
		})
		t.text(6, createdBy)
	})
	f.write(t.b)
	f.write(binary.LittleEndian.AppendUint32(nil, uint32(len(t.b))))
	f.write([]byte(parquetMagic))
}

// describeColumn writes SchemaElement.
func describeColumn(t *thrift, c *Column) {
	t.int32(1, physicals[c.Kind])
	t.int32(3, repetitionOptional)
	t.text(4, c.Name)
	if c.Kind == Text {
		t.int32(6, convertedUTF8)
		t.inner(10, func() { t.inner(logicalString, func() {}) })
	}
}

// describeGroup writes RowGroup with its ColumnChunks.
func (f *parquetFile) describeGroup(t *thrift, g *parquetGroup) {
	flat := int64(0)
	t.list(1, len(g.chunks), thriftStruct)
	for i := range g.chunks {
		x, c := &g.chunks[i], &f.table.Columns[i]
		flat += x.flat
		t.object(func() {
			t.int64(2, x.at)
			t.inner(3, func() {
				t.int32(1, physicals[c.Kind])
				t.list(2, 2, thriftInt32)
				t.varint(encodingPlain)
				t.varint(encodingRuns)
				t.list(3, 1, thriftBinary)
				t.bare(c.Name)
				t.int32(4, codecZstandard)
				t.int64(5, int64(g.rows))
				t.int64(6, x.flat)
				t.int64(7, x.packed)
				t.int64(9, x.at)
			})
		})
	}
	t.int64(2, flat)
	t.int64(3, int64(g.rows))
}
