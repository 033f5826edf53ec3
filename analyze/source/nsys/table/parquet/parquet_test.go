package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"perfdiff/analyze/source/nsys/table/parquet"

	library "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"
)

// form is how a file is written.
type form struct {
	codec compress.Codec
	page  int // version of pages of data
	size  int // bytes of a page
	group int // rows of a group
}

// written is a file with one column x, as another library writes it.
func written(t testing.TB, node library.Node, values []any, how form) []byte {
	t.Helper()
	var out bytes.Buffer
	schema := library.NewSchema("table", library.Group{"x": node})
	w := library.NewWriter(&out, schema, library.Compression(how.codec), library.DataPageVersion(how.page), library.PageBufferSize(how.size))
	for i, v := range values {
		level := 0
		if node.Optional() && v != nil {
			level = 1
		}
		_, err := w.WriteRows([]library.Row{{library.ValueOf(v).Level(0, level, 0)}})
		if err == nil && i%how.group == how.group-1 {
			err = w.Flush()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// readAll is every value of every column, as text: NULL for none.
func readAll(content []byte) (values []string, err error) {
	f, err := parquet.Open(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, err
	}
	for g := range f.Groups {
		for _, c := range f.Columns {
			if values, err = readColumn(f, g, c, values); err != nil {
				return values, err
			}
		}
	}
	return values, nil
}

func readColumn(f *parquet.File, group int, c parquet.Column, values []string) ([]string, error) {
	r, err := f.Read(group, c)
	if err != nil {
		return values, err
	}
	defer r.Close()
	for left := f.Groups[group].Rows; left > 0; {
		v, err := r.Next(int(min(left, 700)))
		if err != nil {
			return values, err
		}
		for i := range v.N {
			switch {
			case v.Present != nil && v.Present[i] == 0:
				values = append(values, "NULL")
			case c.Kind == parquet.Float:
				values = append(values, fmt.Sprint(math.Float64frombits(uint64(v.Ints[i]))))
			case c.Kind == parquet.Text:
				values = append(values, string(v.Texts[i]))
			default:
				values = append(values, fmt.Sprint(v.Ints[i]))
			}
		}
		left -= int64(v.N)
	}
	return values, nil
}

// column is what is written: a type, the encodings that it can have, and its i-th value.
type column struct {
	name      string
	node      library.Node
	encodings []encoding.Encoding
	value     func(i int) any
}

var columns = []column{
	{"int64", library.Int(64), []encoding.Encoding{&library.Plain, &library.RLEDictionary, &library.DeltaBinaryPacked, &library.ByteStreamSplit},
		func(i int) any { return int64(i%9) * math.MaxInt64 / 7 * int64(1-i%3) }},
	{"time", library.Timestamp(library.Nanosecond), []encoding.Encoding{&library.Plain, &library.RLEDictionary, &library.DeltaBinaryPacked},
		func(i int) any { return 1_700_000_000_000_000_000 + int64(i)*int64(1017+i%5*i%7) }},
	{"int32", library.Int(32), []encoding.Encoding{&library.Plain, &library.RLEDictionary, &library.DeltaBinaryPacked, &library.ByteStreamSplit},
		func(i int) any { return int32(i*i*7919) - math.MaxInt32 }},
	{"few", library.Int(32), []encoding.Encoding{&library.RLEDictionary}, func(i int) any { return int32(min(i/300, 1)) }},
	{"uint32", library.Uint(32), []encoding.Encoding{&library.Plain, &library.RLEDictionary}, func(i int) any { return uint32(i * 4_000_037) }},
	{"bool", library.Leaf(library.BooleanType), []encoding.Encoding{&library.Plain, &library.RLE}, func(i int) any { return i%3 == 0 || i > 300 }},
	{"float", library.Leaf(library.FloatType), []encoding.Encoding{&library.Plain, &library.RLEDictionary, &library.ByteStreamSplit},
		func(i int) any { return float32(i%50) / 8 }},
	{"double", library.Leaf(library.DoubleType), []encoding.Encoding{&library.Plain, &library.RLEDictionary, &library.ByteStreamSplit},
		func(i int) any { return float64(i%50) / 7 }},
	{"text", library.String(), []encoding.Encoding{&library.Plain, &library.RLEDictionary, &library.DeltaLengthByteArray},
		func(i int) any { return strings.Repeat("é", i%5) + fmt.Sprint(i%77) }},
}

// shown is a value as readAll shows it.
func shown(v any) string {
	switch x := v.(type) {
	case nil:
		return "NULL"
	case bool:
		return map[bool]string{false: "0", true: "1"}[x]
	case float32:
		return fmt.Sprint(float64(x))
	}
	return fmt.Sprint(v)
}

// nulls are the rows that have none of a column's values.
var nulls = map[string]func(i int) bool{
	"required": nil,
	"all":      func(int) bool { return true },
	"none":     func(int) bool { return false },
	"some":     func(i int) bool { return i%7 == 3 || i/100 == 4 },
}

// TestRead reads every type in every encoding, kind of page and compression, with and
// without nulls, as another library writes it.
func TestRead(t *testing.T) {
	const rows = 2100
	forms := []form{
		{&library.Uncompressed, 1, 1 << 20, 1 << 20}, {&library.Uncompressed, 2, 900, 777},
		{&library.Snappy, 1, 2000, 1000}, {&library.Snappy, 2, 1 << 20, 1500},
		{&library.Gzip, 1, 3000, 1 << 20}, {&library.Zstd, 1, 3000, 900}, {&library.Zstd, 2, 1 << 20, 1 << 20},
	}
	for _, c := range columns {
		for which, isNull := range nulls {
			values, want := make([]any, rows), make([]string, rows)
			for i := range values {
				if isNull == nil || !isNull(i) {
					values[i] = c.value(i)
				}
				want[i] = shown(values[i])
			}
			for n, encoding := range c.encodings {
				node := library.Encoded(c.node, encoding)
				if isNull != nil {
					node = library.Optional(node)
				}
				how := forms[(n+len(which)+len(c.name))%len(forms)]
				for _, how := range []form{how, forms[n%2], {how.codec, how.page, 100, 64}} {
					got, err := readAll(written(t, node, values, how))
					if err != nil || strings.Join(got, ";") != strings.Join(want, ";") {
						t.Errorf("%s by %s, nulls %s, %+v: %v, got %.200q want %.200q", c.name, encoding, which, how, err, got, want)
					}
				}
			}
		}
	}
}

// TestUnread: what is not read is refused by its name.
func TestUnread(t *testing.T) {
	one := func(node library.Node, v any, codec compress.Codec) []byte {
		return written(t, node, []any{v}, form{codec, 1, 1 << 10, 1 << 10})
	}
	n, plain := library.Int(64), &library.Uncompressed
	for want, content := range map[string][]byte{
		"compression BROTLI is not read":                        one(n, int64(1), &library.Brotli),
		"compression LZ4_RAW is not read":                       one(n, int64(1), &library.Lz4Raw),
		"encoding DELTA_BYTE_ARRAY is not read":                 one(library.Encoded(library.String(), &library.DeltaByteArray), "a", plain),
		"type DECIMAL is not read":                              one(library.Decimal(2, 12, library.Int64Type), int64(1), plain),
		"type FIXED_LEN_BYTE_ARRAY is not read":                 one(library.UUID(), [16]byte{1}, plain),
		"type INT96 is not read":                                one(library.Leaf(library.Int96Type), deprecated.Int96{1}, plain),
		"a column of lists is not read":                         one(library.Repeated(n), int64(1), plain),
		"a column of columns is not read":                       one(library.Group{"y": n}, int64(1), plain),
		"an encrypted file is not read":                         []byte("PAR1 no footer as such PARE"),
		"the file is empty":                                     {},
		"the end of a Parquet file is missing":                  []byte("PAR1"),
		"a footer of 544370534 bytes is stated in a file of 27": []byte("PAR1 and something for PAR1"),
	} {
		_, err := readAll(content)
		if err == nil || err.Error() != want {
			t.Errorf("got error %v want %s", err, want)
		}
		var unread parquet.Unsupported
		if errors.As(err, &unread) != strings.HasSuffix(want, "is not read") {
			t.Errorf("%s: is it Unread? got %v", want, errors.As(err, &unread))
		}
	}
}

// seeds are small files of many forms.
func seeds(t testing.TB) (all [][]byte) {
	for i, c := range columns {
		for n, encoding := range c.encodings {
			values := make([]any, 90)
			for k := range values {
				if k%11 != 0 {
					values[k] = c.value(k)
				}
			}
			codec := []compress.Codec{&library.Uncompressed, &library.Snappy, &library.Zstd, &library.Gzip}[(i+n)%4]
			all = append(all, written(t, library.Optional(library.Encoded(c.node, encoding)), values, form{codec, 1 + n%2, 200, 60}))
		}
	}
	return all
}

// TestDamaged cuts files and changes bytes, a third of all: an error or other values,
// no panic, and no more memory than a file of its size can need.
func TestDamaged(t *testing.T) {
	for nth, content := range seeds(t) {
		for i := nth % 3; i < len(content); i += 3 {
			if _, err := readAll(content[:i]); err == nil {
				t.Fatalf("seed %d: the first %d bytes are read as a file", nth, i)
			}
			changed := bytes.Clone(content)
			changed[i] ^= byte(1 + (i*7919+nth)%255)
			read := func() { readAll(changed) }
			if i%4 != nth%4 {
				read()
			} else if grown := grown(read); grown > 4<<20 {
				t.Errorf("seed %d, byte %d: %d bytes of memory for a file of %d", nth, i, grown, len(content))
			}
		}
	}
}

// grown is how many bytes f allocates.
func grown(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func FuzzRead(f *testing.F) {
	for i, content := range seeds(f) {
		f.Add(content, uint32(i*131), []byte{0xff, 0x7f})
		f.Add(content, uint32(len(content)-60), []byte{byte(i), 0xff, 0xff, 0xff, 0x0f})
	}
	f.Fuzz(func(t *testing.T, content []byte, at uint32, patch []byte) {
		if len(content) > 0 {
			content = bytes.Clone(content)
			copy(content[int(at%uint32(len(content))):], patch)
		}
		readAll(content)
	})
}
