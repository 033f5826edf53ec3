// The selected kernel in the timeline: its bars are marked, and a bar that is clicked selects its own.
function kernelOfBar(rank, i) {
  var b = barsOf(rank);
  return b.lane[i] > 2 ? null : data.timeline.kernels[b.name[i]] || null;
}
// Said once, when another kernel is selected, of the ranks and the steps that are drawn.
function followKernel() {
  if (timeline.kernel === selected.kernel) return;
  timeline.kernel = selected.kernel;
  if (timeline.picked) return;
  var said = timeline.toldKernel;
  timeline.toldKernel = selected.kernel != null;
  if (selected.kernel == null) { if (said) tellBar(''); return; }
  var n = [0, 0], ticks = [0, 0];
  timelineRows().rows.forEach(function (row) {
    if (row.lane) row.lane.bars.forEach(function (i) { if (kernelOfBar(row.rank, i) === selected.kernel) { n[row.side]++; ticks[row.side] += barsOf(row.rank).length[i]; } });
  });
  tellBar(n[0] + n[1] === 0 ? 'No bar of the selected kernel is drawn here.' : 'The selected kernel is marked: ' + [0, 1].map(function (side) {
    return n[side] ? data.sides[side] + ' ' + grouped(String(n[side])) + (n[side] === 1 ? ' bar, ' : ' bars, ') + digits(ticks[side] * data.timeline.tick) + narrowSpace + data.timeline.unit : data.sides[side] + ' none';
  }).join('; ') + '.');
}
// A line below each of its bars, wide enough to be seen: other bars keep their colour.
function markKernel(q, row) {
  if (selected.kernel == null) return;
  var b = barsOf(row.rank), c = q.c, y = row.y + row.lane.height, last = -9;
  c.fillStyle = colors.sel;
  row.lane.bars.forEach(function (i) {
    if (kernelOfBar(row.rank, i) !== selected.kernel) return;
    var x0 = Math.max(q.left, q.x(b.start[i] * q.tick)), x1 = Math.min(q.right, q.x((b.start[i] + b.length[i]) * q.tick));
    if (x1 < q.left || x0 > q.right || x1 - last < 0.5) return;
    last = Math.max(x1, x0 + 2);
    c.fillRect(x0, y + 0.5, Math.max(2, x1 - x0), 2);
  });
}
// What a reader chose by hand; a walk from bar to bar leaves the selection alone.
function chooseBar(x) {
  pickBar(x);
  var kernel = x && kernelOfBar(x.rank, x.i);
  if (!kernel || kernel === selected.kernel) return;
  timeline.kernel = kernel;
  select({ kernel: kernel }, true);
}
