// Tables: rows select, kernels can be found and sorted.
var keys = ['rank', 'step', 'kernel'], selects = 'tr[data-rank], tr[data-step], tr[data-kernel]', rowsOf = {}, marked = [];
function whatOf(tr) {
  var what = {};
  keys.forEach(function (k) { if (tr.dataset[k] !== undefined) what[k] = +tr.dataset[k]; });
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
  if (tr) select(whatOf(tr));
});
function markRows() {
  marked.forEach(function (tr) { tr.removeAttribute('aria-selected'); });
  marked = [].concat.apply([], keys.map(function (k) { return rowsOf[k + selected[k]] || []; }));
  marked.forEach(function (tr) { tr.setAttribute('aria-selected', 'true'); });
}
var kernelTable = byId('ktab');
if (kernelTable) {
  var kernelBody = kernelTable.tBodies[0], kernelRows = Array.prototype.slice.call(kernelBody.rows);
  var keyOf = function (row, i) { var v = row.cells[i].dataset.v || ''; return v !== '' && isFinite(v) && i > 1 ? +v : v; };
  each('#ktab button.sort', function (b) {
    b.addEventListener('click', function () {
      var th = b.parentNode, i = th.cellIndex, up = th.getAttribute('aria-sort') === 'descending' || i < 2 && th.getAttribute('aria-sort') !== 'ascending';
      each('#ktab th[aria-sort]', function (x) { x.removeAttribute('aria-sort'); });
      th.setAttribute('aria-sort', up ? 'ascending' : 'descending');
      kernelRows.sort(function (x, y) { var a = keyOf(x, i), z = keyOf(y, i); return (a < z ? -1 : a > z ? 1 : 0) * (up ? 1 : -1); });
      kernelRows.forEach(function (r) { kernelBody.appendChild(r); });
    });
  });
  var filterKernels = function () {
    var q = byId('kfind').value.toLowerCase(), n = 0;
    kernelRows.forEach(function (r) { r.hidden = q !== '' && (r.cells[0].dataset.v || '').toLowerCase().indexOf(q) < 0 && (r.cells[1].dataset.v || '').indexOf(q) < 0; n += !r.hidden; });
    byId('kcount').textContent = n + ' of ' + kernelRows.length + ' rows';
  };
  byId('kfind').addEventListener('input', filterKernels);
  filterKernels();
}
