package nsys

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/nsys/table"
)

// payload is what a range of NCCL says about the call, in whatever way the export holds it. Missing numbers are null.
type payload struct {
	comm              string // communicator; "" not there
	dtype             string
	bytes             int64 // of the call's argument on this rank
	count             int64 // elements of it
	ranks, rank, peer int64
	seq               int64
}

func newPayload() payload {
	return payload{bytes: table.Null, count: table.Null, ranks: table.Null,
		rank: table.Null, peer: table.Null, seq: table.Null}
}

// known reports whether anything of NCCL's is in it.
func (p *payload) known() bool {
	return p.comm != "" || p.bytes != table.Null || p.count != table.Null ||
		p.rank != table.Null && p.ranks != table.Null
}

// payloadField is which field of a payload a label names.
type payloadField uint8

const (
	payloadOther payloadField = iota // of no use here
	payloadComm
	payloadBytes
	payloadCount
	payloadType
	payloadRanks
	payloadRank
	payloadPeer
	payloadSeq
)

// membersByLabel are the labels of NCCL's own payloads as they are written, for a quick look.
var membersByLabel = map[string]payloadField{
	"NCCL communicator ID": payloadComm, "Message size [bytes]": payloadBytes, "Reduction operation": payloadOther,
	"No. of ranks": payloadRanks, "Rank": payloadRank, "Peer rank": payloadPeer, "Root": payloadOther, "CUDA device": payloadOther,
}

// memberOf returns what a label stands for: a label of NCCL's own payloads ("NCCL communicator ID", "Message size
// [bytes]", "No. of ranks") or of the advanced trace ("commHash", "seqNumber").
func memberOf(label string) payloadField {
	if m, ok := membersByLabel[label]; ok {
		return m
	}
	switch bare(label) {
	case "ncclcommunicatorid", "communicatorid", "commhash", "comm":
		return payloadComm
	case "messagesizebytes", "messagesize", "bytes":
		return payloadBytes
	case "count":
		return payloadCount
	case "datatype":
		return payloadType
	case "noofranks", "nranks":
		return payloadRanks
	case "rank", "commrank":
		return payloadRank
	case "peerrank", "peer":
		return payloadPeer
	case "seqnumber":
		return payloadSeq
	}
	return payloadOther
}

// set takes a value by its label.
func (p *payload) set(label, value string) { p.setMember(memberOf(label), value) }

// setMember takes a value, whose text may be kept.
func (p *payload) setMember(m payloadField, value string) {
	number := func(into *int64) {
		if n, err := strconv.ParseInt(value, 10, 64); err == nil && n >= 0 {
			*into = n
		}
	}
	switch m {
	case payloadComm:
		p.comm = value
	case payloadBytes:
		number(&p.bytes)
	case payloadCount:
		number(&p.count)
	case payloadType:
		p.dtype = value
		if n, err := strconv.Atoi(value); err == nil && n >= 0 && n < len(ncclTypes) {
			p.dtype = ncclTypes[n]
		}
	case payloadRanks:
		number(&p.ranks)
	case payloadRank:
		number(&p.rank)
	case payloadPeer:
		number(&p.peer)
	case payloadSeq:
		number(&p.seq)
	}
}

// ncclTypes are the types by number (ncclDataType_t in nccl.h).
var ncclTypes = []string{"int8", "uint8", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64", "bfloat16", "float8_e4m3", "float8_e5m2"}

// bare returns a label without case and without all that is no letter or digit.
func bare(label string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		}
		return -1
	}, label)
}

// longestPayload is the longest text or bytes of one payload.
const longestPayload = 4096

// parseJSON reads a payload as nsys writes it with --include-json: an object of
// values by label, perhaps inside another.
func parseJSON(text string) (payload, bool) {
	p := newPayload()
	if len(text) > longestPayload || !strings.HasPrefix(strings.TrimSpace(text), "{") {
		return p, false
	}
	if scanJSON(&p, text) {
		p.comm, p.dtype = strings.Clone(p.comm), strings.Clone(p.dtype)
		return p, p.known()
	}
	return decodeJSON(text)
}

// decodeJSON does what parseJSON does for whatever is JSON.
func decodeJSON(text string) (payload, bool) {
	p := newPayload()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var values map[string]any
	if dec.Decode(&values) != nil {
		return p, false
	}
	p.setAll(values, 2)
	return p, p.known()
}

func (p *payload) setAll(values map[string]any, depth int) {
	for _, label := range slices.Sorted(maps.Keys(values)) { // of two labels with one meaning the same one counts each time
		switch v := values[label].(type) {
		case json.Number:
			p.set(label, v.String())
		case string:
			p.set(label, v)
		case map[string]any:
			if depth > 0 {
				p.setAll(v, depth-1)
			}
		}
	}
}

// schemaKey names the layout of a binary payload. Processes number domains by
// themselves, but the payloads of one library agree.
type schemaKey struct{ domain, schema uint64 }

// layoutField is one value of a binary payload: its label, type and place in bytes.
type layoutField struct {
	label  string
	kind   int64
	offset int64 // null: behind the one before, aligned
}

// The types of entries that NCCL uses or might (nvToolsExtPayload.h), by their
// size in bytes; signed ones are negative.
var entrySizes = map[int64]int{
	3: -2, 4: 2, 5: -4, 6: 4, 7: -8, 8: 8, 9: -8, 10: 8,
	11: -1, 12: 1, 13: -2, 14: 2, 15: -4, 16: 4, 17: -8, 18: 8, 22: 8, 23: 8,
}

// parseBinary reads a payload as nsys writes it with --include-blobs: four
// numbers of 64 bits that name domain, schema, size and offset, and the bytes.
func parseBinary(data string, schemas map[schemaKey][]layoutField) (payload, bool) {
	p := newPayload()
	const header = 32
	if len(data) <= header || len(data) > longestPayload {
		return p, false
	}
	b := []byte(data)
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	layout := schemas[schemaKey{word(0), word(1)}]
	size, at := word(2), uint64(header)
	if from := word(3); from > header && from < uint64(len(b)) {
		at = from
	}
	b = b[at:min(uint64(len(b)), at+min(size, longestPayload))]
	next := 0
	for _, e := range layout {
		signed := entrySizes[e.kind]
		n := max(signed, -signed)
		if n == 0 {
			if e.offset == table.Null {
				break // what follows cannot be placed
			}
			continue
		}
		from := (next + n - 1) / n * n
		if e.offset != table.Null {
			from = int(min(max(e.offset, 0), longestPayload))
		}
		if next = from + n; next > len(b) {
			break
		}
		p.set(e.label, integerText(b[from:next], signed < 0))
	}
	return p, p.known()
}

// integerText returns a little-endian integer as text.
func integerText(b []byte, signed bool) string {
	var wide [8]byte
	copy(wide[:], b)
	v := binary.LittleEndian.Uint64(wide[:])
	if shift := 64 - 8*len(b); signed {
		return fmt.Sprint(int64(v<<shift) >> shift)
	}
	return fmt.Sprint(v)
}

// callBytes returns S of nccl-tests for a call: NCCL's argument is what one rank gives to AllGather, gets from
// ReduceScatter, and sends to one peer in AllToAll, while S counts all ranks. It is 0 where the number of ranks is
// needed and not known.
func callBytes(collective string, bytes, ranks int64) int64 {
	if bytes <= 0 || bytes > math.MaxInt64/build.MaxRank {
		return 0
	}
	switch collective {
	case "AllGather", "ReduceScatter", "AllToAll":
		if ranks <= 0 || ranks > build.MaxRank {
			return 0
		}
		return bytes * ranks
	}
	return bytes
}
