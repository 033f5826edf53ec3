package analyze

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source"
	"perfdiff/analyze/source/report"
	"perfdiff/analyze/step"
	"perfdiff/analyze/synth"
	"perfdiff/analyze/synth/parquetdir"
	"perfdiff/analyze/trace"
	"perfdiff/testdata"
)

// inMemory is a trace that is handed over in parts although it is in memory.
type inMemory struct {
	all   *trace.Trace // sorted
	small *trace.Trace
	known *trace.Outline
}

func newInMemory(t *trace.Trace) *inMemory {
	small := *t
	small.Device, small.API, small.OS = nil, nil, nil
	o := &trace.Outline{Spans: len(t.Device)}
	for i := range t.Device {
		s := &t.Device[i]
		if i == 0 {
			o.Device = trace.Interval{Start: s.Start, End: s.End}
		}
		o.Device.End, o.LastStart = max(o.Device.End, s.End), s.Start
		if s.End > s.Start {
			if o.Busy == (trace.Interval{}) {
				o.Busy.Start = s.Start
			}
			o.Busy.End = max(o.Busy.End, s.End)
			o.Comm = o.Comm || s.Class == trace.Comm
		}
		o.ToDevice = o.ToDevice || s.Kind == trace.Memcpy && s.Bytes() > 0 && s.Copy.String() == "h2d"
		if s.Class == trace.Comm {
			small.Device = append(small.Device, *s)
		}
	}
	for _, c := range t.API {
		o.API = append(o.API, t.Names.Caller(c))
	}
	for _, c := range t.OS {
		o.OS = append(o.OS, t.Names.Caller(c))
		o.ReadsInUse = o.ReadsInUse || trace.ReadCall(t.Names.Text(t.Names.Caller(c).Name)) &&
			(o.Busy.End <= o.Busy.Start || c.Start >= o.Busy.Start && c.Start < o.Busy.End)
	}
	return &inMemory{t, &small, o}
}

func (m *inMemory) Traces() ([]*trace.Trace, []*trace.Outline) {
	return []*trace.Trace{m.small}, []*trace.Outline{m.known}
}

func (m *inMemory) Each(_ context.Context, _ int, add func([]trace.Span)) error {
	backwards := slices.Clone(m.all.Device)
	slices.Reverse(backwards)
	add(backwards)
	return nil
}

func (m *inMemory) Load(_ context.Context, _ int, from, to int64, into *trace.Stretch) error {
	for _, s := range m.all.Device {
		if s.Start >= from && s.Start < to {
			into.Device = append(into.Device, s)
		}
	}
	for _, c := range m.all.API {
		if c.Start >= from && c.Start < to {
			into.API = append(into.API, c)
		}
	}
	for _, c := range m.all.OS {
		if c.Start >= from && c.Start < to {
			into.OS = append(into.OS, c)
		}
	}
	return nil
}

func (m *inMemory) Calls(_ context.Context, _ int, starts []int64) (calls []trace.Call, err error) {
	for _, c := range m.all.API {
		if slices.Contains(starts, c.Start) {
			calls = append(calls, c)
		}
	}
	return calls, nil
}

func (m *inMemory) Density(int) *trace.Density {
	d := new(trace.Density)
	for _, s := range m.all.Device {
		d.Add(s.Start, trace.SpanSize)
	}
	for _, list := range [][]trace.Call{m.all.API, m.all.OS} {
		for _, c := range list {
			d.Add(c.Start, trace.CallSize)
		}
	}
	return d
}

// profilesIn are the files of a directory that are profiles.
func profilesIn(t *testing.T, dir string) (files []string) {
	do(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || path == dir:
		case d.IsDir() && source.IsProfile(path):
			files = append(files, path)
			return fs.SkipDir
		case !d.IsDir():
			files = append(files, path)
		}
		return err
	}))
	return files
}

// TestPartsOfTraces: whatever the traces of a story are cut into, the same is measured.
func TestPartsOfTraces(t *testing.T) {
	formats := []synth.Format{synth.Nsight, synth.Kineto, synth.NsightParquet}
	for i, name := range testdata.Names() {
		if testing.Short() && i%4 > 0 {
			continue
		}
		for _, format := range formats[:1+min(2, 2*(1-min(1, i%8)))] { // what is not the reader's is alike in all formats
			t.Run(fmt.Sprint(name, format), func(t *testing.T) {
				partsAlike(t, profilesIn(t, storyIn(t, name, format))[0])
			})
		}
	}
}

func storyIn(t *testing.T, name string, format synth.Format) string {
	text, err := testdata.Story(name)
	do(t, err)
	s, err := synth.Parse(name, text)
	do(t, err)
	s.Tables = parquetdir.Write
	dir := t.TempDir()
	_, err = s.Write(context.Background(), dir, format)
	do(t, err)
	return dir
}

// TestPartsOfLosses: what a file lacks is known to its parts.
func TestPartsOfLosses(t *testing.T) {
	const again = "(export the report again: nsys export --type sqlite)"
	for _, x := range []struct{ edit, refused string }{
		{"DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid % 2 = 1", ""},
		{"DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid % 100 = 1", ""},
		{"DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL", ""},
		{"DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL", ""},
		{"DELETE FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE rowid % 3 = 1", ""},
		{"DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE rowid % 4 = 1", ""},
		{"DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE rowid % 40 = 1", ""},
		{"DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME", ""},
		{"UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET correlationId = rowid + 1000000000 WHERE rowid % 4 = 1", ""},
		{"DELETE FROM NVTX_EVENTS WHERE rowid % 3 = 1", ""},
		{"UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start - 1 WHERE rowid % 20 = 1", ""},
		{"UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET globalTid = globalTid + 16777216 WHERE rowid % 5 = 1", ""},
		{"DELETE FROM TARGET_INFO_SESSION_START_TIME", ""},
		{"UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = start WHERE rowid % 2 = 1", ""},
		{"UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = start + 1000000000, end = end + 1000000000", ""},
		{"UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET start = start - 30000000, end = end - 30000000", ""},
		{"UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET demangledName = 9999999 WHERE rowid % 50 = 1",
			"the file is damaged: names of kernels or of calls are not in table StringIds " + again},
		{"UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET nameId = 9999999 WHERE rowid = 50",
			"the file is damaged: names of kernels or of calls are not in table StringIds " + again},
	} {
		t.Run(x.edit, func(t *testing.T) {
			path := profilesIn(t, storyIn(t, "slow-allreduce", synth.Nsight))[0]
			db, err := sql.Open("sqlite", "file:"+path)
			do(t, err)
			_, err = db.Exec(x.edit)
			do(t, errors.Join(err, db.Close()))
			p, _, err := source.OpenParts(context.Background(), path, nil)
			if err == nil {
				p.Close()
			}
			if x.refused != "" && (err == nil || err.Error() != x.refused) || x.refused == "" && err != nil {
				t.Errorf("got %v, want %s", err, cmp.Or(x.refused, "no error"))
			}
			traces, _, err := source.Read(context.Background(), path, nil, nil)
			do(t, err)
			if len(measure(traces[0], Options{}, 1, nobody.together).warn) == 0 {
				t.Error("nothing is said of it")
			}
			partsAlike(t, path)
		})
	}
}

// partsAlike compares what is measured of a file in parts with what is measured at once.
func partsAlike(t *testing.T, path string) {
	t.Helper()
	read := func() []*trace.Trace {
		traces, _, err := source.Read(context.Background(), path, report.New(report.Options{}), nil)
		if err != nil {
			return nil
		}
		return traces
	}
	at := read()
	open := func() partedProfile {
		p, _, err := source.OpenParts(context.Background(), path, nil)
		if err != nil {
			if !errors.Is(err, source.ErrNotInParts) {
				t.Logf("%s: %v", filepath.Base(path), err)
			}
			return nil
		}
		t.Cleanup(p.Close)
		return p
	}
	fromFile := open() != nil
	for i := range at {
		of := func() *trace.Trace {
			t := read()[i] // only traces of PyTorch hold sizes of operators, and none of these is read in parts
			t.Operations, t.Recorded = nil, t.Recorded&^trace.HasSizes
			return t
		}
		alike(t, filepath.Base(path), Options{}, of, func() (partedProfile, int) { return newInMemory(of()), 0 })
		if fromFile {
			alike(t, filepath.Base(path)+" from file", Options{}, of, func() (partedProfile, int) { return open(), i })
		}
	}
}

// alike compares what is measured of a trace in parts with what is measured at once. Both
// are asked for anew each time. It returns how many cuts could be made.
func alike(t *testing.T, name string, opt Options, of func() *trace.Trace, cut func() (p partedProfile, i int)) (cuts int) {
	t.Helper()
	whole := of()
	if len(whole.Device) == 0 {
		return 0
	}
	opt.Step.SkipFirst = -1
	whole.Communicate(opt.Communication)
	whole.Families = opt.Families
	once := measure(whole, opt, 1, nobody.together)
	want := once.digest
	p, at := cut()
	total := p.Density(at).Before(math.MaxInt64)
	for _, n := range []int64{2, 3, 12} {
		p, at := cut()
		got, sum, err := (&partReader{p, func(*trace.Stretch) (some, most int64) {
			return total/n + total/100, total/n + total/100 + 1
		}, opt}).measure(context.Background(), at, 1)
		if errors.Is(err, errNoRanges) || errors.Is(err, errAllWork) || errors.Is(err, errLongStep) {
			continue
		}
		do(t, err)
		cuts++
		if sum != want {
			t.Errorf("%s in %d parts: digest %s, want %s", name, n, sum, want)
		}
		sameCapture(t, fmt.Sprintf("%s in %d parts", name, n), &got, &once)
	}
	return cuts
}

// TestPartsOfChance: traces without any order in them give the same in parts.
func TestPartsOfChance(t *testing.T) {
	for seed := range uint64(40) {
		alikeOfChance(t, seed)
	}
	for _, seed := range []uint64{98, 121, 184, 211, 235, 332, 389, 563} { // were not the same before
		alikeOfChance(t, seed)
	}
}

// FuzzPartsOfChance is that of any seed.
func FuzzPartsOfChance(f *testing.F) {
	f.Add(uint64(381))
	f.Fuzz(func(t *testing.T, seed uint64) { alikeOfChance(t, seed) })
}

func alikeOfChance(t *testing.T, seed uint64) {
	t.Helper()
	of := func() *trace.Trace { return chance(seed) }
	alike(t, fmt.Sprint("seed ", seed), Options{}, of, func() (partedProfile, int) { return newInMemory(of()), 0 })
}

// TestPartsAsAsked: nor does it matter what a user asks for.
func TestPartsAsAsked(t *testing.T) {
	softmax, forward := regexp.MustCompile("softmax"), regexp.MustCompile("^forward$")
	own := []*regexp.Regexp{regexp.MustCompile("^gemm$")}
	for name, opt := range map[string]Options{
		"kernel":         {Step: step.Options{Kernel: softmax}},
		"range":          {Step: step.Options{Range: forward}},
		"no such range":  {Step: step.Options{Range: regexp.MustCompile("nothing")}},
		"marker":         {Step: step.Options{Marker: run.Marker{Kind: run.MarkNumbered, Name: "step N"}}},
		"communication":  {Communication: own},
		"families":       {Families: []FamilyRule{{Family: "mine", Name: softmax}}},
		"candidates too": {Candidates: true},
	} {
		of := func() *trace.Trace { return chance(4) }
		if alike(t, name, opt, of, func() (partedProfile, int) { return newInMemory(of()), 0 }) == 0 {
			t.Errorf("%s: not cut", name)
		}
	}
}

// TestPartsUnmarked: steps that are not marked, and a profiler that was off between steps,
// are known from all work that is handed over in any order.
func TestPartsUnmarked(t *testing.T) {
	for name, x := range map[string]struct {
		marked func(step int) bool
		off    bool // nothing was recorded in other steps
		want   string
	}{
		"every second": {func(n int) bool { return n%2 == 0 }, false, `range "step N" with numbers 2 apart`},
		"one is not":   {func(n int) bool { return n != 7 }, false, `range "step N"`},
		"profiler off": {func(n int) bool { return n%3 == 0 }, true, `range "step N"` + run.OwnEnds},
	} {
		for seed := range uint64(12) {
			of := func() *trace.Trace {
				c := chance(seed)
				var in []int // numbers of steps that are not marked
				var period int64
				c.Ranges = slices.DeleteFunc(c.Ranges, func(r trace.Range) bool {
					var n int
					if _, err := fmt.Sscanf(c.Names.Text(r.Name), "step %d", &n); err != nil {
						return false
					}
					if period = r.End - r.Start + 1000; !x.marked(n) {
						in = append(in, n)
						return true
					}
					return false
				})
				if x.off {
					unmarked := func(at int64) bool { return slices.Contains(in, int(at/period)) }
					c.Device = slices.DeleteFunc(c.Device, func(s trace.Span) bool { return unmarked(s.Launch) })
					c.API = slices.DeleteFunc(c.API, func(s trace.Call) bool { return unmarked(s.Start) })
				}
				return c
			}
			whole := of()
			found := step.Find(whole, step.Options{SkipFirst: -1})
			if got := found.Receipt.Marker; got != x.want && len(whole.Device) > 100 {
				t.Errorf("%s, seed %d: marker %s, want %s", name, seed, got, x.want)
			}
			small := newInMemory(whole)
			each := func(add func([]trace.Span)) error { return small.Each(context.Background(), 0, add) }
			got, ok, err := step.FindOutlined(small.small, small.known, step.Options{SkipFirst: -1}, each)
			if do(t, err); !ok {
				t.Errorf("%s, seed %d: not found", name, seed)
			}
			got.Receipt.Second = found.Receipt.Second // is known later
			if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", found); a != b {
				t.Errorf("%s, seed %d: got %s, want %s", name, seed, a, b)
			}
			alike(t, fmt.Sprint(name, ", seed ", seed), Options{}, of, func() (partedProfile, int) { return newInMemory(of()), 0 })
		}
	}
}

// chance is a trace in which nearly everything overlaps.
func chance(seed uint64) *trace.Trace {
	r := rand.New(rand.NewPCG(seed, 1))
	t := &trace.Trace{File: "chance.sqlite", Profiler: trace.NsightSystems, Names: trace.NewNames(), Messages: &trace.Messages{}, Epoch: trace.NoTime}
	t.Recorded = trace.HasDevice | trace.HasLaunches | trace.HasRanges | trace.HasOS | trace.HasMemcpyBytes | trace.HasFileBytes
	name := func(of ...string) trace.NameID { return t.Names.ID(of[r.IntN(len(of))]) }
	const us, steps = 1000, 24
	length := func() int64 { // most are short, some last for steps
		return int64(1+r.IntN(9)) * us * []int64{1, 1, 1, 1, 10, 10, 100, 1000}[r.IntN(8)]
	}
	period := int64(200+r.IntN(3000)) * us
	for i := range int64(steps) {
		at := i * period
		t.Ranges = append(t.Ranges, trace.Range{Start: at, End: at + period - us, Name: t.Names.ID(fmt.Sprint("step ", i)), Thread: 1})
		for range r.IntN([]int{300, 30, 5}[seed%3]) {
			launch := at + r.Int64N(period)
			start := launch + int64(r.IntN(3))*length()
			s := trace.Span{Start: start, End: start + length(), Launch: launch, Stream: int32(r.IntN(4)), Kind: trace.Kernel,
				Name: name("gemm", "relu", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "softmax", "layer_norm")}
			if t.Messages.Kernel(&s, t.Names); r.IntN(5) == 0 {
				s.Kind, s.Class, s.Copy = trace.Memcpy, trace.Memory, trace.CopyKind(1+r.IntN(2))
				s.SetBytes(int64(r.IntN(1e6)))
			}
			t.Device = append(t.Device, s)
			if r.IntN(20) == 0 {
				t.Device = append(t.Device, s) // twice
			}
			end, thread := launch+length(), int32(1+r.IntN(3))
			t.API = append(t.API, t.Names.Call(launch, end,
				name("cudaLaunchKernel", "cudaMemcpyAsync", "cudaFree", "cudaStreamSynchronize", "cudaGetDevice"), thread))
		}
		for range r.IntN(200) {
			start := at + r.Int64N(period)
			end, thread := start+length(), int32(1+r.IntN(4))
			t.OS = append(t.OS, t.Names.Call(start, end, name("read", "pthread_cond_wait", "poll", "ioctl"), thread))
		}
		for range r.IntN(20) {
			start := at + r.Int64N(period)
			t.Ranges = append(t.Ranges, trace.Range{Start: start, End: start + length(),
				Name: name("forward", "backward", "optimizer"), Thread: int32(1 + r.IntN(2))})
			t.Access = append(t.Access, trace.FileAccess{Start: start, End: start + length(),
				Bytes: 1 << 17, Thread: int32(1 + r.IntN(4)), Op: trace.OpRead})
		}
	}
	t.Capture = trace.Interval{Start: -us, End: (steps + 10) * period}
	t.Sort()
	return t
}

// TestPartsOfData: nor does it matter for real profiles.
func TestPartsOfData(t *testing.T) {
	const data = "../../shared/data"
	if _, err := os.Stat(data); err != nil {
		t.Skip("no real profiles: " + data + " is missing")
	}
	for _, path := range profilesIn(t, data) {
		t.Run(filepath.Base(path), func(t *testing.T) { partsAlike(t, path) })
	}
}

// sameCapture compares two captures, not numbers as equal as they are NaN.
func sameCapture(t *testing.T, what string, got, want *capture) {
	t.Helper()
	text := func(c *capture) []byte {
		b, err := Summary(&run.Set{Runs: []run.Run{{Ranks: []run.Rank{c.rank}}}})
		do(t, err)
		return b
	}
	g, w := reflect.ValueOf(got.rank), reflect.ValueOf(want.rank)
	for i := range g.NumField() {
		if a, b := fmt.Sprintf("%+v", g.Field(i)), fmt.Sprintf("%+v", w.Field(i)); a != b {
			t.Errorf("%s: %s: got %.1500s, want %.1500s", what, g.Type().Field(i).Name, a, b)
			return
		}
	}
	if !bytes.Equal(text(got), text(want)) {
		t.Errorf("%s: the saved summaries differ", what)
	}
	if a, b := fmt.Sprintf("%+v", got.comm), fmt.Sprintf("%+v", want.comm); a != b {
		t.Errorf("%s: communication: got %.500s, want %.500s", what, a, b)
	}
	if a, b := fmt.Sprintf("%+v", got.warn), fmt.Sprintf("%+v", want.warn); a != b {
		t.Errorf("%s: warnings: got %.1500s, want %.1500s", what, a, b)
	}
	if a, b := fmt.Sprintf("%+v", got.cuts), fmt.Sprintf("%+v", want.cuts); a != b {
		t.Errorf("%s: cuts differ", what)
	}
}
