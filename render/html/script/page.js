// The page: mounting, selection, address, keys, theme, print.
var plots = {}, tip = byId('tip'), current = null;
function hideTip() { tip.style.display = 'none'; }
function showTip(event, html) {
  tip.innerHTML = html; tip.style.display = 'block';
  var box = tip.getBoundingClientRect(), x = event.clientX + 14, y = event.clientY + 14;
  if (x + box.width > window.innerWidth - 8) x = event.clientX - box.width - 14;
  if (y + box.height > window.innerHeight - 8) y = event.clientY - box.height - 14;
  tip.style.left = Math.max(4, x) + 'px'; tip.style.top = Math.max(4, y) + 'px';
}
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
  } else p.chart.resize({ width: w, height: h, silent: true });
  p.chart.setOption(d.option(w, h), { notMerge: true, lazyUpdate: false });
  stretch(p.el);
  p.drawn = true; p.stale = false; p.el.dataset.drawn = '1';
}
function wire(id) {
  var p = plots[id], line = document.createElement('div');
  line.className = 'xh'; p.el.appendChild(line);
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

function select(what) {
  var keys = Object.keys(what), same = keys.every(function (k) { return selected[k] === what[k]; });
  keys.forEach(function (k) { selected[k] = same ? null : what[k]; });
  follow();
}
function clear() { select({ rank: null, step: null, kernel: null }); selected.rank = selected.step = selected.kernel = null; follow(); }
function follow(keepAddress) {
  byId('rank').value = selected.rank == null ? '' : selected.rank;
  byId('step').value = selected.step == null ? '' : selected.step;
  var chip = byId('kchip'), row = selected.kernel == null ? null : document.querySelector('tr[data-kernel="' + selected.kernel + '"]');
  chip.hidden = !row;
  if (row) chip.textContent = 'Kernel: ' + row.cells[0].textContent;
  markRows(); markFirst(); redraw();
  if (!keepAddress) writeAddress();
}
// The address names the section and the selection: #section?rank=5&step=27.
function writeAddress() {
  var q = [];
  if (selected.rank != null) q.push('rank=' + data.numbers[selected.rank]);
  if (selected.step != null) q.push('step=' + data.steps[selected.step]);
  if (selected.kernel != null) q.push('kernel=' + selected.kernel);
  stateful.forEach(function (s) { s.write(q); });
  try { history.replaceState(null, '', '#' + (current || location.hash.slice(1).split('?')[0] || 'verdict') + (q.length ? '?' + q.join('&') : '')); } catch (e) { return; }
}
function readAddress() {
  var parts = location.hash.slice(1).split('?'), q = new URLSearchParams(parts[1] || '');
  function index(list, key) { var v = q.get(key), i = v == null || v === '' ? -1 : list.indexOf(+v); return i < 0 ? null : i; }
  selected.rank = index(data.numbers, 'rank'); selected.step = index(data.steps, 'step');
  var k = q.get('kernel');
  stateful.forEach(function (s) { s.read(q); });
  selected.kernel = k != null && /^\d{1,3}$/.test(k) && document.querySelector('tr[data-kernel="' + k + '"]') ? +k : null;
  follow(true);
  if (reveal(parts[0]) || parts[1] && /^[a-z-]+$/.test(parts[0]) && byId(parts[0])) byId(parts[0]).scrollIntoView({ behavior: 'instant' });
}
function goTo(direction) {
  var all = Array.prototype.slice.call(document.querySelectorAll('section')), at = -1;
  all.forEach(function (s, i) { if (s.getBoundingClientRect().top <= 80) at = i; });
  var s = all[Math.max(0, Math.min(all.length - 1, at + direction))];
  if (s) { s.scrollIntoView(); current = s.id; writeAddress(); }
}
function stepThrough(key, n, direction) {
  if (!n) return;
  selected[key] = selected[key] == null ? direction > 0 ? 0 : n - 1 : (selected[key] + direction + n) % n;
  follow();
}
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
['rank', 'step'].forEach(function (k) { byId(k).addEventListener('change', function () { selected[k] = this.value === '' ? null : +this.value; follow(); }); });
byId('clear').addEventListener('click', clear);
// One choice of a quantity for its distribution and its map, where there are both.
function chooseQuantity(key) {
  each('.panel', function (p) { p.hidden = p.dataset.panel !== key; });
  each('input[name=view]', function (i) { i.checked = i.value === key; });
  if (!data.map) return;
  data.map.metrics.forEach(function (m, k) { if (m.key === key) chooseMap(k); });
}
function chooseMap(k) {
  if (selected.metric === k) return;
  selected.metric = k;
  each('input[name=metric]', function (i) { i.checked = +i.value === k; });
  ['map-b', 'map-c', 'map-d'].forEach(function (id) { plots[id].stale = plots[id].drawn; if (plots[id].visible) draw(id); });
}
function firstChoice() {
  var first = document.querySelector('input[name=view]');
  if (first) each('.panel', function (p) { p.hidden = p.dataset.panel !== first.value; });
}
each('input[name=view]', function (i) { i.addEventListener('change', function () { chooseQuantity(i.value); }); });
each('input[name=metric]', function (i) {
  i.addEventListener('change', function () {
    var key = data.map.metrics[+i.value].key;
    if (document.querySelector('input[name=view][value="' + key + '"]')) chooseQuantity(key);
    else chooseMap(+i.value);
  });
});
each('input[name=share]', function (i) { i.addEventListener('change', function () { selected.share = i.value; draw('util'); }); });
byId('help').addEventListener('click', function () { byId('keys').showModal(); });
var keysOn = stored('perfdiff-keys') !== 'off';
byId('keyson').checked = keysOn;
byId('keyson').addEventListener('change', function () { keysOn = this.checked; stored('perfdiff-keys', keysOn ? 'on' : 'off'); });
document.addEventListener('keydown', function (e) {
  if (e.ctrlKey || e.metaKey || e.altKey || /INPUT|SELECT|TEXTAREA/.test(e.target.tagName)) return;
  if (e.key === 'Escape') { clear(); hideTip(); return; }
  if (!keysOn) return;
  if (e.key === 'j') goTo(1);
  else if (e.key === 'k') goTo(-1);
  else if (e.key === '[' || e.key === ']') stepThrough('rank', data.ranks.length, e.key === ']' ? 1 : -1);
  else if (e.key === ',' || e.key === '.') stepThrough('step', data.steps.length, e.key === '.' ? 1 : -1);
  else if (e.key === '?') byId('keys').showModal();
});
var links = {};
each('.toc a', function (a) { links[a.hash.slice(1)] = a; });
var reader = new IntersectionObserver(function (entries) {
  entries.forEach(function (x) {
    if (!x.isIntersecting) return;
    current = x.target.id;
    Object.keys(links).forEach(function (k) { links[k].removeAttribute('aria-current'); });
    if (links[current]) links[current].setAttribute('aria-current', 'true');
  });
}, { rootMargin: '-80px 0px -75% 0px' });
each('section', function (s) { reader.observe(s); });
readAddress();
Object.keys(plots).forEach(function (id) { watcher.observe(plots[id].el); });
addEventListener('hashchange', function () { if (location.hash.indexOf('?') >= 0) readAddress(); else { current = location.hash.slice(1); if (reveal(current)) byId(current).scrollIntoView(); writeAddress(); } });
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
