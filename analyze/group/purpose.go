package group

import (
	"slices"
	"strings"
)

// dimensionWords are the words of descriptions, in lower case, of process groups in Megatron-LM
// ("TENSOR_MODEL_PARALLEL_GROUP"), of PyTorch's device meshes ("mesh_dp_shard") and of DeepSpeed
// ("sequence_parallel").
var dimensionWords = map[string]Dimension{
	"tensor": Tensor, "tp": Tensor,
	"pipeline": Pipeline, "pp": Pipeline,
	"data": Data, "dp": Data, "ddp": Data, "fsdp": Data, "hsdp": Data,
	"expert": Expert, "ep": Expert, "moe": Expert,
	"context": Context, "cp": Context, "ulysses": Context,
}

// narrower says for pairs of dimensions that a description may name together which of the two the group serves:
// gradients of experts are reduced in a group of data parallelism, and so are those of ranks that hold parts of one
// sequence.
var narrower = map[[2]Dimension]Dimension{
	{Expert, Data}: Data, {Tensor, Expert}: Tensor, {Context, Data}: Data,
}

// described returns the dimension that a description names; Unknown if it names none, or several and it is not known
// which one is meant.
func described(purpose string) Dimension {
	words := strings.FieldsFunc(strings.ToLower(purpose), func(r rune) bool { return r < 'a' || r > 'z' })
	var named []Dimension
	for _, d := range Dimensions {
		if slices.ContainsFunc(words, func(w string) bool { return dimensionWords[w] == d }) {
			named = append(named, d)
		}
	}
	switch len(named) {
	case 1:
		return named[0]
	case 2:
		return narrower[[2]Dimension{named[0], named[1]}]
	}
	return Unknown
}
