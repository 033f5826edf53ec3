package render

import (
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/words"
)

// Reads is what bytes read and written were measured from, and how single reads are
// distributed.
type Reads struct {
	Source string         `json:"source"`       // "storage counters, sum over 2 nodes", "file access events"; "" nothing that both sides have
	Nodes  Both[int]      `json:"nodes"`        // whose counters enter
	Of     Both[int]      `json:"nodes_of"`     // captured
	Has    Both[[]string] `json:"recorded"`     // what either side recorded, the best first
	Unlike bool           `json:"unlike"`       // both recorded something, and nothing that the other did
	Sizes  Both[Spread]   `json:"sizes"`        // of reads that moved bytes, in kept steps: bytes
	Times  Both[Spread]   `json:"durations"`    // of the same, in s
	At     Numbers        `json:"quantiles_at"` // the shares of which quantiles are told
}

// Spread is how single things are distributed.
type Spread struct {
	Count     int64   `json:"count"`     // 0: none was recorded
	Quantiles Numbers `json:"quantiles"` // what a share of them does not exceed; null: none was recorded
}

func readsDocument(r *diff.Report) Reads {
	x := &r.Reads
	return Reads{
		Source: words.ReadSource(x), Nodes: Both[int]{x.Nodes[0], x.Nodes[1]}, Of: Both[int]{x.Of[0], x.Of[1]},
		Has: Both[[]string]{neverNil(x.Has[0]), neverNil(x.Has[1])}, Unlike: x.Unlike,
		Sizes: spreadDocuments(&r.Requests.Sizes), Times: spreadDocuments(&r.Requests.Times), At: numbersOf(cause.SpreadAt[:]),
	}
}

func spreadDocuments(x *[2]cause.Spread) Both[Spread] {
	return Both[Spread]{Spread{x[0].Count, numbersOf(x[0].Quantiles[:])}, Spread{x[1].Count, numbersOf(x[1].Quantiles[:])}}
}

// ReadSide is how a side reads.
type ReadSide struct {
	Burst   Number `json:"burst_rate"` // B/s while reading goes on
	Share   Number `json:"time_share"` // of the step, in which it does
	Readers Number `json:"readers"`    // threads of a rank at once meanwhile; null: not recorded
	Aligned Number `json:"aligned"`    // share of bytes in large aligned requests, as direct reads are; null: not recorded
}

func readSideDocument(s *cause.ReadSide) ReadSide {
	return ReadSide{Number(s.Burst), Number(s.Share), Number(s.Readers), Number(s.Aligned)}
}

func readDetailsDocument(s *cause.ReadDetails) Both[ReadSide] {
	return Both[ReadSide]{readSideDocument(&s.Base), readSideDocument(&s.Cand)}
}
