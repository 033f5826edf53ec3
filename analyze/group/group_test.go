package group

import (
	"reflect"
	"slices"
	"testing"
)

func TestParseRanks(t *testing.T) {
	for _, tt := range []struct {
		text  string
		want  []int
		whole bool
	}{
		{"[0, 1, 2]", []int{0, 1, 2}, true},
		{"[4,0]", []int{0, 4}, true},
		{"[0, 1, ...]", nil, false},
		{"[0, 0]", []int{0, 0}, false},
		{"[]", nil, false},
		{"[-1]", nil, false},
		{"0, 1", nil, false},
		{"", nil, false},
	} {
		if got, whole := ParseRanks(tt.text); whole != tt.whole || whole && !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %v, %v, want %v, %v", tt.text, got, whole, tt.want, tt.whole)
		}
	}
}

func TestKey(t *testing.T) {
	for _, tt := range []struct {
		ranks []int
		want  string
	}{{[]int{0, 1, 2, 3}, "0-3"}, {[]int{0, 4}, "0,4"}, {[]int{0, 1, 4, 5, 9}, "0-1,4-5,9"}, {[]int{1, 4, 7, 10, 13, 16}, "1-16 by 3"}, {nil, ""}} {
		if got := Key(tt.ranks); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.ranks, got, tt.want)
		}
	}
}

func TestDescribed(t *testing.T) {
	for purpose, want := range map[string]Dimension{
		"default_pg":                     Unknown,
		"undefined":                      Unknown,
		"":                               Unknown,
		"TENSOR_MODEL_PARALLEL_GROUP":    Tensor,
		"PIPELINE_MODEL_PARALLEL_GROUP":  Pipeline,
		"MODEL_PARALLEL_GROUP":           Unknown,
		"DATA_PARALLEL_GROUP_WITH_CP":    Data,
		"EXPERT_DATA_PARALLEL_GROUP":     Data,
		"EXPERT_MODEL_PARALLEL_GROUP":    Expert,
		"TENSOR_AND_DATA_PARALLEL_GROUP": Unknown,
		"EMBEDDING_GROUP":                Unknown,
		"mesh_tp":                        Tensor,
		"mesh_dp_shard":                  Data,
		"mesh_dp_shard_cp":               Data,
		"mesh_pp":                        Pipeline,
		"mesh_ep":                        Expert,
		"mesh_cp":                        Context,
	} {
		if got := described(purpose); got != want {
			t.Errorf("%q: got %q, want %q", purpose, got, want)
		}
	}
}

const mib = 1 << 20

// The uses that groups of each dimension make of collectives.
var (
	layers    = Use{Collective: "AllReduce", Calls: 32, Least: 32 * mib, Most: 32 * mib, First: 0.02, Last: 0.93}
	gradients = Use{Collective: "AllReduce", Calls: 6, Least: 3 * mib, Most: 100 * mib, First: 0.45, Last: 0.97}
	norm      = Use{Collective: "AllReduce", Calls: 1, Least: 4, Most: 4, First: 0.98, Last: 0.98}
	stages    = Use{Collective: "SendRecv", Calls: 16, Least: 8 * mib, Most: 8 * mib, First: 0.1, Last: 0.9, Pairs: true, InTurn: true}
	tokens    = Use{Collective: "AllToAll", Calls: 8, Least: 5 * mib, Most: 9 * mib, First: 0.1, Last: 0.9}
)

// strided are groups of size ranks each, at a distance of stride, that make up a world.
func strided(world, size, stride int, uses ...Use) (out []Group) {
	for block := 0; block < world; block += size * stride {
		for i := range stride {
			g := Group{Uses: uses}
			for k := range size {
				g.Ranks = append(g.Ranks, block+i+k*stride)
			}
			out = append(out, g)
		}
	}
	return out
}

func TestClassify(t *testing.T) {
	around := stages
	around.Around = true
	far := stages
	far.Far = true
	edges := stages
	edges.InTurn = false
	alike := tokens
	alike.Least = alike.Most
	first := layers
	first.First = 0.4 // a late stage of a pipeline
	for _, tt := range []struct {
		name   string
		groups []Group
		want   []Dimension // each once, in order of occurrence
	}{
		{"TP2 x DP2 x PP2 as Megatron-LM places them", slices.Concat(strided(8, 2, 1, layers), strided(8, 2, 2, gradients), strided(8, 2, 4, stages)),
			[]Dimension{Tensor, Data, Pipeline}},
		{"the same, with the norm of the gradients over all", append(slices.Concat(strided(8, 2, 1, layers), strided(8, 2, 2, gradients), strided(8, 2, 4, stages)), strided(8, 8, 1, norm)...),
			[]Dimension{Tensor, Data, Pipeline, Unknown}},
		{"TP4 x PP4", slices.Concat(strided(16, 4, 1, layers), strided(16, 4, 4, stages)), []Dimension{Tensor, Pipeline}},
		{"tensor parallelism of a late stage, as others of its shape", append(strided(4, 2, 1, layers), strided(4, 2, 1, first)...), []Dimension{Tensor}},
		{"tensor parallelism with parallel sequences", strided(4, 4, 1, Use{Collective: "AllGather", Calls: 16, Least: mib, Most: mib, First: 0.01, Last: 0.95},
			Use{Collective: "ReduceScatter", Calls: 16, Least: mib, Most: mib, First: 0.03, Last: 0.95}), []Dimension{Tensor}},
		{"FSDP", strided(8, 8, 1, Use{Collective: "AllGather", Calls: 16, Least: mib, Most: 2 * mib, First: 0.01, Last: 0.8},
			Use{Collective: "ReduceScatter", Calls: 8, Least: mib, Most: 2 * mib, First: 0.4, Last: 0.98}), []Dimension{Data}},
		{"gradients alone", strided(8, 8, 1, gradients), []Dimension{Data}},
		{"messages of one size, which may be of layers", strided(8, 8, 1, Use{Collective: "AllReduce", Calls: 2, Least: mib, Most: mib, First: 0.5, Last: 0.9}), []Dimension{Unknown}},
		{"routed tokens", slices.Concat(strided(8, 4, 1, tokens), strided(8, 2, 4, gradients)), []Dimension{Expert, Data}},
		{"all-to-alls of equal size", strided(8, 8, 1, alike), []Dimension{Unknown}},
		{"neighbours exchange what each computed by itself", strided(4, 4, 1, edges), []Dimension{Unknown}},
		{"sends to more than neighbours", strided(4, 4, 1, far), []Dimension{Unknown}},
		{"a ring", strided(4, 4, 1, around), []Dimension{Unknown}},
		{"few numbers only", strided(8, 8, 1, norm), []Dimension{Unknown}},
		{"nothing", strided(8, 8, 1), []Dimension{Unknown}},
		// What serves one dimension in one job serves another in the next, and is not told apart by guessing.
		{"data parallelism of neighbours that reduces buckets of one size all over the step", strided(8, 8, 1, Use{Collective: "AllReduce", Calls: 6, Least: mib, Most: mib, First: 0.4, Last: 0.9}), []Dimension{Unknown}},
		{"context parallelism that gathers keys and values of one size, as tensor parallelism does", strided(4, 4, 1, Use{Collective: "AllGather", Calls: 16, Least: mib, Most: mib, First: 0.01, Last: 0.95}), []Dimension{Unknown}},
		{"context parallelism that exchanges heads, all-to-alls of one size", strided(8, 4, 1, alike), []Dimension{Unknown}},
		{"the same, said", []Group{{Ranks: []int{0, 1, 2, 3}, Purpose: "mesh_cp", Uses: []Use{alike}}}, []Dimension{Context}},
		{"tensor and context parallelism of the same ranks, each said", []Group{{Ranks: []int{0, 1}, Purpose: "mesh_tp", Uses: []Use{layers}}, {Ranks: []int{0, 1}, Purpose: "mesh_cp", Uses: []Use{alike}}},
			[]Dimension{Tensor, Context}},
		{"tensor and context parallelism of the same ranks, one of them said", []Group{{Ranks: []int{0, 1}, Purpose: "mesh_cp", Uses: []Use{layers}}, {Ranks: []int{0, 1}, Uses: []Use{layers}}},
			[]Dimension{Context, Tensor}},
		{"data and expert groups at one distance", append(strided(8, 2, 4, gradients), strided(8, 2, 4, tokens)...), []Dimension{Unknown}},
		{"the same, both said", []Group{{Ranks: []int{0, 4}, Purpose: "DATA_PARALLEL_GROUP", Uses: []Use{gradients}}, {Ranks: []int{0, 4}, Purpose: "EXPERT_MODEL_PARALLEL_GROUP", Uses: []Use{tokens}}},
			[]Dimension{Data, Expert}},
		{"experts that do both in one group", strided(8, 4, 1, tokens, gradients), []Dimension{Unknown}},
		{"routed tokens of few numbers only", strided(8, 4, 1, Use{Collective: "AllToAll", Calls: 8, Least: 16, Most: 48, First: 0.1, Last: 0.9}), []Dimension{Unknown}},
		{"one group, of all ranks, that reduces gradients", strided(8, 8, 1, gradients, norm), []Dimension{Data}},
		{"one group, of all ranks, of a job that sends to neighbours", strided(4, 4, 1, gradients, stages), []Dimension{Unknown}},
		{"a description wins", []Group{{Ranks: []int{0, 1}, Purpose: "mesh_dp", Uses: []Use{layers}}}, []Dimension{Data}},
		{"groups of one shape disagree", append(strided(4, 2, 1, layers), Group{Ranks: []int{4, 5}, Uses: []Use{gradients}}), []Dimension{Unknown}},
	} {
		var got []Dimension
		for _, d := range Classify(tt.groups) {
			if !slices.Contains(got, d) {
				got = append(got, d)
			}
		}
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
