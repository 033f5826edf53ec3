package shard

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Shard is one share of the files of a run set.
type Shard struct {
	Index int  // from 0; below Count
	Count int  // shards in all; 0 with Local, where each machine is one of a number nobody says
	Local bool // all files that this machine sees are its own
	// From names what says so, with values, for messages: an argument or variables. It depends on
	// the launcher, and has no place in what is to be the same on each attempt.
	From string
}

// MaxCount is the most shards of a run set: as many as the six digits in the name of a part tell apart.
const MaxCount = 999_999

// Words that Choose takes instead of I/N.
const (
	Auto  = "auto"  // as launchers say
	Local = "local" // all files that this machine sees
)

// Choose says which shard this process has. arg is what the user asks for: I/N, which is shard I of 0 to N-1, Auto or
// Local. lookup is os.LookupEnv, or an environment in its place. planned is the number of shards in the plan, 0
// without one. The error names the variables that were seen and the remedy: if a share were guessed wrong, nobody or
// two processes would have it.
func Choose(arg string, lookup func(name string) (value string, ok bool), planned int) (Shard, error) {
	env := environment(lookup)
	var s Shard
	var err error
	switch {
	case arg == Local && planned > 0:
		err = errors.New("a plan divides one directory that all see, and local takes what this machine sees: leave one of them out")
	case arg == Local:
		return Shard{Local: true, From: "--shard " + Local}, nil
	case arg == Auto:
		s, err = env.choose(planned)
	default:
		s, err = parse(arg, planned)
	}
	if err != nil {
		return Shard{}, fmt.Errorf("--shard %s: %w", arg, err)
	}
	return s, nil
}

// parse reads I/N.
func parse(arg string, planned int) (Shard, error) {
	before, after, _ := strings.Cut(arg, "/")
	index, count := number(before), number(after)
	switch {
	case index < 0 || count < 0:
		return Shard{}, errors.New("must be I/N, shard I of 0 to N-1 as in 0/8, or auto or local")
	case count == 0 || count > MaxCount:
		return Shard{}, fmt.Errorf("the number of shards must be 1 to %d", MaxCount)
	case index >= count:
		return Shard{}, fmt.Errorf("shards count from 0: %d shards are 0/%d to %d/%d "+
			"(with GNU parallel: seq 0 %d | parallel perfdiff summarize RUNSET --shard {}/%d -o parts/)",
			count, count, count-1, count, count-1, count)
	case planned > 0 && count != planned:
		return Shard{}, fmt.Errorf("the plan has %s: say --shard %d/%d, or make a plan with --shards %d",
			shards(planned), min(index, planned-1), planned, count)
	}
	return Shard{Index: index, Count: count, From: "--shard " + arg}, nil
}

// number reads digits; -1 for what is no number, or one beyond any use.
func number(text string) int {
	if text == "" || len(text) > 9 || strings.Trim(text, "0123456789") != "" {
		return -1
	}
	n, _ := strconv.Atoi(text)
	return n
}

// shards writes "1 shard" and "3 shards".
func shards(n int) string {
	if n == 1 {
		return "1 shard"
	}
	return fmt.Sprintf("%d shards", n)
}
