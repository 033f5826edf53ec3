// Maps of rank and step: both sides on one colour range, and the difference.
var matrices = {};
function matrix(metric, side) {
  var key = metric + side;
  if (!matrices[key]) matrices[key] = floats(data.map.metrics[metric][side]);
  return matrices[key];
}
function mapRange() {
  var lo = Infinity, hi = -Infinity, most = 0, b = matrix(selected.metric, 'base'), c = matrix(selected.metric, 'cand'), n = data.map.columns;
  var hatched = mapHatched();
  for (var i = 0; i < b.length; i++) {
    if (hatched.indexOf(i % n) >= 0) continue;
    [b[i], c[i]].forEach(function (v) { if (v === v) { lo = Math.min(lo, v); hi = Math.max(hi, v); } });
    if (b[i] === b[i] && c[i] === c[i]) most = Math.max(most, Math.abs(c[i] - b[i]));
  }
  if (lo > hi) lo = hi = 0;
  if (lo > 0 && lo < hi * 0.3) lo = 0;
  return { lo: lo, hi: hi, most: most };
}
function mapHatched() {
  if (data.map.columns !== data.steps.length) return [];
  return data.leftOut;
}
function cellOf(side, i, r) {
  var k = r * data.map.columns + i;
  if (side === 'd') return matrix(selected.metric, 'cand')[k] - matrix(selected.metric, 'base')[k];
  return matrix(selected.metric, side === 'b' ? 'base' : 'cand')[k];
}
function mapOption(side) {
  var range = mapRange(), unit = data.map.metrics[selected.metric].unit, n = data.map.columns, rows = data.ranks.length;
  drawRamp('ramp-rs', ramps.sequential, digits(range.lo), digits(range.hi) + narrowSpace + unit);
  drawRamp('ramp-rd', ramps.diverging, minus + digits(range.most), '+' + digits(range.most) + narrowSpace + unit);
  var names = data.map.first.map(function (i) { return String(data.steps[i]); }), every = n > 60 ? Math.ceil(n / 60) * 10 : n > 8 ? 5 : 1;
  return {
    animation: false, grid: { left: 34, right: 2, top: 6, bottom: 26 },
    xAxis: axis({ type: 'category', data: names, axisLabel: { interval: function (i) { return (n === data.steps.length ? data.steps[i] : i) % every === 0; } } }),
    yAxis: axis({ type: 'category', data: data.ranks, inverse: true, axisLabel: { fontSize: 11, hideOverlap: false, interval: rows <= 16 ? 1 : rowLabel } }),
    series: [overlay(function (g) {
      var d = side === 'd', h = g.height / rows, w = g.width / n;
      var out = [image(bitmap(function (i, r) { return cellOf(side, i, r); }, n, rows, d ? -range.most : range.lo, d ? range.most : range.hi, d ? ramps.diverging : ramps.sequential, mapHatched(), g.width, g.height), g.x, g.y, g.width, g.height)];
      out = out.concat(nodeLines(g, rows));
      if (d && range.most < 0.005) out.push(text(g.x + g.width / 2, g.y + g.height / 2, 'no difference', { align: 'center', size: 14, weight: 600, fill: colors.ink }));
      if (selected.rank != null) out.push(outline(g.x, g.y + selected.rank * h, g.width, h));
      if (selected.step != null) out.push(outline(g.x + columnOf(data.map.first, selected.step) * w, g.y, w, g.height));
      return out;
    })]
  };
}
function mapHit(x, y, plot) {
  var p = inside(plot, x, y);
  if (!p) return null;
  var b = cellOf('b', p[0], p[1]), c = cellOf('c', p[0], p[1]), step = data.map.first[p[0]];
  return { html: tooltip('Rank ' + data.ranks[p[1]] + ', step ' + data.steps[step] + (mapHatched().indexOf(p[0]) >= 0 ? ' (left out)' : ''), [['Baseline', digits(b), colors.base], ['Candidate', digits(c), colors.cand], ['Change', signed(c - b)]], data.map.metrics[selected.metric].unit), rank: p[1], step: step };
}
if (data.map) ['b', 'c', 'd'].forEach(function (side) {
  definitions['map-' + side] = {
    height: function (w) { return Math.max(Math.round(Math.min(360, Math.max(160, 24 * data.ranks.length + 32, w * 0.4), Math.max(160, w * 0.86))), Math.min(2080, data.ranks.length * 2 + 32)); },
    option: function () { return mapOption(side); }, hit: mapHit
  };
});
