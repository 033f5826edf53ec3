// Ordinary charts: options from the data block, with colours and functions
// filled in, and what each mark adds.
function resolve(v, key) {
  if (key === 'data' || key === 'name') return v; // names out of profiles live here
  if (typeof v === 'string') {
    if (v[0] === '$' && colors[v.slice(1)] !== undefined) return colors[v.slice(1)];
    if (v[0] === '@' && functions[v.slice(1)]) return functions[v.slice(1)];
    return v;
  }
  if (Array.isArray(v)) return v.map(function (x) { return resolve(x); });
  if (v && typeof v === 'object') {
    var out = {};
    Object.keys(v).forEach(function (k) { out[k] = resolve(v[k], k); });
    return out;
  }
  return v;
}
// A series of a side has its role for a name, and is shown by the side's own.
function sideName(s) { return s.replace(/^(Baseline|Candidate)(?=$|, )/, function (role) { return data.sides[role === 'Baseline' ? 0 : 1]; }); }
function one(v) { return Array.isArray(v) ? v[0] : v; }
function dressed(a) {
  a = Object.assign({}, a);
  a.axisTick = { show: false };
  a.nameTextStyle = { color: colors.ink2, fontSize: 12, fontFamily: colors.font, align: a.nameLocation === 'middle' ? 'center' : 'left', padding: [0, 0, 2, 0] };
  if (a.nameLocation !== 'middle') a.nameGap = 10;
  a.axisLabel = Object.assign({ fontFamily: colors.font, hideOverlap: true }, a.axisLabel);
  delete a.axisLabel.showMinLabel; delete a.axisLabel.showMaxLabel;
  return a;
}
function categoryAxis(option) { return option.xAxis.type === 'category' ? option.xAxis : option.yAxis.type === 'category' ? option.yAxis : null; }

function prepared(chart, width) {
  var o = resolve(chart.option);
  o.xAxis = dressed(one(o.xAxis)); o.yAxis = dressed(one(o.yAxis)); o.grid = Object.assign({}, one(o.grid));
  ['left', 'right', 'top', 'bottom'].forEach(function (k) { o.grid[k] = +o.grid[k]; });
  o.textStyle = { fontFamily: colors.font, fontSize: 12, color: colors.ink2 };
  o.series = o.series.map(function (s) { s = Object.assign({ silent: true, animation: false }, s); delete s.label; return s; });
  if (chart.flip && width < 520) {
    var x = o.xAxis; o.xAxis = o.yAxis; o.yAxis = x; o.yAxis.inverse = true; o.xAxis.name = '';
  }
  var c = categoryAxis(o), single = chart.pick === 'step' && chart.extra.first[1] === 1; // columns are steps, labelled by number
  if (c) {
    var n = c.data.length;
    if (c === o.yAxis) c.axisLabel.interval = n > 40 ? Math.ceil(n / 24) - 1 : 0;
    else if (n > 60) c.axisLabel.interval = function (i, name) { var k = 10 * Math.ceil(n / 200); return (single ? +name : i) % k === 0; };
    c.axisLabel.fontSize = c === o.yAxis ? 11 : 12;
  }
  return o;
}
function valuesOf(chart, i) {
  return chart.option.series.filter(function (s) { return String(s.name)[0] !== '_'; }).map(function (s) {
    var v = s.data[i] && s.data[i].value;
    return { name: sideName(s.name), value: v, color: resolve((s.itemStyle && (s.itemStyle.borderColor && s.itemStyle.borderColor !== '$paper' ? s.itemStyle.borderColor : s.itemStyle.color)) || (s.lineStyle && s.lineStyle.color)) };
  }).filter(function (r) { return r.value !== undefined && r.value !== '-'; });
}

var marks = {};
function define(id, chart) {
  definitions[id] = {
    height: function (w) { return chart.narrow && w < 520 ? chart.narrow : chart.height; },
    option: function (w) {
      var o = prepared(chart, w);
      if (marks[chart.mark]) marks[chart.mark](o, chart, w);
      return o;
    },
    hit: function (x, y, plot, w) { return chartHit(chart, x, y, plot, w); },
    brush: chart.pick === 'step'
  };
}
function inside(plot, x, y) { return plot.containPixel({ gridIndex: 0 }, [x, y]) ? plot.convertFromPixel({ gridIndex: 0 }, [x, y]) : null; }
function chartHit(chart, x, y, plot, width) {
  var p = inside(plot, x, y), o = chart.option, c = categoryAxis({ xAxis: one(o.xAxis), yAxis: one(o.yAxis) });
  if (!p) return null;
  if (!c) return lineHit(chart, p, x);
  var flipped = chart.flip && width < 520, onX = (one(o.xAxis).type === 'category') !== !!flipped;
  var i = Math.max(0, Math.min(c.data.length - 1, onX ? p[0] : p[1]));
  var rows = [];
  valuesOf(chart, i).forEach(function (v) {
    if (Array.isArray(v.value)) {
      rows.push([v.name + ', median', digits(v.value[2]), v.color], ['  half of the ' + chart.extra.each + 's', digits(v.value[1]) + ' to ' + digits(v.value[3])], ['  all ' + chart.extra.each + 's', digits(v.value[0]) + ' to ' + digits(v.value[4])]);
    } else rows.push([v.name, chart.mark === 'zero' ? signed(v.value) : digits(v.value), v.color]);
  });
  if (!rows.length) return null;
  if (chart.mark === 'steps') rows = rows.concat(bandRows(chart, i));
  var out = { html: tooltip(columnTitle(chart, c.data[i], i), rows, chart.unit), x: onX ? x : null };
  if (chart.pick === 'rank') out.rank = i;
  if (chart.pick === 'step') { out.step = chart.extra.first[i]; out.last = lastOf(chart.extra.first, i); }
  if (chart.pick === 'collective') out.collective = c.data[i];
  if (chart.pick === 'bar' && chart.extra.bars[i] >= 0) out.rank = chart.extra.bars[i];
  return out;
}
// What the band of a column is: the lowest to the highest rank of each side.
function bandRows(chart, i) {
  return ['Baseline', 'Candidate'].map(function (role, side) {
    var low = named(chart.option, '_low ' + role), band = named(chart.option, '_band ' + role), v = low && low.data[i] && low.data[i].value, w = band && band.data[i] && band.data[i].value;
    return v == null || v === '-' || !(w > 0) ? null : ['  ranks, ' + data.sides[side], digits(v) + ' to ' + digits(v + w)];
  }).filter(Boolean);
}
// Two columns of a thinned chart share their steps.
function columnTitle(chart, name, i) {
  var first = chart.pick === 'step' ? chart.extra.first : [0, 1], k = i - i % 2, end = k + 2 < first.length ? first[k + 2] : data.steps.length;
  if (first[1] !== 1 && first.length > 1) return 'Least or most of steps ' + data.steps[first[k]] + ' to ' + data.steps[end - 1];
  return (chart.title ? chart.title + ' ' : '') + name;
}
function lineHit(chart, p, x) {
  var at = p[0], last = chart.mark === 'ecdf';
  var rows = chart.option.series.map(function (s) {
    var best = null;
    for (var i = 0; i < s.data.length; i++) { if (s.data[i].value[0] <= at) best = s.data[i].value; else break; }
    var end = s.data.length - 1; // behind its last bin a capture has no value
    if (chart.mark === 'reads' && end > 0 && at > 2 * s.data[end].value[0] - s.data[end - 1].value[0]) best = null;
    return [sideName(s.name), best ? digits(best[best.length - 1]) : none, resolve(s.lineStyle.color)];
  });
  var title = last ? 'At most ' + digits(at) + narrowSpace + chart.extra.unit : chart.mark === 'gaps' ? 'Gaps of about ' + functions.micro(+at.toPrecision(2)) : 'At ' + digits(at) + narrowSpace + 's';
  return { html: tooltip(title, rows, chart.unit), x: x };
}
function named(o, name) { return o.series.filter(function (s) { return s.name === name; })[0]; }
function lastPoint(s) { for (var i = s.data.length - 1; i >= 0; i--) if (s.data[i].value !== '-' && s.data[i].value != null) return i; return -1; }

// Steps: left-out steps shaded, names at the ends of the lines, the selection.
marks.steps = function (o, chart, width) {
  var cut = chart.extra.leftOut || [], n = o.xAxis.data.length;
  if (width < 520) o.grid.right = 64;
  o.series.unshift(overlay(function (g, api) {
    var w = g.width / n, no = chart.extra.stripe, top = no && Math.max(g.y, api.coord([0, no[1]])[1]);
    var out = no ? [rect(g.x, top, g.width, Math.max(0, Math.min(g.y + g.height, api.coord([0, no[0]])[1]) - top), colors.rule), text(g.x + g.width, g.y - 14, no[2], { align: 'right' })] : [];
    out = out.concat(cut.map(function (i) { return rect(g.x + i * w, g.y, w, g.height, colors.rule, { opacity: 0.6 }); }));
    // Below the lines, which begin at 0, and where the selected step has its name.
    if (cut.length && width >= 520 && selected.step == null) out.push(cut[0] < n * 0.6 ? text(g.x + (cut.length === 1 ? (cut[0] + 1) * w + 8 : g.x), g.y + g.height - 10, shortened(chart.extra.why, 90)) : text(g.x + cut[0] * w - 8, g.y + g.height - 10, shortened(chart.extra.why, 90), { align: 'right' }));
    return out;
  }, { z: 0 }));
  o.series.push(overlay(function (g) { return levelMarks(chart.extra.levels || [], g, g.width / n, width >= 520); }));
  o.series.push(overlay(function (g, api) {
    var out = [], ends = [];
    [['Baseline', colors.base], ['Candidate', colors.cand]].forEach(function (s, side) {
      var line = named(o, s[0]), i = line ? lastPoint(line) : -1;
      var value = chart.extra.median ? chart.extra.median[side] : i >= 0 ? line.data[i].value : null;
      if (value != null) ends.push({ y: api.coord([0, value])[1], name: fitted(data.sides[side], width - g.x - g.width - 6, '650 13px '), value: value, color: s[1] });
    });
    if (ends.length === 2 && Math.abs(ends[0].y - ends[1].y) < 38) {
      var upper = ends[0].y <= ends[1].y ? 0 : 1, middle = (ends[0].y + ends[1].y) / 2;
      ends[upper].y = middle - 19; ends[1 - upper].y = middle + 19;
    }
    ends.forEach(function (e) {
      out.push(text(g.x + g.width + 6, e.y - 8, e.name, { fill: e.color, weight: 650, size: 13 }), text(g.x + g.width + 6, e.y + 9, digits(e.value) + narrowSpace + chart.unit, { fill: e.color, weight: 650, size: 13 }));
    });
    return out.concat(stepMarks(chart.extra.first, g, api));
  }));
  if (selected.rank != null) rankLines(o, chart.extra.key);
  o.series = apart(o.series, chart.extra.breaks || []);
};
// The selected step, or the first and the last of several.
function stepMarks(first, g, api) {
  var ends = columnsOf(first), out = [];
  if (!ends) return out;
  var x = [api.coord([ends[0], 0])[0], api.coord([ends[1], 0])[0]];
  if (ends[1] > ends[0]) out.push(rect(x[0], g.y, x[1] - x[0], g.height, colors.ink, { opacity: 0.08 }), segment(x[1], g.y, x[1], g.y + g.height, colors.sel, 1.5));
  out.push(segment(x[0], g.y, x[0], g.y + g.height, colors.sel, 1.5), text(x[0] + 5, g.y + g.height - 10, stepName(), { fill: colors.ink, weight: 600 }));
  return out;
}
// Lines with a piece for each capture: nothing joins them.
function apart(series, breaks) {
  var from = [0].concat(breaks);
  return breaks.length ? [].concat.apply([], series.map(function (s) {
    return s.type !== 'line' ? [s] : from.map(function (start, k) {
      var end = k + 1 < from.length ? from[k + 1] : s.data.length;
      return Object.assign({}, s, { stack: s.stack && s.stack + k, data: s.data.map(function (d, i) { return i >= start && i < end ? d : '-'; }) });
    });
  })) : series;
}
// Where a run changes its level: a line in front of the first step on the new one.
function levelMarks(levels, g, w, room) {
  var out = [];
  levels.forEach(function (l) {
    var x = g.x + l.at * w, color = l.side ? colors.cand : colors.base, left = x > g.x + g.width * 0.6;
    out.push(segment(x, g.y, x, g.y + g.height, color, 1));
    if (l.text && room) out.push(text(left ? x - 6 : x + 6, g.y + g.height - 44 + 16 * l.side, l.text, { fill: color, weight: 600, align: left ? 'right' : 'left' }));
  });
  return out;
}
function columnOf(first, step) { var k = 0; while (k + 1 < first.length && first[k + 1] <= step) k++; return k; }
function shortened(s, n) { return s.length > n ? s.slice(0, n - 1) + '\u2026' : s; }
// The selected rank's own steps, where the maps hold them.
function rankLines(o, key) {
  var m = data.map && data.map.metrics.map(function (v) { return v.key; }).indexOf(key);
  if (!data.map || m < 0 || data.map.columns !== o.xAxis.data.length) return;
  ['b', 'c'].forEach(function (side) {
    var v = matrix(m, side);
    o.series.push({ type: 'line', silent: true, symbol: 'none', z: 5, lineStyle: { width: 1.5, color: colors.ink, type: side === 'b' ? [5, 3] : 'solid' }, data: Array.prototype.map.call(v.subarray(selected.rank * data.map.columns, (selected.rank + 1) * data.map.columns), function (x) { return x === x ? x : '-'; }) });
  });
  o.series.push(overlay(function (g) { return [text(g.x + g.width - 4, g.y + 10, 'thin: rank ' + data.ranks[selected.rank], { fill: colors.ink, align: 'right' })]; }));
}
// Distribution: the names stand where the curves are apart.
marks.ecdf = function (o, chart) {
  o.yAxis.interval = 25;
  if (selected.rank != null) rankCurves(o, chart.extra.key);
  o.series.push(overlay(function (g, api) {
    function at(s, y) { for (var i = 0; i < s.data.length; i++) if (s.data[i].value[1] >= y) return s.data[i].value[0]; return s.data[s.data.length - 1].value[0]; }
    var b = named(o, 'Baseline'), c = named(o, 'Candidate'), baseRight = at(b, 50) > at(c, 50);
    return [[b, 'Baseline', colors.base, baseRight], [c, 'Candidate', colors.cand, !baseRight]].map(function (s) {
      var p = api.coord([at(s[0], s[3] ? 30 : 70), s[3] ? 30 : 70]), room = s[3] ? g.x + g.width - p[0] > 80 : p[0] - g.x > 80;
      return text(p[0] + ((s[3] === room) ? 10 : -10), p[1], sideName(s[1]), { fill: s[2], weight: 650, size: 13, align: s[3] === room ? 'left' : 'right', halo: true });
    });
  }));
};
// The selected rank's own steps, where a map holds each of them.
function rankCurves(o, key) {
  var m = data.map ? data.map.metrics.map(function (v) { return v.key; }).indexOf(key) : -1;
  if (m < 0 || data.map.columns !== data.steps.length) return;
  var left = {}, n = data.map.columns;
  data.leftOut.forEach(function (i) { left[i] = true; });
  ['b', 'c'].forEach(function (side) {
    var v = Array.prototype.filter.call(matrix(m, side).subarray(selected.rank * n, (selected.rank + 1) * n), function (x, i) { return x === x && !left[i]; }).sort(function (x, y) { return x - y; });
    o.series.push({ type: 'line', silent: true, symbol: 'none', step: 'end', z: 5, lineStyle: { width: 1.25, color: colors.ink, type: side === 'b' ? [5, 3] : 'solid' }, data: v.map(function (x, i) { return { value: [x, 100 * (i + 1) / v.length] }; }) });
  });
  o.series.push(overlay(function (g) { return [text(g.x + 6, g.y + 10, 'thin: rank ' + data.ranks[selected.rank] + ' (' + data.sides[0] + ' dashed)', { fill: colors.ink })]; }));
}
marks.zero = function (o) {
  o.series.push(overlay(function (g, api) { var y = api.coord([0, 0])[1]; return [segment(g.x, y, g.x + g.width, y, colors.ink, 1)]; }));
};
marks.boxes = function (o, chart, width) {
  if (o.xAxis.type === 'category') o.grid.right = Math.max(o.grid.right, width - o.grid.left - 90 * o.xAxis.data.length); // the boxes of few ranks stay together
  o.series.forEach(function (s) { s.boxWidth = [3, 14]; });
  if (selected.rank != null) {
    var kept = chart.pick === 'bar' ? barsWith(chart, selected.rank) : [selected.rank];
    o.series.forEach(function (s) { s.data = s.data.map(function (d, i) { return kept.indexOf(i) < 0 ? d : Object.assign({}, d, { itemStyle: Object.assign({}, s.itemStyle, { borderColor: colors.sel, borderWidth: 2.5 }) }); }); });
  }
  o.series.forEach(function (s) { s.data = s.data.filter(Boolean).map(function (d) { return d.value.indexOf('-') >= 0 ? { value: ['-', '-', '-', '-', '-'] } : d; }); });
};
// The bars that a rank is in: its own, which has its index, and that of its host, which has -1 less the host's number.
function barsWith(chart, rank) {
  var out = [];
  chart.extra.bars.forEach(function (of, i) { if (of === rank || of === -1 - data.hostOf[rank]) out.push(i); });
  return out;
}
function fadeOthers(o, kept) {
  if (!kept.length) return;
  o.series.forEach(function (s) { s.data = s.data.map(function (d, i) { return kept.indexOf(i) >= 0 ? d : Object.assign({}, d, { itemStyle: { opacity: 0.35 } }); }); });
}
marks.nodes = function (o, chart) {
  if (chart.pick === 'rank') {
    fadeOthers(o, selected.rank == null ? [] : [selected.rank]);
    o.series.push(overlay(function (g) { return nodeLines(g, o.yAxis.data.length); }));
    o.yAxis.axisLabel.interval = function (i) { return o.yAxis.data.length <= 32 || rowLabel(i); };
  } else if (chart.pick === 'bar') {
    fadeOthers(o, selected.rank == null ? [] : barsWith(chart, selected.rank));
    o.grid.left = 16 + Math.max.apply(null, o.yAxis.data.map(function (s) { return textWidth(short(s), '400 11px '); }));
    o.yAxis.axisLabel.formatter = short;
  }
};
// Values at the ends of bars.
marks.ends = function (o, chart, width) {
  var bars = o.series.slice(), n = o.yAxis.data.length;
  o.grid.left = Math.min(width < 520 ? 110 : 230, 16 + Math.max.apply(null, o.yAxis.data.map(function (s) { return textWidth(short(s), '400 11px '); })));
  o.series.push(overlay(function (g, api) {
    var out = [];
    bars.forEach(function (s, k) {
      for (var i = 0; i < n; i++) {
        var v = s.data[i].value;
        if (v === '-' || v == null) continue;
        var p = api.coord([v, i]);
        out.push(text(p[0] + 7, p[1] + (k ? 7.5 : -7.5), digits(v), { fill: k ? colors.cand : colors.base, size: 12 }));
      }
    });
    var at = o.yAxis.data.indexOf(selected.collective);
    if (chart.pick === 'collective' && at >= 0) out.push(outline(1, g.y + g.height * at / n + 1, width - 2, g.height / n - 2));
    return out;
  }));
};
// Reads: the steps in blocks under the curve.
marks.reads = function (o, chart) {
  o.series.push(overlay(function (g, api) {
    var out = [], side = data.activity && data.activity[chart.extra.side === 'b' ? 'base' : 'cand'];
    if (!side) return out;
    var y = g.y + g.height + 24;
    side.steps.forEach(function (s, i) {
      var x0 = api.coord([s[0], 0])[0], x1 = i + 1 < side.steps.length ? api.coord([side.steps[i + 1][0], 0])[0] : Math.min(g.x + g.width, api.coord([side.bins * data.activity.bin, 0])[0]);
      out.push(rect(x0, y, x1 - x0 - (x1 - x0 > 4 ? 1.5 : 0), 12, stepIsSelected(s[1]) ? colors.sel : i % 2 ? colors.rule2 : colors.ink3, { opacity: stepIsSelected(s[1]) ? 1 : 0.55 }));
      if (x1 - x0 > 18) out.push(text((x0 + x1) / 2, y + 21, String(data.steps[s[1]]), { align: 'center', size: 11 }));
    });
    return out;
  }));
};
Object.keys(data.charts).forEach(function (id) { define(id, data.charts[id]); });
