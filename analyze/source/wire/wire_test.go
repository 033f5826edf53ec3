package wire

import (
	"reflect"
	"testing"
)

// TestNext takes the fields of a message, and breaks at the first that is none.
func TestNext(t *testing.T) {
	whole := []byte{
		1<<3 | Varint, 0x96, 0x01, // 150
		2<<3 | Bytes, 2, 'a', 'b',
		3<<3 | Fixed4, 1, 0, 0, 0,
		4<<3 | Fixed8, 0, 1, 0, 0, 0, 0, 0, 0,
	}
	fields := []Field{{1, Varint, 150, nil}, {2, Bytes, 0, []byte("ab")}, {3, Fixed4, 1, nil}, {4, Fixed8, 256, nil}}
	for name, tt := range map[string]struct {
		text   []byte
		fields []Field
		broken bool
	}{
		"nothing":        {nil, nil, false},
		"whole":          {whole, fields, false},
		"cut":            {whole[:len(whole)-1], fields[:3], true},
		"no number":      {[]byte{0}, nil, true},
		"a group":        {[]byte{1<<3 | 3, 1}, nil, true},
		"longer than it": {[]byte{2<<3 | Bytes, 3, 'a'}, nil, true},
		"endless number": {[]byte{1 << 3, 0xff, 0xff}, nil, true},
	} {
		m := Message{Rest: tt.text}
		var got []Field
		for f, ok := m.Next(); ok; f, ok = m.Next() {
			got = append(got, f)
		}
		if !reflect.DeepEqual(got, tt.fields) || m.Broken != tt.broken {
			t.Errorf("%s: got %v, broken %t; want %v, %t", name, got, m.Broken, tt.fields, tt.broken)
		}
	}
}
