// Keys. A sign counts wherever it stands: on many keyboards brackets are behind AltGr or Option.
// Where a keyboard has another sign or alphabet at its place, the place counts.
var keyPlaces = { KeyJ: 'j', KeyK: 'k', BracketLeft: '[', BracketRight: ']', Comma: ',', Period: '.' };
function signOf(e) {
  var special = e.altKey || e.metaKey || e.ctrlKey;
  if (e.key === '[' || e.key === ']') return e.metaKey || e.ctrlKey && !e.altKey ? '' : e.key;
  if (special) return '';
  if (e.shiftKey && (e.key === '<' || e.code === 'Comma')) return '<';
  if (e.shiftKey && (e.key === '>' || e.code === 'Period')) return '>';
  if (/^[a-z?,.]$/i.test(e.key) || e.shiftKey) return e.key;
  return keyPlaces[e.code] || e.key;
}
// Where letters are typed, they are letters.
function isWriting(el) { return /^(TEXTAREA|INPUT)$/.test(el.tagName) && !/^(radio|checkbox|button|range)$/.test(el.type) || el.isContentEditable; }
function goTo(direction) {
  var all = Array.prototype.slice.call(document.querySelectorAll('section')), at = -1;
  all.forEach(function (s, i) { if (s.getBoundingClientRect().top <= 80) at = i; });
  var s = all[Math.max(0, Math.min(all.length - 1, at + direction))];
  if (s) { s.scrollIntoView(); current = s.id; writeAddress(); }
}
var signs = {
  j: function () { goTo(1); }, k: function () { goTo(-1); },
  '[': function () { stepThrough('rank', data.ranks.length, -1); }, ']': function () { stepThrough('rank', data.ranks.length, 1); },
  ',': function () { stepThrough('step', data.steps.length, -1); }, '.': function () { stepThrough('step', data.steps.length, 1); },
  '<': function () { extendSteps(-1); }, '>': function () { extendSteps(1); },
  '?': function () { byId('keys').showModal(); }
};
// Escape first empties the field in which it is pressed.
function escape(el) {
  hideTip();
  if (isWriting(el) && el.value) { el.value = ''; el.dispatchEvent(new Event('input')); } else clear();
}
var keysOn = stored('perfdiff-keys') !== 'off';
byId('keyson').checked = keysOn;
byId('keyson').addEventListener('change', function () { keysOn = this.checked; stored('perfdiff-keys', keysOn ? 'on' : 'off'); });
byId('help').addEventListener('click', function () { byId('keys').showModal(); });
document.addEventListener('keydown', function (e) {
  if (document.querySelector('dialog[open]')) return;
  if (e.key === 'Escape') { escape(e.target); return; }
  var act = signs[signOf(e)];
  if (!keysOn || !act || isWriting(e.target)) return;
  e.preventDefault();
  act();
});
