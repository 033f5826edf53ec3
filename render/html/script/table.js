// Tables: rows select; what is long can be sorted both ways and searched.
var selectable = ['rank', 'step', 'collective', 'kernel'], rowsOf = {}, marked = [];
var selects = selectable.map(function (k) { return 'tr[data-' + k + ']'; }).join();
var longTable = 12; // rows: of fewer a reader sees all
var searchedTable = 20; // rows: fewer are found by eye
function whatOf(tr) {
  var what = {};
  selectable.forEach(function (k) { var v = tr.dataset[k]; if (v !== undefined) what[k] = k === 'rank' || k === 'step' ? +v : v; });
  return what;
}
each(selects, function (tr) {
  var what = whatOf(tr);
  Object.keys(what).forEach(function (k) { (rowsOf[k + what[k]] = rowsOf[k + what[k]] || []).push(tr); });
});
// Rows get their buttons where they are seen: those of a folded table when it opens.
function addButtons(tr) {
  if (tr.querySelector('.rowb')) return; // of a folded table in what was folded
  var head = tr.querySelector('th'), button = document.createElement('button');
  button.type = 'button'; button.className = 'rowb';
  while (head.firstChild) button.appendChild(head.firstChild);
  head.appendChild(button);
}
each('details:not([open])', function (d) {
  d.addEventListener('toggle', function () { Array.prototype.forEach.call(d.querySelectorAll(selects), addButtons); }, { once: true });
});
each(selects, function (tr) { if (!tr.closest('details:not([open])')) addButtons(tr); });
document.addEventListener('click', function (e) {
  var tr = e.target.closest(selects);
  if (tr && String(getSelection()) === '') select(whatOf(tr)); // to mark text is no click
});
function markRows() {
  var steps = [];
  if (selected.step != null) for (var i = selected.step; stepIsSelected(i); i++) steps = steps.concat(rowsOf['step' + i] || []);
  marked.forEach(function (tr) { tr.removeAttribute('aria-selected'); });
  marked = steps.concat.apply(steps, ['rank', 'collective', 'kernel'].map(function (k) { return rowsOf[k + selected[k]] || []; }));
  marked.forEach(function (tr) { tr.setAttribute('aria-selected', 'true'); });
}
// What a cell is sorted by: its value, else the number that it shows, else its text. Of two
// numbers with an arrow it is the second, which is the candidate's.
var prefixes = { n: 1e-9, '\u00b5': 1e-6, m: 1e-3, k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };
function sortKey(cell) {
  var s = cell.dataset.v !== undefined ? cell.dataset.v : cell.textContent.split('\u2192').pop();
  s = s.replace(/[\u2007-\u2009\u202f ]/g, '').replace(minus, '-');
  var m = /^([+-]?[\d.]+(?:e[+-]?\d+)?)(?:(n|\u00b5|m|k|K|M|G|T)(?=s|B|b|FLOP|Hz))?/.exec(s);
  return m ? +m[1] * (prefixes[m[2]] || 1) : s === '' || s === none ? null : s.toLowerCase();
}
function compareKeys(a, b) {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'number' || typeof b === 'number') return typeof a === 'number' ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
// A long table: how it is sorted, what is searched in it, and its controls once it is seen.
// most is how many rows show before a reader asks for all, 0 that is all of them.
function longTableOf(table, name, most) {
  var t = { table: table, name: name, body: table.tBodies[0], rows: Array.prototype.slice.call(table.tBodies[0].rows), most: most, sort: '', sorted: '', find: '', kind: '', all: false };
  remember('sort.' + name, function () { return t.sort; }, function (v) {
    if (v === '' || /^-?\d{1,2}$/.test(v) && t.table.tHead.rows[0].cells[Math.abs(v) - 1]) { t.sort = v; arrange(t); }
  });
  ['find', 'kind'].forEach(function (k) {
    remember(k + '.' + name, function () { return t[k]; }, function (v) { t[k] = v; arrange(t); });
  });
  remember('all.' + name, function () { return t.all ? '1' : ''; }, function (v) { t.all = v === '1'; arrange(t); });
  return t;
}
function arrange(t) {
  if (!t.isDressed && !t.sort && !t.find && !t.kind && !t.all) return;
  dressTable(t);
  sortRows(t); showRows(t); writeAddress();
}
function sortRows(t) {
  if (t.sorted === t.sort) return;
  t.sorted = t.sort;
  var column = Math.abs(t.sort) - 1, down = t.sort[0] === '-', rows = t.rows.slice(), head = t.table.tHead.rows[0].cells;
  Array.prototype.forEach.call(head, function (th, i) { if (i === column) th.setAttribute('aria-sort', down ? 'descending' : 'ascending'); else th.removeAttribute('aria-sort'); });
  if (t.sort) {
    var keyed = rows.map(function (r, i) { return { row: r, key: sortKey(r.cells[column]), at: i, end: r.classList.contains('tot') || /^\d+ others?$/.test(r.cells[0].textContent) }; });
    keyed.sort(function (a, b) {
      if (a.end !== b.end) return a.end ? 1 : -1;
      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null) || a.at - b.at; // what is not known comes last both ways
      return compareKeys(a.key, b.key) * (down ? -1 : 1) || a.at - b.at;
    });
    rows = keyed.map(function (k) { return k.row; });
  }
  t.order = rows;
  rows.forEach(function (r) { t.body.appendChild(r); });
}
function matches(t, row) {
  if (t.kind && row.cells[1].textContent !== t.kind) return false;
  if (!t.find) return true;
  return Array.prototype.some.call(row.cells, function (c) { return (c.textContent + ' ' + (c.dataset.v || '')).toLowerCase().indexOf(t.find.toLowerCase()) >= 0; });
}
function showRows(t) {
  var found = 0, shown = 0;
  (t.order || t.rows).forEach(function (r) {
    var is = matches(t, r);
    found += is;
    r.hidden = !is || t.most > 0 && !t.all && found > t.most;
    shown += !r.hidden;
  });
  t.count.textContent = shown + ' of ' + t.rows.length + ' rows';
  t.field.value = t.find;
  t.controls.hidden = t.rows.length <= (t.most || searchedTable) && !t.find && !t.kind;
  if (t.kinds) t.kinds.value = t.kind;
  if (t.more) { t.more.hidden = !t.all && found <= t.most; t.more.textContent = t.all ? 'Show ' + t.most : 'Show all ' + found; }
}
function element(tag, attributes, inside) {
  var el = document.createElement(tag);
  Object.keys(attributes).forEach(function (k) { el.setAttribute(k, attributes[k]); });
  [].concat(inside || []).forEach(function (x) { el.append(x); });
  return el;
}
function dressTable(t) {
  if (t.isDressed) return;
  t.isDressed = true;
  var label = t.table.closest('.scroll').getAttribute('aria-label'), controls = t.controls = element('div', { class: 'ctl noprint' });
  t.field = element('input', { class: 'find-in', type: 'search', placeholder: t.table.id === 'ktab' ? 'name, for example gemm' : 'rank, host, name', 'aria-label': 'Find in ' + label });
  t.field.addEventListener('input', function () { t.find = t.field.value; arrange(t); });
  t.count = element('span', { role: 'status' });
  controls.append(element('label', { class: 'pick' }, ['Find ', t.field]));
  if (t.table.id === 'ktab') controls.append(kindsOf(t));
  controls.append(t.count);
  if (t.most) {
    t.more = element('button', { class: 'btn', type: 'button' });
    t.more.addEventListener('click', function () { t.all = !t.all; arrange(t); });
    controls.append(t.more);
  }
  t.table.closest('.scroll').before(controls);
  addSorting(t);
  showRows(t);
}
function addSorting(t) {
  var before = '';
  Array.prototype.forEach.call(t.table.tHead.rows[0].cells, function (th, i) {
    var button = element('button', { class: 'sort', type: 'button' }), name = th.firstChild ? th.firstChild.textContent.trim() : '';
    if (name) before = name; else button.setAttribute('aria-label', (before + ' ' + th.textContent).trim() || 'Column ' + (i + 1));
    while (th.firstChild) button.appendChild(th.firstChild);
    th.appendChild(button);
    // Numbers show the largest first, then the smallest, then the order in which they came.
    button.addEventListener('click', function () {
      var first = t.rows.some(function (r) { return typeof sortKey(r.cells[i]) === 'number'; }) && i > 0 ? '-' : '', at = String(i + 1), other = first ? '' : '-';
      t.sort = t.sort === first + at ? other + at : t.sort === other + at ? '' : first + at;
      arrange(t);
    });
  });
}
// Which tables and folded parts there are, by their section and their number in it.
function namesIn(selector, fn) {
  var n = {};
  each(selector, function (el) {
    var place = el.closest('section, .first');
    if (!place) return;
    var k = n[place.id] = (n[place.id] || 0) + 1;
    fn(el, place.id + (k > 1 ? '.' + k : ''));
  });
}
function rememberTables() {
  namesIn('table', function (table, name) {
    if (!table.tBodies[0] || table.tBodies[0].rows.length <= longTable && table.id !== 'ktab') return;
    var t = longTableOf(table, name, table.id === 'ktab' ? kernelsShown : 0), folded = table.closest('details:not([open])');
    if (folded) folded.addEventListener('toggle', function () { dressTable(t); });
    else dressTable(t);
  });
  var folds = [];
  namesIn('details', function (d, name) {
    folds.push({ name: name, el: d, open: d.open });
    d.addEventListener('toggle', writeAddress);
  });
  // The address of a card or of a line opens it, and what it stands in.
  remember('open', function (section) {
    var place = byId(section), own = place && place.querySelector(':scope > details.card, :scope.line > details');
    return folds.filter(function (f) { return f.el.open !== f.open && !(f.el.open && own && f.el.contains(own)); }).map(function (f) { return f.name; }).join();
  },
    function (v) { folds.forEach(function (f) { f.el.open = (v.split(',').indexOf(f.name) >= 0) !== f.open; }); });
}
