package parquet

import (
	"bytes"
	"runtime"
	"slices"
	"testing"
)

// FuzzDecode decodes pages of any bytes, which no checksum guards: a page ends with an
// error or with as many values as it states.
func FuzzDecode(f *testing.F) {
	for _, physical := range []int64{typeBool, typeInt32, typeInt64, typeFloat, typeText} {
		for _, encoding := range []int64{plain, runLength, deltaPacked, deltaLength, runDictionary, streamSplit} {
			for _, body := range [][]byte{
				{4, 0, 0, 0, 3, 0xaa, 0xff, 1, 8, 1, 2, 3, 4, 5, 6, 7, 8},
				{2, 0, 0, 0, 80, 1, 2, 9, 0, 7, 0xe4, 0x1b, 3, 0, 0, 0, 0},
				append([]byte{2, 0, 0, 0, 20, 1, 32, 1, 10, 4, 3, 5}, make([]byte, 40)...),
			} {
				f.Add(physical, encoding, true, []byte("\x01\x00\x00\x00a\x00\x00\x00\x00abcdefgh"), body, int64(10))
				f.Add(physical, encoding, false, []byte("\x01\x00\x00\x00a\x00\x00\x00\x00abcdefgh"), body[4:], int64(10))
			}
		}
	}
	f.Fuzz(func(t *testing.T, physical, encoding int64, optional bool, words, body []byte, values int64) {
		c := Column{Kind: kinds[physical], physical: physical, optional: optional}
		r := &Reader{column: c, left: values}
		if c.Kind == Unknown {
			return
		}
		r.dictionary, _ = readDictionary(&c, words, int64(len(words)/8))
		if r.begin(&header{values: values, encoding: encoding, by: runLength, flat: int64(len(body))}, body) != nil {
			return
		}
		for left := min(values, 5*batch); left > 0; {
			v, err := r.Next(int(left))
			if err != nil {
				return
			}
			if v.N < 1 || int64(v.N) > left || len(v.Ints)+len(v.Texts) != v.N {
				t.Fatalf("got %d values of %d", v.N, left)
			}
			left -= int64(v.N)
		}
	})
}

// TestRuns decodes runs of one number and of packed ones, as Encodings.md spells them.
func TestRuns(t *testing.T) {
	for _, tt := range []struct {
		name  string
		width uint
		b     []byte
		want  []int64 // nil: an error
	}{
		{"0 to 7 in three bits", 3, []byte{3, 0x88, 0xc6, 0xfa}, []int64{0, 1, 2, 3, 4, 5, 6, 7}},
		{"a run of 300", 10, []byte{6, 0x2c, 1}, []int64{300, 300, 300}},
		{"one, then the other", 1, []byte{4, 1, 3, 0x55}, []int64{1, 1, 1, 0, 1, 0, 1, 0, 1, 0}},
		{"no bits", 0, []byte{8}, []int64{0, 0, 0, 0}},
		{"32 bits", 32, []byte{2, 0xff, 0xff, 0xff, 0xff}, []int64{1<<32 - 1}},
		{"a run of none", 1, []byte{0, 1}, nil},
		{"cut", 3, []byte{3, 0x88, 0xc6}, nil},
		{"too long for any page", 1, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, nil},
	} {
		got := make([]int64, max(1, len(tt.want)))
		err := (&runLengths{b: tt.b, width: tt.width}).ints(got)
		if (err != nil) != (tt.want == nil) || err == nil && !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, %v want %v", tt.name, got, err, tt.want)
		}
	}
}

// TestInflateBounds: what a page states and does not hold makes no room.
func TestInflateBounds(t *testing.T) {
	for codec, packed := range map[int64][]byte{
		codecNone:   {1, 2, 3},
		codecSnappy: {0x80, 0x80, 0x80, 0x40, 0}, // 128 MB, and none of it
		codecGzip:   {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		codecZstd:   {0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 8, 1, 0, 0},
	} {
		r := &Reader{chunk: chunk{codec: codec}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := r.inflate(packed, maxPage, nil)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > 3*maxWindow {
			t.Errorf("%s: got error %v and %d bytes taken", codecName(codec), err, took)
		}
	}
}

// TestHeaderIsLong reads a header with long texts in it, and refuses one beyond bounds.
func TestHeaderIsLong(t *testing.T) {
	for _, n := range []int{10, 1000, 60_000, 70_000} {
		// A page header with field 9, a text of n bytes, behind its kind.
		b := append([]byte{0x15, 0, 0x88}, byte(n)|0x80, byte(n>>7)|0x80, byte(n>>14))
		b = append(append(b, make([]byte, n)...), 0)
		f := &File{r: bytes.NewReader(b), Groups: []Group{{chunks: []chunk{{physical: typeInt64, size: int64(len(b))}}}}}
		r, err := f.Read(0, Column{Kind: Integer, physical: typeInt64})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = r.header(); (err == nil) != (n < maxHead) {
			t.Errorf("%d bytes: got %v", n, err)
		}
	}
}
