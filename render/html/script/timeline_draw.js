// The timeline's canvas.
function barColor(b, i) {
  switch (b.lane[i]) {
    case 0: return colors.k_compute;
    case 1: return colors.k_transfer;
    case 2: return colors.k_memory;
    case 3: return colors['k_' + barName(b, i)] || colors.k_unknown;
  }
  return null;
}
function sameBar(a, rank, i) { return a && a.rank === rank && a.i === i; }

function paintTimeline(el, width, height) {
  followStep(); followKernel();
  var canvas = el.querySelector('canvas');
  if (!canvas) {
    canvas = document.createElement('canvas');
    canvas.setAttribute('aria-hidden', 'true');
    el.appendChild(canvas);
    wireTimeline(el);
  }
  var scale = window.devicePixelRatio || 1; // paper has no timeline
  canvas.width = Math.round(width * scale); canvas.height = Math.round(height * scale);
  canvas.style.width = width + 'px'; canvas.style.height = height + 'px';
  var c = canvas.getContext('2d'), w = timeWindow(), left = timelineLeft(width), rows = timelineRows().rows;
  c.setTransform(scale, 0, 0, scale, 0, 0);
  c.clearRect(0, 0, width, height);
  var q = { c: c, left: left, right: width - 8, from: w.from, to: w.to, tick: data.timeline.tick, px: (width - left - 8) / (w.to - w.from) };
  q.x = function (v) { return left + (v - w.from) * q.px; };
  drawTimeAxis(q, width, height);
  rows.forEach(function (row) {
    if (!row.lane) {
      label(c, left, row.y + 9, row.text, row.head ? (row.side ? colors.cand : colors.base) : colors.ink, row.head ? 650 : 600, row.head ? 13 : 12, 'left', width - left - 8);
      return;
    }
    label(c, left - 8, row.y + Math.min(row.lane.height, 14) / 2, row.lane.name, colors.ink2, 400, 11, 'right', left - 12);
    drawLane(q, row);
    var end = q.x(row.rank.length);
    if (end >= left && end <= q.right + 1) rule(c, end, row.y - 1, end, row.y + row.lane.height + 2, colors.ink3, [3, 3]);
  });
  drawArrows(q, rows);
  if (timeline.hovered && timeline.match) joinBars(q, rows, timeline.hovered, timeline.match);
  byId('tlout').disabled = byId('tlall').disabled = !timeline.zoomed;
  el.dataset.from = +w.from.toPrecision(9); el.dataset.to = +w.to.toPrecision(9);
}
// A line from a bar to the same one of the other side.
function joinBars(q, rows, x, match) {
  var ends = [x, match].map(function (m) {
    var b = barsOf(m.rank), row = rows.filter(function (r) { return r.lane === m.lane; })[0];
    return [q.x((b.start[m.i] + b.length[m.i] / 2) * q.tick), row.y + row.lane.height / 2];
  });
  q.c.strokeStyle = colors.ink; q.c.lineWidth = 1; q.c.setLineDash([4, 3]);
  q.c.beginPath(); q.c.moveTo(ends[0][0], ends[0][1]); q.c.lineTo(ends[1][0], ends[1][1]); q.c.stroke(); q.c.setLineDash([]);
}
function label(c, x, y, s, fill, weight, size, align, room) {
  c.font = weight + ' ' + size + 'px ' + colors.font; c.fillStyle = fill; c.textAlign = align; c.textBaseline = 'middle';
  if (room && c.measureText(s).width > room) {
    var n = Math.max(1, Math.floor(s.length * room / c.measureText(s).width) - 1);
    s = s.slice(0, n) + '\u2026';
  }
  c.fillText(s, x, y);
}
function rule(c, x1, y1, x2, y2, color, dash) {
  c.strokeStyle = color; c.lineWidth = 1; c.setLineDash(dash || []);
  c.beginPath(); c.moveTo(Math.round(x1) + 0.5, y1); c.lineTo(Math.round(x2) + 0.5, y2); c.stroke(); c.setLineDash([]);
}
function drawTimeAxis(q, width, height) {
  ticks(q.from, q.to, width < 520 ? 4 : 8).forEach(function (v) {
    var x = q.x(v);
    if (x < q.left - 1 || x > q.right + 1) return;
    rule(q.c, x, 20, x, height - 18, colors.rule);
    [10, height - 8].forEach(function (y) { label(q.c, Math.min(x, q.right - 14), y, tick(+v.toPrecision(9)) + narrowSpace + data.timeline.unit, colors.ink2, 400, 12, 'center'); });
  });
}
// Bars of one colour that are less than half a pixel apart are one.
function drawLane(q, row) {
  var c = q.c, b = barsOf(row.rank), l = row.lane, searching = timeline.find !== '', run = null;
  c.save(); c.beginPath(); c.rect(q.left, row.y - 2, q.right - q.left, l.height + 4); c.clip();
  function flush() {
    if (!run) return;
    var w = Math.max(0.75, run.x1 - run.x0);
    c.globalAlpha = run.faint ? 0.22 : 1; c.fillStyle = run.color; c.fillRect(run.x0, run.y, w, run.h);
    if (run.one && run.h > 10 && (w > 60 || w > 20 && textWidth(run.name, '400 10px ') < w - 8)) label(c, Math.max(run.x0, q.left) + 4, run.y + run.h / 2 + 0.5, run.name, colors.paper, 400, 10, 'left', run.x1 - Math.max(run.x0, q.left) - 8);
    c.globalAlpha = 1; run = null;
  }
  function bar(i, from, to, color, y, h) {
    var faint = searching && !isHit(row, i);
    if (run && run.color === color && run.faint === faint && run.y === y && from - run.x1 < 0.5 && from - run.x0 < 12) { run.x1 = Math.max(run.x1, to); run.one = false; return; }
    flush();
    run = { color: color, x0: from, x1: to, y: y, h: h, faint: faint, one: true, name: barName(b, i) };
  }
  l.bars.forEach(function (i, k) {
    var x0 = q.x(b.start[i] * q.tick), x1 = q.x((b.start[i] + b.length[i]) * q.tick), color = barColor(b, i);
    if (x1 < q.left - 2 || x0 > q.right + 2) return;
    if (!color) { flush(); drawRange(q, row, i, x0, x1, row.y + laneHeights[4] * l.depth[k], searching && !isHit(row, i)); return; }
    if (b.wait[i] > 1) {
      var until = q.x((b.start[i] + b.wait[i] - 1) * q.tick);
      bar(i, x0, until, colors.k_wait, row.y, l.height);
      if (x1 > until) bar(i, until, x1, color, row.y, l.height);
    } else bar(i, x0, x1, color, row.y, l.height);
  });
  flush(); markKernel(q, row);
  l.bars.forEach(function (i, k) {
    var mark = sameBar(timeline.picked, row.rank, i) ? 2 : sameBar(timeline.hovered, row.rank, i) || sameBar(timeline.match, row.rank, i) ? 1 : 0;
    if (!mark) return;
    var x0 = q.x(b.start[i] * q.tick), w = Math.max(2, b.length[i] * q.tick * q.px), y = row.y + (l.depth ? laneHeights[4] * l.depth[k] : 0), h = l.depth ? laneHeights[4] - 1 : l.height;
    c.lineWidth = 3; c.strokeStyle = colors.paper; c.strokeRect(x0, y, w, h);
    c.lineWidth = mark; c.strokeStyle = colors.sel; c.strokeRect(x0, y, w, h);
  });
  c.restore();
}
function drawRange(q, row, i, x0, x1, y, faint) {
  var c = q.c, w = Math.max(0.75, x1 - x0), from = Math.max(x0, q.left);
  c.globalAlpha = faint ? 0.3 : 1;
  c.fillStyle = colors.paper2; c.fillRect(x0, y, w, laneHeights[4] - 1);
  c.lineWidth = 1; c.strokeStyle = colors.rule2; c.strokeRect(x0 + 0.5, y + 0.5, Math.max(0.5, w - 1), laneHeights[4] - 2);
  if (x1 - from > 30) label(c, from + 4, y + 6.5, barName(barsOf(row.rank), i), colors.ink, 400, 10, 'left', x1 - from - 8);
  c.globalAlpha = 1;
}
// Arrows from launches: of the bar that is picked or pointed at, and of all where few are seen.
var fewBars = 40;
function drawArrows(q, rows) {
  rows.forEach(function (row) {
    if (!row.lane || row.lane.host || row.lane.gap) return;
    var b = barsOf(row.rank), seen = row.lane.bars.filter(function (i) { return b.ahead[i] && (b.start[i] + b.length[i]) * q.tick >= q.from && b.start[i] * q.tick <= q.to; });
    var own = rows.filter(function (x) { return x.rank === row.rank; });
    seen.forEach(function (i) {
      var strong = sameBar(timeline.picked, row.rank, i) || sameBar(timeline.hovered, row.rank, i);
      if (strong || timeline.zoomed && seen.length <= fewBars && (b.start[i] - b.ahead[i]) * q.tick > q.from) launchArrow(q, q.x((b.start[i] - b.ahead[i]) * q.tick), launchedFrom(own, b.start[i] - b.ahead[i]), q.x(b.start[i] * q.tick), row.y, strong);
    });
  });
}
// The height at which a launch was made: below the thread that did something then, the last if
// several did, since helper threads work while the main one waits for them.
function launchedFrom(rows, at) {
  var host = rows.filter(function (x) { return x.lane && x.lane.host; }), name = rows.filter(function (x) { return x.name; })[0];
  var busy = host.filter(function (x) {
    var b = barsOf(x.rank);
    return x.lane.bars.some(function (i) { return b.start[i] <= at && at <= b.start[i] + b.length[i]; });
  });
  var from = busy[busy.length - 1] || host[0];
  return from ? from.y + from.lane.height : name.y + 14;
}
function launchArrow(q, x0, y0, x1, y1, strong) {
  var c = q.c;
  c.save(); c.beginPath(); c.rect(q.left, 0, q.right - q.left, y1 + 4); c.clip();
  c.strokeStyle = c.fillStyle = strong ? colors.ink : colors.ink3; c.lineWidth = strong ? 1.5 : 0.75; c.globalAlpha = strong ? 1 : 0.7;
  c.beginPath(); c.moveTo(x0, y0); c.lineTo(x1, y1); c.stroke();
  c.beginPath(); c.arc(x0, y0, strong ? 2.5 : 1.5, 0, 7); c.fill();
  c.beginPath(); c.moveTo(x1, y1 + 1); c.lineTo(x1 - 3, y1 - 4); c.lineTo(x1 + 3, y1 - 4); c.fill();
  c.restore();
}
if (data.timeline) definitions.timeline = { height: function () { return timelineRows().height; }, paint: paintTimeline };
