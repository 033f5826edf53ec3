package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
)

// lead is what to look at first, and where.
type lead struct {
	what, section string
	size          float64 // s a step
}

// sectionNames are what the page calls the sections that a lead points to.
var sectionNames = map[string]string{
	"steps": "Step by step", "ranks": "Ranks", "pipeline": "Pipeline", "io": "Reads", "collectives": "Collectives", "change": "Where the time goes", "gaps": "GPU gaps", "kernels": "Kernels",
}

// leads say of a part of the step why it is looked at, and where.
var leads = map[string]lead{
	"wait":          {what: "who comes late", section: "ranks"},
	"transfer":      {what: "communication: it runs while nothing is computed", section: "collectives"},
	"comm":          {what: "communication: it runs while nothing is computed", section: "collectives"},
	"memory":        {what: "copies: they run while nothing else does", section: "change"},
	"launching":     {what: "launches: they come too late to keep the GPU busy", section: "gaps"},
	"dependency":    {what: "launched work that starts late: the GPU has nothing to do although work was launched", section: "gaps"},
	"synchronizing": {what: "where the host waits for the GPU: nothing is launched meanwhile", section: "gaps"},
	"allocator":     {what: "allocating device memory: the GPU has nothing to do meanwhile", section: "gaps"},
	"host":          {what: "what the host does between launches: the GPU has nothing to do meanwhile", section: "gaps"},
}

// leadOf returns what takes most of a step and is no compute, or the kernels.
func leadOf(p *diff.Portrait) (most lead) {
	compute, replays := 0.0, false
	try := func(x lead) {
		if x.size > most.size {
			most = x
		}
	}
	for i := range p.Report.Waterfall.Parts {
		x := &p.Report.Waterfall.Parts[i]
		switch l := leads[x.Kind]; {
		case x.Kind == "input":
			try(lead{inputLead(p), "io", x.Cand})
		case l.what != "":
			if l.size = x.Cand; x.Kind == "wait" {
				l.what = lateLead(p)
				if v := saving(p, cause.NoWait); v > l.size {
					l.size = v
				}
			}
			try(l)
		case x.Kind == "compute":
			compute, replays = x.Cand, x.Unseen
		}
	}
	for i := range p.Notes {
		switch n := &p.Notes[i]; n.Kind {
		case diff.NoteBubble:
			if n.Size > most.size/2 { // waiting is what it consists of
				most = lead{"the bubble of the pipeline: its stages wait for each other", "pipeline", math.Max(n.Size, most.size)}
			}
		case diff.NoteSpikes:
			if n.Size > most.size/2 { // other parts consist of it
				most = lead{"the " + strings.Replace(spikesOf(n), " take", " that take", 1) + " longer", "steps", math.Max(n.Size, most.size)}
			}
		}
	}
	if most.size >= leastLead*p.Mean || most.size > compute {
		return most
	}
	if replays {
		return lead{"the graph replays: their kernels were not recorded one by one", "kernels", compute}
	}
	if name, share := topKernel(p); share > 0 && !math.IsNaN(p.Step) {
		return lead{"the kernels: " + name + " takes " + wholePercent(share) + " of their time", "kernels", compute}
	}
	return lead{}
}

// inputLead says what is waited for.
func inputLead(p *diff.Portrait) string {
	input, storage := 0.0, 0.0
	for i := range p.Report.Path.Parts {
		switch x := &p.Report.Path.Parts[i]; x.Key.Part {
		case run.PathStorage:
			storage += x.Cand
		case run.PathInput:
			input += x.Cand
		}
	}
	if storage > input {
		return "reading from storage: most of the waiting for input is for it"
	}
	return "the input: the GPU has nothing to do until it comes"
}

// lateLead says who is waited for, and what they do longer.
func lateLead(p *diff.Portrait) string {
	at := slices.IndexFunc(p.Notes, func(n diff.Note) bool { return n.Kind == diff.NoteStraggler })
	if host, _, _ := slowHost(p); at < 0 && host != "" {
		return "the ranks of " + host + ": they compute longer than the others"
	}
	switch {
	case at < 0 && len(p.Report.RankWaits[1]) < 3: // of two ranks either is last
		return "waiting for late ranks"
	case at < 0:
		return "who comes late: no single rank is waited for in most of the time"
	}
	n := &p.Notes[at]
	text := fmt.Sprintf("rank %d", n.Rank.Rank)
	if n.Rank.Host != "" {
		text += " (" + n.Rank.Host + ")"
	}
	switch n.By {
	case "compute":
		return text + ": it computes longer than the others"
	case "input":
		return text + ": it waits longer for input than the others"
	case "host":
		return text + ": its host takes longer than those of the others"
	}
	return text + ": the others wait for it"
}

// saving returns how much shorter a step would be in a scenario, in s; NaN not known.
func saving(p *diff.Portrait, what cause.Scenario) float64 {
	for i := range p.Report.Bounds {
		if b := &p.Report.Bounds[i]; b.If == what {
			return p.Report.Bounds[0].Cand - b.Cand
		}
	}
	return math.NaN()
}

// topKernel returns the kernel that takes most, and its share of the time of all kernels that compute.
func topKernel(p *diff.Portrait) (name string, share float64) {
	most, sum := 0.0, 0.0
	for i := range p.Report.Kernels {
		k := &p.Report.Kernels[i]
		if k.Class == "communication" || !(k.CandTime > 0) {
			continue
		}
		if sum += k.CandTime; k.CandTime > most && k.Others == 0 {
			name, most = k.Name, k.CandTime
		}
	}
	if !(sum > 0) {
		return "", 0
	}
	return kernelIn(p.Report, name), most / sum
}
