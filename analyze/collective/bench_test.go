package collective

import (
	"fmt"
	"testing"
)

// BenchmarkMatch matches a large run: 64 ranks on 8 hosts, 1,000 steps of 8 collectives.
func BenchmarkMatch(b *testing.B) {
	const nRanks, steps, each = 64, 1000, 8
	kinds := []string{"AllReduce", "AllGather", "ReduceScatter", "AllReduce"}
	ranks, hosts := make([]Rank, nRanks), make([]string, nRanks)
	for r := range ranks {
		hosts[r] = fmt.Sprintf("node%d", r/8)
		for i := range int64(steps) {
			ranks[r].Numbers = append(ranks[r].Numbers, i)
			for k := range int64(each) {
				end := (i*each+k)*10_000_000 + (i*7+int64(r)*3+k)%5*1000
				ranks[r].Spans = append(ranks[r].Spans, Span{Step: int(i), Start: end - 1_000_000 - (i*13+int64(r)*7+k)%11*40_000, End: end,
					UTC: 1_700_000_000_000_000_000 + end, Kind: kinds[k%4], Comm: "0", Ranks: nRanks})
			}
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, c := Match(ranks, hosts, nRanks); c.Matched != nRanks*steps*each {
			b.Fatalf("got %+v", c)
		}
	}
}
