// The timeline's list of views, its buttons, and its search.
function isHit(row, i) { return barName(barsOf(row.rank), i).toLowerCase().indexOf(timeline.find.toLowerCase()) >= 0; }
// Bars whose name has the text, from above and from the left.
function findBars() {
  timeline.hits = []; timeline.hit = -1;
  if (timeline.find) timelineRows().rows.forEach(function (row) {
    if (row.lane) row.lane.bars.forEach(function (i) { if (isHit(row, i)) timeline.hits.push({ side: row.side, rank: row.rank, lane: row.lane, i: i }); });
  });
  tellHits();
}
function tellHits() {
  var n = timeline.hits.length;
  byId('tlprev').disabled = byId('tlnext').disabled = !n;
  byId('tlcount').textContent = !timeline.find ? '' : !n ? 'no bar has this name' : timeline.hit < 0 ? grouped(String(n)) + ' bars' : grouped(String(timeline.hit + 1)) + ' of ' + grouped(String(n));
}
function nextHit(direction) {
  var n = timeline.hits.length;
  if (!n) return;
  timeline.hit = timeline.hit < 0 ? direction > 0 ? 0 : n - 1 : (timeline.hit + direction + n) % n;
  tellHits();
  goToBar(timeline.hits[timeline.hit]);
}
if (data.timeline) {
  byId('tlctl').hidden = false;
  byId('tlview').addEventListener('change', function () { showView(+this.value); pickBar(null); rememberTime(); });
  byId('tlfind').addEventListener('input', function () { timeline.find = this.value.trim(); findBars(); repaint(); rememberTime(); });
  byId('tlfind').addEventListener('keydown', function (e) {
    if (e.key === 'Enter') { nextHit(e.shiftKey ? -1 : 1); e.preventDefault(); }
    if (e.key === 'Escape') { this.value = timeline.find = ''; findBars(); pickBar(null); rememberTime(); e.stopPropagation(); }
  });
  byId('tlnext').addEventListener('click', function () { nextHit(1); });
  byId('tlprev').addEventListener('click', function () { nextHit(-1); });
  byId('tlin').addEventListener('click', function () { zoomTime(0.6); });
  byId('tlout').addEventListener('click', function () { zoomTime(1 / 0.6); });
  byId('tlall').addEventListener('click', wholeStep);
  document.addEventListener('keydown', timeKey, true);
}
