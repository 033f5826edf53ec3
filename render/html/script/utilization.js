// Maps of rank and time: the share of each bin in which the GPU was busy.
var activity = data.activity, noBin = 255;
if (activity) ['base', 'cand'].forEach(function (k) {
  var side = activity[k];
  side.values = {};
  Object.keys(side.maps).forEach(function (m) { side.values[m] = shares(side.maps[m], side.bins * side.rows.length); });
  if (side.values.busy) side.values.busy = side.values.busy.map(wholeOf(side.values));
  side.at = {};
  side.rows.forEach(function (row, i) { side.at[row] = i; });
});
// All work is stored without the compute and communication in it, and 8 higher.
function wholeOf(values) {
  function part(m, i) { return m && m[i] !== noBin ? m[i] : 0; }
  return function (rest, i) { return rest === noBin ? noBin : rest - 8 + part(values.compute, i) + part(values.comm, i) - part(values.overlap, i); };
}
function share(side, kind, bin, row) {
  var at = side.at[row];
  if (at === undefined) return null;
  if (!side.values[kind]) return bin < side.bins ? 0 : null;
  var v = side.values[kind][at * side.bins + bin];
  return v === noBin ? null : v / 2;
}
function utilPicture(side, kind, name, rows) {
  return picture(['util', name, kind].join(), function () {
    var values = new Float32Array(side.bins * rows);
    for (var r = 0; r < rows; r++) for (var i = 0; i < side.bins; i++) {
      var v = share(side, kind, i, r);
      values[r * side.bins + i] = v == null ? NaN : v;
    }
    return bitmap(values, side.bins, rows, 0, 100, ramps.sequential);
  });
}
function stepAt(side, t) {
  var k = -1;
  while (k + 1 < side.steps.length && side.steps[k + 1][0] <= t) k++;
  return k < 0 ? null : side.steps[k][1];
}
// The part of the time that shows, in s; null: all of it. It outlives whatever draws the chart anew.
var utilZoom = null;
function utilEnd() { return Math.max(activity.base.bins, activity.cand.bins) * activity.bin; }
function keepZoom(chart) {
  chart.on('datazoom', function () {
    var z = chart.getOption().dataZoom[0];
    setZoom(z.startValue, z.endValue);
  });
}
function setZoom(from, to) {
  var end = utilEnd(), least = Math.min(end, 8 * activity.bin);
  from = Math.max(0, Math.min(from, end - least)); to = Math.min(end, Math.max(to, from + least));
  utilZoom = to - from > end * 0.999 ? null : [from, to];
  byId('util-all').disabled = !utilZoom;
  writeAddress();
}
function zoomTo(from, to) { setZoom(from, to); redrawOne('util'); }
function zoomBy(k) {
  var z = utilZoom || [0, utilEnd()], middle = (z[0] + z[1]) / 2, half = (z[1] - z[0]) / 2 * k;
  zoomTo(middle - half, middle + half);
}
function addZoom() {
  var controls = element('span', { class: 'noprint', role: 'group', 'aria-label': 'Zoom' });
  [['in', 'Zoom in', function () { zoomBy(0.5); }], ['out', 'Zoom out', function () { zoomBy(2); }], ['all', 'Whole run', function () { zoomTo(0, utilEnd()); }]].forEach(function (b) {
    var button = element('button', { class: 'btn', type: 'button', id: 'util-' + b[0] }, b[1]);
    button.addEventListener('click', b[2]);
    controls.append(button, ' ');
  });
  byId('ramp-u').before(controls);
  byId('util-all').disabled = true;
  remember('utilization', function () { return utilZoom ? utilZoom.map(function (v) { return +v.toPrecision(6); }).join('..') : ''; }, function (v) {
    var ends = v.split('..').map(Number);
    if (v === '') zoomTo(0, utilEnd()); else if (ends.length === 2 && ends[0] < ends[1]) zoomTo(ends[0], ends[1]);
  });
}
function utilGrid(height, k) { var h = (height - 76) / 2; return { left: 40, right: 8, top: k ? 22 + h + 26 : 22, height: h }; }
function utilSeries(k, rows) {
  var side = activity[k ? 'cand' : 'base'], name = data.sides[k], color = k ? colors.cand : colors.base, kind = selected.share;
  var where = { xAxisIndex: k, yAxisIndex: k };
  return [overlay(function (g, api) {
    var x0 = api.coord([0, 0])[0], x1 = api.coord([side.bins * activity.bin, 0])[0], h = g.height / rows;
    var out = side.bins ? [image(utilPicture(side, kind, name, rows), x0, g.y, x1 - x0, g.height)] : [];
    if (rows > 64) out = out.concat(nodeLines(g, rows));
    else data.nodes.forEach(function (i) { if (data.nodes.length <= 40) out.push(segment(x0, g.y + h * i, x1, g.y + h * i, colors.rule2)); });
    if (!side.values[kind]) out.push(text((x0 + Math.min(x1, g.x + g.width)) / 2, g.y + g.height / 2, side.bins ? kind === 'overlap' ? 'no overlap in any bin' : 'none in any bin' : 'not recorded', { align: 'center', fill: colors.ink, size: 14, weight: 600 }));
    if (selected.rank != null) out.push(outline(x0, g.y + selected.rank * h, x1 - x0, h));
    var of = side.steps.map(function (s, i) { return stepIsSelected(s[1]) ? i : -1; }).filter(function (i) { return i >= 0; });
    if (of.length) {
      var end = of[of.length - 1] + 1, a = api.coord([side.steps[of[0]][0], 0])[0], b = end < side.steps.length ? api.coord([side.steps[end][0], 0])[0] : x1;
      out.push(outline(a, g.y, b - a, g.height));
    }
    return out;
  }, Object.assign({ clip: true }, where)), overlay(function (g) {
    return [text(g.x, g.y - 11, name, { fill: color, weight: 650, size: 13 }), text(g.x + g.width, g.y - 11, 'mean ' + (side.means[kind] || none), { fill: color, align: 'right' })];
  }, where)];
}
function utilOption(height) {
  drawRamp('ramp-u', ramps.sequential, '0', '100' + narrowSpace + '%');
  var rows = data.ranks.length, end = utilEnd();
  return {
    animation: false, grid: [0, 1].map(function (k) { return utilGrid(height, k); }),
    dataZoom: [{ type: 'inside', xAxisIndex: [0, 1], startValue: utilZoom ? utilZoom[0] : 0, endValue: utilZoom ? utilZoom[1] : end, zoomOnMouseWheel: 'ctrl', moveOnMouseMove: true, moveOnMouseWheel: false, filterMode: 'none' }],
    xAxis: [0, 1].map(function (k) { return axis({ type: 'value', gridIndex: k, min: 0, max: end, axisLabel: { show: k === 1, showMinLabel: !utilZoom, showMaxLabel: false, formatter: utilZoom ? function (v) { return tick(v) + narrowSpace + 's'; } : functions.seconds } }); }),
    yAxis: [0, 1].map(function (k) { return axis({ type: 'category', gridIndex: k, data: data.ranks, inverse: true, axisLabel: { fontSize: 11, hideOverlap: false, interval: rowNames(rows, (height - 76) / 2) } }); }),
    series: utilSeries(0, rows).concat(utilSeries(1, rows))
  };
}
if (activity) definitions.util = {
  height: function () { return Math.min(2 * panel - 180, 140 + 16 * data.ranks.length); },
  option: function (w, h) { return utilOption(h); }, made: keepZoom,
  hit: function (x, y, plot) {
    for (var k = 0; k < 2; k++) {
      if (!plot.containPixel({ gridIndex: k }, [x, y])) continue;
      var p = plot.convertFromPixel({ gridIndex: k }, [x, y]), side = activity[k ? 'cand' : 'base'], bin = Math.floor(p[0] / activity.bin), row = p[1], step = stepAt(side, p[0]);
      if (bin >= side.bins || share(side, 'busy', bin, row) == null) return null;
      var rows = [['All GPU work', 'busy'], ['Compute', 'compute'], ['Communication', 'comm'], ['Overlap', 'overlap']].map(function (r) { return [r[0], digits(share(side, r[1], bin, row))]; });
      return { html: tooltip(data.sides[k] + ', rank ' + data.ranks[row] + ', ' + digits(p[0]) + narrowSpace + 's' + (step == null ? '' : ', step ' + data.steps[step]), rows, '%'), rank: row, step: step };
    }
    return null;
  }
};
