package html

import (
	"context"
	"testing"

	"perfdiff/diff/verdict"
)

// coloursOfMap counts the colours of the map of differences, without the gaps between its cells.
const coloursOfMap = `(async () => {
  const el = document.getElementById('c-map-d');
  el.scrollIntoView({block: 'center', behavior: 'instant'});
  let address = null;
  for (let i = 0; i < 500 && !address; i++) {
    const image = el.querySelector('svg image');
    address = image && (image.getAttribute('href') || image.getAttribute('xlink:href'));
    if (!address) await new Promise(r => setTimeout(r, 20));
  }
  const image = new Image();
  await new Promise((done, failed) => { image.onload = done; image.onerror = failed; image.src = address; });
  const canvas = document.createElement('canvas');
  canvas.width = image.width; canvas.height = image.height;
  const c = canvas.getContext('2d');
  c.drawImage(image, 0, 0);
  const px = c.getImageData(0, 0, canvas.width, canvas.height).data, colours = new Set();
  let most = 0;
  for (let i = 0; i < px.length; i += 4) if (px[i + 3] === 255) {
    colours.add([px[i], px[i + 1], px[i + 2]].join());
    most = Math.max(most, Math.max(px[i], px[i + 1], px[i + 2]) - Math.min(px[i], px[i + 1], px[i + 2]));
  }
  return JSON.stringify([colours.size > 0, most < 16, document.querySelectorAll('main .better, main .worse').length]);
})()`

// TestEqualSides: a page of two equal sides has no colour of a change: neither a class of a verdict
// nor anything but grey in the map of differences.
func TestEqualSides(t *testing.T) {
	r := jobReport(4, 19)
	r.Cand = r.Base
	r.SameFiles, r.Judged, r.Findings = true, false, nil
	for i := range r.Ranks {
		r.Ranks[i].Cand = r.Ranks[i].Base
	}
	for i := range r.Steps {
		r.Steps[i].Cand = r.Steps[i].Base
	}
	for _, list := range [][]verdict.Comparison{r.Metrics, r.Parts} {
		for i := range list {
			c := &list[i]
			c.Cand, c.Delta, c.Estimate, c.Verdict, c.Reason = c.Base, 0, 0, verdict.Inconclusive, verdict.ReasonSameFiles
		}
	}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		k.CandTime, k.Delta, k.BeyondNoise = k.BaseTime, 0, false
	}
	s := browser(t)
	ctx, cancel := context.WithTimeout(s.ctx, patience)
	defer cancel()
	if err := open(ctx, saved(t, "equal", written(t, r)), 1440); err != nil {
		t.Fatal(err)
	}
	if got, err := evaluate[string](ctx, coloursOfMap); err != nil || got != "[true,true,0]" {
		t.Errorf("drawn, grey, without classes of verdicts: got %s, %v", got, err)
	}
}
