package golden

import "testing"

// TestSeen: what is folded, hidden, or not chosen is not seen; the line that opens it is.
func TestSeen(t *testing.T) {
	const page = `<!doctype html><html><head><title>no words</title><style>p{}</style></head><body><h1>Two words</h1>
<details><summary>three more words</summary><p>not these</p><details><summary>nor this</summary></details><table><tr><td>nor that</td></tr></table></details>
<details open=""><summary>one</summary><p>and two</p><table><tr><td>3</td></tr></table></details>
<section><div class="panel">first</div><div class="panel">second</div></section><p hidden="">gone</p>
<select><option>many</option></select><script>var x</script></body></html>`
	words, tables, err := Seen([]byte(page))
	if err != nil || words != 10 || tables != 1 {
		t.Errorf("got %d words, %d tables, %v, want 10 words and a table", words, tables, err)
	}
}
