package metric

import (
	"slices"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// A kernel is launched in what is open on the thread of its launch: ranges, operators and modules.
// Which of them tells the phase, and which the operator or module, is said by their names alone:
// what no name says is not known, and is never concluded from the order of the launches.

// frameKind is what the name of a range, an operator or a module tells about a launch in it.
type frameKind uint8

const (
	frameUnasked frameKind = iota
	framePlain
	frameModule
	frameForward
	frameBackward
	frameOptimizer
	frameAutograd // an operator of the backward pass
)

const (
	modulePrefix   = "nn.Module: "
	autogradPrefix = "autograd::engine::evaluate_function: "
)

// frameKindOf returns the kind of a name as it was recorded.
func frameKindOf(name string) frameKind {
	switch name = kernelname.CanonicalRange(name); {
	case strings.HasPrefix(name, modulePrefix):
		return frameModule
	case strings.HasPrefix(name, autogradPrefix), isAutogradNode(name):
		return frameAutograd
	case strings.Contains(name, "::"): // operators: aten::convolution_backward can be called from anywhere
		return framePlain
	}
	return phaseOfWords(name)
}

// isAutogradNode reports whether a name belongs to a node of PyTorch's autograd: "MulBackward0".
func isAutogradNode(name string) bool {
	name, _, _ = strings.Cut(name, ", ") // "MulBackward0, seq = 4"
	stem, found := strings.CutSuffix(strings.TrimRight(name, "0123456789"), "Backward")
	return found && stem != "" && stem[0] >= 'A' && stem[0] <= 'Z' && !strings.ContainsFunc(stem, func(r rune) bool { return !isLetter(r) && (r < '0' || r > '9') })
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// phaseOfWords returns the phase that a name has as a word, as people write it: "forward", "[pl]DDPStrategy.backward",
// "Optimizer.step#AdamW.step". A name with the words of two phases, such as "forward-backward", tells none.
func phaseOfWords(name string) frameKind {
	found := framePlain
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return !isLetter(r) }) {
		kind := framePlain
		switch strings.ToLower(word) {
		case "forward", "fwd":
			kind = frameForward
		case "backward", "bwd":
			kind = frameBackward
		case "optimizer", "optim":
			kind = frameOptimizer
		}
		if kind != framePlain && found != framePlain && kind != found {
			return framePlain
		}
		if kind != framePlain {
			found = kind
		}
	}
	return found
}

// phase is 1 + the index of one of run.Phases; 0 is none.
type phase uint8

const (
	noPhase phase = iota
	forward
	backward
	optimizer
)

// named returns the name of the phase.
func (p phase) named() run.Phase {
	if p == noPhase {
		return ""
	}
	return run.Phases[p-1]
}

// launchedKey is one way in which a kernel is launched: in the upper half the name of the frame that launches it, or
// 0, and in the lower half the phase above the number of the kernel. As one number it is found in half the time.
type launchedKey uint64

const kernelBits = 30 // of a launchedKey

func keyOfLaunch(in trace.NameID, phase phase, kernel int32) launchedKey {
	return launchedKey(in)<<32 | launchedKey(phase)<<kernelBits | launchedKey(kernel)
}

func (k launchedKey) in() trace.NameID { return trace.NameID(k >> 32) }
func (k launchedKey) phase() phase     { return phase(k >> kernelBits & 3) }
func (k launchedKey) kernel() int      { return int(k & (1<<kernelBits - 1)) }

// launchPlaces adds up kernels by where they were launched.
type launchPlaces struct {
	rank    *Rank
	kinds   []frameKind // by name
	sums    map[launchedKey]*kernelSum
	last    launchedKey // that of lastSum
	lastSum *kernelSum
	inStep  map[trace.NameID]int // in how many steps something with a name launched a kernel
	steps   int
	library map[trace.NameID]bool // domains that were asked for
	threads map[int32]*threadFrames
}

// newLaunchPlaces returns nil where it is not known what ran on the device.
func newLaunchPlaces(r *Rank) *launchPlaces {
	if r.lacks(kindOfWork) {
		return nil
	}
	return &launchPlaces{rank: r, kinds: make([]frameKind, r.Trace.Names.Len()), sums: map[launchedKey]*kernelSum{}, inStep: map[trace.NameID]int{}, library: map[trace.NameID]bool{},
		threads: map[int32]*threadFrames{}}
}

// threadFrames are which of the ranges, and which of the operators and modules, of a step are of a
// thread, in order of start. The lists are used anew in each step: a copy of the ranges took
// 15 MB of a capture with 300,000.
type threadFrames [2][]int32

// openFrames holds the frames that are open on a thread while its launches are gone through.
type openFrames struct {
	all      *[2][]trace.Range // ranges; operators and modules: of all threads
	lists    *threadFrames
	next     [2]int // in the lists
	stack    []trace.Range
	phase    phase
	in       trace.NameID
	backward []trace.Range // of the step's thread, which waits in them
}

// backwardCalls returns the ranges of the step's thread that name the backward pass, in order. The call inside them
// waits for threads of autograd, whose launches lie in no range of their own.
func (l *launchPlaces) backwardCalls(st *trace.Step) (out []trace.Range) {
	list := startingIn(l.rank.Trace.Ranges, 2*st.HostStart-st.HostEnd, st.HostEnd, rangeStart)
	for i := range list {
		if x := &list[i]; x.Thread == l.rank.thread && l.kindOf(x.Name) == frameBackward {
			out = append(out, *x)
		}
	}
	return out
}

// waitsInBackward reports whether the step's thread is in its backward pass. Times come in order.
func (f *openFrames) waitsInBackward(at int64) bool {
	for len(f.backward) > 0 && f.backward[0].End <= at {
		f.backward = f.backward[1:]
	}
	return len(f.backward) > 0 && f.backward[0].Start <= at
}

// addStep adds the work that the threads launched in a step, in order of the launches.
func (l *launchPlaces) addStep(st trace.Step, byThread map[int32]*byLaunch) {
	if l == nil {
		return
	}
	l.steps++
	l.beginStep(byThread)
	all := [2][]trace.Range{l.rank.Trace.Ranges, l.rank.Trace.Ops}
	for k := range all {
		// What the step's marker begins in, and what was launched ahead of it, began before.
		all[k] = startingIn(all[k], 2*st.HostStart-st.HostEnd, st.HostEnd, rangeStart)
		for i := range all[k] {
			if on := l.threads[all[k][i].Thread]; on != nil {
				on[k] = append(on[k], int32(i))
			}
		}
	}
	seen, backward := map[trace.NameID]bool{}, l.backwardCalls(&st)
	for thread, lists := range l.threads {
		l.addThread(&st, byThread[thread].all, openFrames{all: &all, lists: lists, backward: backward}, seen)
	}
	for name := range seen {
		l.inStep[name]++
	}
}

// beginStep empties the lists of the threads, and makes those of threads that launched for the
// first time.
func (l *launchPlaces) beginStep(byThread map[int32]*byLaunch) {
	for _, lists := range l.threads {
		lists[0], lists[1] = lists[0][:0], lists[1][:0]
	}
	for thread, work := range byThread {
		if len(work.all) > 0 && l.threads[thread] == nil {
			l.threads[thread] = new(threadFrames)
		}
	}
}

// addThread adds what one thread launched.
func (l *launchPlaces) addThread(st *trace.Step, work []launchedSpan, f openFrames, seen map[trace.NameID]bool) {
	for i := range work {
		w := &work[i]
		s := &l.rank.Trace.Device[w.span]
		if s.Kind != trace.Kernel && s.Kind != trace.Graph {
			continue
		}
		if f.goTo(w.at) {
			f.phase, f.in = l.placeOf(st, f.stack)
		}
		if f.in != 0 {
			seen[f.in] = true
		}
		phase := f.phase
		if phase == noPhase && f.waitsInBackward(w.at) {
			phase = backward
		}
		sum := l.sumOf(keyOfLaunch(f.in, phase, l.rank.kernels.groupNumber(s.Name)))
		sum.time, sum.launches = sum.time+s.End-s.Start, sum.launches+1
	}
}

// sumOf returns the sum with a key, which often is the last one.
func (l *launchPlaces) sumOf(key launchedKey) *kernelSum {
	if key == l.last && l.lastSum != nil {
		return l.lastSum
	}
	sum := l.sums[key]
	if sum == nil {
		sum = new(kernelSum)
		l.sums[key] = sum
	}
	l.last, l.lastSum = key, sum
	return sum
}

// goTo opens the frames that start up to a time, closes those that ended, and reports whether anything changed.
func (f *openFrames) goTo(at int64) (changed bool) {
	ended := func(x trace.Range) bool { return x.End <= at }
	if slices.ContainsFunc(f.stack, ended) {
		f.stack, changed = slices.DeleteFunc(f.stack, ended), true
	}
	for {
		k, first := -1, int64(0)
		for i, list := range f.lists {
			n := f.next[i]
			if n == len(list) {
				continue
			}
			if start := f.all[i][list[n]].Start; start <= at && (k < 0 || start < first) {
				k, first = i, start
			}
		}
		if k < 0 {
			return changed
		}
		if x := &f.all[k][f.lists[k][f.next[k]]]; x.End > at {
			f.stack, changed = append(f.stack, *x), true
		}
		f.next[k]++
	}
}

// placeOf returns the phase and name that the open frames, the outermost first, give to a launch.
func (l *launchPlaces) placeOf(st *trace.Step, open []trace.Range) (phase phase, in trace.NameID) {
	var inner, module trace.NameID
	for i := len(open) - 1; i >= 0; i-- {
		x := &open[i]
		kind := l.kindOf(x.Name)
		if phase == noPhase {
			phase = phaseOf(kind)
		}
		switch {
		case kind == frameModule && module == 0:
			module = x.Name
		case (kind == framePlain || kind == frameAutograd) && inner == 0 && !holdsStep(x, st) && !l.ofLibrary(x.Domain):
			inner = x.Name
		}
	}
	if module == 0 {
		return phase, inner
	}
	if phase == noPhase { // the profiler records a module while its forward runs
		phase = forward
	}
	return phase, module
}

// phaseOf returns the phase that a frame tells.
func phaseOf(kind frameKind) phase {
	switch kind {
	case frameForward:
		return forward
	case frameBackward, frameAutograd:
		return backward
	case frameOptimizer:
		return optimizer
	}
	return noPhase
}

// kindOf returns the kind of a name, which does not depend on the numbers in it.
func (l *launchPlaces) kindOf(id trace.NameID) frameKind {
	id = l.rank.Trace.Names.Alike(id)
	if l.kinds[id] == frameUnasked {
		l.kinds[id] = frameKindOf(l.rank.Trace.Names.Text(id))
	}
	return l.kinds[id]
}

// libraryDomains are the domains of ranges that libraries put around their own calls: the place of a launch is the
// part of the program that calls them.
var libraryDomains = []string{"NCCL", "RCCL", "MPI", "UCX", "cuBLAS", "cuBLASLt", "cuDNN", "cuFFT", "cuSOLVER", "cuSPARSE", "CCCL", "CUB", "thrust", "TensorRT"}

// ofLibrary reports whether a domain is one of a library.
func (l *launchPlaces) ofLibrary(domain trace.NameID) bool {
	if domain == 0 {
		return false
	}
	is, asked := l.library[domain]
	if !asked {
		name := l.rank.Trace.Names.Text(domain)
		is = slices.ContainsFunc(libraryDomains, func(x string) bool { return strings.EqualFold(x, name) })
		l.library[domain] = is
	}
	return is
}

// holdsStep reports whether a range is the step's marker, or holds the step: it names nothing in it.
func holdsStep(x *trace.Range, st *trace.Step) bool {
	length, period := x.End-x.Start, st.HostEnd-st.HostStart
	return x.Start == st.HostStart || x.Start < st.HostStart && 2*length >= period || 10*length >= 9*period
}

// Launched returns where kernels were launched, once steps were measured and ranges projected; nil: not known.
func (r *Rank) Launched() *run.Launched { return r.launched }

// done returns the sum over the steps; nil where nothing was launched in anything with a name.
func (l *launchPlaces) done() *run.Launched {
	if l == nil || l.steps == 0 {
		return nil
	}
	row, names := l.rank.kernels.rows()
	if len(names) == 0 { // nothing was measured
		return nil
	}
	rows, known := l.rows(row, names)
	if !known {
		return nil
	}
	return &run.Launched{Steps: l.steps, Rows: run.TopLaunchedOf(rows)}
}

// rows returns the sums by the names of their places and by the rows of the kernels, each once. known reports whether
// anything has a phase or a name.
func (l *launchPlaces) rows(row []int32, names []string) (rows []run.LaunchedRow, known bool) {
	texts, called, numbers := map[string]int{"": 0}, []string{""}, map[trace.NameID]int{0: 0}
	numberOf := func(id trace.NameID) int {
		number, asked := numbers[id]
		if !asked {
			text := l.called(id)
			if number, asked = texts[text]; !asked {
				number, called = len(called), append(called, text)
				texts[text] = number
			}
			numbers[id] = number
		}
		return number
	}
	at := make(map[launchedKey]int, len(l.sums))
	rows = make([]run.LaunchedRow, 0, len(l.sums))
	for key, sum := range l.sums {
		known = known || key.phase() != noPhase || key.in() != 0
		number, kernel := numberOf(key.in()), row[key.kernel()]
		as := keyOfLaunch(trace.NameID(number), key.phase(), kernel)
		i, seen := at[as]
		if !seen {
			i = len(rows)
			at[as], rows = i, append(rows, run.LaunchedRow{Phase: key.phase().named(), In: called[number], Kernel: names[kernel]})
		}
		rows[i].Time, rows[i].Launches = rows[i].Time+sum.time, rows[i].Launches+sum.launches
	}
	return rows, known
}

// called returns the name of an operator, a module or a range. Numbers in names that do not come back in most steps
// count occurrences and differ on each side, so they are taken out.
func (l *launchPlaces) called(id trace.NameID) string {
	name := kernelname.CanonicalRange(l.rank.Trace.Names.Text(id))
	if class, found := strings.CutPrefix(name, modulePrefix); found {
		stem := strings.TrimRight(class, "0123456789") // "Linear" of "Linear_3"
		if cut, found := strings.CutSuffix(stem, "_"); found && len(stem) < len(class) && cut != "" {
			return cut
		}
		return class
	}
	name = strings.TrimPrefix(name, autogradPrefix)
	if l.steps > 1 && 2*l.inStep[id] >= l.steps || strings.Contains(name, "::") || isAutogradNode(name) {
		return name
	}
	return withoutNumbers(name)
}

// withoutNumbers returns a name with N in place of each number.
func withoutNumbers(name string) string {
	var out strings.Builder
	inNumber := false
	for _, r := range name {
		digit := r >= '0' && r <= '9'
		if digit && !inNumber {
			out.WriteByte('N')
		} else if !digit {
			out.WriteRune(r)
		}
		inNumber = digit
	}
	return out.String()
}
