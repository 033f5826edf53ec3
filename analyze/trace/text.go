package trace

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"regexp"
	"strconv"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Packing is how a file is compressed.
type Packing int

// The ways in which files are compressed that are read as they are.
const (
	Unpacked Packing = iota
	Gzip
	Zstd
)

// PackingOf tells by the first bytes of a file how it is compressed (RFC 1952, RFC 8878).
func PackingOf(head []byte) Packing {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return Gzip
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return Zstd
	}
	return Unpacked
}

// Unpack is the command that unpacks such a file.
func (p Packing) Unpack() string { return [...]string{"cat", "gunzip", "unzstd"}[p] }

// widestFrame bounds how many bytes a zstd frame may look back, which are held in memory: what zstd --long writes, and
// takes, without being asked for more. From zstd's manual, ZSTD_WINDOWLOG_LIMIT_DEFAULT.
const widestFrame = 128 << 20

// Inflate returns the text of a file, inflated where it is compressed. end frees what that took.
func Inflate(in *bufio.Reader) (text io.Reader, end func(), err error) {
	return InflateWithin(in, widestFrame)
}

// InflateWithin does the same where a zstd frame may look back so many bytes.
func InflateWithin(in *bufio.Reader, widest uint64) (text io.Reader, end func(), err error) {
	head, _ := in.Peek(4)
	switch PackingOf(head) {
	case Gzip:
		text, err = gzip.NewReader(in)
	case Zstd:
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(widest))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	default:
		text = in
	}
	return text, func() {}, err
}

// rankMarks matches what launchers put in front of the lines of a rank: torchrun with --tee, torch's own loggers, srun
// --label, mpirun --tag-output, of Open MPI 4 and of 5 (with the name of its daemon), and loggers of trainers.
var rankMarks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^ *(?:\[(?:(?i:rank) ?|default)(\d{1,7})\](?::| )|(\d{1,7}): |\[(?:[\w.-]+@)?\d+,(\d{1,7})\]<std(?:out|err)>: ?)`)
})

// CutRankMark returns a line of text without a launcher's mark, and the rank that it says; -1: it has none.
func CutRankMark(line string) (rank int, rest string) {
	m := rankMarks().FindStringSubmatch(line)
	if m == nil {
		return -1, line
	}
	rank, _ = strconv.Atoi(m[1] + m[2] + m[3])
	return rank, line[len(m[0]):]
}
