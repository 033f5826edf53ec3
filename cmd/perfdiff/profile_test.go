package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth/nsystest"
)

// The program is built with a profile of where it spends its time, default.pgo, which every
// go build and go install of it finds. It holds nothing but which function calls which, in
// which of its lines and how often, since that is all that the compiler looks at: no path,
// host, user or time of the machine that recorded it.

// profileFile is where the compiler looks for it, and mostProfile how many bytes it has at
// most.
const (
	profileFile = "default.pgo"
	mostProfile = 40 << 10
)

// arc is a call of a function: in which line of the caller, counted from its first.
type arc struct {
	caller, callee string
	line           int64
}

// leastArc is what share of all samples an arc has that is kept. The compiler looks at the
// most frequent ones, which have 99 % of all.
const leastArc = 1.0 / 20_000

// TestRecordProfile records the profile anew, to the file that PERFDIFF_PROFILE names: one
// large file of each kind, traces of PyTorch, a job of many ranks and saved summaries.
func TestRecordProfile(t *testing.T) {
	out := os.Getenv("PERFDIFF_PROFILE")
	if out == "" {
		t.Skip("records a profile of the program for the compiler: make pgo")
	}
	pairs := profiled(t)
	paceGarbage()
	report := filepath.Join(t.TempDir(), "report")
	var recorded bytes.Buffer
	runtime.SetCPUProfileRate(500) // of which StartCPUProfile warns
	if err := pprof.StartCPUProfile(&recorded); err != nil {
		t.Fatal(err)
	}
	for round := range 5 {
		for i, pair := range pairs {
			if round > 0 && i >= len(pairs)-2 {
				continue // summaries and a job of small files, which are quick and of which most is writing
			}
			var said bytes.Buffer
			args := append([]string{"-q", "--warn-only", "-o", report + ".html", "-o", report + ".json"}, pair...)
			if status := run(t.Context(), args, &said, &said); status != statusOK && status != statusNotJudged {
				t.Fatalf("%s: got status %d: %s", pair, status, &said)
			}
		}
	}
	pprof.StopCPUProfile()
	arcs, err := arcsOf(recorded.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(out, encoded(arcs), 0o644); err != nil {
		t.Fatal(err)
	}
}

// profiled writes what the profile is recorded from, and returns the two sides of each.
func profiled(t *testing.T) (pairs [][]string) {
	dir := t.TempDir()
	for _, k := range kinds {
		n := nsystest.Rows{Kernels: 600_000, Calls: 900_000, OS: 300_000, Ranges: 90_000, Interleaved: k.interleaved, Unique: k.unique}
		pair := []string{"--jobs", "1", filepath.Join(dir, k.name+"-a.sqlite"), filepath.Join(dir, k.name+"-b.sqlite")}
		for _, path := range pair[2:] {
			if err := nsystest.LargeExport(t.Context(), path, n); err != nil {
				t.Fatal(err)
			}
		}
		mutateFile(t, pair[3], "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = end + 1")
		pairs = append(pairs, pair)
	}
	for name, compress := range map[string]bool{"json": false, "gzip": true} {
		base, cand := filepath.Join(dir, name, "baseline"), filepath.Join(dir, name, "candidate")
		traces(t, base, 2, 60<<20, compress)
		traces(t, cand, 2, 60<<20+otherBytes, compress)
		pairs = append(pairs, []string{base, cand})
	}
	many := filepath.Join(dir, "many")
	base, cand := largeSummaries(t, many, 256, 200)
	return append(pairs, []string{base, cand}, []string{filepath.Join(many, "baseline"), filepath.Join(many, "candidate")})
}

// recording is what is read of a profile.
type recording struct {
	samples   []sampled
	lines     map[uint64][]lineOf // by location; the first was inlined into the next
	functions map[uint64]function
	texts     []string
}

type (
	sampled struct {
		stack []uint64 // locations, the innermost first
		count int64
	}
	lineOf   struct{ function, line uint64 }
	function struct{ name, first uint64 } // its text, and its first line
)

// arcsOf are the calls in a profile in the format of pprof with their samples, but for those
// of the tests and of the program's shell.
func arcsOf(compressed []byte) (map[arc]int64, error) {
	raw, err := inflate(compressed)
	if err != nil {
		return nil, err
	}
	r := recording{lines: map[uint64][]lineOf{}, functions: map[uint64]function{}}
	if err := fields(raw, r.take); err != nil {
		return nil, err
	}
	arcs := map[arc]int64{}
	for _, s := range r.samples {
		callee, once := "", map[arc]bool{} // of a recursion a stack has many
		for _, id := range s.stack {
			for _, at := range r.lines[id] {
				f := r.functions[at.function]
				caller := r.texts[f.name]
				if a := (arc{caller, callee, int64(at.line) - int64(f.first)}); callee != "" && !once[a] && ours(caller) && ours(callee) {
					once[a] = true
					arcs[a] += s.count
				}
				callee = caller
			}
		}
	}
	return arcs, nil
}

// take takes a field of a profile.
func (r *recording) take(number int, _ uint64, data []byte) error {
	switch number {
	case 2:
		var s sampled
		var values []uint64
		err := fields(data, func(number int, v uint64, data []byte) error {
			switch number {
			case 1:
				return unpack(&s.stack, v, data)
			case 2:
				return unpack(&values, v, data)
			}
			return nil
		})
		if len(values) > 0 {
			s.count = int64(values[0])
		}
		r.samples = append(r.samples, s)
		return err
	case 4:
		return r.location(data)
	case 5:
		of, err := singles(data)
		r.functions[of[1]] = function{of[2], of[5]}
		return err
	case 6:
		r.texts = append(r.texts, string(data))
	}
	return nil
}

func (r *recording) location(data []byte) error {
	of, err := singles(data)
	return errors.Join(err, fields(data, func(number int, _ uint64, data []byte) error {
		if number != 4 {
			return nil
		}
		line, err := singles(data)
		r.lines[of[1]] = append(r.lines[of[1]], lineOf{line[1], line[2]})
		return err
	}))
}

// singles are the numbers of a message by field.
func singles(data []byte) (of [8]uint64, err error) {
	return of, fields(data, func(number int, v uint64, _ []byte) error {
		if number < len(of) {
			of[number] = v
		}
		return nil
	})
}

// ours reports whether a function is of the program and not of its tests, and written in Go,
// whose names have a package; what the shell of the program calls takes no time.
func ours(name string) bool {
	return strings.Contains(name, ".") && !strings.HasPrefix(name, "testing.") && !strings.HasPrefix(name, "perfdiff/cmd/perfdiff.")
}

// encoded is a profile in the format of pprof with a sample of two functions for each arc.
func encoded(arcs map[arc]int64) []byte {
	total := int64(0)
	var all []arc
	for _, n := range arcs {
		total += n
	}
	for a, n := range arcs {
		if float64(n) >= leastArc*float64(total) {
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b arc) int {
		return cmp.Or(cmp.Compare(arcs[b], arcs[a]), strings.Compare(a.caller, b.caller), strings.Compare(a.callee, b.callee),
			cmp.Compare(a.line, b.line))
	})
	texts, places, locations := []string{"", "samples", "count"}, map[string]int{}, map[arc]int{}
	var head, samples, functions, where []byte
	function := func(name string) int {
		if places[name] == 0 {
			texts = append(texts, name)
			places[name] = len(places) + 1
			functions = message(functions, 5, numberField(numberField(numberField(nil, 1, places[name]), 2, len(texts)-1), 5, 1))
		}
		return places[name]
	}
	location := func(name string, line int64) int {
		key := arc{caller: name, line: line}
		if locations[key] == 0 {
			locations[key] = len(locations) + 1
			in := numberField(numberField(nil, 1, function(name)), 2, int(line)+1)
			where = message(where, 4, message(numberField(nil, 1, locations[key]), 4, in))
		}
		return locations[key]
	}
	head = message(head, 1, numberField(numberField(nil, 1, 1), 2, 2))
	for _, a := range all {
		stack := numberField(numberField(nil, 1, location(a.callee, 0)), 1, location(a.caller, a.line))
		samples = message(samples, 2, numberField(stack, 2, int(arcs[a])))
	}
	out := slices.Concat(head, samples, where, functions)
	for _, text := range texts {
		out = message(out, 6, []byte(text))
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	z.Write(out)
	z.Close()
	return packed.Bytes()
}

// TestProfile: the committed profile says nothing of the machine that it was recorded on, is
// small, and is about the functions that there are.
func TestProfile(t *testing.T) {
	packed, err := os.ReadFile(profileFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(packed) > mostProfile {
		t.Errorf("%s: got %d bytes, want at most %d", profileFile, len(packed), mostProfile)
	}
	raw, err := inflate(packed)
	if err != nil {
		t.Fatal(err)
	}
	if err := plainProfile(raw); err != nil {
		t.Errorf("%s: %v", profileFile, err)
	}
	arcs, err := arcsOf(packed)
	if err != nil {
		t.Fatal(err)
	}
	known, all, here := functionNames(t), int64(0), int64(0)
	for a, n := range arcs {
		name, _, _ := strings.Cut(a.callee, "[")
		if strings.HasPrefix(name, "perfdiff/") && !strings.Contains(name, ".func") {
			if all += n; known[name] {
				here += n
			}
		}
	}
	if 2*here < all || all == 0 {
		t.Errorf("%s: %d of %d samples are in functions that there are: record it anew (make pgo)", profileFile, here, all)
	}
	if !bytes.Equal(packed, encoded(arcs)) {
		t.Errorf("%s is not as make pgo writes it", profileFile)
	}
}

// TestProfileIsScrubbed: what a profile as it is recorded says of the machine is refused.
func TestProfileIsScrubbed(t *testing.T) {
	for _, tt := range []struct {
		what string
		raw  []byte
	}{
		{"a mapping", message(nil, 3, numberField(nil, 1, 1))},
		{"a time", numberField(nil, 9, 1)},
		{"a comment", numberField(nil, 13, 1)},
		{"a file of a function", message(nil, 5, numberField(numberField(nil, 1, 1), 4, 1))},
		{"an address", message(nil, 4, numberField(nil, 3, 4096))},
		{"a label", message(nil, 2, message(nil, 3, nil))},
		{"a path", message(nil, 6, []byte("/home/somebody/perfdiff/main.go"))},
		{"a path within", message(nil, 6, []byte("x /tmp/y"))},
		{"a path of another system", message(nil, 6, []byte(`C:\perfdiff`))},
		{"a file", message(nil, 6, []byte("home/somebody/main.go"))},
		{"a path in what a function is of", message(nil, 6, []byte("perfdiff/a.f[/home/somebody/x.y]"))},
		{"a build id", message(nil, 6, []byte("c56f04bcb8055eac5e32e93279fdb0b98697b1ac"))},
	} {
		if err := plainProfile(tt.raw); err == nil {
			t.Errorf("%s: got no error", tt.what)
		}
	}
	if err := plainProfile(message(nil, 6, []byte("perfdiff/analyze/metric.(*walk).take"))); err != nil {
		t.Errorf("a function: got %v", err)
	}
}

// plainProfile is an error where a profile holds more than functions, lines and samples.
func plainProfile(raw []byte) error {
	allowed := map[int][]int{1: {1, 2}, 2: {1, 2}, 4: {1, 4}, 5: {1, 2, 5}} // fields of messages
	return fields(raw, func(number int, _ uint64, data []byte) error {
		if number == 6 {
			return plainText(string(data))
		}
		inner, ok := allowed[number]
		if !ok {
			return fmt.Errorf("field %d is none that a profile for the compiler has", number)
		}
		return fields(data, func(n int, _ uint64, _ []byte) error {
			if !slices.Contains(inner, n) {
				return fmt.Errorf("field %d of field %d is none that a profile for the compiler has", n, number)
			}
			return nil
		})
	})
}

// plainText is an error for a text that is no function's: those have their package's path,
// which is no place on a machine.
func plainText(text string) error {
	whole := text
	if open, end := strings.IndexByte(text, '['), strings.LastIndexByte(text, ']'); open >= 0 && end > open {
		text = text[:open] + text[end+1:] // what a generic function is of
	}
	if text == "" || text == "samples" || text == "count" {
		return nil
	}
	if !functionName.MatchString(text) || strings.HasSuffix(text, ".go") || placeOfMachine.MatchString(whole) {
		return fmt.Errorf("%q is no function", whole)
	}
	return nil
}

var (
	functionName   = regexp.MustCompile(`^(?:type:\.(?:eq|hash)\.)?(?:[a-z][\w.~-]*/)*[\w%~-]+\.[\w.()*-]+$`)
	placeOfMachine = regexp.MustCompile(`/(?:home|root|work|tmp|usr|var|opt|mnt|Users|go/pkg)/`)
)

// functionNames are the program's own functions as a profile calls them.
func functionNames(t *testing.T) map[string]bool {
	known := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil // of a test
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok {
				known["perfdiff/"+filepath.ToSlash(dir)+"."+receiver(f)+f.Name.Name] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return known
}

// receiver is "(*walk)." of a method, as profiles have it.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return ""
	}
	of, pointer := f.Recv.List[0].Type, false
	if star, ok := of.(*ast.StarExpr); ok {
		of, pointer = star.X, true
	}
	if generic, ok := of.(*ast.IndexExpr); ok {
		of = generic.X
	}
	name, ok := of.(*ast.Ident)
	switch {
	case !ok:
		return ""
	case pointer:
		return "(*" + name.Name + ")."
	}
	return name.Name + "."
}

func inflate(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// The format is that of protocol buffers, with numbers and messages alone.

var errProfile = errors.New("no profile")

// fields hands over the fields of a message.
func fields(b []byte, do func(number int, v uint64, data []byte) error) error {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		v, m := uint64(0), 0
		if n > 0 {
			v, m = binary.Uvarint(b[n:])
		}
		if n <= 0 || m <= 0 || key&7 != 0 && key&7 != 2 {
			return errProfile
		}
		b = b[n+m:]
		var data []byte
		if key&7 == 2 {
			if v > uint64(len(b)) {
				return errProfile
			}
			data, b = b[:v:v], b[v:]
		}
		if err := do(int(key>>3), v, data); err != nil {
			return err
		}
	}
	return nil
}

// unpack adds a number, or several that are packed.
func unpack(into *[]uint64, v uint64, packed []byte) error {
	if packed == nil {
		*into = append(*into, v)
		return nil
	}
	for len(packed) > 0 {
		v, n := binary.Uvarint(packed)
		if n <= 0 {
			return errProfile
		}
		*into, packed = append(*into, v), packed[n:]
	}
	return nil
}

func numberField(b []byte, field, v int) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(field)<<3), uint64(v))
}

func message(b []byte, field int, data []byte) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(b, uint64(field)<<3|2), uint64(len(data))), data...)
}
