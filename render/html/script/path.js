// What bounded which step: a row for each side, a cell for each step in the colour of what
// most of its critical path is.
var stripRow = 26, stripGap = 8, strips = [];
function stripOf(side) {
  if (!strips[side]) strips[side] = floats(data.path.sides[side], data.path.first.length * data.path.parts.length);
  return strips[side];
}
// The part of which a column has most; -1: it is not known.
function boundOf(side, i) {
  var v = stripOf(side), n = data.path.parts.length, best = -1;
  for (var k = 0; k < n; k++) if (v[i * n + k] === v[i * n + k] && (best < 0 || v[i * n + k] > v[i * n + best])) best = k;
  return best;
}
function stripTop(side) { return 4 + side * (stripRow + stripGap); }
function stripScale(width) { var left = 90; return { left: left, plot: width - left - 4, n: data.path.first.length }; }
function drawStrip(width) {
  var q = stripScale(width), w = q.plot / q.n, out = [], bottom = stripTop(2) - stripGap;
  data.sides.forEach(function (name, side) {
    var y = stripTop(side);
    out.push(text(q.left - 8, y + stripRow / 2, fitted(name, q.left - 10, '650 12px '), { align: 'right', fill: side ? colors.cand : colors.base, weight: 650 }));
    for (var i = 0; i < q.n; i++) {
      var k = boundOf(side, i);
      if (k >= 0) out.push(rect(q.left + i * w, y, w - (w > 5 ? 1.5 : 0), stripRow, colors['k_' + data.path.parts[k].key]));
    }
  });
  var every = Math.max(1, Math.ceil(44 / w)), round = [1, 2, 5, 10, 20, 50, 100, 200, 500].filter(function (k) { return k >= every; })[0] || every;
  for (var i = 0; i < q.n; i++) {
    var number = data.steps[data.path.first[i]];
    if ((q.n === data.steps.length ? number : i) % round === 0) out.push(text(q.left + (i + 0.5) * w, bottom + 12, String(number), { align: 'center' }));
  }
  var at = columnsOf(data.path.first);
  if (at) out.push(outline(q.left + at[0] * w, 2, Math.max((at[1] - at[0] + 1) * w, 2), bottom));
  return out;
}
function stripHit(x, y, width) {
  var q = stripScale(width), i = Math.floor((x - q.left) / q.plot * q.n), side = y < stripTop(1) - stripGap / 2 ? 0 : 1;
  if (i < 0 || i >= q.n || y > stripTop(2)) return null;
  var most = boundOf(side, i), v = stripOf(side), n = data.path.parts.length, step = data.path.first[i], rows = [];
  data.path.parts.forEach(function (p, k) { if (v[i * n + k] >= 0.005) rows.push([p.name + (k === most ? ' (most)' : ''), digits(v[i * n + k]), colors['k_' + p.key]]); });
  if (most < 0) rows.push(['Critical path', 'not known', null, '']);
  return { html: tooltip(data.sides[side] + ', step ' + data.steps[step], rows, data.path.unit), x: x, step: step, last: lastOf(data.path.first, i) };
}
if (data.path) definitions.bound = {
  height: function () { return stripTop(2) + 18; },
  option: function (w) { return canvasOption(function () { return drawStrip(w); }); },
  hit: function (x, y, plot, w) { return stripHit(x, y, w); }, brush: true
};
