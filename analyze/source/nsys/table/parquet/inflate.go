package parquet

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// Codecs of pages.
const (
	codecNone   = 0
	codecSnappy = 1
	codecGzip   = 2
	codecZstd   = 6
)

func codecName(codec int64) string {
	return nameOf(codec, "UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW")
}

var errInflated = errors.New("a page holds another number of bytes than it states")

// snappyAtMost is how many bytes one byte of Snappy can become: 64 bytes take three.
const snappyAtMost = 32

// maxWindow limits the memory, in bytes, that a page in zstd gets before any of it comes: the largest window of its
// levels up to 19 is half of it.
const maxWindow = 16 << 20

// inflate returns the size bytes that packed holds, perhaps in room. It makes room as bytes come, not as they are
// stated.
func (r *Reader) inflate(packed []byte, size int, room []byte) ([]byte, error) {
	switch r.chunk.codec {
	case codecNone:
		if len(packed) != size {
			return nil, errInflated
		}
		return packed, nil
	case codecSnappy:
		if n, err := s2.DecodedLen(packed); err != nil || n != size || n > snappyAtMost*len(packed) {
			return nil, errInflated
		}
		return s2.Decode(room[:cap(room)], packed)
	case codecGzip:
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return nil, fmt.Errorf("a page: %w", err)
		}
		return readAll(z, size, room)
	case codecZstd:
		if err := r.startZstd(packed); err != nil {
			return nil, fmt.Errorf("a page: %w", err)
		}
		return readAll(r.zstd, size, room)
	}
	return nil, Unsupported("compression " + codecName(r.chunk.codec))
}

func (r *Reader) startZstd(packed []byte) (err error) {
	if r.zstd != nil {
		return r.zstd.Reset(bytes.NewReader(packed))
	}
	r.zstd, err = zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	return err
}

// Close gives back what reading took.
func (r *Reader) Close() {
	if r.zstd != nil {
		r.zstd.Close()
	}
}

// readAll reads size bytes, and that there are no more.
func readAll(r io.Reader, size int, room []byte) ([]byte, error) {
	out := bytes.NewBuffer(room[:0])
	n, err := out.ReadFrom(io.LimitReader(r, int64(size)+1))
	if err != nil {
		return nil, fmt.Errorf("a page: %w", err)
	}
	if n != int64(size) {
		return nil, errInflated
	}
	return out.Bytes(), nil
}
