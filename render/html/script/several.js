// The page of several candidates: a candidate and a metric are selected as ranks and steps are on
// the page of a pair. Whatever shows one marks it, the address names it, and it is said aloud.
var chosen = { candidate: '', metric: '' }, place = '';
function all(selector) { return Array.prototype.slice.call(document.querySelectorAll(selector)); }
var choice = document.getElementById('candidate'), said = document.getElementById('said');
var rows = all('#metrics tbody tr'), heads = all('#metrics thead th');
function metricOf(tr) { return tr.cells[0].textContent.trim(); }
function candidates() { return all('#candidate option').map(function (o) { return o.value; }).filter(Boolean); }
function nameOf(candidate) { return all('#candidate option').filter(function (o) { return o.value === candidate; })[0].textContent; }
function mark() {
  all('[data-candidate]').forEach(function (el) {
    var is = el.dataset.candidate === chosen.candidate;
    if (is && el.tagName === 'TR') el.setAttribute('aria-selected', 'true'); else el.removeAttribute('aria-selected');
    el.classList.toggle('sel', is && el.tagName !== 'TR');
    el.classList.toggle('faded', el.tagName === 'FIGURE' && chosen.candidate !== '' && !is);
  });
  rows.forEach(function (tr) {
    if (metricOf(tr) === chosen.metric) tr.setAttribute('aria-selected', 'true'); else tr.removeAttribute('aria-selected');
    Array.prototype.forEach.call(tr.cells, function (c, i) { c.classList.toggle('selc', i > 0 && String(i) === chosen.candidate); });
  });
  heads.forEach(function (c, i) { c.classList.toggle('selc', i > 0 && String(i) === chosen.candidate); });
  choice.value = chosen.candidate;
  var names = [chosen.candidate && 'candidate ' + nameOf(chosen.candidate), chosen.metric && 'metric ' + chosen.metric].filter(Boolean);
  var text = names.length ? 'Selected: ' + names.join(', ') : said.textContent ? 'Nothing selected' : '';
  if (said.textContent !== text) said.textContent = text;
}
function select(what) {
  var keys = Object.keys(what), same = keys.every(function (k) { return chosen[k] === what[k]; });
  keys.forEach(function (k) { chosen[k] = same ? '' : what[k]; });
  mark(); write();
}
function clear() { chosen.candidate = chosen.metric = ''; mark(); write(); }
// The address: #section?candidate=2&metric=Step%20time. What it does not know is left alone.
function write() {
  var q = ['candidate', 'metric'].filter(function (k) { return chosen[k]; }).map(function (k) { return k + '=' + encodeURIComponent(chosen[k]); });
  try { history.replaceState(null, '', '#' + (place || 'verdict') + (q.length ? '?' + q.join('&') : '')); } catch (e) { return; }
}
function read(opening) {
  var parts = location.hash.slice(1).split('?'), q = new URLSearchParams(parts[1] || '');
  var target = /^[a-z0-9-]+$/.test(parts[0]) && document.getElementById(parts[0]);
  if (target) place = parts[0];
  if (opening || parts.length > 1) {
    var candidate = q.get('candidate') || '', metric = q.get('metric') || '';
    chosen.candidate = candidates().indexOf(candidate) >= 0 ? candidate : '';
    chosen.metric = rows.some(function (tr) { return metricOf(tr) === metric; }) ? metric : '';
  }
  mark();
  if (parts.length > 1 && target) target.scrollIntoView({ behavior: 'instant' });
  else if (target) write(); // a link to a section keeps what is selected
}
// Rows are selected through a button in them, as by a click anywhere else.
rows.forEach(function (tr) {
  var head = tr.cells[0], button = document.createElement('button');
  button.type = 'button'; button.className = 'rowb';
  while (head.firstChild) button.appendChild(head.firstChild);
  head.appendChild(button);
});
document.addEventListener('click', function (e) {
  if (String(getSelection()) !== '' || e.target.closest('a, summary, select')) return; // to mark text is no click
  var tr = e.target.closest('#metrics tbody tr'), of = e.target.closest('#ranking [data-candidate], #steps [data-candidate]'), cell = e.target.closest('td');
  if (of) select({ candidate: of.dataset.candidate });
  else if (tr) select(cell ? { candidate: String(cell.cellIndex), metric: metricOf(tr) } : { metric: metricOf(tr) });
});
choice.addEventListener('change', function () { chosen.candidate = choice.value; mark(); write(); });
document.getElementById('clear').addEventListener('click', clear);
document.addEventListener('keydown', function (e) {
  if (e.key === 'Escape' && !e.ctrlKey && !e.metaKey && !e.altKey && (chosen.candidate || chosen.metric)) { clear(); e.preventDefault(); return; }
  var step = e.key === ']' ? 1 : e.key === '[' ? -1 : 0, list = candidates();
  if (!step || e.ctrlKey || e.metaKey || /^(INPUT|TEXTAREA)$/.test(e.target.tagName)) return;
  var at = list.indexOf(chosen.candidate);
  chosen.candidate = list[at < 0 ? step > 0 ? 0 : list.length - 1 : (at + step + list.length) % list.length];
  mark(); write();
});
document.getElementById('choose').hidden = false;
window.addEventListener('hashchange', function () { read(false); });
read(true);
