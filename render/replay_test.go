package render

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perfdiff/diff/compute"
)

// TestReplayJSONIsComplete changes every field of a comparison of replayed kernels, one by one, and
// each change must be seen in JSON.
func TestReplayJSONIsComplete(t *testing.T) {
	r := &compute.Report{}
	n := 0
	fill(reflect.ValueOf(r).Elem(), &n)
	r.Warnings[0].Side = 0
	written := func() string {
		var b bytes.Buffer
		if err := WriteReplay(&b, r, "perfdiff", JSON, Options{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	want, fields := written(), 0
	leaves(reflect.ValueOf(r).Elem(), "", func(path string, v reflect.Value) {
		if slices.Contains([]string{"Warnings[0].Side"}, path) {
			return
		}
		fields++
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		change(v)
		if written() == want {
			t.Errorf("%s: a change is not seen", path)
		}
		v.Set(old)
	})
	if fields < 60 || written() != want {
		t.Errorf("%d fields were tried", fields)
	}
	for _, format := range []Format{Text, Markdown, HTML} {
		var b bytes.Buffer
		if err := WriteReplay(&b, r, "perfdiff", format, Options{}); err != nil || strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "%!") {
			t.Errorf("format %d: %v: %.300s", format, err, b.String())
		}
	}
	if err := WriteReplay(&bytes.Buffer{}, r, "perfdiff", JUnit, Options{}); err == nil {
		t.Error("JUnit: got no error")
	}
}
