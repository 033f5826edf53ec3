// Where the timeline's bars stand: lanes of threads, in which ranges are nested, of streams, and
// of gaps.
var laneNames = ['Compute', 'Communication', 'Copies', 'Gap', 'Host range'], laneHeights = [14, 14, 14, 8, 13], deepest = 6, mostLanes = 10;

// All strips that stand together have bars from one length on, in ticks; else bars that one of them has no room for
// would seem to be missing there.
function leastShown() {
  return Math.max.apply(null, [0, 1].map(function (side) { return stripsOf(side).reduce(function (most, r) { return Math.max(most, r.least); }, 0); }));
}
// The lanes of a rank, each with the indices of its bars in order of start.
function lanesOf(r) {
  var least = leastShown();
  if (r.lanes && r.lanesFor === least) return r.lanes;
  r.lanesFor = least;
  var b = barsOf(r), of = {}, out = [];
  for (var i = 0; i < r.n; i++) {
    if (b.length[i] < least) continue;
    var t = b.track[i], key = b.lane[i] === 3 ? 'gap' : t ? 't' + t : 'l' + b.lane[i], lane = of[key];
    if (!lane) {
      var host = b.lane[i] === 4, track = t && data.timeline.tracks[t - 1];
      lane = of[key] = { name: b.lane[i] === 3 ? 'gaps' : track ? track.name : laneNames[b.lane[i]].toLowerCase(), host: host, gap: b.lane[i] === 3, order: laneOrder(b.lane[i], t), bars: [], height: laneHeights[b.lane[i]] };
      out.push(lane);
    }
    lane.bars.push(i);
  }
  out.sort(function (x, y) { return x.order - y.order; });
  // Lanes beyond those that fit go to the last one.
  var streams = out.filter(function (l) { return !l.gap; });
  if (streams.length > mostLanes) {
    var last = streams[mostLanes - 1], more = streams.slice(mostLanes);
    more.forEach(function (l) { last.bars = last.bars.concat(l.bars); });
    last.name = (more.length + 1) + ' others';
    out = out.filter(function (l) { return more.indexOf(l) < 0; });
  }
  out.forEach(function (l) {
    l.bars.sort(function (x, y) { return b.start[x] - b.start[y] || b.length[y] - b.length[x]; });
    l.depth = null;
    if (l.host) nest(l, b);
  });
  return r.lanes = out;
}
// Threads above, then streams, then gaps.
function laneOrder(lane, track) { return lane === 4 ? track : lane === 3 ? 1e6 : 1000 + (track || lane); }
// How deep each range stands in those that began before it and go on.
function nest(lane, b) {
  var open = [], most = 0;
  lane.depth = lane.bars.map(function (i) {
    while (open.length && open[open.length - 1] <= b.start[i]) open.pop();
    var d = Math.min(open.length, deepest - 1);
    open.push(b.start[i] + b.length[i]);
    open.sort(function (x, y) { return y - x; });
    most = Math.max(most, d);
    return d;
  });
  lane.height = laneHeights[4] * (most + 1);
}
// All that is drawn, from above: headings of sides, and lanes of ranks.
function timelineRows() {
  var rows = [], y = 24, least = leastShown() * data.timeline.tick, from = least ? ', bars from ' + functions.micro(+(least * ({ s: 1e6, ms: 1e3 }[data.timeline.unit] || 1)).toPrecision(2)) + ' on' : '';
  [0, 1].forEach(function (side) {
    var step = stepOf(side), strips = stripsOf(side);
    rows.push({ head: true, y: y, side: side, text: data.sides[side] + (step ? ', ' + step.title + from : ': not recorded') });
    y += 22;
    strips.forEach(function (r) {
      rows.push({ rank: r, name: true, y: y, side: side, text: 'rank ' + r.rank });
      y += 17;
      lanesOf(r).forEach(function (l) { rows.push({ rank: r, lane: l, y: y, side: side }); y += l.height + 3; });
      y += 6;
    });
    y += 6;
  });
  return { rows: rows, height: y + 20 };
}
function timelineLeft(width) { return width < 520 ? 90 : 112; }
// The bar at a place, null if there is none.
function barAt(x, y, width) {
  var w = timeWindow(), left = timelineLeft(width), plot = width - left - 8, tick = data.timeline.tick, out = null;
  if (x < left) return null;
  var at = (w.from + (x - left) / plot * (w.to - w.from)) / tick, near = 1.5 / plot * (w.to - w.from) / tick;
  timelineRows().rows.forEach(function (row) {
    if (!row.lane || y < row.y - 1 || y > row.y + row.lane.height + 1) return;
    var b = barsOf(row.rank);
    row.lane.bars.forEach(function (i, k) {
      if (at < b.start[i] - near || at > b.start[i] + b.length[i] + near) return;
      if (row.lane.depth && Math.floor((y - row.y) / laneHeights[4]) !== row.lane.depth[k]) return;
      if (!out || b.length[i] < b.length[out.i]) out = { side: row.side, rank: row.rank, lane: row.lane, i: i };
    });
  });
  return out;
}
