// Maps of rank and step: both sides on one colour range, and the difference.
var matrices = {}, ranges = {};
function matrix(metric, side) {
  var key = metric + side;
  if (!matrices[key]) matrices[key] = side === 'd' ? difference(metric) : floats(data.map.metrics[metric][side === 'b' ? 'base' : 'cand'], data.map.columns * data.ranks.length);
  return matrices[key];
}
function difference(metric) {
  var base = matrix(metric, 'b');
  return matrix(metric, 'c').map(function (v, i) { return v - base[i]; });
}
function mapRange() {
  var m = selected.metric;
  if (!ranges[m]) ranges[m] = rangeOf(matrix(m, 'b'), matrix(m, 'c'), matrix(m, 'd'));
  return ranges[m];
}
function rangeOf(b, c, d) {
  var lo = Infinity, hi = -Infinity, most = 0, n = data.map.columns, left = new Uint8Array(n);
  mapHatched().forEach(function (i) { left[i] = 1; });
  for (var i = 0; i < b.length; i++) {
    if (left[i % n]) continue;
    if (b[i] < lo) lo = b[i];
    if (c[i] < lo) lo = c[i];
    if (b[i] > hi) hi = b[i];
    if (c[i] > hi) hi = c[i];
    if (Math.abs(d[i]) > most) most = Math.abs(d[i]);
  }
  if (lo > hi) lo = hi = 0;
  if (lo > 0 && lo < hi * 0.3) lo = 0;
  // Where the sides are all but equal the map is all but blank: what is less than a
  // twentieth of the largest value does not get the darkest colours.
  return { lo: lo, hi: hi, most: most, end: Math.max(most, Math.abs(hi) / 20) || 1 };
}
function mapHatched() {
  if (data.map.columns !== data.steps.length) return [];
  return data.leftOut;
}
function cellOf(side, i, r) { return matrix(selected.metric, side)[r * data.map.columns + i]; }
function mapPicture(side, width, height) {
  var d = side === 'd', range = mapRange(), n = data.map.columns, rows = data.ranks.length;
  return picture(['map', side, selected.metric].concat(isLarge(n, rows) ? [] : [width, height]).join(), function () {
    return bitmap(matrix(selected.metric, side), n, rows, d ? -range.end : range.lo, d ? range.end : range.hi, d ? ramps.difference : ramps.sequential, mapHatched(), width, height);
  });
}
// Rows of a side that has no value of a rank: that was not captured.
function mapAbsent(side, g, h) {
  var n = data.map.columns, out = [], v = matrix(selected.metric, side);
  for (var r = 0; r < data.ranks.length && h >= 9; r++) {
    var any = false;
    for (var i = 0; i < n && !any; i++) any = v[r * n + i] === v[r * n + i];
    if (!any) out.push(text(g.x + 6, g.y + (r + 0.5) * h, side === 'd' ? 'on one side only' : 'not captured', { size: 11, fill: colors.ink3 }));
  }
  return out;
}
function mapOption(side, height) {
  var range = mapRange(), unit = data.map.metrics[selected.metric].unit, n = data.map.columns, rows = data.ranks.length;
  drawRamp('ramp-rs', ramps.sequential, 'Both sides: ' + digits(range.lo), digits(range.hi) + narrowSpace + unit);
  drawRamp('ramp-rd', ramps.difference, 'Difference: ' + minus + digits(range.end), '+' + digits(range.end) + narrowSpace + unit);
  var names = data.map.first.map(function (i) { return String(data.steps[i]); }), every = n > 60 ? Math.ceil(n / 60) * 10 : n > 8 ? 5 : 1;
  return {
    animation: false, grid: { left: 34, right: 2, top: 6, bottom: 26 },
    xAxis: axis({ type: 'category', data: names, axisLabel: { interval: function (i) { return (n === data.steps.length ? data.steps[i] : i) % every === 0; } } }),
    yAxis: axis({ type: 'category', data: data.ranks, inverse: true, axisLabel: { fontSize: 11, hideOverlap: false, interval: rowNames(rows, height - 32) } }),
    series: [overlay(function (g) {
      var d = side === 'd', h = g.height / rows, w = g.width / n;
      var out = [image(mapPicture(side, g.width, g.height), g.x, g.y, g.width, g.height)];
      out = out.concat(mapAbsent(side, g, h), isLarge(n, rows) ? hatching(mapHatched(), n, g) : [], nodeLines(g, rows));
      if (d && range.most < 0.005) out.push(text(g.x + g.width / 2, g.y + g.height / 2, 'no difference', { align: 'center', size: 14, weight: 600, fill: colors.ink }));
      if (selected.rank != null) out.push(outline(g.x, g.y + selected.rank * h, g.width, h));
      var at = columnsOf(data.map.first);
      if (at) out.push(outline(g.x + at[0] * w, g.y, (at[1] - at[0] + 1) * w, g.height));
      return out;
    })]
  };
}
function mapHit(x, y, plot) {
  var p = inside(plot, x, y);
  if (!p) return null;
  var b = cellOf('b', p[0], p[1]), c = cellOf('c', p[0], p[1]), step = data.map.first[p[0]];
  return { html: tooltip('Rank ' + data.ranks[p[1]] + ', step ' + data.steps[step] + (mapHatched().indexOf(p[0]) >= 0 ? ' (left out)' : ''), [[data.sides[0], digits(b), colors.base], [data.sides[1], digits(c), colors.cand], ['Change', signed(c - b)]], data.map.metrics[selected.metric].unit), rank: p[1], step: step, last: lastOf(data.map.first, p[0]) };
}
if (data.map) ['b', 'c', 'd'].forEach(function (side) {
  definitions['map-' + side] = {
    height: function (w) { return Math.round(Math.min(panel, Math.max(160, 15 * data.ranks.length + 32, w * 0.4))); },
    option: function (w, height) { return mapOption(side, height); }, hit: mapHit, brush: true
  };
});
