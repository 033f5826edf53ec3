package nsys

import (
	"context"
	"encoding/json"
)

// ncclRank is the rank of a process in its largest communicator.
type ncclRank struct{ rank, size int }

// ncclPayload are the values of a communicator's creation, by the labels that
// NCCL gives them.
type ncclPayload struct {
	Rank *int64 `json:"Rank"`
	Size *int64 `json:"No. of ranks"`
}

// ncclRanks finds the rank of each process in the payloads of NCCL's ranges,
// which an export has only with --include-json. The largest communicator is
// the job's; one rank in it is needed, and a second different one says that it
// is not.
func (r *reader) ncclRanks(ctx context.Context) (map[uint64]ncclRank, error) {
	have, err := r.src.columns(ctx, "NVTX_EVENTS")
	if err != nil || !have["jsonText"] || r.facts.export["PARAM_INCLUDE_JSON"] != "true" {
		return nil, err
	}
	var found []ncclRank
	cols := ints("globalTid", "jsonText")
	cols[1].text = func(s string) int64 {
		rank, ok := parseNCCL(s)
		if !ok {
			return null
		}
		found = append(found, rank)
		return int64(len(found) - 1)
	}
	ranks := make(map[uint64]ncclRank)
	err = r.src.scan(ctx, "NVTX_EVENTS", cols, func(b *batch) error {
		for i, at := range b.cols[1][:b.n] {
			if at != null {
				larger(ranks, r.procs.of(b.cols[0][i]).id, found[at])
			}
		}
		found = found[:0]
		return nil
	})
	return ranks, err
}

// larger keeps the rank in the larger communicator.
func larger(ranks map[uint64]ncclRank, process uint64, one ncclRank) {
	known, ok := ranks[process]
	switch {
	case !ok || one.size > known.size:
		ranks[process] = one
	case one.size == known.size && one.rank != known.rank:
		ranks[process] = ncclRank{ambiguous, known.size}
	}
}

func parseNCCL(s string) (ncclRank, bool) {
	const longest = 4096
	if len(s) > longest {
		return ncclRank{}, false
	}
	var p ncclPayload
	if json.Unmarshal([]byte(s), &p) != nil || p.Rank == nil || p.Size == nil {
		return ncclRank{}, false
	}
	if *p.Rank < 0 || *p.Rank >= *p.Size || *p.Size > maxRank {
		return ncclRank{}, false
	}
	return ncclRank{int(*p.Rank), int(*p.Size)}, true
}
