package analyze

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Runs says what the directories of a run set are.
type Runs string

// The readings of directories, and of summaries that are given together.
const (
	RunsByEvidence Runs = ""           // nodes of one run or repeats, as ranks, communicators and clocks say
	RunsAsNodes    Runs = "as-nodes"   // the nodes of one run
	RunsAsRepeats  Runs = "as-repeats" // each is a run
)

// part is what one directory, or one run of a saved summary, says of where it belongs.
type part struct {
	name  string         // of the directory, relative to the run set
	above string         // the directory that it lies in, "" for the run set's own
	ranks map[int]bool   // the numbers that are known
	named bool           // some were read out of names, which may count anew on each node
	less  bool           // some have no number at all
	world int            // 0: not known
	comms map[string]int // ranks of the communicators that it takes part in, 0 not known
	hosts map[string]bool
	from  int64 // UTC ns, of the first capture; 0: not known
	to    int64
}

// newPart is a part without ranks.
func newPart(name, above string) *part {
	return &part{name: name, above: above, ranks: map[int]bool{}, comms: map[string]int{}, hosts: map[string]bool{}}
}

// add takes what a rank says; from and to are its capture, 0 where not known.
func (p *part) add(r *run.Rank, from, to int64) {
	if r.Rank < 0 || r.RankFrom == trace.RankGuessed {
		p.less = true
	} else {
		p.ranks[r.Rank] = true
	}
	p.named = p.named || trace.RankIsNamed(r.RankFrom)
	p.world = max(p.world, r.WorldSize)
	for _, c := range r.Comms {
		p.comms[c.ID] = max(p.comms[c.ID], int(c.Ranks))
	}
	if r.Host != "" {
		p.hosts[r.Host] = true
	}
	if from != 0 && to >= from {
		p.stretch(from, to)
	}
}

func (p *part) stretch(from, to int64) {
	if p.from == 0 || from < p.from {
		p.from = from
	}
	p.to = max(p.to, to)
}

// absorb makes p both parts.
func (p *part) absorb(q *part) {
	for n := range q.ranks {
		p.ranks[n] = true
	}
	for id, n := range q.comms {
		p.comms[id] = max(p.comms[id], n)
	}
	for h := range q.hosts {
		p.hosts[h] = true
	}
	p.named, p.less, p.world = p.named || q.named, p.less || q.less, max(p.world, q.world)
	if q.from != 0 {
		p.stretch(q.from, q.to)
	}
}

// relation is what two parts are to each other.
type relation uint8

const (
	unclear relation = iota
	nodes            // of one run
	repeats          // different runs
	sizes            // runs of jobs of different size
)

// clockDoubt is by how much the clocks of two hosts may differ, in ns: far more than
// where time is kept in step, and less than it takes to start a job again.
const clockDoubt = 10e9

// together reports whether two parts were captured at one time: known is false where
// one does not say. Clocks of different hosts may differ.
func (p *part) together(q *part) (at, known bool) {
	if p.from == 0 || q.from == 0 {
		return false, false
	}
	slack := int64(0)
	if p.apart(q) {
		slack = clockDoubt
	}
	return p.from < q.to+slack && q.from < p.to+slack, true
}

// apart reports whether both parts say their hosts and share none.
func (p *part) apart(q *part) bool {
	return len(p.hosts) > 0 && len(q.hosts) > 0 && !share(p.hosts, q.hosts)
}

func share[K comparable, V any](a, b map[K]V) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for k := range a {
		if _, ok := b[k]; ok {
			return true
		}
	}
	return false
}

// relate is what two parts are to each other, and why as a clause.
//
// A rank is in a run once, so that parts which share one that the profiles themselves
// say are repeats, whenever they were recorded. Numbers out of names may count anew on
// each node. A communicator is of one run; those of the whole job tell runs apart. What
// was captured at one time is one run if its ranks are others, and what was not at one
// time is not one run.
func (p *part) relate(q *part) (relation, string) {
	shared := share(p.ranks, q.ranks)
	numbered := !p.less && !q.less
	at, known := p.together(q)
	switch {
	case p.world > 0 && q.world > 0 && p.world != q.world:
		return sizes, fmt.Sprintf("their jobs have %d and %d ranks", p.world, q.world)
	case shared && !p.named && !q.named:
		return repeats, "they hold the same ranks"
	case share(p.comms, q.comms):
		return nodes, "they take part in one communicator"
	case p.otherWorld(q):
		return repeats, "their communicators are others"
	case numbered && !shared && at:
		return nodes, "they hold different ranks and were captured at one time"
	case known && !at && (shared || !numbered):
		return repeats, "they were captured one after the other"
	case numbered && shared && !known && share(p.hosts, q.hosts): // numbers count anew on other nodes only
		return repeats, "they hold the same ranks of the same hosts"
	case numbered && shared && !known && repeatName.MatchString(p.name) && repeatName.MatchString(q.name):
		return repeats, "they hold the same ranks and are called runs"
	}
	return unclear, p.doubt(q, shared, numbered, at, known)
}

// repeatName is what people call the directory of a repeat. It counts where nothing else
// tells, as in traces without clock and host.
var repeatName = regexp.MustCompile(`(?i)(?:^|[/_.-])(?:run|repeat|repetition|rep|trial|seed|attempt)s?[ _.-]?\d+$`)

// otherWorld reports whether both parts have a communicator of all ranks of the job, and
// share none: each run makes its own.
func (p *part) otherWorld(q *part) bool {
	all := func(x *part) bool {
		for _, n := range x.comms {
			if n > 1 && n == x.world {
				return true
			}
		}
		return false
	}
	return all(p) && all(q)
}

// doubt is why two parts can be both.
func (p *part) doubt(q *part, shared, numbered, at, known bool) string {
	ranks := "they hold different ranks"
	switch {
	case !numbered:
		ranks = "their ranks have no numbers"
	case shared:
		ranks = "they hold the same rank numbers, out of names, which may count anew on each node"
	}
	switch {
	case !known:
		return ranks + ", and nothing says when they were captured"
	case at && p.apart(q):
		return ranks + ", and they were captured at one time on different hosts"
	case at:
		return ranks + ", and they were captured at one time"
	}
	return ranks + ", and they were captured one after the other"
}

// grouping is which parts are one run each.
type grouping struct {
	what   string  // what the parts are: "directories"
	runs   [][]int // indices of parts, in order of the first one's name
	doubt  string  // why it is not known; "" it is
	torn   bool    // parts that evidence joins are different runs
	anew   bool    // parts of one run share numbers, which were out of names: its ranks are not known
	shared string  // names of two such parts
}

// group finds the runs that parts belong to: parts that evidence joins are one, and
// each two of the rest must be different runs. what the parts are is for people.
func group(what string, parts []*part, as Runs) grouping {
	out := grouping{what: what}
	switch as {
	case RunsAsRepeats:
		out.runs = each(parts)
		return out
	case RunsAsNodes:
		out.runs = byDirectory(parts)
		return out
	}
	at := make([]int, len(parts)) // the first part of each one's run
	for i := range parts {
		at[i] = i
		for j := range i {
			if at[i] == at[j] {
				continue
			}
			if r, _ := parts[i].relate(parts[j]); r == nodes {
				from, to := max(at[i], at[j]), min(at[i], at[j])
				for k := range at[:i+1] {
					if at[k] == from {
						at[k] = to
					}
				}
			}
		}
	}
	for first := range parts {
		var run []int
		for i := range parts {
			if at[i] == first {
				run = append(run, i)
			}
		}
		if run != nil {
			out.runs = append(out.runs, run)
		}
	}
	out.check(parts)
	return out
}

// each makes a run of each part.
func each(parts []*part) (runs [][]int) {
	for i := range parts {
		runs = append(runs, []int{i})
	}
	return runs
}

// byDirectory makes a run of the parts that lie in one directory.
func byDirectory(parts []*part) (runs [][]int) {
	at := map[string]int{}
	for i, p := range parts {
		n, ok := at[p.above]
		if !ok {
			n = len(runs)
			at[p.above], runs = n, append(runs, nil)
		}
		runs[n] = append(runs[n], i)
	}
	return runs
}

// check looks for what speaks against the runs that were found.
func (g *grouping) check(parts []*part) {
	whole := make([]*part, len(g.runs))
	for i, run := range g.runs {
		whole[i] = newPart(parts[run[0]].name, "")
		for n, k := range run {
			if r, why := whole[i].relate(parts[k]); n > 0 && (r == repeats || r == sizes) {
				g.torn = true
				g.say(whole[i], parts[k], "others join them, and "+why)
			}
			if share(whole[i].ranks, parts[k].ranks) && !g.anew {
				g.anew, g.shared = true, whole[i].name+" and "+parts[k].name
			}
			whole[i].absorb(parts[k])
		}
		for j := range i {
			switch r, why := whole[j].relate(whole[i]); r {
			case unclear:
				g.say(whole[j], whole[i], why)
			case nodes:
				g.say(whole[j], whole[i], "each alone tells nothing, and together "+why)
			case sizes:
				if g.doubt == "" {
					g.doubt = fmt.Sprintf("the %s %s and %s are neither nodes of one run nor repeats: %s",
						g.what, whole[j].name, whole[i].name, why)
				}
			}
		}
	}
}

// say keeps the first doubt.
func (g *grouping) say(a, b *part, why string) {
	if g.doubt == "" {
		g.doubt = fmt.Sprintf("the %s %s and %s are either nodes of one run or repeats: %s", g.what, a.name, b.name, why)
	}
}

// runsHint is what decides where evidence does not.
const runsHint = "say which: --runs as-nodes (one run) or --runs as-repeats (each a run)"

// doubts are what is not known of a set that was grouped so.
func (g *grouping) doubts() []run.Doubt {
	switch {
	case g.doubt != "":
		return []run.Doubt{{Of: run.OfRuns, Text: g.doubt, Hint: runsHint}}
	case g.anew:
		return []run.Doubt{{Of: run.OfRanks, Hint: rankNameHint, Text: fmt.Sprintf(
			"the %s %s are nodes of one run and hold the same rank numbers, which count anew on each node", g.what, g.shared)}}
	}
	return nil
}

// rankNameHint is what to do where numbers out of names are no ranks.
const rankNameHint = "say where names hold the rank: --rank-name REGEX with a group rank, " +
	"and a group node where ranks count anew on each"

// nameOf is what a run of parts is called: as their directory where it is all that is
// in it.
func (g *grouping) nameOf(n int, parts []*part, label string) string {
	run := g.runs[n]
	first := parts[run[0]]
	if len(run) == 1 {
		return cmp.Or(first.name, label)
	}
	beside := 0
	for _, p := range parts {
		if p.above == first.above {
			beside++
		}
	}
	inside := !slices.ContainsFunc(run, func(i int) bool { return parts[i].above != first.above })
	if inside && beside == len(run) {
		return cmp.Or(first.above, label)
	}
	var names []string
	for _, i := range run[:min(len(run), 3)] {
		names = append(names, parts[i].name)
	}
	if more := len(run) - 3; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, "+")
}

// mostComms bounds the communicators that are kept of a rank: one that many runs
// share is found among few, and jobs make thousands.
const mostComms = 16

// communicators are those of NCCL that a trace's kernels belong to, the largest first.
// The process groups of PyTorch have names that all runs of a program give them, and
// are none.
func communicators(t *trace.Trace) []run.Communicator {
	if !strings.HasPrefix(t.Format, "nsys") {
		return nil
	}
	sizes := map[trace.NameID]int32{}
	for i := range t.Device {
		if x := t.Messages.Of(&t.Device[i]); x.Comm != 0 {
			sizes[x.Comm] = max(sizes[x.Comm], x.Ranks)
		}
	}
	var out []run.Communicator
	for id, n := range sizes {
		if name := t.Names.Text(id); len(name) >= leastID && strings.Trim(name, "0123456789abcdefABCDEFx") == "" {
			out = append(out, run.Communicator{ID: name, Ranks: n})
		}
	}
	slices.SortFunc(out, func(a, b run.Communicator) int {
		return cmp.Or(cmp.Compare(b.Ranks, a.Ranks), strings.Compare(a.ID, b.ID))
	})
	return out[:min(len(out), mostComms)]
}

// leastID is how long an id that is drawn from 64 bits is at least; a shorter one is a
// number that somebody counted. Chosen, not measured: of numbers of 64 bits fewer than
// one in a billion have fewer digits.
const leastID = 8
