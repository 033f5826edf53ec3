package ncu

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"perfdiff/analyze/synth/ncutest"
)

// TestWide: what PowerShell writes is read as the same text in UTF-8 is, and a cut one is refused by name.
func TestWide(t *testing.T) {
	usual := ncutest.Usual()
	text := strings.ReplaceAll(usual.Text(), "\n", "\r\n")
	text = strings.Replace(text, "==PROF==", "==PROF== é \U0001f600", 1)
	path := filepath.Join(t.TempDir(), "kernels.csv")
	read := func(data []byte) (*Set, error) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return Load(context.Background(), path, Options{})
	}
	want, err := read([]byte(text))
	if err != nil || len(want.Launches) == 0 {
		t.Fatalf("got %v, %v", want, err)
	}
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		data := []byte{}
		for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
			data = order.AppendUint16(data, unit)
		}
		got, err := read(data)
		if err != nil || !reflect.DeepEqual(got.Launches, want.Launches) || !reflect.DeepEqual(got.Keys, want.Keys) || len(got.Warnings) != len(want.Warnings) {
			t.Errorf("%v: got %+v, %v", order, got, err)
		}
		if got, err := read(data[:len(data)-1]); !says(got, err, "UTF-16", "cut", "print the page anew") {
			t.Errorf("%v, cut: got %+v, %v", order, got, err)
		}
	}
}

// says reports whether an error, or the warnings of a set, hold all words.
func says(s *Set, err error, words ...string) bool {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if s != nil {
		for _, w := range s.Warnings {
			text += w.Text + "\n"
		}
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
