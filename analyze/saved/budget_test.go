package saved

import (
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
)

// forged is a summary with a valid checksum that holds body.
func forged(t *testing.T, body []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := z.EncodeAll(body, nil)
	sum := checksum(version, packed)
	return slices.Concat([]byte(magic+version+"\n"), sum[:], packed)
}

// inText is a body whose text is s.
func inText(s string) []byte {
	e := &encoder{}
	e.bytes([]byte(s))
	return e.b
}

// TestForgedSummaries are small files that claim to be large: they are refused, and take
// no more memory than there is room for, and little beyond what they inflate to.
func TestForgedSummaries(t *testing.T) {
	const room = 64 << 20
	many := func(s string, n int) string { return strings.TrimSuffix(strings.Repeat(s+",", n), ",") }
	deep := strings.Repeat(`{"Runs":[`, 40) + strings.Repeat(`]}`, 40)
	for _, tt := range []struct {
		name, want string
		body       []byte
	}{
		{"a million empty ranks", "allowed", inText(`{"Runs":[{"Ranks":[` + many("{}", 1e6) + `]}]}`)},
		{"a million absent ranks", "allowed", inText(`{"Runs":[{"Ranks":[` + many("null", 1e6) + `]}]}`)},
		{"a million runs", "allowed", inText(`{"Runs":[` + many("{}", 1e6) + `]}`)},
		{"a million stats", "allowed", inText(`{"Runs":[{"Ranks":[{"Stats":[` + many("{}", 1e6) + `]}]}]}`)},
		{"a label of 200 MB", "inflated", inText(`{"Label":"` + strings.Repeat("x", 200e6) + `"}`)},
		{"zeros", "inflated", make([]byte, 200e6)},
		{"too deep", "nested", inText(deep)},
		{"a text that does not end", "holds something else", inText(`{"Label":"\`)},
		{"many steps", "allowed", slices.Concat(inText(`{"Runs":[{"Ranks":[{}]}]}`), steps(700_000))},
		{"a digest that is a text", "digest", inText(`{"Digest":"\u001b[2J"}`)},
		{"a file's digest that is a text", "digest", inText(`{"Files":[{"Digest":"a|b"}]}`)},
	} {
		data := forged(t, tt.body)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		left := &MemoryBudget{Bytes: room}
		_, err := Unmarshal(data, metric.Derivation, left)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v want an error with %q", tt.name, err, tt.want)
		}
		if left.Bytes < 0 {
			t.Errorf("%s: got room of %d bytes left", tt.name, left.Bytes)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > room {
			t.Errorf("%s: got %d MB for a file of %d bytes, want less than %d MB", tt.name, took>>20, len(data), room>>20)
		}
	}
}

// steps are the columns of a rank of so many steps, all alike.
func steps(n int) []byte {
	e := &encoder{}
	e.uint(uint64(n))
	for range stepColumns {
		e.ints(make([]int64, n))
	}
	e.b = append(e.b, make([]byte, n)...)
	return e.b
}

// TestWeight: what the text of a set can become is not underestimated, whatever stands in
// place of the things of a list.
func TestWeight(t *testing.T) {
	rank, object := sizeOf[run.Rank]()+sizeOf[run.WholeCapture](), int64(objectBytes)
	for _, tt := range []struct {
		text string
		want int64
	}{
		{`{}`, 0},
		{`{"Runs":[]}`, 0},
		{`{"Runs":[null, {}]}`, 4 * object},
		{`{"Label":"[{},{}]","Runs":[ {"Ranks":[{},null,{"Longest":[{},{}]}]}]}`, 2*object + 6*rank + 4*object},
		{`{"NotAsked":[1,-2],"Runs":[{"Ranks":[{"Files":["a\"b,c","d"]}]}]}`, 4*numberBytes + 2*object + 2*rank + 4*textBytes},
	} {
		got, err := decodedSize([]byte(tt.text))
		if want := tt.want + int64(len(tt.text)); err != nil || got != want {
			t.Errorf("%s: got %d (%v) want %d", tt.text, got, err, want)
		}
	}
}

// TestLargestObject: no other thing of a set is larger than decodedSize takes it to be, and
// no map is in it, which is not weighed.
func TestLargestObject(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var look func(of reflect.Type)
	look = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Slice, reflect.Pointer:
			one := of.Elem()
			heavy := one == reflect.TypeFor[run.Rank]() || one == reflect.TypeFor[run.WholeCapture]()
			if !heavy && one.Size() > objectBytes {
				t.Errorf("%v: got %d bytes, want at most %d", one, one.Size(), objectBytes)
			}
			look(one)
		case reflect.Array:
			look(of.Elem())
		case reflect.Map, reflect.Interface:
			t.Errorf("%v: what it takes is not weighed", of)
		case reflect.Struct:
			if seen[of] {
				return
			}
			seen[of] = true
			for i := range of.NumField() {
				look(of.Field(i).Type)
			}
		}
	}
	look(reflect.TypeFor[run.Set]())
}

// TestMemoryBudget: what a summary takes is gone for the next one, and the body comes back.
func TestMemoryBudget(t *testing.T) {
	data, err := Marshal(odd())
	if err != nil {
		t.Fatal(err)
	}
	room := &MemoryBudget{Bytes: 1 << 20}
	if _, err := Unmarshal(data, metric.Derivation, room); err != nil {
		t.Fatal(err)
	}
	took := 1<<20 - room.Bytes
	if took < int64(2*len(data)) {
		t.Errorf("got %d bytes taken by a summary of %d", took, len(data))
	}
	if _, err := Unmarshal(data, metric.Derivation, room); err != nil || room.Bytes != 1<<20-2*took {
		t.Errorf("got %d bytes left (%v) want %d", room.Bytes, err, 1<<20-2*took)
	}
	for n := int64(0); n < took; n += took / 50 {
		if _, err := Unmarshal(data, metric.Derivation, &MemoryBudget{Bytes: n}); !errors.Is(err, ErrMemory) {
			t.Errorf("room of %d: got %v want that there is none", n, err)
		}
	}
}
