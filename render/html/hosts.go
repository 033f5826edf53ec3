package html

import (
	"perfdiff/diff"
)

// ranksBesideNodes is how many single ranks stand in charts of nodes. Chosen, not measured: as
// many as a reader compares at once.
const ranksBesideNodes = 5

// hostRanks is a host and its ranks, with their places in the report.
type hostRanks struct {
	name   string
	rows   []diff.RankRow
	places []int
}

// ranksByHost groups the ranks by host, in order of each host's first rank. Groups have the
// names that tables have.
func (s *sheet) ranksByHost() []hostRanks {
	var out []hostRanks
	at := map[string]int{}
	for i := range s.r.Ranks {
		h := hostOf(&s.r.Ranks[i])
		k, known := at[h]
		if !known {
			k = len(out)
			at[h] = k
			out = append(out, hostRanks{name: h})
		}
		out[k].rows, out[k].places = append(out[k].rows, s.r.Ranks[i]), append(out[k].places, i)
	}
	for k := range out {
		out[k].name = nameOfHost(out[k].rows)
	}
	return out
}

// nameOfHost returns the host of ranks for tables: on both sides, where these differ.
func nameOfHost(ranks []diff.RankRow) string {
	name := pairText(&ranks[0], func(k *diff.RankSide) string { return k.Host })
	for i := range ranks[1:] {
		if pairText(&ranks[i+1], func(k *diff.RankSide) string { return k.Host }) != name {
			return orDash(hostOf(&ranks[0])) + " \u2192 several"
		}
	}
	if name == orDash("") {
		return "host not recorded"
	}
	return name
}

// barsOf says whose the bars of a chart are: the place of a rank, or -1 less the number of a host.
type barsOf struct {
	Bars []int `json:"bars"`
	Each any   `json:"each,omitempty"` // of a chart of boxes: what its values are of
}

// showHosts lets a chart of hosts and a few ranks mark and select the ranks of its bars.
func (s *sheet) showHosts(d *chartData, whose []int) {
	of := barsOf{Bars: whose}
	if extra, ok := d.Extra.(map[string]any); ok {
		of.Each = extra["each"]
	}
	d.Pick, d.Title, d.Extra = "bar", "", of
	if len(s.data.HostOf) > 0 {
		return
	}
	s.data.HostOf = make([]int, len(s.r.Ranks))
	for k, host := range s.ranksByHost() {
		for _, i := range host.places {
			s.data.HostOf[i] = k
		}
	}
}
