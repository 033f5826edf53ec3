// The timeline of a step on both sides: what is shown of it, and its bars.
// Times of bars are ticks of data.timeline.tick; from and to are in the timeline's unit.
var timeline = { view: 0, from: 0, to: 0, zoomed: false, picked: null, hovered: null, match: null, hits: [], hit: -1, find: '', step: null, kernel: null, toldKernel: false };

// Numbers of size bytes, byte plane by byte plane.
function planes(at, n, size) {
  var out = new Uint32Array(n);
  for (var k = size - 1; k >= 0; k--) for (var i = 0; i < n; i++) out[i] = out[i] * 256 + bytes[at + k * n + i];
  return out;
}
// A rank's bars as columns; they are unpacked when the rank is first drawn.
function barsOf(r) {
  if (r.bars) return r.bars;
  var at = r.at, n = r.n, b = r.bars = { lane: shares(at, n), track: shares(at + n, n) };
  at += 2 * n;
  [['name', 2], ['start', 4], ['length', 4], ['ahead', 4], ['wait', 4]].forEach(function (c) { b[c[0]] = planes(at, n, c[1]); at += c[1] * n; });
  for (var i = 1; i < n; i++) b.start[i] += b.start[i - 1];
  return r.bars;
}
// The step of a side that the view shows, null if it has none.
function stepOf(side) {
  var i = data.timeline.views[timeline.view].steps[side];
  return i < 0 ? null : data.timeline.steps[side][i];
}
// Ranks that are drawn on both sides: the selected one, if any side has it. Else those that the
// view is about, or the one that arrives last and one that waits.
function ranksShown() {
  var steps = [stepOf(1), stepOf(0)].filter(Boolean), about = data.timeline.views[timeline.view].ranks, out = about.filter(has);
  function has(rank) { return steps.some(function (s) { return s.ranks.some(function (r) { return r.rank === rank; }); }); }
  if (selected.rank != null && has(data.numbers[selected.rank])) return [data.numbers[selected.rank]];
  if (out.length > 1) return out;
  for (var i = 0; i < 3; i++) steps.forEach(function (s) { if (s.ranks[i] && out.indexOf(s.ranks[i].rank) < 0) out.push(s.ranks[i].rank); });
  return out.length > 2 ? [out[0], out[2]] : out;
}
function stripsOf(side) {
  var step = stepOf(side);
  if (!step) return [];
  return ranksShown().map(function (n) { return step.ranks.filter(function (r) { return r.rank === n; })[0]; }).filter(Boolean);
}
function timelineEnd() {
  var end = 0;
  [0, 1].forEach(function (side) { stripsOf(side).forEach(function (r) { end = Math.max(end, r.length); }); });
  return end || 1;
}
// What is seen: all, or what the reader zoomed to as far as it is there.
function timeWindow() {
  var end = timelineEnd(), least = 20 * data.timeline.tick;
  if (!timeline.zoomed || timeline.from >= end) return { from: 0, to: end, end: end };
  var to = Math.min(end, Math.max(timeline.to, timeline.from + least));
  return { from: Math.max(0, Math.min(timeline.from, to - least)), to: to, end: end };
}
function barName(b, i) { return data.timeline.names[b.name[i]]; }

// A step that is selected on the page is shown, if there is a timeline of it.
function followStep() {
  if (timeline.step === selected.step) return;
  timeline.step = selected.step;
  if (selected.step == null) return;
  var number = data.steps[selected.step], found = -1;
  data.timeline.views.forEach(function (v, i) {
    var both = [0, 1].filter(function (side) { return v.steps[side] >= 0 && data.timeline.steps[side][v.steps[side]].number === number; }).length;
    if (both && !v.ranks.length && (found < 0 || both === 2)) found = i;
  });
  if (found >= 0 && found !== timeline.view) showView(found);
  else if (found < 0) tellBar('Step ' + number + ' has no timeline here: the list above names the steps that have one.');
}
function showView(i) {
  timeline.view = i; timeline.zoomed = false; timeline.picked = timeline.hovered = timeline.match = null;
  byId('tlview').value = i;
  findBars();
}
function tellBar(s) { byId('tlbar').textContent = s; }
