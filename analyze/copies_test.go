package analyze

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"perfdiff/analyze/trace"
)

// packed compresses a text.
func packed(t *testing.T, how trace.Packing, text string) string {
	t.Helper()
	var out bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&out)
	if how == trace.Zstd {
		w, _ = zstd.NewWriter(&out)
	}
	if _, err := io.WriteString(w, text); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestWithoutCopies: one capture under the names of several ranks is one rank, unless the
// profiles themselves say that they are different ones.
func TestWithoutCopies(t *testing.T) {
	one, other, numbered := profile(-1, 5, 4), strings.ReplaceAll(profile(-1, 5, 4), "500.000", "501.000"), profile(2, 5, 4)
	for _, tt := range []struct {
		name  string
		files map[string]string
		ranks []int
		left  []string
	}{
		{"different", map[string]string{"rank0.json": one, "rank1.json": other}, []int{0, 1}, nil},
		{"copied", map[string]string{"rank0.json": one, "rank1.json": one, "rank2.json": other}, []int{0, 2}, []string{"rank1.json"}},
		{"all copies", map[string]string{"rank0.json": one, "rank1.json": one, "rank2.json": one}, []int{0}, []string{"rank1.json", "rank2.json"}},
		{"no numbers", map[string]string{"a.json": one, "b.json": one, "c.json": other}, []int{0, 1}, []string{"b.json"}},
		{"and the same compressed", map[string]string{"rank2.json": numbered, "rank2.json.gz": packed(t, trace.Gzip, numbered), "rank2.json.zst": packed(t, trace.Zstd, numbered)},
			[]int{2}, []string{"rank2.json.gz", "rank2.json.zst"}},
		{"compressed is another", map[string]string{"rank2.json": numbered, "rank2.json.gz": packed(t, trace.Gzip, strings.ReplaceAll(numbered, "500.000", "501.000"))}, []int{2}, nil},
		{"numbered inside", map[string]string{"a.json": numbered, "b.json": strings.Replace(numbered, `"rank":2`, `"rank":3`, 1)}, []int{2, 3}, nil},
	} {
		set, err := Load(context.Background(), tree(t, tt.files), Options{Jobs: 1})
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		var ranks []int
		for _, r := range set.Runs[0].Ranks {
			ranks = append(ranks, r.Rank)
		}
		var left []string
		for _, w := range set.Warnings {
			if strings.Contains(w.Text, "holds the same capture as "+slices.Min(slices.Collect(maps.Keys(tt.files)))) {
				left = append(left, w.File)
			}
		}
		if !slices.Equal(ranks, tt.ranks) || !slices.Equal(left, tt.left) {
			t.Errorf("%s: got ranks %v, left out %v; want %v, %v", tt.name, ranks, left, tt.ranks, tt.left)
		}
	}
}
