// Themes and colour scales.
function isDark() {
  var t = root.dataset.theme;
  return !printing && (t ? t === 'dark' : matchMedia('(prefers-color-scheme:dark)').matches);
}
var ramps = {};
function readColors() {
  var style = getComputedStyle(root);
  ['paper', 'paper2', 'ink', 'ink2', 'ink3', 'rule', 'rule2', 'base', 'cand', 'better', 'worse', 'hold', 'sel'].forEach(function (k) { colors[k] = style.getPropertyValue('--' + k).trim(); });
  ['compute', 'comm', 'transfer', 'wait', 'memory', 'idle', 'input', 'allocator', 'synchronizing', 'launching', 'dependency', 'host', 'unknown'].forEach(function (k) { colors['k_' + k] = style.getPropertyValue('--k-' + k).trim(); });
  colors.font = style.getPropertyValue('--sans').trim();
  colors.candSoft = between(colors.paper, colors.cand, 0.3);
  var dark = isDark();
  ramps.sequential = ramp(dark ? ['#1f2128', '#4a2a63', '#94377a', '#dd6a62', '#f9b878', '#fff3cf'] : ['#f7f2ea', '#f8cfa0', '#ec8d72', '#b6477f', '#652b78', '#23123f']);
  // A difference has no verdict: its colours are those of the sides, and none where they
  // are equal, which is the middle of an odd number of colours.
  ramps.difference = ramp(dark ? ['#eceef2', '#a2a9b5', '#545963', '#282828', '#304b85', '#7fa8ff', '#e1eaff'] : ['#23272f', '#646b78', '#b6bac3', '#f4f4f4', '#a9c0ee', '#2457c5', '#0a1f55'], 255);
}
function channels(hex) {
  if (hex.length === 4) hex = '#' + hex[1] + hex[1] + hex[2] + hex[2] + hex[3] + hex[3];
  return [1, 3, 5].map(function (i) { return parseInt(hex.substr(i, 2), 16); });
}
function between(a, b, t) {
  var x = channels(a), y = channels(b);
  return 'rgb(' + x.map(function (v, i) { return Math.round(v + (y[i] - v) * t); }).join() + ')';
}
// Colours are interpolated in OKLab, where equal steps look equal.
function toLab(hex) {
  var r = channels(hex).map(function (v) { v /= 255; return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4); });
  var l = Math.cbrt(0.4122214708 * r[0] + 0.5363325363 * r[1] + 0.0514459929 * r[2]);
  var m = Math.cbrt(0.2119034982 * r[0] + 0.6806995451 * r[1] + 0.1073969566 * r[2]);
  var s = Math.cbrt(0.0883024619 * r[0] + 0.2817188376 * r[1] + 0.6299787005 * r[2]);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s, 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}
function toRgb(a) {
  var l = Math.pow(a[0] + 0.3963377774 * a[1] + 0.2158037573 * a[2], 3);
  var m = Math.pow(a[0] - 0.1055613458 * a[1] - 0.0638541728 * a[2], 3);
  var s = Math.pow(a[0] - 0.0894841775 * a[1] - 1.291485548 * a[2], 3);
  return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s].map(function (v) {
    v = v <= 0.0031308 ? 12.92 * v : 1.055 * Math.pow(v, 1 / 2.4) - 0.055;
    return Math.max(0, Math.min(255, Math.round(v * 255)));
  });
}
function ramp(stops, n) {
  var labs = stops.map(toLab), out = [];
  n = n || 256;
  for (var i = 0; i < n; i++) {
    var t = i / (n - 1) * (labs.length - 1), k = Math.min(labs.length - 2, Math.floor(t));
    out.push(toRgb([0, 1, 2].map(function (j) { return labs[k][j] + (labs[k + 1][j] - labs[k][j]) * (t - k); })));
  }
  return out;
}
function drawRamp(id, scale, lo, hi) {
  var el = byId(id), shown = [lo, hi, isDark()].join();
  if (!el || el.dataset.shown === shown) return;
  el.dataset.shown = shown;
  el.textContent = '';
  var a = document.createElement('span'), canvas = document.createElement('canvas'), b = document.createElement('span');
  a.textContent = lo; b.textContent = hi; canvas.width = scale.length; canvas.height = 1; canvas.setAttribute('aria-hidden', 'true');
  el.append(a, canvas, b);
  var context = canvas.getContext('2d'), image = context.createImageData(scale.length, 1);
  for (var i = 0; i < scale.length; i++) { image.data.set(scale[i], i * 4); image.data[i * 4 + 3] = 255; }
  context.putImageData(image, 0, 0);
}
