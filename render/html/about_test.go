package html

import (
	"context"
	"strings"
	"testing"

	"perfdiff/diff"
)

// TestBrowserAbout: what was compared opens at the head of the page and closes as a menu does,
// without losing the selection; names stand in charts as text, and long ones leave the page as
// wide as its window.
func TestBrowserAbout(t *testing.T) {
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	r := jobReport(4, 12)
	r.About = diff.About{Title: strings.Repeat("a title ", 12), Names: [2]string{"<b>buffered</b>", strings.Repeat("O_DIRECT", 5)}, Command: "perfdiff baseline candidate --threshold 3%"}
	const at = 1_700_000_000_000_000_000
	r.Base.Captured, r.Cand.Captured = diff.Captured{First: at, Last: at}, diff.Captured{First: at, Last: at + 864e11}
	r.Base.Digest = strings.Repeat("0123456789abcdef", 2)
	for _, width := range []int64{1440, 390} {
		if err := open(ctx, saved(t, "about", written(t, r))+"#steps?step=15", width); err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct{ name, script, want string }{
			{"head", `document.querySelector('.about summary').textContent`, "Captured 2023-11-14 and 2023-11-14 to 2023-11-15"},
			{"closed", `String(document.querySelector('.about').open)`, "false"},
			{"opens", `document.querySelector('.about summary').click(); String(document.querySelector('.about .what').getBoundingClientRect().height > 100)`, "true"},
			{"inside the window", `var b = document.querySelector('.about .what').getBoundingClientRect(); String(b.left >= 0 && b.right <= innerWidth)`, "true"},
			{"command", `document.querySelector('.about code').textContent`, r.About.Command},
			{"digest", `document.querySelector('.about td[title]').textContent + document.querySelector('.about td[title]').title.length`, "0123456789ab32"},
			{"escape closes it alone", `document.querySelector('.about summary').dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true})); document.querySelector('.about').open + location.hash.split('?')[1]`, "falsestep=15"},
			{"a click elsewhere closes it", `document.querySelector('.about summary').click(); document.querySelector('h1').click(); String(document.querySelector('.about').open)`, "false"},
			{"a name in the picture", `String(document.querySelector('#c-first').textContent.includes('<b>buffered</b>'))`, "true"},
			{"a name at a column", `[...document.querySelectorAll('#mtab th')].map(e => e.firstChild.textContent)[1]`, "<b>buffered</b>"},
			{"as wide as the window", `[...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll, .about')).slice(0, 3).map(e => e.tagName + '.' + (e.className.baseVal || e.className) + ' ' + e.textContent.slice(0, 40)).join('; ') + (document.documentElement.scrollWidth <= innerWidth)`, "true"},
		} {
			if got, err := evaluate[string](ctx, tt.script); err != nil || got != tt.want {
				t.Errorf("%d px, %s: got %q, %v; want %q", width, tt.name, got, err, tt.want)
			}
		}
	}
	undrawn, err := evaluate[string](ctx, scrollThrough)
	if err != nil || undrawn != "" {
		t.Errorf("not drawn: %q, %v", undrawn, err)
	}
	for _, c := range s.seen.take() {
		t.Error(c)
	}
}

// TestNoFormThatIsNotThere: whoever reads the page has the page alone.
func TestNoFormThatIsNotThere(t *testing.T) {
	r := jobReport(300, 5)
	if text := written(t, r); strings.Contains(text, "JSON form") || !strings.Contains(text, "are not on this page") {
		t.Error("the page points at what its reader does not have, or leaves nothing out")
	}
}
