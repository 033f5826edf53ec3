// Maps are one bitmap each: a cell per value would take seconds.
function bitmap(get, nx, ny, lo, hi, scale, hatched, width, height) {
  var large = nx >= 80 || ny > 64;
  var w = large ? nx : Math.round(width * 2), h = large ? ny : Math.round(height * 2), gap = large ? 0 : 2;
  var canvas = document.createElement('canvas');
  canvas.width = w; canvas.height = h;
  var c = canvas.getContext('2d');
  function edge(i, n, t) { return Math.round(i * t / n); }
  for (var j = 0; j < ny; j++) for (var i = 0; i < nx; i++) {
    var v = get(i, j);
    if (v == null || v !== v) continue;
    var t = hi > lo ? Math.max(0, Math.min(255, Math.round((v - lo) / (hi - lo) * 255))) : 0, x = edge(i, nx, w), y = edge(j, ny, h);
    c.fillStyle = 'rgb(' + scale[t].join() + ')';
    c.fillRect(x, y, edge(i + 1, nx, w) - x - gap, edge(j + 1, ny, h) - y - gap);
  }
  (hatched || []).forEach(function (i) { hatch(c, edge(i, nx, w), edge(i + 1, nx, w), h); });
  return canvas;
}
function hatch(c, x0, x1, h) {
  var k = Math.max(6, x1 - x0);
  c.save(); c.beginPath(); c.rect(x0, 0, x1 - x0, h); c.clip();
  c.strokeStyle = colors.paper; c.lineWidth = 3;
  for (var y = -k; y < h + k; y += 10) { c.beginPath(); c.moveTo(x0, y + k); c.lineTo(x0 + k, y); c.stroke(); }
  c.restore();
}
function image(canvas, x, y, w, h) { return { type: 'image', silent: true, style: { image: canvas, x: x, y: y, width: w, height: h } }; }
// ECharts keeps the proportions of an image in an SVG; a map must fill its frame.
function stretch(el) { Array.prototype.forEach.call(el.querySelectorAll('image'), function (i) { i.setAttribute('preserveAspectRatio', 'none'); }); }
// Lines between nodes, across rows or columns.
function nodeLines(frame, rows) {
  if (data.nodes.length > 40) return [];
  var many = rows > 64;
  return data.nodes.map(function (i) { var y = frame.y + frame.height * i / rows; return segment(frame.x - (many ? 0 : 26), y, frame.x + frame.width, y, many ? colors.paper : colors.ink, 1); });
}
// Of many rows only the first of each node is named.
function rowLabel(i) {
  var n = data.ranks.length;
  if (n <= 16) return true;
  if (n <= 64) return i % 4 === 0;
  return i === 0 || (data.nodes.length <= 24 ? data.nodes.indexOf(i) >= 0 : i % Math.ceil(n / 16) === 0);
}
