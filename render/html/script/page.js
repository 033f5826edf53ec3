// The page: mounting, switches, theme, print.
var plots = {}, tip = byId('tip');
// Whoever draws several at once reads all widths before: to read one behind a drawing
// lays out the whole page again.
function draw(id, width) {
  var p = plots[id], w = width === undefined ? p.el.clientWidth : width, d = definitions[id];
  if (!w) return;
  var h = d.height(w);
  p.width = w; p.el.style.height = h + 'px';
  if (d.paint) { d.paint(p.el, w, h); p.drawn = true; p.stale = false; p.el.dataset.drawn = '1'; return; }
  if (!p.chart) {
    p.chart = echarts.init(p.el, null, { renderer: 'svg', width: w, height: h });
    p.chart.getZr().on('rendered', function () { stretch(p.el); });
    if (d.hit) wire(id);
    if (d.made) d.made(p.chart);
  } else p.chart.resize({ width: w, height: h, silent: true });
  p.chart.setOption(d.option(w, h), { notMerge: true, lazyUpdate: false });
  stretch(p.el);
  p.drawn = true; p.stale = false; p.el.dataset.drawn = '1';
}
function wire(id) {
  var p = plots[id], line = document.createElement('div');
  line.className = 'xh'; p.el.appendChild(line);
  draggable(p.el, hit, definitions[id].brush);
  function hit(e) { var b = p.el.getBoundingClientRect(); return definitions[id].hit(e.clientX - b.left, e.clientY - b.top, p.chart, p.width); }
  pointed(p.el, hit, function (r) {
    if (r && r.x != null) { line.style.display = 'block'; line.style.left = Math.round(r.x) + 'px'; line.style.top = '20px'; line.style.bottom = '24px'; } else line.style.display = 'none';
  });
}
// Charts that are seen are drawn one in a task, so that the page answers in between.
// Paper does not wait: all of them at once.
var waiting = [];
function drawLater(id) {
  if (waiting.indexOf(id) >= 0) return;
  waiting.push(id);
  if (waiting.length === 1) setTimeout(drawNext);
}
function drawNext() {
  var id = waiting.shift(), p = plots[id];
  if (waiting.length) setTimeout(drawNext);
  if (p.visible && (!p.drawn || p.stale)) draw(id);
}
function redraw() {
  hideTip();
  Object.keys(plots).forEach(function (id) {
    var p = plots[id];
    p.stale = p.drawn;
    if (p.visible) drawLater(id);
  });
}
function drawAll() {
  var ids = Object.keys(plots), widths = ids.map(function (id) { return plots[id].el.clientWidth; });
  hideTip(); look();
  ids.forEach(function (id, i) { draw(id, widths[i]); });
}
var watcher = new IntersectionObserver(function (entries) {
  entries.forEach(function (e) {
    var id = e.target.id.slice(2);
    plots[id].visible = e.isIntersecting;
    if (e.isIntersecting) drawLater(id);
  });
}, { rootMargin: '600px 0px' });

function themeButton() { var b = byId('theme'); b.textContent = isDark() ? 'Light' : 'Dark'; b.setAttribute('aria-label', 'Switch to ' + (isDark() ? 'light' : 'dark') + ' colours'); }
function recolor() { readColors(); themeButton(); redraw(); }

readColors(); themeButton();
each('.chart', function (el) {
  var id = el.id.slice(2);
  if (definitions[id]) plots[id] = { el: el, width: el.clientWidth };
});
Object.keys(plots).forEach(function (id) { plots[id].el.style.height = definitions[id].height(plots[id].width || 600) + 'px'; });
firstChoice();
byId('theme').addEventListener('click', function () { var t = isDark() ? 'light' : 'dark'; root.dataset.theme = t; stored('perfdiff-theme', t); recolor(); });
matchMedia('(prefers-color-scheme:dark)').addEventListener('change', recolor);
var resizing;
new ResizeObserver(function () {
  clearTimeout(resizing);
  resizing = setTimeout(function () {
    if (printing) return;
    look();
    Object.keys(plots).forEach(function (id) { var p = plots[id]; if (p.drawn && p.el.clientWidth !== p.width) { p.stale = true; if (p.visible) drawLater(id); } });
  }, 80);
}).observe(document.body);
['rank', 'step'].forEach(function (k) {
  byId(k).addEventListener('change', function () {
    selected[k] = this.value === '' ? null : +this.value;
    if (k === 'step') selected.last = null;
    follow();
  });
});
byId('clear').addEventListener('click', clear);
// One choice of a quantity for its distribution and its map, where there are both.
function showPanel(key) { each('.panel', function (p) { p.hidden = p.dataset.panel !== key; }); }
function chooseQuantity(key) {
  showPanel(key);
  each('input[name=view]', function (i) { i.checked = i.value === key; });
  if (data.map) data.map.metrics.forEach(function (m, k) { if (m.key === key) chooseMap(k); });
  writeAddress();
}
function chooseMap(k) {
  if (selected.metric === k || !data.map) return;
  selected.metric = k;
  each('input[name=metric]', function (i) { i.checked = i.value === data.map.metrics[k].key; });
  ['map-b', 'map-c', 'map-d'].forEach(function (id) { plots[id].stale = plots[id].drawn; if (plots[id].visible) draw(id); });
}
function firstChoice() {
  var first = document.querySelector('input[name=view]');
  if (first) showPanel(first.value);
}
each('input[name=view]', function (i) { i.addEventListener('change', function () { chooseQuantity(i.value); }); });
each('input[name=metric]', function (i, k) {
  i.addEventListener('change', function () {
    chooseMap(k);
    if (Array.prototype.some.call(document.querySelectorAll('input[name=view]'), function (v) { return v.value === i.value; })) chooseQuantity(i.value);
    else writeAddress();
  });
});
function redrawOne(id) { plots[id].stale = plots[id].drawn; if (plots[id].visible) draw(id); }
each('input[name=share]', function (i) { i.addEventListener('change', function () { selected.share = i.value; redrawOne('util'); writeAddress(); }); });
if (activity) addZoom();
rememberSwitches(); rememberTables(); watchSections();
readAddress(true);
Object.keys(plots).forEach(function (id) { watcher.observe(plots[id].el); });
addEventListener('hashchange', function () { if (location.hash.indexOf('?') >= 0) readAddress(false); else { current = location.hash.slice(1); if (reveal(current)) byId(current).scrollIntoView(); writeAddress(); } });
addEventListener('beforeprint', function () {
  printing = true; root.classList.add('printing'); root.dataset.was = root.dataset.theme || ''; root.dataset.theme = 'light';
  readColors(); drawAll();
});
addEventListener('afterprint', function () {
  printing = false; root.classList.remove('printing');
  if (root.dataset.was) root.dataset.theme = root.dataset.was; else delete root.dataset.theme;
  readColors(); drawAll();
});
root.dataset.ready = '1';
