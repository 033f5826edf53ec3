package html

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// What a page holds for its script is compressed, as base64 of gzip: a third of the
// bytes as text. The compressor is that of the module and not of the toolchain, so that
// the same program written by another Go gives the same bytes.

// bundle is the library that draws: its licence, which stays readable in every page, its
// code, and the code as the page holds it.
type bundle struct{ licence, code, packed string }

// library comes compressed: it is the same in every page, and doing so took as long as all
// that is compressed of a page besides. TestLibrary holds it to what bundle/build.sh made.
var library = sync.OnceValue(func() bundle {
	compressed, err := files.ReadFile("echarts.js.gz")
	if err != nil {
		panic(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		panic(err)
	}
	code, err := io.ReadAll(z)
	if err != nil {
		panic(err)
	}
	return bundle{strings.TrimSpace(read("echarts.licence")), string(code), base64.StdEncoding.EncodeToString(compressed)}
})

// packed is what inflated in script/load.js undoes.
func packed(b []byte) string { return base64.StdEncoding.EncodeToString(compressed(b)) }

// compressed is gzip without a name and a time.
func compressed(b []byte) []byte {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err == nil {
		_, err = z.Write(b)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		panic(err) // a buffer takes everything
	}
	return out.Bytes()
}

// packed is the data block: a line of JSON, and the matrices behind it, to which the
// JSON points by offset.
func (d *pageData) packed(clean func([]byte) []byte) (string, error) {
	line, err := json.Marshal(d)
	if err != nil {
		return "", err
	}
	return packed(slices.Concat(clean(line), []byte{'\n'}, d.matrices)), nil
}

// bytes adds a matrix of bytes to the page, and returns its offset.
func (d *pageData) bytes(v []uint8) int {
	at := len(d.matrices)
	d.matrices = append(d.matrices, v...)
	return at
}

// floats adds a matrix of float32 to the page, and returns its offset. The lowest bytes
// of all values stand before the next higher ones of all, and hold one bit each: what is
// left is 1/100,000 of a value, and compresses to less than half.
func (d *pageData) floats(v []float32) int {
	const spare = 7 // bits
	at, n := len(d.matrices), len(v)
	d.matrices = append(d.matrices, make([]byte, 4*n)...)
	for i, x := range v {
		bits := math.Float32bits(x)
		if !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) {
			bits = (bits + 1<<(spare-1)) >> spare << spare
		}
		for k := range 4 {
			d.matrices[at+k*n+i] = byte(bits >> (8 * k))
		}
	}
	return at
}
