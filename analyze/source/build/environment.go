package build

import (
	"strconv"
	"strings"
)

// MaxRank bounds rank numbers: what is higher is no rank.
const MaxRank = 1 << 24

// Environment holds the variables of the launched process that name its rank,
// and no others.
type Environment map[string]string

// rankVariables are set by launchers, best first. Each goes with the variable
// that has the number of ranks.
var rankVariables = []struct{ rank, size string }{
	{"SLURM_PROCID", "SLURM_NTASKS"},
	{"PMI_RANK", "PMI_SIZE"},
	{"PMIX_RANK", "OMPI_COMM_WORLD_SIZE"},
	{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
	{"PALS_RANKID", "PMI_SIZE"},
	{"RANK", "WORLD_SIZE"},
}

// Add keeps NAME=value or NAME="value" if it names a rank or a size. The first value of a name counts.
func (e Environment) Add(setting string) {
	name, value, ok := strings.Cut(setting, "=")
	name = strings.TrimSpace(name)
	if !ok || e[name] != "" {
		return
	}
	for _, v := range rankVariables {
		if name == v.rank || name == v.size {
			if value = strings.Trim(strings.TrimSpace(value), `"`); RankNumber(value) >= 0 {
				e[name] = value
			}
			return
		}
	}
}

// Rank returns the rank that the environment names, -1 if none, the number of ranks (0 unknown), and the variable that
// names the rank. mpirun inside a Slurm job passes on the SLURM_PROCID of the job's one task to all of its ranks, so
// its own variables count where they differ; so do torchrun's, which say how many ranks it starts. If these are fewer
// than Slurm's tasks, RANK counts nodes.
func (e Environment) Rank() (rank, size int, from string) {
	rank = -1
	for i, v := range rankVariables {
		n := RankNumber(e[v.rank])
		own := i > 0 && (v.rank != "RANK" || n < RankNumber(e[v.size]) && RankNumber(e[v.size]) >= size)
		if n >= 0 && (rank < 0 || from == "SLURM_PROCID" && own && n != rank) {
			rank, size, from = n, max(RankNumber(e[v.size]), 0), v.rank
		}
	}
	if size <= rank {
		size = 0
	}
	return rank, size, from
}

// RankNumber returns a rank or a number of ranks, -1 for anything else.
func RankNumber(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > MaxRank {
		return -1
	}
	return n
}
