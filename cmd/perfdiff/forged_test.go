package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"unicode/utf8"

	"perfdiff/analyze"
	"perfdiff/analyze/metric"
	measured "perfdiff/analyze/run"
	"perfdiff/analyze/saved"
	"perfdiff/analyze/synth"
)

// fewForged is how many summaries are forged, unless PERFDIFF_DAMAGE says how many.
const fewForged = 24

// TestForgedSummary: a summary with a valid checksum and any content is refused or
// compared, as either side, in every format, as a past run and over time: nothing panics,
// and what is written is text that is seen, in JSON that is valid. PERFDIFF_DAMAGE=N forges
// N of them (make damage).
func TestForgedSummary(t *testing.T) {
	count := fewForged
	if s := os.Getenv("PERFDIFF_DAMAGE"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			t.Fatalf("PERFDIFF_DAMAGE=%s: want a number of files", s)
		}
		count = n
	}
	var good [][]byte
	for _, side := range sides(writeStory(t, "aa", synth.Nsight)) {
		path := filepath.Join(t.TempDir(), "run.perfdiff")
		mustRun(t, statusOK, "summarize", side, "-q", "-o", path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		good = append(good, data)
	}
	for i := range count {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			forgedPair(t, good, rand.New(rand.NewPCG(7, uint64(i))))
		})
	}
}

// forgedPair runs every command on a summary that is forged and one that is not.
func forgedPair(t *testing.T, good [][]byte, r *rand.Rand) {
	data, what := forge(t, good[0], r)
	dir := t.TempDir()
	base, cand := filepath.Join(dir, "a.perfdiff"), filepath.Join(dir, "b.perfdiff")
	for path, content := range map[string][]byte{base: data, cand: good[1]} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r.IntN(2) == 0 {
		base, cand = cand, base
	}
	format := []string{"text", "markdown", "json", "html", "junit"}[r.IntN(5)]
	for _, args := range [][]string{
		{base, cand, "-o", "-", "--format", format}, {cand, cand, "--history", base, "-o", "-", "--format", "json"},
		{"history", base, cand}, {"history", dir},
	} {
		var stdout, stderr bytes.Buffer
		if got := run(context.Background(), args, &stdout, &stderr); got > statusNotJudged {
			t.Errorf("%v of %v: exit %d: %s", args, what, got, stderr.String())
		}
		if slices.Contains(args, "json") && stdout.Len() > 0 && !json.Valid(stdout.Bytes()) {
			t.Errorf("%v of %v: JSON is not valid", args, what)
		}
		if !utf8.Valid(stdout.Bytes()) {
			t.Errorf("%v of %v: not UTF-8", args, what)
		}
		checkSeen(t, fmt.Sprint(args, what), stdout.String()+stderr.String())
	}
}

// forge is a summary of which one to three values are others, and which.
func forge(t *testing.T, data []byte, r *rand.Rand) (forged []byte, what []string) {
	t.Helper()
	for {
		set, err := setOf(data)
		if err != nil {
			t.Fatal(err)
		}
		what = nil
		for range 1 + r.IntN(3) {
			what = append(what, edit(reflect.ValueOf(set).Elem(), "set", r))
		}
		if forged, err = analyze.Summary(set); err == nil { // JSON has no NaN: elsewhere than in columns it is no summary
			return forged, what
		}
	}
}

// setOf is the set that a summary holds.
func setOf(data []byte) (*measured.Set, error) {
	return saved.Unmarshal(data, metric.Derivation, &saved.MemoryBudget{Bytes: 1 << 30})
}

// edit changes one value below v, chosen at every level alike, and names it.
func edit(v reflect.Value, name string, r *rand.Rand) string {
	switch v.Kind() {
	case reflect.Struct:
		for {
			if i := r.IntN(v.NumField()); v.Type().Field(i).IsExported() {
				return edit(v.Field(i), name+"."+v.Type().Field(i).Name, r)
			}
		}
	case reflect.Slice:
		if n := v.Len(); n > 0 && r.IntN(8) > 0 {
			i := r.IntN(n)
			return edit(v.Index(i), fmt.Sprintf("%s[%d]", name, i), r)
		}
		return resize(v, name, r)
	case reflect.Pointer:
		if !v.IsNil() && r.IntN(4) > 0 {
			return edit(v.Elem(), name, r)
		}
		v.SetZero()
	case reflect.String:
		v.SetString([]string{"", evil, "step_time", "::error::", "\x00\xff", "9"}[r.IntN(6)])
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{0, -1, 1e-300, 1e300, math.MaxFloat64, math.Inf(1), math.NaN()}[r.IntN(7)])
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt([]int64{0, -1, 1, 1 << 20, math.MaxInt64, math.MinInt64}[r.IntN(6)])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint([]uint64{0, 1, 255, math.MaxUint64}[r.IntN(4)])
	}
	return name
}

// resize empties a list, shortens it, or has its elements twice.
func resize(v reflect.Value, name string, r *rand.Rand) string {
	switch n := v.Len(); r.IntN(3) {
	case 0:
		v.SetZero()
	case 1:
		v.Set(v.Slice(0, n/2))
	default:
		v.Set(reflect.AppendSlice(v.Slice3(0, n, n), v))
	}
	return name + "[]"
}
