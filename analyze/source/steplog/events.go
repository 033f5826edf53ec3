package steplog

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"strconv"

	"perfdiff/analyze/source/wire"
	"perfdiff/analyze/trace"
)

// An event file of TensorBoard is a list of records: the length of the data, eight bytes; its checksum, four; the data;
// the data's checksum (tensorflow, core/lib/io/record_writer.h). The data is a message Event (tensorboard,
// compat/proto/event.proto and summary.proto).

// largestEvent bounds the bytes of an event that may hold scalars: pictures and graphs are larger. Chosen, not measured.
const largestEvent = 1 << 20

// IsEvents reports whether a file that begins with head is an event file.
func IsEvents(head []byte) bool {
	return len(head) >= 12 && binary.LittleEndian.Uint32(head[8:]) == masked(crc32.Checksum(head[:8], castagnoli))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// masked is a checksum as records hold it (tensorflow, core/lib/hash/crc32c.h).
func masked(sum uint32) uint32 { return (sum>>15 | sum<<17) + 0xa282ead8 }

// ReadEvents reads an event file of TensorBoard as Read reads a log: its scalars are the columns, with the steps that
// they are of and the times at which they were written.
func ReadEvents(ctx context.Context, path string, opt *trace.Options) ([]*trace.Trace, error) {
	return readAs(ctx, path, opt, "events", func(r io.Reader, g *gathering) error {
		r = io.LimitReader(r, longestText)
		for {
			data, err := nextRecord(r)
			switch {
			case err == io.EOF:
				return nil
			case err != nil:
				return err
			}
			g.event(data)
		}
	})
}

var errRecord = errors.New("a checksum is wrong")

// nextRecord returns the data of a record; nil for one that is too large to hold scalars.
func nextRecord(r io.Reader) ([]byte, error) {
	var head [12]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	if !IsEvents(head[:]) {
		return nil, errRecord
	}
	size, sum, data := binary.LittleEndian.Uint64(head[:]), crc32.New(castagnoli), bytes.Buffer{}
	if size > longestText {
		return nil, errTooLong
	}
	into := io.Writer(sum)
	if size <= largestEvent {
		into = io.MultiWriter(sum, &data)
	}
	_, err := io.CopyN(into, r, int64(size))
	if err == nil {
		_, err = io.ReadFull(r, head[:4])
	}
	switch {
	case err == io.EOF:
		return nil, io.ErrUnexpectedEOF
	case err != nil:
		return nil, err
	case binary.LittleEndian.Uint32(head[:]) != masked(sum.Sum32()):
		return nil, errRecord
	}
	return data.Bytes(), nil
}

// event takes the scalars of an event.
func (g *gathering) event(data []byte) {
	written, step := math.NaN(), int64(0)
	var values [][]byte
	m := wire.Message{Rest: data}
	for f, ok := m.Next(); ok; f, ok = m.Next() {
		switch {
		case f.Number == 1 && f.Wire == wire.Fixed8:
			written = math.Float64frombits(f.Value)
		case f.Number == 2 && f.Wire == wire.Varint:
			step = int64(f.Value)
		case f.Number == 5 && f.Wire == wire.Bytes:
			summary := wire.Message{Rest: f.Bytes}
			for v, ok := summary.Next(); ok; v, ok = summary.Next() {
				if v.Number == 1 && v.Wire == wire.Bytes {
					values = append(values, v.Bytes)
				}
			}
		}
	}
	for _, v := range values {
		if tag, text := scalarOf(v); tag != "" && text != "" {
			g.lines++
			g.scalar(tag, text, written, observation{rank: -1, step: step, at: -1})
		}
	}
}

// scalar takes a scalar with the tag under which it was written.
func (g *gathering) scalar(tag, text string, written float64, o observation) {
	tag = oneLine(tag)
	if evaluates := ofEval.MatchString(tag); written > 0 && written < 1e10 && !isBeside.MatchString(tag) {
		o.at = int64(written * 1e9)
		if evaluates {
			g.evals++
		}
		at, _ := numberOf(strconv.FormatFloat(written, 'f', 6, 64))
		g.writtenAt(ofTag+tag, at, o, !evaluates)
	}
	if n, ok := numberOf(text); ok {
		n.name = tag
		g.noteNamed(n, o)
	}
}

// oneLine returns a name in which nothing breaks a line.
func oneLine(s string) string {
	s = strconv.Quote(s[:min(len(s), longestName)])
	return s[1 : len(s)-1]
}

// scalarOf reads a value of a summary; "" for one that is no scalar. Floats keep the digits that they have.
func scalarOf(value []byte) (tag, text string) {
	m := wire.Message{Rest: value}
	for f, ok := m.Next(); ok; f, ok = m.Next() {
		switch {
		case f.Number == 1 && f.Wire == wire.Bytes:
			tag = string(f.Bytes)
		case f.Number == 2 && f.Wire == wire.Fixed4:
			text = textOf32(uint32(f.Value))
		case f.Number == 8 && f.Wire == wire.Bytes:
			text = tensorOf(f.Bytes)
		}
	}
	return tag, text
}

func textOf32(bits uint32) string {
	return strconv.FormatFloat(float64(math.Float32frombits(bits)), 'f', -1, 32)
}

func textOf64(bits uint64) string { return fmt.Sprintf("%f", math.Float64frombits(bits)) }

// The types of a tensor that are read (tensorflow, core/framework/types.proto).
const (
	float32s = 1
	float64s = 2
)

// tensorOf reads a tensor of one number (tensorflow, core/framework/tensor.proto).
func tensorOf(tensor []byte) (text string) {
	kind := uint64(0)
	m := wire.Message{Rest: tensor}
	for f, ok := m.Next(); ok; f, ok = m.Next() {
		switch n := len(f.Bytes); {
		case f.Number == 1 && f.Wire == wire.Varint:
			kind = f.Value
		case f.Number == 5 && f.Wire == wire.Fixed4:
			text = textOf32(uint32(f.Value))
		case f.Number == 6 && f.Wire == wire.Fixed8:
			text = textOf64(f.Value)
		case n == 4 && (f.Number == 4 && kind == float32s || f.Number == 5):
			text = textOf32(binary.LittleEndian.Uint32(f.Bytes))
		case n == 8 && (f.Number == 4 && kind == float64s || f.Number == 6):
			text = textOf64(binary.LittleEndian.Uint64(f.Bytes))
		}
	}
	return text
}
