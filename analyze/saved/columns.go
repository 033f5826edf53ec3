package saved

import (
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"

	"perfdiff/analyze/run"
)

// Columns writes or reads a body other than a summary's, with the columns of summaries. A part holds one for each
// rank: a text, and the columns that were moved out of it. The caller writes and reads in one order.
type Columns struct {
	e *encoder // nil: reading
	d *decoder

	body *[]byte // what is read, whose memory the next reader takes
}

// bodies keeps the memory of columns that were read: nothing that was read refers to it.
var bodies sync.Pool

// NewColumns returns columns to write.
func NewColumns() *Columns { return &Columns{e: &encoder{}} }

// Later returns columns that are written now and appended later: a text is known only after the columns were moved out
// of it, and must come before them. Nothing else is written until then.
func (c *Columns) Later() *Columns { return NewColumns() }

// Append appends columns that Later returned.
func (c *Columns) Append(later *Columns) { c.e.b = append(c.e.b, later.e.b...) }

// packer compresses bodies, one at a time: making one takes longer than a record.
var packer struct {
	once sync.Once
	z    *zstd.Encoder
	err  error
}

// newPacker returns an encoder that compresses bodies. It holds tens of megabytes.
func newPacker() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
}

// pack compresses the body of a part; a process writes many of them.
func pack(body []byte) ([]byte, error) {
	packer.once.Do(func() { packer.z, packer.err = newPacker() })
	if packer.err != nil {
		return nil, packer.err
	}
	return packer.z.EncodeAll(body, nil), nil
}

// Packed returns all that was written, compressed.
func (c *Columns) Packed() ([]byte, error) { return pack(c.e.b) }

// OpenColumns opens columns to read. They take the memory for what is read from the budget; where that is too small,
// the error is ErrMemory.
func OpenColumns(packed []byte, budget *MemoryBudget) (*Columns, error) {
	into, _ := bodies.Get().(*[]byte)
	if into == nil {
		into = new([]byte)
	}
	body, err := inflateInto(packed, *into, budget)
	if err != nil {
		return nil, err
	}
	*into = body[:0]
	return &Columns{body: into, d: &decoder{b: body, budget: budget}}, nil
}

// Text writes a text that is JSON, or returns the text that was written, after it took as much memory from the budget
// as the contents can need. The result is valid until the next read.
func (c *Columns) Text(text []byte) []byte {
	if c.e != nil {
		c.e.bytes(text)
		return text
	}
	text = c.d.bytes()
	most, err := decodedSize(text)
	switch {
	case err != nil:
		c.d.end(err)
	case !c.d.budget.take(most):
		c.d.end(ErrMemory)
	}
	if c.d.err != nil {
		return nil
	}
	return text
}

// Rank moves the columns of a rank out of it, or back into it. What a written rank shares with
// another copy is not changed.
func (c *Columns) Rank(r *run.Rank) {
	if c.e != nil {
		c.e.rank(r)
	} else if c.d.err == nil {
		c.d.rank(r)
	}
}

// Excerpts moves the bars of excerpts likewise, and returns the excerpts.
func (c *Columns) Excerpts(list []run.Excerpt) []run.Excerpt {
	if c.e != nil {
		return c.e.excerpts(list)
	}
	if c.d.err == nil {
		c.d.excerpts(list)
	}
	return list
}

// Reading reports whether columns are read, and not written.
func (c *Columns) Reading() bool { return c.e == nil }

// OK reports whether nothing failed so far.
func (c *Columns) OK() bool { return c.e != nil || c.d.err == nil }

// Fail ends reading, for a reason.
func (c *Columns) Fail(why string) { c.d.end(errors.New(why)) }

// Count writes or reads a number of elements that follow, and takes memory for them, of so many
// bytes each. It reports whether they can be read.
func (c *Columns) Count(n *int, bytes int) bool {
	if c.e != nil {
		c.e.uint(uint64(*n))
		return true
	}
	*n = c.d.count(1)
	return c.d.take(*n, bytes)
}

// Ints writes or reads a column of as many numbers as v has.
func (c *Columns) Ints(v []int64) {
	if c.e != nil {
		c.e.ints(v)
		return
	}
	column := c.d.ints()
	if len(column) != len(v) {
		c.d.fail()
		return
	}
	copy(v, column)
}

// Texts writes or reads a list of texts.
func (c *Columns) Texts(v *[]string) {
	n := len(*v)
	if !c.Count(&n, textBytes) {
		return
	}
	if c.e != nil {
		for _, text := range *v {
			c.e.bytes([]byte(text))
		}
		return
	}
	*v = nil
	for range n {
		text := c.d.bytes()
		if !c.d.take(len(text), 1) {
			return
		}
		*v = append(*v, string(text))
	}
}

// Bytes writes or reads bytes.
func (c *Columns) Bytes(v *[]byte) {
	if c.e != nil {
		c.e.bytes(*v)
		return
	}
	if read := c.d.bytes(); c.d.take(len(read), 1) {
		*v = append([]byte(nil), read...)
	}
}

// End returns the error of reading, also if something is left over. Nothing is read afterwards.
func (c *Columns) End() error {
	if c.body != nil {
		bodies.Put(c.body)
		c.body = nil
	}
	if c.d.err == nil && len(c.d.b) > 0 {
		c.d.err = errors.New("there is more behind its end")
	}
	if c.d.err != nil && !errors.Is(c.d.err, ErrMemory) {
		return fmt.Errorf("it holds something else than it should: %w", c.d.err)
	}
	return c.d.err
}
