// The table of kernels: the first of them, by kind, and their whole names when copied.
var kernelsShown = 10; // rows before a reader asks for all
function kindsOf(t) {
  var n = {}, select = element('select', { 'aria-label': 'Kind of kernel' }, element('option', { value: '' }, 'all kinds'));
  t.rows.forEach(function (r) { var k = r.cells[1].textContent; if (k) n[k] = (n[k] || 0) + 1; });
  Object.keys(n).sort().forEach(function (k) { select.append(element('option', { value: k }, k + ' (' + n[k] + ')')); });
  select.addEventListener('change', function () { t.kind = select.value; arrange(t); });
  t.kinds = select;
  return element('label', { class: 'pick' }, ['Kind ', select]);
}
// What is copied out of the table has the whole of each name that is marked whole: names are
// cut for the eye only.
document.addEventListener('copy', function (e) {
  var chosen = getSelection();
  if (!chosen.rangeCount || !e.clipboardData) return;
  var range = chosen.getRangeAt(0), within = range.commonAncestorContainer, part = range.cloneContents();
  if (within.nodeType !== 1) within = within.parentNode;
  if (!within.closest('#ktab')) return;
  var name = within.closest('.kn[data-v]'), rows = part.querySelectorAll('tr:not([hidden])');
  if (name) { if (String(chosen).trim() === nameShown(name)) putOn(e, name.dataset.v); return; }
  putOn(e, rows.length ? Array.prototype.map.call(rows, lineOf).join('\n') : lineOf(part));
});
function nameShown(cell) {
  var small = cell.querySelector('small');
  return cell.textContent.slice(0, cell.textContent.length - (small ? small.textContent.length : 0)).trim();
}
function lineOf(row) {
  return Array.prototype.map.call(row.querySelectorAll('th, td'), function (c) { return c.classList.contains('kn') && c.dataset.v || c.textContent.trim(); }).join('\t');
}
function putOn(e, text) { e.clipboardData.setData('text/plain', text); e.preventDefault(); }
