// Moving through the timeline: wheel, drag, two fingers, keys; what a bar is; the address.
function repaint() {
  if (timeline.waiting) return;
  timeline.waiting = true;
  requestAnimationFrame(function () { timeline.waiting = false; if (plots.timeline) draw('timeline'); });
}
function showTime(from, to) {
  var end = timelineEnd(), span = Math.max(20 * data.timeline.tick, Math.min(end, to - from));
  timeline.from = Math.max(0, Math.min(from, end - span)); timeline.to = timeline.from + span;
  timeline.zoomed = span < end * 0.9999;
  repaint(); rememberTime();
}
function wholeStep() { timeline.zoomed = false; hideTip(); repaint(); rememberTime(); }
function zoomTime(factor, at) {
  var w = timeWindow();
  if (at === undefined) at = (w.from + w.to) / 2;
  showTime(at - (at - w.from) * factor, at + (w.to - at) * factor);
}
function moveTime(share) { var w = timeWindow(), by = share * (w.to - w.from); showTime(w.from + by, w.to + by); }
// The address is written once a movement is over.
function rememberTime() { clearTimeout(timeline.remember); timeline.remember = setTimeout(writeAddress, 200); }
if (data.timeline) {
  remember('name', function () { return timeline.find; }, function (v) { timeline.find = byId('tlfind').value = v.slice(0, 200); });
  remember('view', function () { return timeline.view ? String(timeline.view) : ''; }, function (v) {
    timeline.step = v === '' && selected.step != null ? null : selected.step; // the address says which view
    showView(/^\d{1,3}$/.test(v) && +v < data.timeline.views.length ? +v : 0);
  }, true);
  remember('time', function () { return timeline.zoomed ? +timeline.from.toPrecision(7) + '-' + +timeline.to.toPrecision(7) : ''; }, function (v) {
    var time = /^(\d+(?:\.\d+)?(?:e-?\d+)?)-(\d+(?:\.\d+)?(?:e-?\d+)?)$/.exec(v);
    if (time && +time[2] > +time[1]) { timeline.from = +time[1]; timeline.to = +time[2]; timeline.zoomed = true; }
  }, true);
}

// What there is to say about a bar, as names and values.
function barFacts(x) {
  var b = barsOf(x.rank), t = data.timeline.tick, rows = [['Starts at', digits(b.start[x.i] * t)], ['Takes', digits(b.length[x.i] * t)]];
  if (b.lane[x.i] === 1 && b.wait[x.i]) rows.push(['Waits for late ranks', digits((b.wait[x.i] - 1) * t), colors.k_wait], ['Transfers', digits((b.length[x.i] - b.wait[x.i] + 1) * t), colors.k_transfer]);
  if (b.ahead[x.i]) rows.push(['Launched ahead by', digits(b.ahead[x.i] * t)]);
  return rows;
}
function barPlace(x) { return data.sides[x.side] + ', rank ' + x.rank.rank + ', ' + x.lane.name; }
function pickBar(x) {
  timeline.picked = x;
  if (x) tellBar(barPlace(x) + ': ' + barName(barsOf(x.rank), x.i) + ': ' + barFacts(x).map(function (f) { return f[0].toLowerCase() + ' ' + f[1] + narrowSpace + data.timeline.unit; }).join(', ') + '.');
  else tellBar('');
  repaint();
}
// The same bar of the other side: of that rank, lane and name, and as many of them before it. null: there is none.
function matchOf(x) {
  var name = barName(barsOf(x.rank), x.i), out = null;
  function namesakes(rank, lane) { return lane.bars.filter(function (i) { return barName(barsOf(rank), i) === name; }); }
  timelineRows().rows.forEach(function (row) {
    if (!row.lane || row.side === x.side || row.rank.rank !== x.rank.rank || row.lane.name !== x.lane.name) return;
    var i = namesakes(row.rank, row.lane)[namesakes(x.rank, x.lane).indexOf(x.i)];
    if (i !== undefined) out = { side: row.side, rank: row.rank, lane: row.lane, i: i };
  });
  return out;
}
// A picked bar is brought into the window.
function goToBar(x) {
  var b = barsOf(x.rank), t = data.timeline.tick, w = timeWindow(), from = b.start[x.i] * t, to = from + b.length[x.i] * t, span = w.to - w.from;
  if (!timeline.zoomed) span = Math.min(span, Math.max((to - from) * 20, span / 20));
  if (from < w.from || to > w.to || !timeline.zoomed) showTime((from + to - span) / 2, (from + to + span) / 2);
  pickBar(x);
}
// The next bar of the lane, or one of the next lane.
function nextBar(direction) {
  if (timeline.hits.length) { nextHit(direction); return; }
  if (!timeline.picked) { pickMiddle(); return; }
  var x = timeline.picked, at = x.lane.bars.indexOf(x.i) + direction;
  if (at >= 0 && at < x.lane.bars.length) goToBar({ side: x.side, rank: x.rank, lane: x.lane, i: x.lane.bars[at] });
}
function nextLane(direction) {
  if (!timeline.picked) { pickMiddle(); return; }
  var x = timeline.picked, rows = timelineRows().rows.filter(function (r) { return r.lane; }), at = -1, b = barsOf(x.rank);
  rows.forEach(function (r, k) { if (r.rank === x.rank && r.lane === x.lane) at = k; });
  var row = rows[at + direction];
  if (row) goToBar(nearestBar(row, b.start[x.i]));
}
function nearestBar(row, start) {
  var b = barsOf(row.rank), best = row.lane.bars[0];
  row.lane.bars.forEach(function (i) { if (Math.abs(b.start[i] - start) < Math.abs(b.start[best] - start)) best = i; });
  return { side: row.side, rank: row.rank, lane: row.lane, i: best };
}
function pickMiddle() {
  var w = timeWindow(), row = timelineRows().rows.filter(function (r) { return r.lane && !r.lane.gap && !r.lane.host; })[0];
  if (timeline.hovered) chooseBar(timeline.hovered);
  else if (row) chooseBar(nearestBar(row, (w.from + w.to) / 2 / data.timeline.tick));
}

// Letters by what is printed on the key, else by its place, so that the four lie in the same
// place on every keyboard.
var timeKeys = {
  w: function () { zoomTime(0.7); }, s: function () { zoomTime(1 / 0.7); }, a: function () { moveTime(-0.15); }, d: function () { moveTime(0.15); },
  '+': function () { zoomTime(0.7); }, '=': function () { zoomTime(0.7); }, '-': function () { zoomTime(1 / 0.7); }, '0': wholeStep, Home: wholeStep,
  ArrowLeft: function () { moveTime(-0.15); }, ArrowRight: function () { moveTime(0.15); }, ArrowUp: function () { nextLane(-1); }, ArrowDown: function () { nextLane(1); },
  Enter: pickMiddle, n: function () { nextBar(1); }, p: function () { nextBar(-1); }
};
var timePlaces = { KeyW: 'w', KeyA: 'a', KeyS: 's', KeyD: 'd' };
function timeKey(e) {
  var at = document.activeElement === plots.timeline.el, near = timeline.over && keysOn && !/^(INPUT|SELECT|TEXTAREA|BUTTON|A|SUMMARY)$/.test(e.target.tagName);
  if (e.ctrlKey || e.metaKey || e.altKey || !at && !near) return;
  if (e.key === 'Escape') {
    if (!timeline.zoomed && !timeline.picked) return;
    pickBar(null); wholeStep();
  } else {
    var key = e.key.length === 1 ? e.key.toLowerCase() : e.key, does = timeKeys[key] || timeKeys[timePlaces[e.code]];
    if (!does || !at && !/^[wasd]$/.test(timeKeys[key] ? key : timePlaces[e.code])) return;
    does();
  }
  e.preventDefault(); e.stopPropagation();
}
function wireTimeline(el) {
  var down = new Map(), moved = false, from = null;
  function place(e) { var r = el.getBoundingClientRect(); return { x: e.clientX - r.left, y: e.clientY - r.top }; }
  function width() { return plots.timeline.width - timelineLeft(plots.timeline.width) - 8; }
  function timeAt(x) { var w = timeWindow(); return w.from + (x - timelineLeft(plots.timeline.width)) / width() * (w.to - w.from); }
  // Where the fingers are, and what time they hold.
  function hold() {
    var xs = Array.from(down.values()).map(function (p) { return p.x; });
    var lo = Math.min.apply(null, xs), hi = Math.max.apply(null, xs);
    from = { lo: timeAt(lo), hi: timeAt(hi), fingers: xs.length };
  }
  el.addEventListener('wheel', function (e) {
    var zooms = e.ctrlKey || e.metaKey;
    if (!zooms && !(timeline.zoomed && (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)))) return; // the page's own
    e.preventDefault(); hideTip();
    if (!zooms) moveTime((e.deltaX || e.deltaY) / width());
    else zoomTime(Math.exp(Math.max(-60, Math.min(60, e.deltaY)) * (e.ctrlKey && Math.abs(e.deltaY) < 20 ? 0.02 : 0.005)), timeAt(place(e).x));
  }, { passive: false });
  el.addEventListener('pointerdown', function (e) {
    if (e.button) return;
    down.set(e.pointerId, place(e)); moved = down.size > 1; hold();
    try { el.setPointerCapture(e.pointerId); } catch (error) { return; }
  });
  el.addEventListener('pointermove', function (e) {
    var p = place(e), first = down.get(e.pointerId);
    if (!first) { if (e.pointerType === 'mouse') point(e, p); return; }
    if (!moved && Math.abs(p.x - first.x) < 4) return;
    if (!moved) { moved = true; hold(); hideTip(); }
    down.set(e.pointerId, p);
    var xs = Array.from(down.values()).map(function (q) { return q.x; }), lo = Math.min.apply(null, xs), hi = Math.max.apply(null, xs);
    var left = timelineLeft(plots.timeline.width), w = timeWindow();
    if (xs.length > 1 && hi - lo > 8 && from.hi > from.lo) {
      var per = (from.hi - from.lo) / (hi - lo);
      showTime(from.lo - (lo - left) * per, from.lo + (width() - lo + left) * per);
    } else {
      var by = from.lo - timeAt(lo);
      showTime(w.from + by, w.to + by);
    }
  });
  function up(e) {
    if (!down.delete(e.pointerId)) return;
    if (down.size) { hold(); return; }
    if (!moved && e.type === 'pointerup') tap(place(e));
  }
  el.addEventListener('pointerup', up); el.addEventListener('pointercancel', up);
  function tap(p) {
    if (p.x < timelineLeft(plots.timeline.width)) {
      timelineRows().rows.forEach(function (row) { if (row.lane && row.rank.row >= 0 && p.y >= row.y && p.y <= row.y + row.lane.height) select({ rank: row.rank.row }); });
      return;
    }
    chooseBar(barAt(p.x, p.y, plots.timeline.width));
  }
  function point(e, p) {
    var x = barAt(p.x, p.y, plots.timeline.width), before = timeline.hovered, match = timeline.match = x && matchOf(x);
    timeline.over = true; timeline.hovered = x;
    if (x) showTip(e, tooltip(barPlace(x), [[barName(barsOf(x.rank), x.i), '', null, '']].concat(barFacts(x), match ? [['The same in the ' + data.sides[match.side], digits(barsOf(match.rank).length[match.i] * data.timeline.tick)]] : []), data.timeline.unit)); else hideTip();
    if ((before && before.i) !== (x && x.i) || (before && before.rank) !== (x && x.rank)) repaint();
  }
  el.addEventListener('pointerleave', function () { timeline.over = false; hideTip(); if (timeline.hovered) { timeline.hovered = timeline.match = null; repaint(); } });
  el.addEventListener('dblclick', function () { wholeStep(); });
}
