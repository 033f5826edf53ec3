// Numbers and small helpers. All parts of this script share one scope, with data, which
// is the page's JSON, and bytes, the matrices that it points into.
var root = document.documentElement;
var narrowSpace = '\u202f', thinSpace = '\u2009', minus = '\u2212', none = '\u2013';
// Ranks and steps by their index; last is that of the last step of several, else null.
var selected = { rank: null, step: null, last: null, collective: null, kernel: null, metric: 0, share: 'compute' };
var colors = {}, printing = false;
var panel = 400; // px, the most of one panel: both sides of any job are on one screen
var definitions = {}; // by chart id: height(width), option(width, height), hit(x, y); or height(width), paint(element, width, height)

// The window's size. To read it behind a drawing lays out the page again, so that it is
// read before drawings only.
var view = {};
function look() { view = { width: window.innerWidth, height: window.innerHeight }; }
look();

function byId(id) { return document.getElementById(id); }
function each(selector, fn) { Array.prototype.forEach.call(document.querySelectorAll(selector), fn); }
function grouped(digits) { return digits.replace(/\B(?=(\d{3})+(?!\d))/g, thinSpace); }

// Three significant digits, at most two decimals; the same rule as the tables.
function digits(v) {
  if (v == null || +v !== +v) return none;
  var a = Math.abs(v);
  if (a === 0) return '0';
  var s = a >= 99.95 ? grouped(fixed(a, 0)) : a >= 9.995 ? fixed(a, 1) : a >= 0.005 ? fixed(a, 2) : a.toPrecision(1).replace('-', minus);
  return (v < 0 ? minus : '') + s;
}
// What lies exactly in the middle goes to the even digit, as in the tables; toFixed takes the larger.
function fixed(a, places) {
  var k = Math.pow(10, places), x = a * k;
  return a * 1024 % 1 === 0 && x % 1 === 0.5 && Math.floor(x) % 2 === 0 ? (Math.floor(x) / k).toFixed(places) : a.toFixed(places);
}
function signed(v) { return Math.abs(v) < 0.0005 ? '0' : (v > 0 ? '+' : '') + digits(v); }
function tick(v) {
  var s = (+Math.abs(v).toPrecision(6)).toString(), parts = s.split('.');
  if (s.indexOf('e') < 0) s = grouped(parts[0]) + (parts[1] ? '.' + parts[1] : '');
  return (v < 0 ? minus : '') + s;
}
function signedTick(v) { return (v > 0 ? '+' : '') + tick(v); }
function escaped(s) { return String(s).replace(/[&<>"]/g, function (c) { return { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }[c]; }); }
function short(s) { s = String(s); var n = view.width < 700 ? 14 : 30; return s.length <= n ? s : s.slice(0, Math.ceil(n * 0.6)) + '\u2026' + s.slice(-Math.floor(n * 0.35)); }

// The functions that chart options name.
var functions = {
  tick: tick, signed: signedTick, short: short, plain: function (v) { return tick(v); },
  seconds: function (v) { return tick(v) + (v === 0 ? narrowSpace + 's' : ''); },
  micro: function (v) {
    var units = [[1e6, 's'], [1e3, 'ms'], [1, '\u00b5s']];
    for (var i = 0; i < 3; i++) if (v >= units[i][0] * 0.999) return tick(v / units[i][0]) + narrowSpace + units[i][1];
    return tick(v);
  }
};

// A matrix of n values; of float32 the lowest bytes of all stand first.
function shares(at, n) { return bytes.subarray(at, at + n); }
function floats(at, n) {
  var out = new Uint8Array(4 * n);
  for (var k = 0; k < 4; k++) for (var i = 0, from = at + k * n; i < n; i++) out[4 * i + k] = bytes[from + i];
  return new Float32Array(out.buffer);
}
function ticks(lo, hi, n) {
  var raw = (hi - lo) / n, unit = Math.pow(10, Math.floor(Math.log10(raw))), out = [];
  var step = [1, 2, 5, 10].map(function (k) { return k * unit; }).filter(function (k) { return k >= raw * 0.999; })[0];
  for (var v = Math.ceil(lo / step - 1e-9) * step; v <= hi + step * 1e-6; v += step) out.push(Math.round(v / step) * step);
  return out;
}
function stored(key, value) {
  try { if (value === undefined) return localStorage.getItem(key); localStorage.setItem(key, value); } catch (e) { return null; } // file:// may refuse
}
// A tooltip: a title and rows of name, value, colour and unit.
function tooltip(title, rows, unit) {
  return '<h4>' + escaped(title) + '</h4><table>' + rows.map(function (r) {
    return '<tr><td>' + (r[2] ? '<i style="background:' + r[2] + '"></i>' : '') + escaped(r[0]) + '</td><td>' + escaped(r[1]) + '</td><td class="u">' + escaped(r[3] === undefined ? unit || '' : r[3]) + '</td></tr>';
  }).join('') + '</table>';
}
