package render

import (
	"perfdiff/diff"
	"perfdiff/render/words"
)

// Gate is the result for a build.
type Gate struct {
	State   string      `json:"state"`   // "passed", "failed", "warned", "more runs" or "not judged"
	Causes  []string    `json:"causes"`  // a sentence each
	Because []GateCause `json:"because"` // the same in numbers, in the order of the sentences
}

// GateCause is one thing that led to the result for a build. What it says nothing of is left out.
type GateCause struct {
	Kind    string `json:"kind"`              // "headline", "regressed", "slower-kernel", "missing-ranks", "findings", …
	Metric  string `json:"metric,omitempty"`  // that regressed or looks worse
	Name    string `json:"name,omitempty"`    // of a kernel, or the kind of findings
	Part    *Alone `json:"part,omitempty"`    // that takes longer beyond its peers
	Side    string `json:"side,omitempty"`    // that lacks ranks or files
	Count   int    `json:"count,omitempty"`   // of ranks, files, warnings or findings
	Change  Number `json:"change,omitzero"`   // of a kernel's time, a fraction
	Call    bool   `json:"call,omitempty"`    // the change is of a call, and not of a step
	Lacks   []Lack `json:"lacks,omitempty"`   // what too little was measured of
	Against string `json:"against,omitempty"` // the anchor, of the comparison with it
	Next    string `json:"next,omitempty"`    // what to do: "record-runs", "see-trend"
}

// Alone is a kernel, a collective or a cause of idle time that takes longer beyond what its
// peers, or what runs, differ by.
type Alone struct {
	Metric string `json:"metric"`
	Part   string `json:"part"`
	Delta  Number `json:"delta"` // s a step
}

// Lack is one reason for which too little was measured.
type Lack struct {
	Allow string `json:"allow"` // what a policy names to allow it: "missing-rank", "few-steps", …
	Side  string `json:"side"`  // that lost ranks or files; "": both have too few steps
	Lost  int    `json:"lost"`  // of its ranks or files
	Of    int    `json:"of"`    // that there should be
	// Of findings that fail by the policy and cannot be found: their kind, and the metric that the side does not hold.
	Kind   string `json:"kind,omitempty"`
	Metric string `json:"metric,omitempty"`
}

func gateDocument(g *diff.Gate) Gate {
	return Gate{string(g.State), neverNil(words.GateCauses(g)), documentsOf(g.Causes, gateCauseDocument)}
}

func gateCauseDocument(c *diff.GateCause) GateCause {
	out := GateCause{Kind: string(c.Kind), Name: c.Name, Side: c.Side, Count: c.Count, Call: c.Call, Next: string(c.Next),
		Lacks: documentsOf(c.Lacks, func(l *diff.Lack) Lack { return Lack{l.Allow, l.Side, l.Lost, l.Of, string(l.Kind), l.Metric} })}
	if c.Change > 0 {
		out.Change = Number(c.Change)
	}
	if c.Of != nil {
		out.Metric = c.Of.Key.Metric
	}
	if x := c.Part; x != nil {
		out.Part = &Alone{x.Metric, x.Part, Number(x.Delta)}
	}
	if c.Against != nil {
		out.Against = words.AnchorAt(c.Against)
	}
	return out
}
