// The waterfall: the parts of the step between the two totals, each row at the
// height of the table's row beside it.
function fallRows(width) {
  var beside = width > 0 && view.width > 1023 && !printing;
  return { top: beside ? 6 : 8, row: 34, aligned: beside };
}
function partName(p, width) { return width < 480 ? p.name.replace('Exposed c', 'C').replace('Exposed m', 'M').replace('Exposed t', 'T').replace('Exposed w', 'W').replace('unication', '.').replace('waiting for ', '').replace('synchronizing', 'sync.') : p.name; }
function fallLeft(width) {
  var names = data.fall.parts.map(function (p) { return textWidth(partName(p, width), '400 12px '); });
  return 12 + Math.ceil(Math.max.apply(null, names.concat(data.sides.map(function (s) { return textWidth(short(s), '650 12px '); }))));
}
function drawFall(width) {
  var f = data.fall, g = fallRows(width), left = fallLeft(width), plot = width - left - 62, most = niceMost(Math.max(f.base, f.cand)), out = [], run = f.base;
  var n = f.parts.length + 2, bar = g.row * 0.66;
  function X(v) { return left + v / most * plot; }
  function Y(i) { return g.top + g.row * i + g.row / 2; }
  function total(i, name, value, color, written) {
    out.push(text(left - 8, Y(i), name, { align: 'right', fill: color, weight: 650 }), rect(X(0), Y(i) - bar / 2, X(value) - X(0), bar, color), text(X(value) + 6, Y(i), written, { fill: color, weight: 650, size: 13 }));
  }
  ticks(0, most, width < 480 ? 3 : 8).forEach(function (t) { out.push(segment(X(t), g.top, X(t), g.top + g.row * n, colors.rule), text(X(t), g.top + g.row * n + 12, tick(t) + (t === 0 ? narrowSpace + f.unit : ''), { align: 'center' })); });
  total(0, short(data.sides[0]), f.base, colors.base, f.text[0]);
  f.parts.forEach(function (p, i) {
    var d = p.cand - p.base, y = Y(i + 1), a = Math.min(run, run + d), z = Math.max(run, run + d), color = p.class ? colors[p.class] : colors.ink3, wide = X(z) - X(a) > 60;
    out.push(text(left - 8, y, partName(p, width), { align: 'right' }));
    out.push(segment(X(run), Y(i) + bar / 2, X(run), y - bar / 2, colors.ink3), rect(X(a), y - bar / 2, Math.max(1.5, X(z) - X(a)), bar, color));
    out.push(text(wide ? (X(a) + X(z)) / 2 : X(z) + 6, y, p.text, { fill: wide ? colors.paper : color, weight: 650, size: 13, align: wide ? 'center' : 'left' }));
    run += d;
  });
  out.push(segment(X(run), Y(n - 2) + bar / 2, X(run), Y(n - 1) - bar / 2, colors.ink3));
  total(n - 1, short(data.sides[1]), f.cand, colors.cand, f.text[1]);
  return out;
}
function niceMost(v) { var t = ticks(0, v, 8), step = t.length > 1 ? t[1] - t[0] : v || 1; return Math.ceil(v / step - 1e-9) * step; }
if (data.fall) definitions.fall = {
  height: function () { return (data.fall.parts.length + 2) * 34 + 34; },
  option: function (w) { return canvasOption(function () { return drawFall(w); }); },
  hit: function (x, y, plot, w) {
    var p = data.fall.parts[Math.floor((y - fallRows(w).top) / 34) - 1];
    return p ? { html: tooltip(p.name, [[data.sides[0], digits(p.base), colors.base], [data.sides[1], digits(p.cand), colors.cand], ['Change', p.text]], data.fall.unit) } : null;
  }
};
