package render

import (
	"perfdiff/diff/cause"
	"perfdiff/render/words"
)

// Suspect is something that both sides do in another way. It coincides with the change; that it
// causes it is not shown.
type Suspect struct {
	Kind   string       `json:"kind"`   // "loader", "read_call", "aligned", "readers", "request_size"
	Text   string       `json:"text"`   // the same as a sentence
	Names  Both[string] `json:"names"`  // of a loader its range, of a read call its function; "" of others
	Values Both[Number] `json:"values"` // calls a step and rank; a share of bytes; threads at once; bytes; null of a loader
	Times  Both[Number] `json:"times"`  // s a step and rank in that function, over all threads; null of others
}

func suspectDocument(s *cause.Suspect) Suspect {
	return Suspect{
		Kind: string(s.Kind), Text: words.Suspect(s), Names: Both[string]{s.Names[0], s.Names[1]},
		Values: Both[Number]{Number(s.Values[0]), Number(s.Values[1])}, Times: Both[Number]{Number(s.Times[0]), Number(s.Times[1])},
	}
}
