// The first picture: one dot for each step, and the interval of the change.
// Stacks after Wilkinson: what lies within one dot's width stands on each
// other, and stacks never overlap.
function stacks(values, width) {
  var v = values.slice().sort(function (a, b) { return a - b; }), out = [], i = 0, before = -Infinity;
  while (i < v.length) {
    var j = i;
    while (j < v.length && v[j] < v[i] + width) j++;
    var at = Math.max((v[i] + v[j - 1]) / 2, before + width);
    for (var k = i; k < j; k++) out.push([at, k - i]);
    before = at; i = j;
  }
  return out;
}
function firstRange() {
  var all = data.first.base.concat(data.first.cand), lo = Math.min.apply(null, all), hi = Math.max.apply(null, all);
  var pad = Math.max((hi - lo) * 0.1, hi * 0.01);
  return [Math.max(0, lo - pad), hi + pad];
}
function firstLayout(width) {
  var f = data.first, range = firstRange(), bin = (range[1] - range[0]) * (width < 520 ? 0.034 : 0.0225);
  var base = stacks(f.base, bin), cand = stacks(f.cand, bin);
  function tall(d) { return Math.max.apply(null, [0].concat(d.map(function (p) { return p[1] + 1; }))); }
  var plot = width - 28, budget = printing ? 100 : Math.max(140, Math.min(300, view.height - 600 - (document.querySelector('.banner') ? 70 : 0)));
  var step = plot * bin / (range[1] - range[0]), hb = tall(base), hc = tall(cand), size = Math.max(3, Math.min(step * 0.94, budget / (hb + hc), 14));
  var yb = 52 + hb * size, wide = cand.filter(function (d) { return d[1] === 0; }).length > 3;
  var yc = yb + Math.max(72, 52 + hc * size) + (wide && f.arrow ? 28 : 0);
  return { range: range, base: base, cand: cand, plot: plot, size: size, hb: hb, hc: hc, yb: yb, yc: yc, wide: wide, height: yc + (f.estimate ? 160 : 34) };
}
function verdictColor() {
  return { improved: colors.better, regressed: colors.worse, unchanged: colors.ink, invalid: colors.ink2, none: colors.ink2 }[data.first.verdict] || colors.hold;
}
function drawFirst(width) {
  var f = data.first, q = firstLayout(width), left = 14, out = [];
  function X(v) { return left + (v - q.range[0]) / (q.range[1] - q.range[0]) * q.plot; }
  [[data.sides[0], q.base, f.medians[0], q.yb, q.hb, colors.base, true], [data.sides[1], q.cand, f.medians[1], q.yc, q.hc, colors.cand, false]].forEach(function (s) {
    var y = s[3], tall = s[4] * q.size + 13;
    out.push(segment(left, y, left + q.plot, y, colors.rule2));
    if (s[2]) out.push(segment(X(s[2].at), y + 5, X(s[2].at), y - tall - 4, s[5], 1.5));
    s[1].forEach(function (d) { out.push(circle(X(d[0]), y - q.size / 2 - 2 - d[1] * q.size, q.size / 2 - (s[6] ? 1.2 : 0.6), s[6] ? colors.paper : s[5], s[5], s[6] ? Math.max(1.2, q.size * 0.17) : 0)); });
    var at = s[2] ? X(s[2].at) : left, right = at < left + q.plot * 0.72;
    out.push(text(at + (right ? 7 : -7), y - tall - 1, s[0] + (s[2] ? '  ' + s[2].text : s[1].length ? '' : ': no steps'), { fill: s[5], weight: 650, size: 14, align: right ? 'left' : 'right' }));
  });
  if (f.arrow && f.medians[0] && f.medians[1]) arrow(out, f, q, X);
  ticks(q.range[0], q.range[1], width < 520 ? 4 : 7).forEach(function (t) { if (X(t) > width - 44) return; out.push(text(X(t), q.yc + 16, tick(t), { align: 'center' }), segment(X(t), q.yc, X(t), q.yc + 5, colors.rule2)); });
  out.push(text(width, q.yc + 16, f.unit, { align: 'right' }));
  if (f.estimate) strip(out, f.estimate, width, q.yc + 84, left, q.plot);
  return out;
}
function arrow(out, f, q, X) {
  var from = X(f.medians[0].at), to = X(f.medians[1].at), gap = from - to;
  if (Math.abs(gap) < 90) return;
  var y = q.wide ? q.yb + 38 : q.yb + (q.yc - q.yb) * 0.5, sign = gap > 0 ? 1 : -1;
  var color = verdictColor(), end = to + (q.wide ? sign * 2 : sign * (q.size / 2 + 8));
  if (q.wide) out.push(segment(to, y - 8, to, q.yc - q.hc * q.size - 10, colors.cand, 1.5));
  out.push(segment(from, q.yb + 5, from, y, colors.base, 1, [2, 3]), segment(end + sign * 9, y, from, y, color, 2));
  out.push(triangle([[end, y], [end + sign * 11, y - 6], [end + sign * 11, y + 6]], color), text((end + from) / 2, y - 14, f.change, { align: 'center', fill: color, weight: 650, size: 16 }));
}
function strip(out, e, width, top, left, plot) {
  var lo = Math.min(e.lo, -e.band, 0), hi = Math.max(e.hi, e.band, 0), pad = (hi - lo) * 0.1;
  lo -= pad; hi += pad;
  function E(v) { return left + (v - lo) / (hi - lo) * plot; }
  var y = top + 34, color = verdictColor(), at = textWidth('Change of step time, %', '600 14px ') + 14;
  out.push(text(0, top - 24, 'Change of step time, %', { fill: colors.ink, weight: 600, size: 14 }), rect(at, top - 30, 18, 12, colors.rule), segment(at + 9, top - 30, at + 9, top - 18, colors.ink), text(at + 25, top - 24, e.name));
  if (width > 520) out.push(text(width, top - 24, '\u2190 faster   slower \u2192', { align: 'right' }));
  out.push(rect(E(-e.band), y - 32, E(e.band) - E(-e.band), 52, colors.rule), segment(E(0), y - 10, E(0), y + 20, colors.ink), segment(left, y + 20, left + plot, y + 20, colors.rule2));
  ticks(lo, hi, width < 520 ? 4 : 7).forEach(function (t) { out.push(text(E(t), y + 35, signedTick(t), { align: 'center' }), segment(E(t), y + 20, E(t), y + 25, colors.rule2)); });
  out.push(rect(E(e.lo), y - 3, E(e.hi) - E(e.lo), 6, color));
  [e.lo, e.hi].forEach(function (v) { out.push(segment(E(v), y - 8, E(v), y + 8, color, 2)); });
  out.push(circle(E(e.value), y, 7, colors.paper, color, 3));
  var right = E(e.hi) + 215 < Math.min(E(-e.band), left + plot), middle = Math.max(left + 100, Math.min(left + plot - 100, E(e.value)));
  out.push(right ? text(E(e.hi) + 12, y, e.text, { fill: color, weight: 650, size: 14 }) : text(middle, y - 21, e.text, { fill: color, weight: 650, size: 14, align: 'center' }));
}
if (data.first) definitions.first = {
  height: function (w) { return firstLayout(w).height; },
  option: function (w) { return canvasOption(function () { return drawFirst(w); }); }
};
