package pipeline

import (
	"regexp"
	"strconv"
	"strings"
)

// Batch is the forward pass of a micro-batch through a part of the model, as the name of a range
// says.
type Batch struct {
	Number int
	Part   int // number of the part; -1 where the name does not say
}

// scheduled matches the names that PyTorch's torch.distributed.pipelining gives to an action of a schedule, as in
// "PP:2F7": part 2, forward, micro-batch 7. Backward passes have other letters.
var scheduled = regexp.MustCompile(`^PP:(\d{1,6})F(\d{1,6})$`)

// numbered are names of ranges around a forward pass: "Forward 3" of torch.distributed.pipelining,
// "forward microbatch 3", "fwd_mb3", "microbatch 3 forward". The pass must be named and nothing
// else: "forward layer 3" is a part of the model.
var numbered = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^(?:forward|fwd)(?:[ _-]?(?:pass|step))?(?:[ _-]?(?:micro[ _-]?batch|mb))?[ _#:=-]*(\d{1,6})$`),
	regexp.MustCompile(`(?i)^(?:micro[ _-]?batch|mb)[ _#:=-]*(\d{1,6})[ _:/-]*(?:forward|fwd)$`),
}

// BatchOf returns the micro-batch that goes forward in a range with this name; false if the name does not say.
func BatchOf(name string) (b Batch, is bool) {
	if name == "" || !strings.Contains("PFfMm", name[:1]) { // as every expression begins
		return b, false
	}
	if m := scheduled.FindStringSubmatch(name); m != nil {
		b.Part, _ = strconv.Atoi(m[1])
		b.Number, _ = strconv.Atoi(m[2])
		return b, true
	}
	for _, re := range numbered {
		if m := re.FindStringSubmatch(name); m != nil {
			b.Number, _ = strconv.Atoi(m[1])
			return Batch{b.Number, -1}, true
		}
	}
	return b, false
}

// CountBatches returns how many micro-batches go forward on a stage in a step, and through how many
// parts of the model there, 0 where names do not say. It is false where their numbers do not go
// on from 0 or 1: then something else is numbered, or some were not recorded.
func CountBatches(all []Batch) (batches, parts int, known bool) {
	numbers, of := map[int]bool{}, map[int]bool{}
	least := 0
	for i, b := range all {
		if i == 0 || b.Number < least {
			least = b.Number
		}
		numbers[b.Number] = true
		if b.Part >= 0 {
			of[b.Part] = true
		}
	}
	for i := range len(numbers) {
		if !numbers[least+i] {
			return 0, 0, false
		}
	}
	return len(numbers), len(of), len(numbers) > 0 && least <= 1
}
