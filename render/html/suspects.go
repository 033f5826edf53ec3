package html

import "perfdiff/render/words"

// maxFirstSuspects is how many things that differ between the sides the first screen tells; the
// section about the environment has all. Chosen, not measured: as many as findings.
const maxFirstSuspects = 5

// tellSuspects adds the differences between the sides other than their times.
func (s *sheet) tellSuspects(f *firstScreen) {
	var all []string
	for i := range s.r.Suspects {
		all = append(all, words.Suspect(&s.r.Suspects[i]))
	}
	f.Suspects, f.SuspectsHead, f.SuspectsNote = all[:min(maxFirstSuspects, len(all))], words.SuspectHeading, words.SuspectNote(s.r)
}

// readsApart says how both sides read differently, for the section about the environment; nil where nothing is known.
func (s *sheet) readsApart() *block {
	b := &block{Heading: "How both sides read", Note: words.SuspectNote(s.r)}
	for i := range s.r.Suspects {
		b.Paragraphs = append(b.Paragraphs, words.Suspect(&s.r.Suspects[i]))
	}
	if len(b.Paragraphs) == 0 {
		return nil
	}
	return b
}
