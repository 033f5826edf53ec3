package main

// helpOf is what perfdiff NAME --help prints.
func helpOf(name string) string { return subHelp[name] }

// subHelp is what each command prints with --help; the texts stand in files of their own.
var subHelp = map[string]string{
	"check":      checkHelp,
	"completion": completionHelp,
	"demo":       demoHelp,
	"gate":       gateHelp,
	"man":        manHelp,
	"merge":      mergeHelp,
	"ncu":        ncuHelp,
	"noise":      noiseHelp,
	"pick":       pickHelp,
	"plan":       planHelp,
	"policy":     policyHelp,
	"record":     recordHelp,
	"report":     reportHelp,
	"steps":      stepsHelp,
	"summarize":  summarizeHelp,
	"trend":      trendHelp,
}
