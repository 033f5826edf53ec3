package kineto

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"sync"

	"perfdiff/analyze/trace"
)

const (
	chunkSize = 256 << 10 // bytes of one piece of inflated text
	chunks    = 4         // pieces that are inflated ahead
)

// A trace of millions of events that are all alike inflates to 40 times its size. Deflate can
// reach 1,032 times, and a file that was made to do harm does. Beyond bombSize bytes, inflated
// text must be less than bombRatio times the bytes that were read.
const (
	bombSize  = 256 << 20
	bombRatio = 250
)

var errBomb = fmt.Errorf("it inflates to more than %d times its size, which no trace does", bombRatio)

// open returns the text of a file, inflated if it is compressed. stop ends the goroutine that
// inflates, and waits for it.
func open(c *trace.Input) (text io.Reader, zipped bool, stop func()) {
	in := bufio.NewReaderSize(c, chunkSize)
	head, _ := in.Peek(4)
	if trace.PackingOf(head) == trace.Unpacked {
		return in, false, func() {}
	}
	f := &inflated{ctx: c.Context, full: make(chan chunk, chunks), free: make(chan []byte, chunks), quit: make(chan struct{})}
	for range chunks {
		f.free <- make([]byte, chunkSize)
	}
	f.running.Add(1)
	go f.inflate(in, func() int64 { return c.Used - int64(in.Buffered()) })
	return f, true, func() {
		close(f.quit)
		f.running.Wait()
	}
}

type chunk struct {
	data []byte
	err  error
}

// inflated is compressed text that a goroutine inflates ahead of the reader: inflating costs as
// much as scanning, and the two overlap.
type inflated struct {
	ctx     context.Context
	full    chan chunk
	free    chan []byte
	quit    chan struct{}
	running sync.WaitGroup

	buf  []byte // piece in use, to be given back
	rest chunk
}

// inflate sends pieces until the text ends or quit is closed. used returns how many bytes of
// the file were read so far.
func (f *inflated) inflate(r *bufio.Reader, used func() int64) {
	defer f.running.Done()
	defer close(f.full)
	z, end, err := trace.Inflate(r)
	if err == nil {
		defer end()
	}
	all := int64(0)
	for {
		var buf []byte
		select {
		case buf = <-f.free:
		case <-f.quit:
			return
		}
		n := 0
		if err == nil {
			n, err = io.ReadFull(z, buf)
			if err == io.ErrUnexpectedEOF && n > 0 {
				err = nil // a short last piece, or a cut that the next read reports
			}
			if all += int64(n); all > bombSize && all/bombRatio > used() {
				err = errBomb
			}
		}
		select {
		case f.full <- chunk{buf[:n], err}:
		case <-f.quit:
			return
		}
		if err != nil {
			return
		}
	}
}

// Read ends with the context. It must ask before each piece, because a piece of the file that
// was read before can inflate to a thousand times its size.
func (f *inflated) Read(p []byte) (int, error) {
	if err := f.ctx.Err(); err != nil {
		return 0, err
	}
	for len(f.rest.data) == 0 {
		if f.rest.err != nil {
			return 0, f.rest.err
		}
		if f.buf != nil {
			f.free <- f.buf
			f.buf = nil
		}
		next, ok := <-f.full
		if !ok {
			return 0, io.EOF
		}
		f.rest, f.buf = next, next.data[:cap(next.data)]
	}
	n := copy(p, f.rest.data)
	f.rest.data = f.rest.data[n:]
	return n, nil
}
