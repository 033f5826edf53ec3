package kineto

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth/kinetotest"
)

// told is all that an event says: what was read of it, and what is made of that.
func told(e *event, n int, err error) string {
	if err != nil || !e.matters {
		return fmt.Sprint(n, err, e.matters, string(e.ph))
	}
	start, ok1 := e.startTime()
	length, ok2 := e.duration()
	return fmt.Sprint(n, rowOf(e), e.isMarker(), e.plain, start, ok1, length, ok2, e.describesMessage(),
		string(e.group), string(e.seq), string(e.ranks))
}

// compareHeads reads every event of a text with what is remembered of those before it,
// without, and member by member, and returns how many heads were known.
func compareHeads(t *testing.T, text []byte) int {
	t.Helper()
	warm, cold := event{heads: new(headCache)}, event{}
	padded := append(slices.Clip(text), bytes.Repeat([]byte{' '}, 8*maxHead)...)
	for at := 0; ; {
		i := bytes.IndexByte(padded[at:], '{')
		if i < 0 {
			return warm.heads.hits
		}
		at += i
		n, err := cold.parse(padded[at:])
		want := told(&cold, n, err)
		n, err = warm.parse(padded[at:])
		if got := told(&warm, n, err); got != want {
			t.Fatalf("at %d, %.400s: got %s, want %s", at, padded[at:], got, want)
		}
		if n, err := cold.parse(padded[at : at+4*maxHead-1]); err != errShort && told(&cold, n, err) != want {
			t.Fatalf("at %d, %.400s: got %s, member by member %s", at, padded[at:], want, told(&cold, n, err))
		}
		if at++; err == nil && bytes.HasPrefix(bytes.TrimLeft(padded[at:], " \n"), []byte(`"ph"`)) {
			at += n - 1
		}
	}
}

// damaged is a text with so many places in it that are others.
func damaged(rng *rand.Rand, text []byte, places int) []byte {
	bits := []string{
		`"`, `\`, `\"`, "{", "}", "[", "]", ",", ":", "", " ", "\n", "0", "99999999999999999999", "-1", "1e3", ".5", "1.2345",
		`"ts": 7, `, `"dur": "8",`, `"pid": 3, `, `"name": "x", `, `"ph": "i", `, `"args": {}, `,
		`"stream": 9, `, `"Collective name": "allreduce", `, `"correlation": 5, `,
		strings.Repeat("x", maxHead), strings.Repeat(" ", maxHead)}
	out := slices.Clone(text)
	for range places {
		at := rng.IntN(len(out))
		out = slices.Replace(out, at, min(at+rng.IntN(4), len(out)), []byte(bits[rng.IntN(len(bits))])...)
	}
	return out
}

// TestHeads: what is remembered of events changes nothing of those that follow, of whole
// texts and of damaged ones.
func TestHeads(t *testing.T) {
	var b bytes.Buffer
	if _, err := kinetotest.Write(&b, 200<<10, 0); err != nil {
		t.Fatal(err)
	}
	check := func(t *testing.T, text []byte, known int) {
		t.Helper()
		if got := compareHeads(t, text); got < known {
			t.Errorf("got %d events whose head is known, want %d at least", got, known)
		}
		for seed := range uint64(8) {
			compareHeads(t, damaged(rand.New(rand.NewPCG(seed, 1)), text, 1+len(text)/2000))
		}
	}
	check(t, b.Bytes(), 300)
	check(t, bytes.ReplaceAll(bytes.ReplaceAll(b.Bytes(), []byte(": "), []byte(":")), []byte("\n"), nil), 300)
	for _, key := range []string{
		"{", `"ph": "`, `"cat": "`, `"cat":`, `"name": "`, `"pid": `, `"ts": `, `"dur": `, `"External id": `, `"correlation": `,
	} {
		for _, long := range []string{"x", "0", " ", `\`, `\"`, `""`} {
			long = strings.Repeat(long, 4*maxHead)
			parts := strings.SplitAfterN(b.String(), key, 9)
			compareHeads(t, []byte(strings.Join(parts[:8], "")+long+parts[8]))
		}
	}
	for _, path := range realFiles(t, "*/*.json.gz") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text := inflate(t, path)
			check(t, text[:min(len(text), 500<<10)], 0)
		})
	}
}

// TestMicros: the quick way to a time gives what the other one gives, or nothing.
func TestMicros(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	digits := func(most int) (s []byte) {
		for range rng.IntN(most + 1) {
			s = append(s, byte('0'+rng.IntN(10)))
		}
		return s
	}
	quick := 0
	for range 20_000 {
		s := digits(20)
		if rng.IntN(2) == 0 {
			s = append(append(s, '.'), digits(5)...)
		}
		if rng.IntN(8) == 0 && len(s) > 0 {
			s[rng.IntN(len(s))] = "/:;-e. ,"[rng.IntN(8)]
		}
		text := append(append(slices.Clone(s), ','), make([]byte, 80)...)
		ns, end := micros(text, 0)
		if end == 0 {
			continue
		}
		quick++
		if want, ok := nanoseconds(text[:end]); !ok || ns != want {
			t.Fatalf("%s: got %d, want %d %v", s, ns, want, ok)
		}
	}
	if quick < 5000 {
		t.Errorf("got %d the quick way, want 5,000 at least", quick)
	}
	if ns, end := micros(append([]byte("1735632360123456.789,"), make([]byte, 80)...), 0); ns != 1735632360123456789 || end != 20 {
		t.Errorf("got %d up to %d", ns, end)
	}
}
