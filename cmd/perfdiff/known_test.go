package main

// stillWrong are the mutations to which some answer is wrong until a fault is mended, with the fault. One to
// which all are right has to leave the list.
var stillWrong = map[string]string{
	"every 12th kernel lost with its launch":      "A3: lost rows are judged",
	"every 3rd kernel lost with its launch":       "A3: lost rows pass",
	"every 20th kernel lost":                      "A5: what is not recorded passes",
	"communication not recorded in the candidate": "A5: what is not recorded passes",
	"communication not recorded in the baseline":  "A8: a clause without a premise, and a wait that only one side knows",
	"one step stalls for 100 ms":                  "A1: the mean step is no part of the verdict",
	"one step stalls for 300 ms":                  "A1: the same",
	"one step stalls for 1000 ms":                 "A1: the same",
	"one step stalls for 3000 ms":                 "A1: the same",
	"one step stalls for 10000 ms":                "A1: the same",
	"one step of the baseline stalls for 3 s":     "A1: the same",
	"first 20 steps 10 % slower":                  "A8: \"other parts went the other way\"",
	"every 5th step is an evaluation":             "A20: steps of another kind are not named",
	"ranges of steps overlap":                     "A7: overlapping ranges are taken for nested ones",
	"more is recorded, 8 % slower":                "A4: options of one side are judged",
	"half of the SMs":                             "A6: a machine is its name and memory",
	"half of the SMs, twice as long":              "A6: the same",
	"lower clock, 40 % slower":                    "A6: the same",
	"another host, 8 % slower":                    "A6: other hosts are judged",
	"twice the batch":                             "A15: bytes and blocks are no work",
	"half the batch":                              "A15: the same",
	"clock of the device 3 ms late":               "A18: a late clock of the device is taken for waiting",
	"all times are 10 times as long":              "A17: another unit is said from 100 on",
	"markers removed on one side":                 "A5: what the baseline alone measured passes",
	"steps alone removed on one side":             "A5: the same",
	"graph level on one side":                     "A5: the same",
}

// stillBroken are the laws that the reports of a test break until a fault is mended, by the last part of
// the test's name, with the fault. One that is kept has to leave the list.
var stillBroken = map[string]map[string]string{
	"checkpoint-spikes":  {"nothing slower or missing passes": "A1", "better and worse leave out zero": "point 4: no test between runs"},
	"slower-checkpoints": {"better and worse leave out zero": "point 4: the same"},
	"memory-leak":        {"better and worse leave out zero": "point 4: the same"},
	"level-change":       {"nothing slower or missing passes": "A14"},
	"level-change-input": {"nothing slower or missing passes": "A14"},
	"graphs-vs-eager":    {"nothing slower or missing passes": "A5"},
	"allocator":          {"a finding's number is the difference that it states": numberOfTest},
	"new-kernel":         {"a finding's number is the difference that it states": numberOfTest},
	"o-direct":           {"a finding's number is the difference that it states": numberOfTest},
	"pipeline-bubble":    {"a finding's number is the difference that it states": numberOfTest},
	"several-runs":       {"a finding's number is the difference that it states": numberOfTest},
	"storage-counters":   {"a finding's number is the difference that it states": numberOfTest},
}

const numberOfTest = "the number is the estimate of the test, the sentence has the medians"
