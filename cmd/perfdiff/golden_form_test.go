package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
)

// drawingPage is a page that draws these data, with matrices of float32 behind them.
func drawingPage(data string, matrices ...[]float32) []byte {
	raw := []byte(data + "\n")
	for _, m := range matrices {
		for k := range 4 {
			for _, v := range m {
				raw = append(raw, binary.LittleEndian.AppendUint32(nil, math.Float32bits(v))[k])
			}
		}
	}
	var block bytes.Buffer
	z := gzip.NewWriter(&block)
	z.Write(raw)
	z.Close()
	text := base64.StdEncoding.EncodeToString(block.Bytes())
	return fmt.Appendf(nil, `<h1>x</h1><script type="text/plain" id="data">%s</script>`, text)
}

const oneSeries = `{"charts":{"steps":{"option":{"xAxis":[{"data":["1","2","3"]}],"yAxis":[{"min":0,"max":40}],` +
	`"series":[` +
	`{"name":"Baseline","data":[{"value":30},{"value":"-"},{"value":32.5}],"lineStyle":{"color":"$base"}}]}}},` +
	`"ranks":["0","1"],"map":{"columns":2,"metrics":[{"name":"Idle","base":0,"cand":16}]}}`

// TestCharts: each series is a line, and other numbers, in another order, on another axis or
// of another colour are another text.
func TestCharts(t *testing.T) {
	text := func(data string, matrices ...[]float32) string {
		t.Helper()
		out, err := drawnText(drawingPage(data, matrices...))
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	cand := []float32{5, 6, 7, 8}
	whole := text(oneSeries, []float32{1, 2, float32(math.NaN()), 4}, cand)
	for _, want := range []string{
		"steps        Baseline                           $base          2+1         30       32.5         30       32.5  ",
		"steps        axis x                                              3          1          3 ",
		"steps        axis y                                                                               0         40\n",
		"map          Idle, baseline                                    3+1          1          4          1          4  ",
		"map          Idle, candidate                                     4          5          8          5          8  ",
	} {
		if !strings.Contains(whole, want) {
			t.Errorf("got\n%s\nwant in it\n%s", whole, want)
		}
	}
	matrices := [][]float32{{1, 2, 3, 4}, cand}
	same := text(oneSeries, matrices...)
	for _, edit := range [][2]string{
		{`32.5`, `32.6`}, {`30`, `31`}, {`"-"`, `29`}, {`$base`, `$cand`}, {`"max":40`, `"max":50`}, {`"2"`, `"4"`},
		{`"Baseline"`, `"Candidate"`},
	} {
		if text(strings.Replace(oneSeries, edit[0], edit[1], 1), matrices...) == same {
			t.Errorf("%s in place of %s is the same text", edit[1], edit[0])
		}
	}
	if text(oneSeries, []float32{2, 1, 3, 4}, cand) == same {
		t.Error("a map with two cells exchanged is the same text")
	}
	const tag = `<script type="text/plain" id="data">`
	for _, bad := range []string{"", tag + `!</script>`, tag} {
		if _, err := drawnText([]byte(bad)); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// TestMeasures: what is said of a metric is in its line, and everything else has a checksum.
func TestMeasures(t *testing.T) {
	const doc = `{
  "tool": "x",
  "verdict": {"verdict": "improved", "word": "improved", "reason": "decided"},
  "findings": [{"class": "better", "metric": "idle_time", "section": "gaps"}],
  "metrics": [{"metric": "idle_time", "part": "", "verdict": "improved", "reason": "decided", "gate": true,
    "median": {"baseline": 0.5, "candidate": null}, "delta": -0.25,
    "change": {"estimate": -0.5, "low": -0.6, "high": -0}}],
  "kernels": [{"name": "k<1>", "time": {"baseline": 1, "candidate": 2}, "delta": 1,
    "calls": {"baseline": 3, "candidate": 4}, "change": 0.5, "beyond_noise": true}],
  "ranks": [{"rank": 0, "values": {"a": [1]}}],
  "history": [],
  "per": "step"
}`
	short := func(doc string) string {
		t.Helper()
		out, err := measuresText([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	whole := short(doc)
	for _, want := range []string{
		"verdict: improved, improved, decided\nfinding: better idle_time #gaps\n",
		"idle_time                                                       0.5          -      -0.25       -0.5" +
			"       -0.6          0  improved, gates\n",
		"          1          2          1          3          4        0.5  k<1>\n",
		"ranks                    1, checksum ", "history                  none\nper                      \"step\"\n",
	} {
		if !strings.Contains(whole, want) {
			t.Errorf("got\n%s\nwant in it\n%s", whole, want)
		}
	}
	edited := func(from, to string) string { return short(strings.Replace(doc, from, to, 1)) }
	if edited(`"rank": 0`, `"rank": 1`) == whole || edited(`"a": [1]`, `"a": [1], "b": [2]`) != whole {
		t.Error("ranks are held by what is no series of a metric")
	}
	if _, err := measuresText([]byte("x")); err == nil {
		t.Error("no error")
	}
}

var regexpText = regexp.MustCompile(`\(text [0-9a-f]{8}\)`)

// TestPage: the outline has what a reader sees first, and a checksum of the rest.
func TestPage(t *testing.T) {
	const page = `<!doctype html><html><head><style>p{}</style></head><body><h1>Slower.</h1><p class="tag"><svg></svg>Regressed</p>
<ol><li><details><summary><span class="n worse">+1<em>worse</em></span></summary><figcaption><b>Steps.</b> <span>1 to 2 ms.</span></figcaption></details></li></ol>
<section id="gaps"><h2>Gaps?<a href="#gaps">#</a></h2><p class="read">Some.</p><h3 class="sub">All</h3>
<div class="chart" id="c-gaps" aria-label="Lengths"></div>
<div class="scroll" aria-label="Gaps"><table><thead><tr><th>Gap</th><th>Time<small>ms</small></th></tr></thead>
<tbody><tr><th>a</th><td class="worse">1</td></tr></tbody></table></div></section>
<section id="glossary"><h2>Words?</h2></section><dialog><h2>Keys</h2></dialog><script>var x</script></body></html>`
	out, err := outlineText([]byte(page))
	if err != nil {
		t.Fatal(err)
	}
	const want = "Slower.\nRegressed\n  finding worse: +1worse\n    picture: Steps. 1 to 2 ms.\n\n#gaps  Gaps?  (text 00000000)\n" +
		"  Some.\n  -- All\n  chart gaps: Lengths\n" +
		"  table Gaps: 1 rows, 1 worse\n    Gap | Time ms\n\n#glossary  Words?\n"
	if got := regexpText.ReplaceAllString(string(out), "(text 00000000)"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if other, _ := outlineText([]byte(strings.Replace(page, ">1<", ">2<", 1))); bytes.Equal(other, out) {
		t.Error("another number in a cell is the same outline")
	}
}

// TestSeen: what is folded, hidden, or not chosen is not seen; the line that opens it is.
func TestSeen(t *testing.T) {
	const page = `<!doctype html><html><head><title>no words</title><style>p{}</style></head><body><h1>Two words</h1>
<details><summary>three more words</summary><p>not these</p><details><summary>nor this</summary></details><table><tr><td>nor that</td></tr></table></details>
<details open=""><summary>one</summary><p>and two</p><table><tr><td>3</td></tr></table></details>
<section><div class="panel">first</div><div class="panel">second</div></section><p hidden="">gone</p>
<select><option>many</option></select><script>var x</script></body></html>`
	words, tables, err := countSeen([]byte(page))
	if err != nil || words != 10 || tables != 1 {
		t.Errorf("got %d words, %d tables, %v, want 10 words and a table", words, tables, err)
	}
}
