package html

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// What a page holds for its script is compressed, as base64 of gzip: a third of the
// bytes as text. The compressor is that of the module and not of the toolchain, so that
// the same program written by another Go gives the same bytes.

// chartLibrary is the library that draws: its licence, which stays readable in every page, its code as it is in the
// page, compressed, and the hash by which the page's policy knows the code.
type chartLibrary struct {
	licence, packed string
	digest          scriptDigest
}

// library returns the chart library, which is compressed when perfdiff is built, not when a page is written: it is the
// same in every page, and compressing it took as long as all the rest of a page. TestLibrary checks it against what
// bundle/build.sh made.
func library() chartLibrary {
	compressed, err := files.ReadFile("echarts.js.gz")
	if err != nil {
		panic(err)
	}
	text := func(name string) string { return strings.TrimSpace(embeddedFile(name)) }
	return chartLibrary{text("echarts.licence"), base64.StdEncoding.EncodeToString(compressed), scriptDigest(text("echarts.sha256"))}
}

// pageLevel is how hard script and data of a page are compressed. The best level was measured to
// take three and a half times as long, for 1 % less of a page of 128 ranks and 1,000 steps.
const pageLevel = 7

// encodeBase64 compresses bytes and encodes them as base64; script/load.js does the reverse.
func encodeBase64(b []byte) string {
	return base64.StdEncoding.EncodeToString(gzipBytes(b, pageLevel))
}

// gzipBytes compresses bytes with gzip, without name and time in its header.
func gzipBytes(b []byte, level int) []byte {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, level)
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

// encode returns the page's data block: a line of JSON, then the matrices, to which the JSON points
// by offset.
func (d *pageData) encode(clean func([]byte) []byte) (string, error) {
	line, err := json.Marshal(d)
	if err != nil {
		return "", err
	}
	return encodeBase64(slices.Concat(clean(line), []byte{'\n'}, d.matrices)), nil
}

// addBytes adds a matrix of bytes to the page and returns its offset.
func (d *pageData) addBytes(v []uint8) int {
	at := len(d.matrices)
	d.matrices = append(d.matrices, v...)
	return at
}

// addFloats adds a matrix of float32 to the page and returns its offset. It is written byte plane by byte plane: the
// lowest bytes of all values, then the next higher ones. All but one bit of the lowest byte is dropped: that loses
// less than 1/100,000 of a value, and the matrix compresses to less than half.
func (d *pageData) addFloats(v []float32) int {
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
