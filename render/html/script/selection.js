// What is selected: a rank, a step or several in a row, a collective, a kernel. Whatever shows
// one of them marks it, the bar and the address name it, and it is said aloud.
function select(what, keep) {
  if (what.step !== undefined && what.last === undefined) what.last = null;
  var names = Object.keys(what), same = !keep && names.every(function (k) { return selected[k] === what[k]; });
  names.forEach(function (k) { selected[k] = same ? null : what[k]; });
  follow();
}
function clear() {
  ['rank', 'step', 'last', 'collective', 'kernel'].forEach(function (k) { selected[k] = null; });
  follow();
}
// The first and the last column that are selected, of columns that begin at these steps; null: none.
function columnsOf(first) {
  if (selected.step == null) return null;
  return [columnOf(first, selected.step), columnOf(first, selected.last == null ? selected.step : selected.last)];
}
function stepIsSelected(i) { return selected.step != null && i >= selected.step && i <= (selected.last == null ? selected.step : selected.last); }
function stepName() {
  if (selected.step == null) return '';
  return (selected.last == null ? 'step ' : 'steps ') + data.steps[selected.step] + (selected.last == null ? '' : ' to ' + data.steps[selected.last]);
}
function lastOf(first, k) { return Math.max(first[k], k + 1 < first.length ? first[k + 1] - 1 : data.steps.length - 1); }
// The whole name of the selected kernel, '' without one.
function kernelName() {
  var row = selected.kernel == null ? null : (rowsOf['kernel' + selected.kernel] || [])[0];
  return row ? row.cells[0].dataset.v || row.cells[0].textContent : '';
}
function follow(keepAddress) {
  byId('rank').value = selected.rank == null ? '' : selected.rank;
  byId('step').value = selected.step == null ? '' : selected.step;
  markRows(); markFirst(); redraw(); nameSelection();
  if (!keepAddress) writeAddress();
}
// The bar shows what its two lists cannot.
function nameSelection() {
  var rank = selected.rank == null ? '' : 'rank ' + data.ranks[selected.rank], kernel = kernelName();
  var rest = [selected.last == null ? '' : stepName(), selected.collective || '', kernel].filter(Boolean);
  var all = [rank, stepName(), selected.collective ? 'collective ' + selected.collective : '', kernel ? 'kernel ' + kernel : ''].filter(Boolean);
  byId('chosen').hidden = !rest.length;
  byId('clear').hidden = !all.length;
  byId('chosen').textContent = rest.join(', '); byId('chosen').title = rest.join(', ');
  var said = all.length ? 'Selected: ' + all.join(', ') : byId('said').textContent ? 'Nothing selected' : '';
  if (byId('said').textContent !== said) byId('said').textContent = said;
}
(function () {
  function at(list, v) { var i = v === '' ? -1 : list.indexOf(+v); return i < 0 ? null : i; }
  remember('rank', function () { return selected.rank == null ? '' : String(data.numbers[selected.rank]); }, function (v) { selected.rank = at(data.numbers, v); }, true);
  remember('step', function () {
    return selected.step == null ? '' : data.steps[selected.step] + (selected.last == null ? '' : '..' + data.steps[selected.last]);
  }, function (v) {
    var ends = v.split('..'), last = ends.length > 1 ? at(data.steps, ends[1]) : null;
    selected.step = at(data.steps, ends[0]);
    selected.last = selected.step != null && last > selected.step ? last : null;
  }, true);
  ['collective', 'kernel'].forEach(function (k) {
    remember(k, function () { return selected[k] || ''; }, function (v) { selected[k] = v !== '' && rowsOf[k + v] ? v : null; }, true);
  });
}());
function stepThrough(key, n, direction) {
  if (!n) return;
  var from = key === 'step' && selected.last != null && direction > 0 ? selected.last : selected[key];
  selected[key] = from == null ? direction > 0 ? 0 : n - 1 : (from + direction + n) % n;
  if (key === 'step') selected.last = null;
  follow();
}
// Takes the next step into what is selected, or leaves the last one out.
function extendSteps(direction) {
  if (selected.step == null) { stepThrough('step', data.steps.length, direction); return; }
  var last = Math.min(data.steps.length - 1, (selected.last == null ? selected.step : selected.last) + direction);
  selected.last = last > selected.step ? last : null;
  follow();
}
