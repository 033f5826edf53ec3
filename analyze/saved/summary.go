package saved

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"perfdiff/analyze/run"
	"perfdiff/analyze/saved/old"
	"perfdiff/analyze/trace"
)

// A saved summary is a run set without its profiles: a line that names format
// and version, a checksum of that line and of what follows, and the rest
// compressed: the set as JSON, and its columns of numbers. Comparing summaries
// gives the bytes that comparing the profiles gives.

const (
	magic   = "perfdiff summary "
	version = "6"
)

// checksum returns the checksum of a summary of version v.
func checksum(v string, packed []byte) [sha256.Size]byte {
	h := sha256.New()
	if !old.ChecksumsBodyOnly(v) {
		h.Write([]byte(magic + v + "\n"))
	}
	h.Write(packed)
	return [sha256.Size]byte(h.Sum(nil))
}

// Whole reports whether data is a saved summary of this version whose checksum is right.
func Whole(data []byte) bool {
	rest, ok := bytes.CutPrefix(data, []byte(magic+version+"\n"))
	return ok && len(rest) >= sha256.Size && checksum(version, rest[sha256.Size:]) == [sha256.Size]byte(rest[:sha256.Size])
}

// Is reports whether a file that begins with head is a saved summary, of any version.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// Marshal returns the set as a saved summary. Equal sets give equal bytes. The set is not changed.
func Marshal(set *run.Set) ([]byte, error) {
	body, err := body(set)
	if err != nil {
		return nil, err
	}
	z, err := newPacker() // not kept: a process writes one summary
	if err != nil {
		return nil, err
	}
	packed := z.EncodeAll(body, nil)
	sum := checksum(version, packed)
	return slices.Concat([]byte(magic+version+"\n"), sum[:], packed), nil
}

// Digest returns a digest of all that a summary of the set holds, hex, but what a store notes of it.
func Digest(set *run.Set) (string, error) {
	bare := *set
	bare.Kept = nil
	body, err := body(&bare)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%x", sha256.Sum256(body)), nil
}

// body returns what is compressed in a summary: the set as JSON, then its columns.
func body(set *run.Set) ([]byte, error) {
	bare := *set
	bare.Runs = slices.Clone(set.Runs)
	e := &encoder{}
	var columns [][]byte // by rank: a job of a thousand has 300 MB, and one list would be copied as it grows
	size := 0
	cut := func() {
		columns, size = append(columns, e.b), size+len(e.b)
		e.b = nil
	}
	for i := range bare.Runs {
		bare.Runs[i].Ranks = slices.Clone(bare.Runs[i].Ranks)
		for j := range bare.Runs[i].Ranks {
			e.rank(&bare.Runs[i].Ranks[j])
			cut()
		}
		bare.Runs[i].Excerpts = e.excerpts(bare.Runs[i].Excerpts)
		cut()
	}
	text, err := json.Marshal(&bare)
	if err != nil {
		return nil, err
	}
	out := &encoder{b: make([]byte, 0, len(text)+binary.MaxVarintLen64+size)}
	out.bytes(text)
	for i := range columns {
		out.b, columns[i] = append(out.b, columns[i]...), nil
	}
	return out.b, nil
}

// rank moves the columns of r to the encoder, and leaves in r what is small.
func (e *encoder) rank(r *run.Rank) {
	steps := r.Steps
	r.Steps = nil
	e.uint(uint64(len(steps)))
	e.steps(steps)
	last := ""
	for _, s := range steps { // mostly empty, or the same as before
		if s.Dropped == last {
			e.bytes(nil)
			continue
		}
		e.bytes([]byte("\x00" + s.Dropped))
		last = s.Dropped
	}
	r.Series = slices.Clone(r.Series)
	for i := range r.Series {
		e.floats(r.Series[i].Values)
		r.Series[i].Values = nil
	}
	c := &r.Activity
	for _, column := range []*[]uint8{&c.Busy, &c.Compute, &c.Comm, &c.Overlap} {
		e.bytes(*column)
		*column = nil
	}
	for _, column := range []*[]float32{&c.Read, &c.Write, &c.Receive, &c.Send} {
		e.floats32(*column)
		*column = nil
	}
}

// stepColumns are the columns of steps.
var stepColumns = []func(*trace.Step) *int64{
	func(s *trace.Step) *int64 { return &s.Number },
	func(s *trace.Step) *int64 { return &s.Start }, func(s *trace.Step) *int64 { return &s.End },
	func(s *trace.Step) *int64 { return &s.HostStart }, func(s *trace.Step) *int64 { return &s.HostEnd },
	func(s *trace.Step) *int64 { return (*int64)(&s.Load.Class) }, func(s *trace.Step) *int64 { return &s.Load.Batch },
	func(s *trace.Step) *int64 { return &s.Load.Tokens }, func(s *trace.Step) *int64 { return &s.Load.Context },
}

// steps writes the columns of steps.
func (e *encoder) steps(steps []trace.Step) {
	column := make([]int64, len(steps))
	for _, of := range stepColumns {
		for i := range steps {
			column[i] = *of(&steps[i])
		}
		e.ints(column)
	}
}

// steps reads them.
func (d *decoder) steps(steps []trace.Step) {
	columns := stepColumns
	if d.old != nil {
		columns = columns[:d.old.StepColumns()]
	}
	for _, of := range columns {
		column := d.ints()
		if len(column) != len(steps) {
			d.fail()
			return
		}
		for i, v := range column {
			*of(&steps[i]) = v
		}
	}
}

// Unmarshal reads a saved summary, and takes the memory that it needs from the budget. The error says what is wrong
// and what to do; it is ErrMemory where the budget is too small. derivations say how to compute what summaries of
// earlier versions leave out.
func Unmarshal(data []byte, derivations old.Derivations, budget *MemoryBudget) (*run.Set, error) {
	head, rest, ok := bytes.Cut(data, []byte("\n"))
	if !ok || !Is(head) {
		return nil, errors.New("not a summary of perfdiff")
	}
	v := strings.TrimPrefix(string(head), magic)
	earlier := old.Open(v, derivations)
	if v != version && earlier == nil {
		return nil, fmt.Errorf("a summary of version %.20q, this perfdiff reads up to version %s "+
			"(make it again with this perfdiff: perfdiff summarize)", v, version)
	}
	if len(rest) < sha256.Size || checksum(v, rest[sha256.Size:]) != [sha256.Size]byte(rest[:sha256.Size]) {
		return nil, errors.New("the summary is damaged: its checksum is another one (copy or make it again)")
	}
	body, err := inflate(rest[sha256.Size:], budget)
	if err != nil {
		return nil, err
	}
	budget.take(int64(len(body))) // it is there: inflate asked
	set, err := decode(body, earlier, budget)
	budget.Bytes += int64(len(body))
	switch {
	case errors.Is(err, ErrMemory):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("the summary holds something else than it should: %w (make it again)", err)
	}
	return set, nil
}

// inflate returns the body of a summary, of at most half of the budget, since it may be copied on
// the way.
func inflate(packed []byte, budget *MemoryBudget) ([]byte, error) {
	return inflateInto(packed, nil, budget)
}

// inflateInto inflates into the memory of into, which is empty, as far as that is enough.
func inflateInto(packed, into []byte, budget *MemoryBudget) ([]byte, error) {
	most := min(budget.Bytes/2, max(minBodyLimit, int64(len(packed))*maxExpansion))
	if most < 1 {
		return nil, ErrMemory
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(uint64(most)), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	body, err := z.DecodeAll(packed, into)
	switch {
	case err == nil:
		return body, nil
	case !tooLong(err):
	case most == budget.Bytes/2:
		return nil, ErrMemory
	default:
		err = fmt.Errorf("%d bytes are said to hold more than %d times as much", len(packed), maxExpansion)
	}
	return nil, fmt.Errorf("the summary cannot be inflated: %w (make it again)", err)
}

// tooLong reports whether decompression ended since the result was longer than allowed.
func tooLong(err error) bool {
	return errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, zstd.ErrWindowSizeExceeded)
}

// decode reads the set in a body; earlier is not nil for an earlier version. If it holds columns that the version does
// not have, its first line names another version than its own.
func decode(body []byte, earlier *old.Reader, budget *MemoryBudget) (*run.Set, error) {
	d := &decoder{b: body, old: earlier, budget: budget}
	set, text := new(run.Set), d.bytes()
	if most, err := decodedSize(text); err != nil {
		return nil, err
	} else if !budget.take(most) {
		return nil, ErrMemory
	}
	if err := json.Unmarshal(text, set); err != nil {
		return nil, err
	}
	for i := range set.Runs {
		for j := range set.Runs[i].Ranks {
			d.rank(&set.Runs[i].Ranks[j])
		}
		d.excerpts(set.Runs[i].Excerpts)
	}
	switch {
	case d.err != nil:
	case len(d.b) > 0:
		d.err = errors.New("there is more behind its end")
	case !digestsAreHex(set):
		d.err = errors.New("a digest in it is none")
	}
	return set, d.err
}

// digestsAreHex reports whether the digests of a set and of its files are digits, as every
// output may show them. Other texts are names, which each output makes fit to be seen.
func digestsAreHex(set *run.Set) bool {
	is := func(digest string) bool { return strings.Trim(digest, "0123456789abcdef") == "" }
	return is(set.Digest) && !slices.ContainsFunc(set.Files, func(f run.File) bool { return !is(f.Digest) })
}

func (d *decoder) rank(r *run.Rank) {
	n := d.count(1)
	if !d.take(n, int(sizeOf[trace.Step]())) {
		return
	}
	steps := make([]trace.Step, n)
	if d.steps(steps); d.err != nil {
		return
	}
	last := ""
	for i := range steps {
		if text := d.bytes(); len(text) > 0 {
			last = string(text[1:])
		}
		steps[i].Dropped = last
	}
	if n > 0 {
		r.Steps = steps
	}
	if d.allSeries(len(steps), r.Series); d.err != nil {
		return
	}
	c := &r.Activity
	for _, column := range []*[]uint8{&c.Busy, &c.Compute, &c.Comm, &c.Overlap} {
		*column = slices.Clone(d.bytes())
		d.take(len(*column), 1)
	}
	for _, column := range []*[]float32{&c.Read, &c.Write, &c.Receive, &c.Send} {
		*column = d.floats32()
	}
}

// allSeries reads the values of a rank's series: one for each step, or none.
func (d *decoder) allSeries(steps int, list []run.Series) {
	for i := range list {
		if d.old != nil {
			list[i].Values = d.oldSeries(list, i)
		} else {
			list[i].Values = d.floats()
		}
		if n := len(list[i].Values); n != steps && n != 0 {
			d.fail()
		}
		if d.err != nil {
			return
		}
	}
	for i := range list { // once nothing is derived from them any more
		list[i].Values = d.shared(list[i].Values)
	}
}

// oldSeries reads series i of an earlier version, which may be predicted from those before it.
func (d *decoder) oldSeries(list []run.Series, i int) []float64 {
	if len(d.b) == 0 || d.b[0] != old.Predicted {
		return d.floats()
	}
	d.byte()
	factor, steps := d.floats(), d.ints()
	if len(factor) != 1 || !d.take(len(steps), 8) {
		d.fail()
		return nil
	}
	values, ok := d.old.Values(list, i, factor[0], steps)
	if !ok {
		d.fail()
	}
	return values
}

// shared returns a list of values, which another series may share.
func (d *decoder) shared(v []float64) []float64 {
	if d.values == nil {
		d.values = newSharedValues()
	}
	return d.values.of(v)
}
