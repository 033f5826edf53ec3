// The timeline of one step on both sides: bars by lane, at most half a pixel apart.
var lanes = [
  { top: 13, height: 13, color: function () { return colors.k_compute; }, name: 'Compute' },
  { top: 28, height: 13, color: function () { return colors.k_transfer; }, name: 'Communication' },
  { top: 43, height: 8, color: function () { return colors.k_memory; }, name: 'Copy' },
  { top: 53, height: 6, color: function (name) { return colors['k_' + name] || colors.k_unknown; }, name: 'Gap' },
  { top: 0, height: 12, color: null, name: 'Host range' }
], stripHeight = 66, stripsShown = 3;
function excerpt() { var k = data.timeline.kinds[selected.excerpt]; return k || data.timeline.kinds[0] || data.timeline.kinds[1]; }
function stripsOf(side) {
  if (!side) return [];
  var own = side.ranks.filter(function (r) { return selected.rank != null && r.row === selected.rank; });
  return own.length ? own : side.ranks.slice(0, stripsShown);
}
function timelineRows() {
  var rows = [], y = 4;
  excerpt().sides.forEach(function (side, k) {
    rows.push({ head: true, y: y, side: k, text: data.sides[k] + (side ? ', ' + side.title : ': not recorded') });
    y += 22;
    stripsOf(side).forEach(function (r) { rows.push({ y: y, side: k, rank: r }); y += stripHeight; });
    y += 8;
  });
  return { rows: rows, height: y + 26 };
}
function timelineScale(width) { var left = 58; return { left: left, plot: width - left - 8, end: excerpt().end }; }
function drawTimeline(width) {
  var q = timelineScale(width), t = timelineRows(), out = [], bottom = t.height - 26;
  function X(v) { return q.left + v / q.end * q.plot; }
  ticks(0, q.end, width < 520 ? 4 : 9).forEach(function (v) {
    if (v > q.end) return;
    out.push(segment(X(v), 22, X(v), bottom, colors.rule), text(X(v), bottom + 12, tick(v) + (v === 0 ? narrowSpace + data.timeline.unit : ''), { align: 'center' }));
  });
  t.rows.forEach(function (row) {
    if (row.head) { out.push(text(q.left, row.y + 10, row.text, { fill: row.side ? colors.cand : colors.base, weight: 650, size: 13 })); return; }
    var r = row.rank, b = r.bars, run = null;
    out.push(text(q.left - 8, row.y + 28, 'rank ' + r.rank, { align: 'right', size: 11 }));
    out.push(segment(X(r.length), row.y + 2, X(r.length), row.y + stripHeight - 5, colors.ink3, 1, [3, 3]));
    function flush() {
      if (!run) return;
      var lane = lanes[run.lane], w = Math.max(0.5, run.x1 - run.x0);
      if (lane.color) out.push(rect(run.x0, row.y + lane.top, w, lane.height, run.color));
      else if (w > 2) {
        out.push(outlined(run.x0, row.y + lane.top, w, lane.height));
        if (w > 60) out.push(text(run.x0 + 4, row.y + lane.top + lane.height / 2, shortened(data.timeline.names[run.name], Math.floor(w / 6)), { size: 10 }));
      }
      run = null;
    }
    for (var i = 0; i < b.length; i += 4) {
      var lane = lanes[b[i]], x0 = X(b[i + 2] / 1000), x1 = X((b[i + 2] + b[i + 3]) / 1000), color = lane.color ? lane.color(data.timeline.names[b[i + 1]]) : '';
      if (run && run.lane === b[i] && lane.color && run.color === color && x0 - run.x1 < 0.5) { run.x1 = Math.max(run.x1, x1); continue; }
      flush();
      run = { lane: b[i], name: b[i + 1], x0: x0, x1: x1, color: color };
    }
    flush();
  });
  return out;
}
function outlined(x, y, w, h) { return rect(x, y, w, h, 'transparent', { stroke: colors.rule2, lineWidth: 1 }); }
function timelineHit(x, y, width) {
  var q = timelineScale(width), at = (x - q.left) / q.plot * q.end * 1000, near = 1.5 / q.plot * q.end * 1000, hit = null;
  if (x < q.left) return null;
  timelineRows().rows.forEach(function (row) {
    if (row.head || y < row.y || y >= row.y + stripHeight) return;
    var b = row.rank.bars, best = null;
    for (var i = 0; i < b.length; i += 4) {
      var lane = lanes[b[i]];
      if (y < row.y + lane.top - 1 || y > row.y + lane.top + lane.height + 1 || at < b[i + 2] - near || at > b[i + 2] + b[i + 3] + near) continue;
      if (!best || b[i + 3] < best[3]) best = [b[i], b[i + 1], b[i + 2], b[i + 3]];
    }
    var rows = best ? [[lanes[best[0]].name, data.timeline.names[best[1]], null, ''], ['Starts at', digits(best[2] / 1000)], ['Takes', digits(best[3] / 1000)]] : [['At', digits(at / 1000)]];
    hit = { html: tooltip(data.sides[row.side] + ', rank ' + row.rank.rank, rows, data.timeline.unit), x: x };
    if (row.rank.row >= 0) hit.rank = row.rank.row;
  });
  return hit;
}
if (data.timeline) definitions.timeline = {
  height: function () { return timelineRows().height; },
  option: function (w) { return canvasOption(function () { return drawTimeline(w); }); },
  hit: function (x, y, plot, w) { return timelineHit(x, y, w); }
};
