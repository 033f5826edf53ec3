// Maps are one picture each: a cell per value would take seconds. A picture is made
// once for what it shows and its colours; a selection is drawn on top of it.
var pictures = {};
function picture(key, make) {
  key += isDark() ? ' dark' : ' light';
  if (!pictures[key]) pictures[key] = make();
  return pictures[key];
}
// The values of nx columns and ny rows, NaN where there is none, as the address of an
// image. Few columns have gaps between them where the size of the plot is given.
function bitmap(values, nx, ny, lo, hi, scale, hatched, width, height) {
  if (ny > mostRows) { values = joinRows(values, nx, ny, mostRows); ny = mostRows; }
  var large = !width || isLarge(nx, ny), canvas = document.createElement('canvas');
  canvas.width = large ? nx : Math.round(width * 2); canvas.height = large ? ny : Math.round(height * 2);
  var c = canvas.getContext('2d'), paint = large ? paintDots : paintCells;
  paint(c, levels(values, lo, hi, scale.length - 1), nx, ny, scale);
  if (!large) (hatched || []).forEach(function (i) { hatch(c, edge(i, nx, canvas.width), edge(i + 1, nx, canvas.width), canvas.height); });
  return canvas.toDataURL();
}
// A panel has fewer pixels than a large job has ranks: of the ranks of a pixel each column shows the one that is
// farthest from their mean, so that a rank that stands out alone is seen.
var mostRows = 256;
function joinRows(values, nx, ny, rows) {
  var out = new Float32Array(nx * rows).fill(NaN);
  for (var r = 0; r < rows; r++) for (var i = 0, from = edge(r, rows, ny), to = edge(r + 1, rows, ny); i < nx; i++) {
    var sum = 0, n = 0, far = -1;
    for (var k = from; k < to; k++) { var v = values[k * nx + i]; if (v === v) { sum += v; n++; } }
    for (k = from; k < to; k++) { v = values[k * nx + i]; if (Math.abs(v - sum / n) > far) { far = Math.abs(v - sum / n); out[r * nx + i] = v; } }
  }
  return out;
}
function isLarge(nx, ny) { return nx >= 80 || ny > 64; }
// Where each value stands on a scale of colours from 0 to top; -1 is no value.
function levels(values, lo, hi, top) {
  var out = new Int16Array(values.length), per = hi > lo ? top / (hi - lo) : 0;
  for (var i = 0; i < out.length; i++) {
    var v = values[i];
    out[i] = v === v ? Math.max(0, Math.min(top, Math.round((v - lo) * per))) : -1;
  }
  return out;
}
function edge(i, n, t) { return Math.round(i * t / n); }
function paintDots(c, levels, nx, ny, scale) {
  var image = c.createImageData(nx, ny), to = image.data; // fillRect of each cell takes twenty times as long
  for (var i = 0, at = 0; i < levels.length; i++, at += 4) {
    if (levels[i] < 0) continue;
    var rgb = scale[levels[i]];
    to[at] = rgb[0]; to[at + 1] = rgb[1]; to[at + 2] = rgb[2]; to[at + 3] = 255;
  }
  c.putImageData(image, 0, 0);
}
function paintCells(c, levels, nx, ny, scale) {
  var w = c.canvas.width, h = c.canvas.height, gap = 2;
  for (var j = 0; j < ny; j++) for (var i = 0; i < nx; i++) {
    var t = levels[j * nx + i], x = edge(i, nx, w), y = edge(j, ny, h);
    if (t < 0) continue;
    c.fillStyle = 'rgb(' + scale[t].join() + ')';
    c.fillRect(x, y, edge(i + 1, nx, w) - x - gap, edge(j + 1, ny, h) - y - gap);
  }
}
function hatch(c, x0, x1, h) {
  var k = Math.max(6, x1 - x0);
  c.save(); c.beginPath(); c.rect(x0, 0, x1 - x0, h); c.clip();
  c.strokeStyle = colors.paper; c.lineWidth = 3;
  for (var y = -k; y < h + k; y += 10) { c.beginPath(); c.moveTo(x0, y + k); c.lineTo(x0 + k, y); c.stroke(); }
  c.restore();
}
function image(address, x, y, w, h) { return { type: 'image', silent: true, style: { image: address, x: x, y: y, width: w, height: h } }; }
// ECharts keeps the proportions of an image in an SVG; a map must fill its frame.
function stretch(el) { Array.prototype.forEach.call(el.querySelectorAll('image'), function (i) { i.setAttribute('preserveAspectRatio', 'none'); }); }
// Large pictures have a dot for a value, in which no line can be drawn: neighbouring columns of
// them are hatched together, on top.
function hatching(columns, n, g) {
  var out = [], from = 0;
  columns.forEach(function (c, k) {
    if (k + 1 < columns.length && columns[k + 1] === c + 1) return;
    var x0 = g.x + g.width * columns[from] / n, x1 = g.x + g.width * (c + 1) / n, w = x1 - x0, end = g.y + g.height;
    for (var y = g.y - w; y < end; y += 10) { // a line from (x0, y + w) up to (x1, y), within the frame
      var top = Math.max(y, g.y), bottom = Math.min(y + w, end);
      if (bottom > top) out.push(segment(x1 - (bottom - y), bottom, x1 - (top - y), top, colors.paper, 2));
    }
    from = k + 1;
  });
  return out;
}
// Lines between nodes; beside many rows, of which a line across would cover some.
function nodeLines(frame, rows) {
  if (data.nodes.length > 40) return [];
  var many = rows > 64;
  return data.nodes.map(function (i) { var y = frame.y + frame.height * i / rows; return many ? segment(frame.x - 5, y, frame.x, y, colors.ink2, 1) : segment(frame.x - 26, y, frame.x + frame.width, y, colors.ink, 1); });
}
// The names of so many rows in so many pixels: each, or as many as do not touch.
function rowNames(rows, height) { return rows <= 16 ? Math.max(0, Math.ceil(12 * rows / height) - 1) : rowLabel; }
// Of many rows only the first of each node is named.
function rowLabel(i) {
  var n = data.ranks.length;
  if (n <= 16) return true;
  if (n <= 64) return i % 4 === 0;
  return i === 0 || (data.nodes.length <= 24 ? data.nodes.indexOf(i) >= 0 : i % Math.ceil(n / 16) === 0);
}
