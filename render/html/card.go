package html

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/render/words"
)

// A card is a finding as a place: it has an address, and opens where it stands into what the
// finding was read from. Its pictures are drawn by script/card.js, and the sentence above each
// says the same without one.
type card struct {
	ID       string      // the address: "f-straggler-3"
	Evidence string      // what the finding stands on; "" the sentence says it
	Advice   string      // what to do, or to record, next; "" nothing
	Places   string      // in the profiles, where it is to be seen; "" nowhere
	Profiles [][2]string // commands that record the kernels that it blames, each with what must be known of it
	Figures  []cardFigure
	More     []cardLink // the sections that show more
}

// cardFigure is a picture of a card: the text above it, and what is drawn.
type cardFigure struct {
	Heading, Sentence string
	figure            figure
}

// cardLink goes to a section, with what the finding is about selected.
type cardLink struct{ Address, Text string }

// addCards gives each finding of the first screen its card, once all sections are there.
func (s *sheet) addCards(f *firstScreen, sections []section) {
	names, taken := map[string]string{}, map[string]int{}
	for _, sec := range sections {
		names[sec.ID] = sec.Nav
	}
	s.data.Cards = map[string][]figure{}
	for i, found := range words.Findings(s.r) {
		c := &f.Findings[i].Card
		c.ID = addressOf(found.Finding, s.few(found.Ranks))
		if taken[c.ID]++; taken[c.ID] > 1 {
			c.ID += "-" + strconv.Itoa(taken[c.ID])
		}
		c.Evidence, c.Advice, c.Figures = found.Evidence, found.Advice, s.figuresOf(&found)
		c.Places = strings.Join(found.Places, "; ")
		for k := range found.Profiles {
			command, note := words.Ncu(&found.Profiles[k])
			c.Profiles = append(c.Profiles, [2]string{command, note})
		}
		for _, id := range slices.Compact(append([]string{found.Section}, moreOf[found.Kind]...)) {
			if names[id] != "" {
				c.More = append(c.More, cardLink{"#" + id + selectionOf(found.Finding), names[id]})
			}
		}
		for k := range c.Figures {
			s.data.Cards[c.ID] = append(s.data.Cards[c.ID], c.Figures[k].figure)
		}
	}
}

// addressOf returns the anchor of a finding on the page: its kind, and what tells it from others of the kind, in
// letters and digits that an address can hold.
func addressOf(f *cause.Finding, ranks []int) string {
	const mostRanks, mostLetters = 4, 32 // chosen for addresses that people can read
	out := "f-" + string(f.Kind)
	if part := plain(f.Part); part != "" {
		out += "-" + part[:min(len(part), mostLetters)]
	}
	for _, rank := range ranks[:min(len(ranks), mostRanks)] {
		out += "-" + strconv.Itoa(max(rank, 0))
	}
	return strings.TrimRight(out, "-")
}

// few returns the ranks that a finding names; nil if that is all of them.
func (s *sheet) few(ranks []int) []int {
	if len(ranks) >= len(s.r.Ranks) {
		return nil
	}
	return ranks
}

// plain returns the letters and digits of a name, all others as one hyphen.
func plain(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return strings.Join(words, "-")
}

// selectionOf returns what an address selects for a finding: its rank and its step, if it is about one.
func selectionOf(f *cause.Finding) string {
	var q []string
	if len(f.Ranks) == 1 && f.Ranks[0] >= 0 {
		q = append(q, "rank="+strconv.Itoa(f.Ranks[0]))
	}
	if len(f.Steps) > 0 {
		q = append(q, fmt.Sprintf("step=%d", f.Steps[0]))
	}
	if len(q) == 0 {
		return ""
	}
	return "?" + strings.Join(q, "&")
}

// moreOf are sections that show more of a kind of finding than the one that it names.
var moreOf = map[policy.Kind][]string{
	policy.KindStraggler: {"rank-steps", "collectives"}, policy.KindLateRanks: {"rank-steps", "collectives"},
	policy.KindSpike: {"timeline"}, policy.KindSharedSpike: {"timeline"}, policy.KindInputWait: {"timeline"},
	policy.KindCompute: {"kernels"}, policy.KindKernelAlone: {"timeline"}, policy.KindPipelineBubble: {"timeline"},
	policy.KindLevelChange: {"rank-steps"}, policy.KindDrift: {"distribution"},
}

// figuresOf returns the pictures of a finding: those of its kind, then those that every finding has.
func (s *sheet) figuresOf(f *words.Finding) []cardFigure {
	var out []cardFigure
	add := func(list ...*cardFigure) {
		for _, x := range list {
			if x != nil {
				out = append(out, *x)
			}
		}
	}
	key := keyOf(f.Finding)
	switch f.Kind {
	case policy.KindStraggler, policy.KindLateRanks:
		add(s.stragglerFigures(f)...)
	case policy.KindSpike, policy.KindSharedSpike:
		add(s.spikeFigures(f)...)
	case policy.KindLevelChange, policy.KindDrift, policy.KindWarmUp, policy.KindJitter, policy.KindOtherSteps:
		add(s.courseFigures(f)...)
	case policy.KindPipelineBubble:
		add(s.bubbleFigures()...)
	case policy.KindCompute, policy.KindKernelAlone, policy.KindOtherKernel, policy.KindCall:
		add(s.kernelFigures(f)...)
		add(s.ranksFigure(key, f), s.stepsFigure(key, f))
	case policy.KindCommunication, policy.KindWait, policy.KindTransfer,
		policy.KindCollectiveAlone, policy.KindCollectiveSpread, policy.KindCollectiveTail:
		add(s.networkFigures(f)...)
		add(s.ranksFigure(key, f))
	case policy.KindInputWait, policy.KindIdle, policy.KindIdleCause, policy.KindReadThroughput, policy.KindReadBursts,
		policy.KindGapBefore, policy.KindMemory, policy.KindPageableCopies:
		add(s.stepOfBoth(f), s.stepsFigure(key, f), s.ranksFigure(key, f))
	default:
		add(s.stepsFigure(key, f), s.ranksFigure(key, f))
	}
	add(intervalFigure(f))
	return out
}

// keyOf returns the series that a finding is measured in, as ranks have their values.
func keyOf(f *cause.Finding) string {
	if f.Part == "" {
		return f.Metric
	}
	return f.Metric + "/" + f.Part
}
