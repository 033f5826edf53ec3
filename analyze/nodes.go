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

// The meanings of directories, and of summaries that are given together.
const (
	RunsByEvidence Runs = ""           // nodes of one run or repeats, as ranks, communicators and clocks say
	RunsAsNodes    Runs = "as-nodes"   // the nodes of one run
	RunsAsRepeats  Runs = "as-repeats" // each is a run
)

// setPart is a directory of a run set, or a run of a saved summary, with what tells whether it is a run or a node of
// one.
type setPart struct {
	name            string         // of the directory, relative to the run set
	parent          string         // directory above it, "" for the run set's own
	ranks           map[int]bool   // rank numbers, as far as known
	ranksFromNames  bool           // some numbers are from names, and may count anew on each node
	someWithoutRank bool           // some captures have no number at all
	world           int            // 0: not known
	comms           map[string]int // number of ranks in each of its communicators, 0 not known
	hosts           map[string]bool
	from            int64 // UTC ns, of the first capture; 0: not known
	to              int64
}

// newPart returns a part without ranks.
func newPart(name, above string) *setPart {
	return &setPart{name: name, parent: above, ranks: map[int]bool{}, comms: map[string]int{}, hosts: map[string]bool{}}
}

// add adds a rank. from and to are when it was captured, in UTC ns; 0 where not known.
func (p *setPart) add(r *run.Rank, from, to int64) {
	if r.Rank < 0 || r.RankFrom == trace.RankGuessed {
		p.someWithoutRank = true
	} else {
		p.ranks[r.Rank] = true
	}
	p.ranksFromNames = p.ranksFromNames || trace.RankIsNamed(r.RankFrom)
	p.world = max(p.world, r.WorldSize)
	for _, c := range r.Comms {
		p.comms[c.ID] = max(p.comms[c.ID], int(c.Ranks))
	}
	if r.Host != "" {
		p.hosts[r.Host] = true
	}
	if from != 0 && to >= from {
		p.addTime(from, to)
	}
}

func (p *setPart) addTime(from, to int64) {
	if p.from == 0 || from < p.from {
		p.from = from
	}
	p.to = max(p.to, to)
}

// merge adds everything of q to p.
func (p *setPart) merge(q *setPart) {
	for n := range q.ranks {
		p.ranks[n] = true
	}
	for id, n := range q.comms {
		p.comms[id] = max(p.comms[id], n)
	}
	for h := range q.hosts {
		p.hosts[h] = true
	}
	p.ranksFromNames, p.someWithoutRank, p.world = p.ranksFromNames || q.ranksFromNames, p.someWithoutRank || q.someWithoutRank, max(p.world, q.world)
	if q.from != 0 {
		p.addTime(q.from, q.to)
	}
}

// partRelation is how two parts belong together.
type partRelation uint8

const (
	unclearRelation partRelation = iota
	nodesOfOneRun                // nodes of one run
	differentRuns                // runs of one job
	differentSizes               // runs of jobs with different numbers of ranks
)

// clockDoubt is how much the clocks of two hosts may differ, in ns: far more than hosts with
// synchronized clocks do, and less than it takes to start a job again.
const clockDoubt = 10e9

// sameTime reports whether two parts were captured at the same time. known is false if one of
// them does not say when. The clocks of different hosts may differ.
func (p *setPart) sameTime(q *setPart) (at, known bool) {
	if p.from == 0 || q.from == 0 {
		return false, false
	}
	slack := int64(0)
	if p.onOtherHosts(q) {
		slack = clockDoubt
	}
	return p.from < q.to+slack && q.from < p.to+slack, true
}

// onOtherHosts reports whether both parts say their hosts and have none in common.
func (p *setPart) onOtherHosts(q *setPart) bool {
	return len(p.hosts) > 0 && len(q.hosts) > 0 && !shareKey(p.hosts, q.hosts)
}

// shareKey reports whether two maps have a key in common.
func shareKey[K comparable, V any](a, b map[K]V) bool {
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

// relate says how two parts belong together, and why, as a clause.
//
// A rank is in a run once. So parts that share a rank number are repeats, whenever they were recorded, if the profiles
// themselves say the numbers; numbers out of names may count anew on each node. A communicator belongs to one run; if
// both parts have one of the whole job and these differ, they are different runs. Parts with different ranks are one
// run if they were captured at the same time, and different runs if not.
func (p *setPart) relate(q *setPart) (partRelation, string) {
	shared := shareKey(p.ranks, q.ranks)
	numbered := !p.someWithoutRank && !q.someWithoutRank
	at, known := p.sameTime(q)
	switch {
	case p.world > 0 && q.world > 0 && p.world != q.world:
		return differentSizes, fmt.Sprintf("their jobs have %d and %d ranks", p.world, q.world)
	case shared && !p.ranksFromNames && !q.ranksFromNames:
		return differentRuns, "they hold the same ranks"
	case shareKey(p.comms, q.comms):
		return nodesOfOneRun, "they take part in one communicator"
	case p.otherJob(q):
		return differentRuns, "their communicators are others"
	case numbered && !shared && at:
		return nodesOfOneRun, "they hold different ranks and were captured at one time"
	case known && !at && (shared || !numbered):
		return differentRuns, "they were captured one after the other"
	case numbered && shared && !known && shareKey(p.hosts, q.hosts): // numbers count anew on other nodes only
		return differentRuns, "they hold the same ranks of the same hosts"
	case numbered && shared && !known && repeatName.MatchString(p.name) && repeatName.MatchString(q.name):
		return differentRuns, "they hold the same ranks and are called runs"
	}
	return unclearRelation, p.whyUnclear(q, shared, numbered, at, known)
}

// repeatName matches what people call the directory of a repeat. It counts only if nothing else
// decides, as for traces without clock and host.
var repeatName = regexp.MustCompile(`(?i)(?:^|[/_.-])(?:run|repeat|repetition|rep|trial|seed|attempt)s?[ _.-]?\d+$`)

// otherJob reports whether both parts have a communicator of all ranks of the job, and not the
// same: each run makes its own.
func (p *setPart) otherJob(q *setPart) bool {
	all := func(x *setPart) bool {
		for _, n := range x.comms {
			if n > 1 && n == x.world {
				return true
			}
		}
		return false
	}
	return all(p) && all(q)
}

// whyUnclear says why it is unclear how two parts belong together.
func (p *setPart) whyUnclear(q *setPart, shared, numbered, at, known bool) string {
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
	case at && p.onOtherHosts(q):
		return ranks + ", and they were captured at one time on different hosts"
	case at:
		return ranks + ", and they were captured at one time"
	}
	return ranks + ", and they were captured one after the other"
}

// runGrouping says which parts form one run.
type runGrouping struct {
	what         string  // the word for the parts: "directories"
	runs         [][]int // indices of the parts of each run, in order of the first one's name
	doubt        string  // why the grouping is doubtful; "" if it is not
	contradicts  bool    // some parts of one run are different runs by other evidence
	ranksUnknown bool    // parts of one run share numbers from names, so that ranks are not known
	sharingParts string  // names of two such parts
}

// groupParts finds the runs that parts belong to: parts that evidence connects are one run, and
// any two of different runs must be known to be different. what is the word for the parts.
func groupParts(what string, parts []*setPart, as Runs) runGrouping {
	out := runGrouping{what: what}
	switch as {
	case RunsAsRepeats:
		out.runs = oneRunEach(parts)
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
			if r, _ := parts[i].relate(parts[j]); r == nodesOfOneRun {
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

// oneRunEach makes a run of each part.
func oneRunEach(parts []*setPart) (runs [][]int) {
	for i := range parts {
		runs = append(runs, []int{i})
	}
	return runs
}

// byDirectory makes a run of the parts in each directory. If each directory holds one part, as with n1/prof and
// n2/prof, the directories are the nodes, and all parts are one run; otherwise the answer "nodes of one run" would
// make them repeats.
func byDirectory(parts []*setPart) (runs [][]int) {
	at, alone := map[string]int{}, true
	for i, p := range parts {
		_, met := at[p.parent]
		at[p.parent], alone = i, alone && !met
	}
	clear(at)
	for i, p := range parts {
		above := p.parent
		if alone {
			above = ""
		}
		n, ok := at[above]
		if !ok {
			n = len(runs)
			at[above], runs = n, append(runs, nil)
		}
		runs[n] = append(runs[n], i)
	}
	return runs
}

// check looks for evidence against the runs that were found.
func (g *runGrouping) check(parts []*setPart) {
	whole := make([]*setPart, len(g.runs))
	for i, run := range g.runs {
		whole[i] = newPart(parts[run[0]].name, "")
		for n, k := range run {
			if r, why := whole[i].relate(parts[k]); n > 0 && (r == differentRuns || r == differentSizes) {
				g.contradicts = true
				g.addDoubt(whole[i], parts[k], "others join them, and "+why)
			}
			if shareKey(whole[i].ranks, parts[k].ranks) && !g.ranksUnknown {
				g.ranksUnknown, g.sharingParts = true, whole[i].name+" and "+parts[k].name
			}
			whole[i].merge(parts[k])
		}
		for j := range i {
			switch r, why := whole[j].relate(whole[i]); r {
			case unclearRelation:
				g.addDoubt(whole[j], whole[i], why)
			case nodesOfOneRun:
				g.addDoubt(whole[j], whole[i], "each alone tells nothing, and together "+why)
			case differentSizes:
				if g.doubt == "" {
					g.doubt = fmt.Sprintf("the %s %s and %s are neither nodes of one run nor repeats: %s",
						g.what, whole[j].name, whole[i].name, why)
				}
			}
		}
	}
}

// addDoubt notes a doubt about two parts, if there is none yet.
func (g *runGrouping) addDoubt(a, b *setPart, why string) {
	if g.doubt == "" {
		g.doubt = fmt.Sprintf("the %s %s and %s are either nodes of one run or repeats: %s", g.what, a.name, b.name, why)
	}
}

// runsHint is the remedy if evidence does not decide.
const runsHint = "say which: --runs as-nodes (one run) or --runs as-repeats (each a run)"

// doubts returns the doubts about a set with this grouping.
func (g *runGrouping) doubts() []run.Doubt {
	switch {
	case g.doubt != "":
		return []run.Doubt{{About: run.DoubtRuns, Text: g.doubt, Hint: runsHint}}
	case g.ranksUnknown:
		return []run.Doubt{{About: run.DoubtRanks, Hint: rankNameHint, Text: fmt.Sprintf(
			"the %s %s are nodes of one run and hold the same rank numbers, which count anew on each node", g.what, g.sharingParts)}}
	}
	return nil
}

// rankNameHint is the remedy if numbers out of names are no ranks.
const rankNameHint = "say where names hold the rank: --rank-name REGEX with a group rank, " +
	"and a group node where ranks count anew on each"

// nameOf returns the name of a run: the name of its directory, if the directory holds nothing else.
func (g *runGrouping) nameOf(n int, parts []*setPart, label string) string {
	run := g.runs[n]
	first := parts[run[0]]
	if len(run) == 1 {
		return cmp.Or(first.name, label)
	}
	beside := 0
	for _, p := range parts {
		if p.parent == first.parent {
			beside++
		}
	}
	inside := !slices.ContainsFunc(run, func(i int) bool { return parts[i].parent != first.parent })
	if inside && beside == len(run) {
		return cmp.Or(first.parent, label)
	}
	return partNames(parts, run, 3, "+")
}

// maxCommunicators bounds the communicators that are kept of a rank. Jobs make thousands; one
// that many ranks share is among the largest.
const maxCommunicators = 16

// communicators returns NCCL's communicators of a trace's kernels, the largest first. Process
// groups of PyTorch are left out: all runs of a program give them the same names.
func communicators(t *trace.Trace) []run.Communicator {
	if t.Profiler != trace.NsightSystems {
		return nil
	}
	sizes := map[trace.NameID]int32{}
	all := t.Messages.All()
	for i := range all {
		if x := &all[i]; x.Comm != 0 {
			sizes[x.Comm] = max(sizes[x.Comm], x.Ranks)
		}
	}
	var out []run.Communicator
	for id, n := range sizes {
		if name := t.Names.Text(id); len(name) >= minIDLength && strings.Trim(name, "0123456789abcdefABCDEFx") == "" {
			out = append(out, run.Communicator{ID: name, Ranks: n})
		}
	}
	slices.SortFunc(out, func(a, b run.Communicator) int {
		return cmp.Or(cmp.Compare(b.Ranks, a.Ranks), strings.Compare(a.ID, b.ID))
	})
	return out[:min(len(out), maxCommunicators)]
}

// minIDLength is the least length of an id that was drawn from 64 bits. A shorter id is a
// number that counts something. Chosen, not measured: of numbers of 64 bits fewer than
// one in a billion have fewer digits.
const minIDLength = 8
