package steplog

import (
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/trace"
)

// setup is what a log says of how much a step does, and where: in its head, as in a dump of arguments, or on each line.
type setup struct {
	values map[string]map[string]int // by fact, how often each value was said
	keys   map[string]string         // facts by names of columns and members, so that each name is looked at once
	batch  float64                   // samples that a step takes over all ranks, as last said; 0: not said
	own    [3]float64                // what a line says beside it of the size of its step
	sizes  map[float64][3]float64    // of what each size was made
}

// Names of what other facts are made of, beside those of package trace.
const (
	saysPlain   = "plain batch" // of a rank, or of all
	saysMicro   = "micro batch"
	saysParts   = "parts of a batch" // steps of accumulation
	saysNodes   = "nodes"
	saysPerNode = "devices of a node"
	// longestHead is in how many lines all is looked for; behind them only the batch is. Chosen, not measured: dumps of
	// arguments have some hundreds. longestModel is in bytes; the names that vendors give GPUs fit.
	longestHead  = 4096
	longestModel = 48
)

// stems are parts of names that say something of the setup, in lower case. The first two are all that is looked for
// behind the head.
var stems = []string{"batch", "seq", "context", "block", "world", "gpus", "accum", "tokens", "samples", "images",
	"precision", "dtype", "param", "node"}

// Words that names of the setup have, and those of something else.
var (
	otherBatch = words("eval evaluation val valid validation test infer inference gen generate generation rollout min " +
		"initial start rampup ramp queue buffer bucket prefetch ppo mini decode cache chunk increment warmup shard group " +
		"tensor pipeline parallel reduce grads optimizer kv")
	ofAll   = words("global total effective overall train")
	ofRank  = words("micro device gpu local instantaneous rank")
	leads   = words("max number of sequence context block gradient grad per")
	ofParts = words("step steps grad gradient batches")
)

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

// factOf returns which fact a name is of, "" of none, from the words of it in lower case.
func factOf(name []string) string {
	has := func(all ...string) bool {
		return !slices.ContainsFunc(all, func(w string) bool { return !slices.Contains(name, w) })
	}
	hasAny := func(of map[string]bool) bool { return slices.ContainsFunc(name, func(w string) bool { return of[w] }) }
	perStep := has("per", "step") || has("per", "iteration") || has("per", "batch")
	switch {
	case slices.ContainsFunc(name, func(w string) bool { return strings.HasPrefix(w, "accum") }):
		if hasAny(ofParts) {
			return saysParts
		}
		return ""
	case hasAny(otherBatch), has("sec"), has("second"):
		return ""
	case has("tokens") && perStep:
		return trace.FactTokens
	case (has("samples") || has("images")) && perStep:
		return trace.FactBatch
	case has("batch", "size") || has("batchsize"):
		switch {
		case has("max"):
			return ""
		case hasAny(ofRank):
			return saysMicro
		case hasAny(ofAll):
			return trace.FactBatch
		}
		return saysPlain
	case has("seq", "len"), has("seq", "length"), has("sequence", "length"), has("seqlen"), has("context", "length"),
		has("block", "size"):
		return trace.FactSequence
	case has("world", "size"), has("gpus") && (has("num") || has("n") || has("number")) && !has("per"):
		return trace.FactWorld
	case (has("gpus") || has("accelerators") || has("devices")) && has("per", "node"):
		return saysPerNode
	case (has("num") || has("n") || has("number")) && has("nodes"), has("nnodes"):
		return saysNodes
	case has("precision"), has("dtype"):
		return trace.FactPrecision
	case has("number", "parameters"), has("num") && (has("params") || has("parameters")), has("n", "params"):
		return trace.FactParameters
	case has("gpu"), has("device"), has("accelerator"):
		return trace.FactGPU
	}
	return ""
}

// wordsOf returns the words of a name in lower case: those of globalBatchSize and global_batch-size are the same.
func wordsOf(name string) []string {
	name = strings.ToLower(camelTo.ReplaceAllString(name, "${1}_$2"))
	return strings.FieldsFunc(name, func(r rune) bool { return r < 'a' || r > 'z' })
}

// Values as they stand behind names: behind a colon, an equals sign, dots, or blanks.
var (
	valueOf = expression(`^(?:\s?\([^)]{0,80}\))?["']?\s*(?:[:=|]|\.{2,})?\s*["']?(?:` +
		`([-+]?\d+(?:,\d+)*(?:\.\d+)?[KMB]?)(?:$|[^\pL\d%/.]|\.(?:\s|$))|([A-Za-z][\w.-]*))`)
	precision = expression(`(?i)^(?:torch\.|jnp\.)?` +
		`(?:(bfloat16|bf16)|(float16|fp16|half|16)|(float32|fp32|32)|(fp8|float8|tf32))(?:[^a-z\d]|$)`)
	isOn     = expression(`\b(bf16|fp16|fp8)["']?\s*(?:[:=]|\.{2,})\s*[Tt]rue\b`)
	gpuModel = expression(`(?:(?:NVIDIA|AMD|Tesla|GeForce|Quadro|Instinct)[ -]` +
		`(?:(?:Tesla|GeForce|Quadro|Instinct|TITAN)[ -])?|` +
		`(?i:gpu|device|accelerator)[a-z_ ]*["']?\s*[:=]\s*["']?)(` +
		`(?:(?:[ABHLPTV]|GH|GB|MI)\d{1,3}[A-Za-z]?|[RG]TX (?:PRO |A)?\d{4})` +
		`(?:[ -](?:SXM\d?|PCI[eE]|NVL\d*|OAM|HBM\d\w?|\d+Gi?B|Ti|SUPER|Ada|Generation|Server|Edition))*)`)
)

// line looks for the setup in a line of text.
func (u *setup) line(s string, lines int) {
	if lines > longestHead {
		if strings.Contains(s, "atch") || strings.Contains(s, "BATCH") {
			u.stem(s, strings.ToLower(s), stems[0])
		}
		if strings.Contains(s, "seq") || strings.Contains(s, "Seq") || strings.Contains(s, "SEQ") {
			u.stem(s, strings.ToLower(s), stems[1])
		}
		return
	}
	lower := strings.ToLower(s)
	if len(lower) != len(s) { // of other letters places would differ
		return
	}
	for _, stem := range stems {
		u.stem(s, lower, stem)
	}
	if strings.Contains(lower, "true") {
		if m := isOn.FindStringSubmatch(s); m != nil {
			u.say(trace.FactPrecision, m[1])
		}
	}
	if m := gpuModel.FindStringSubmatch(s); m != nil {
		u.say(trace.FactGPU, m[1])
	}
}

// stem looks for names with a stem in a line, each with its value.
func (u *setup) stem(s, lower, stem string) {
	if len(lower) != len(s) {
		return
	}
	for from := 0; ; {
		i := strings.Index(lower[from:], stem)
		if i < 0 {
			return
		}
		start, end := nameStart(lower[from:], i)+from, from+i+len(stem)
		for end < len(lower) && lower[end] != '.' && isNameByte(lower[end]) && end-start < 2*longestName {
			end++
		}
		if from = end; end-start > 2*longestName {
			continue
		}
		if m := valueOf.FindStringSubmatch(s[end:min(len(s), end+2*longestName)]); m != nil {
			u.named(s[start:end], m[1]+m[2])
		}
	}
}

// nameStart returns where the name begins that stands about a place in a line in lower case. Words before it, behind a
// blank, are part of it where names of the setup have them.
func nameStart(s string, at int) int {
	for {
		for at > 0 && s[at-1] != ' ' && isNameByte(s[at-1]) {
			at--
		}
		before := strings.TrimRight(s[:at], " ")
		word := before[strings.LastIndexFunc(before, func(r rune) bool { return !(r >= 'a' && r <= 'z' || r == '_') })+1:]
		if len(before) == at || word == "" || !leads[word] && !otherBatch[word] && !ofAll[word] && !ofRank[word] {
			return at
		}
		at = len(before) - len(word)
	}
}

// isNameByte reports whether a byte, in lower case, is one of a name of several words.
func isNameByte(b byte) bool { return b >= 'a' && b <= 'z' || strings.IndexByte("_- .", b) >= 0 }

// named takes what is said under a name.
func (u *setup) named(name, value string) {
	key, ok := u.keys[name]
	if !ok {
		key = factOf(wordsOf(name))
		if u.keys == nil {
			u.keys = map[string]string{}
		}
		if len(u.keys) < mostForms {
			u.keys[name] = key
		}
	}
	switch key {
	case "":
		return
	case trace.FactGPU:
		if m := gpuModel.FindStringSubmatch("gpu: " + value); m != nil {
			u.say(key, m[1])
		}
		return
	case trace.FactPrecision:
		name := strings.ToLower(strings.TrimSpace(name))
		if !strings.HasSuffix(name, "precision") && !strings.HasSuffix(name, "dtype") {
			return
		}
		if m := precision.FindStringSubmatch(value); m != nil {
			for i, name := range []string{"bf16", "fp16", "fp32", strings.ToLower(m[4])} {
				if m[i+1] != "" {
					u.say(key, name)
				}
			}
		}
		return
	}
	scale, digits := 1.0, value
	if key == trace.FactParameters && value != "" {
		if at := strings.IndexByte("KMB", value[len(value)-1]); at >= 0 {
			digits, scale = value[:len(value)-1], []float64{1e3, 1e6, 1e9}[at]
		}
	}
	n, ok := numberOf(digits)
	if v := n.value * scale; ok && v >= 1 && v < 1<<53 {
		switch {
		case key == trace.FactBatch:
			u.batch = v
		case key == saysPlain:
			u.own[0] = v
		case key == saysMicro:
			u.own[1] = v
		case key == trace.FactSequence && strings.Contains(strings.ToLower(name), stems[1]):
			u.own[2] = v
		}
		u.say(key, strconv.FormatFloat(v, 'f', -1, 64))
	}
}

// say notes a value of a fact. Of what takes many values nothing is known, and no more of them are kept.
func (u *setup) say(key, value string) {
	if u.values == nil {
		u.values = map[string]map[string]int{}
	}
	if u.values[key] == nil {
		u.values[key] = map[string]int{}
	}
	value = value[:min(len(value), longestModel)]
	if of := u.values[key]; of[value] > 0 || len(of) < mostSeries {
		of[value]++
	}
}

// value returns what a log mostly says of a fact; "" where no value is said more often than all others.
func (u *setup) value(key string) string {
	all := 0
	for _, n := range u.values[key] {
		all += n
	}
	for v, n := range u.values[key] {
		if 2*n > all {
			return v
		}
	}
	return ""
}

// number returns a fact that is a number, 0 where none is known.
func (u *setup) number(key string) float64 {
	v, err := strconv.ParseFloat(u.value(key), 64)
	if err != nil {
		return 0
	}
	return v
}

// facts returns what the log says of the setup, given the batch and the size of most of its steps.
func (u *setup) facts(batch, size float64) (out []trace.Fact) {
	for i, key := range []string{saysPlain, saysMicro, trace.FactSequence} {
		if v := u.sizes[size][i]; v > 0 { // whatever was said elsewhere
			u.values[key] = map[string]int{strconv.FormatFloat(v, 'f', -1, 64): 1}
		}
	}
	add := func(key, value string) {
		if value != "" {
			out = append(out, trace.Fact{Key: key, Value: value})
		}
	}
	whole := func(v float64) string {
		if !(v > 0) {
			return ""
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	add(trace.FactBatch, whole(batch))
	own := u.number(saysMicro)
	if own == 0 {
		own = u.number(saysPlain)
	}
	if parts := u.number(saysParts); parts > 0 {
		own = float64(own * parts)
	}
	add(trace.FactGPU, u.value(trace.FactGPU))
	add(trace.FactParameters, u.value(trace.FactParameters))
	add(trace.FactPrecision, u.value(trace.FactPrecision))
	add(trace.FactRankBatch, whole(own))
	add(trace.FactSequence, u.value(trace.FactSequence))
	add(trace.FactTokens, u.value(trace.FactTokens))
	world := u.value(trace.FactWorld)
	if world == "" {
		world = whole(float64(u.number(saysNodes) * u.number(saysPerNode)))
	}
	add(trace.FactWorld, world)
	return out
}

// work returns how many items a step takes, if the log says it; else 0.
func (u *setup) work(item string) float64 {
	switch {
	case item == "token":
		return u.number(trace.FactTokens)
	case item != "sample" && item != "?":
		return 0
	case u.number(trace.FactBatch) > 0:
		return u.number(trace.FactBatch)
	}
	return u.number(saysPlain)
}

// size returns what a line says of how much its step does, as one number; 0 of nothing. It is none of an amount.
func (u *setup) size() float64 {
	size := u.batch
	for _, v := range u.own {
		if v > 0 {
			size = float64(max(1, size) * v)
		}
	}
	if _, ok := u.sizes[size]; !ok && len(u.sizes) < mostSeries {
		if u.sizes == nil {
			u.sizes = map[float64][3]float64{}
		}
		u.sizes[size] = u.own
	}
	return size
}

// mostOf returns the number that at least half of the observations say; 0 where there is none, as where each step takes
// what its samples' lengths allow.
func mostOf(list []observation, said func(*observation) float64) (most float64) {
	count := map[float64]int{}
	for i := range list {
		count[said(&list[i])]++
	}
	for v, n := range count {
		if v > 0 && 2*n >= len(list) && (2*n > len(list) || v > most) {
			most = v
		}
	}
	return most
}

// mostBatch returns the batch and the size that most observations are of, and marks those whose step is of another size.
func mostBatch(list []observation) (batch, size float64) {
	sizeOf := func(o *observation) float64 { return o.size }
	most := mostOf(list, sizeOf)
	before := most
	for i := range list {
		o := &list[i]
		o.other = most > 0 && (o.size > 0 && o.size != most || before != most)
		if o.size > 0 {
			before = o.size
		}
	}
	return mostOf(list, func(o *observation) float64 { return o.batch }), most
}
