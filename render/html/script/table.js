// Tables: rows select, kernels can be found and sorted.
each('tr[data-rank], tr[data-step], tr[data-kernel]', function (tr) {
  var head = tr.querySelector('th'), button = document.createElement('button'), what = {};
  ['rank', 'step', 'kernel'].forEach(function (k) { if (tr.dataset[k] !== undefined) what[k] = +tr.dataset[k]; });
  button.type = 'button'; button.className = 'rowb';
  while (head.firstChild) button.appendChild(head.firstChild);
  head.appendChild(button);
  tr.addEventListener('click', function () { select(what); });
});
function markRows() {
  each('tr[data-rank], tr[data-step], tr[data-kernel]', function (tr) {
    var on = ['rank', 'step', 'kernel'].some(function (k) { return tr.dataset[k] !== undefined && selected[k] === +tr.dataset[k]; });
    if (on) tr.setAttribute('aria-selected', 'true'); else tr.removeAttribute('aria-selected');
  });
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
