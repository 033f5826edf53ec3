package nsys

import (
	"context"
	"regexp"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/trace"
)

// ranks holds what tables say about the ranks of processes.
type ranks struct {
	nccl    map[uint64]ncclRank // by process
	mpi     map[uint64]int
	threads []threadName
}

// ambiguous stands for a process with two different ranks.
const ambiguous = -1

// readRanks reads the tables that name ranks.
func (r *reader) readRanks(ctx context.Context) (ranks, error) {
	all := ranks{mpi: make(map[uint64]int)}
	err := r.spare(ctx, r.src.Scan(ctx, "MPI_RANKS", table.Ints("globalTid", "rank"), func(b *table.Batch) {
		for i := range b.N {
			if rank := b.Cols[1][i]; rank >= 0 && rank <= build.MaxRank {
				agree(all.mpi, r.procs.of(b.Cols[0][i]).id, int(rank))
			}
		}
	}))
	if err != nil {
		return all, err
	}
	err = r.spare(ctx, r.src.Scan(ctx, "ThreadNames", table.Ints("globalTid", "nameId"), func(b *table.Batch) {
		for i := range b.N {
			r.nameThread(threadName{r.procs.of(b.Cols[0][i]).id, thread(b.Cols[0][i]), r.words.id(b.Cols[1][i]), false})
		}
	}))
	if err != nil {
		return all, err
	}
	all.threads = r.threads
	return all, r.spare(ctx, r.readPayloads(ctx))
}

// agree notes a process's rank, or that two were named.
func agree(byProcess map[uint64]int, process uint64, rank int) {
	if known, ok := byProcess[process]; ok && known != rank {
		rank = ambiguous
	}
	byProcess[process] = rank
}

var mpiThread = regexp.MustCompile(`^MPI Rank (\d+)$`)

// threadRank returns the rank that the names of a process's threads tell.
func (k ranks) threadRank(w *words, process uint64) (int, string) {
	found, name := make(map[uint64]int), ""
	for _, t := range k.threads {
		if t.process != process {
			continue
		}
		if m := mpiThread.FindStringSubmatch(w.text[t.name]); m != nil && build.RankNumber(m[1]) >= 0 {
			agree(found, process, build.RankNumber(m[1]))
			name = m[0]
		}
	}
	if rank, ok := found[process]; ok {
		return rank, name
	}
	return -1, ""
}

// of returns the identity of a process from the best source. The environment is that of the process that was launched,
// perhaps the parent of several ranks; alone says that the file has only one process.
func (k ranks) of(r *reader, p *process, alone bool) trace.Identity {
	id := trace.Identity{Rank: -1, Device: -1, Process: p.systemID(), Host: r.facts.system["Hostname"], Report: r.facts.export["INPUT_FILE"]}
	envRank, envSize, envFrom := r.facts.env.Rank()
	id.WorldSize = envSize
	if nccl, ok := k.nccl[p.id]; ok && nccl.rank >= 0 {
		id.Rank, id.RankFrom, id.WorldSize = nccl.rank, "NCCL communicator", nccl.size
		return id
	}
	if rank, ok := k.mpi[p.id]; ok && rank >= 0 {
		id.Rank, id.RankFrom = rank, "MPI_RANKS"
	} else if rank, name := k.threadRank(r.words, p.id); rank >= 0 {
		id.Rank, id.RankFrom = rank, "thread name "+name
	} else if alone && envRank >= 0 {
		id.Rank, id.RankFrom = envRank, envFrom
	}
	if !alone || id.WorldSize <= id.Rank {
		id.WorldSize = 0
	}
	return id
}
