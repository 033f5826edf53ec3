// Graphic elements and option pieces for charts that are drawn here.
function text(x, y, s, o) {
  o = o || {};
  return { type: 'text', silent: true, z2: 9, style: { x: x, y: y, text: s, fill: o.fill || colors.ink2, font: (o.weight || 400) + ' ' + (o.size || 12) + 'px ' + colors.font, align: o.align || 'left', verticalAlign: 'middle', stroke: o.halo ? colors.paper : null, lineWidth: o.halo ? 4 : 0 } };
}
var measuring = document.createElement('canvas').getContext('2d');
function textWidth(s, font) { measuring.font = font + colors.font; return measuring.measureText(s).width; }
// What of a text fits into so many pixels.
function fitted(s, room, font) {
  if (textWidth(s, font) <= room) return s;
  for (var n = s.length - 1; n > 1 && textWidth(s.slice(0, n) + '\u2026', font) > room;) n--;
  return s.slice(0, n) + '\u2026';
}
function rect(x, y, w, h, fill, style) {
  return { type: 'rect', silent: true, shape: { x: x, y: y, width: Math.max(0, w), height: Math.max(0, h) }, style: Object.assign({ fill: fill }, style) };
}
// What is selected has a double line, in the colours of ink and of paper: one of both stands
// out of whatever colour is below. What is thin is not covered: the lines stand around it.
function outline(x, y, w, h) {
  if (h < 8) { y -= 3; h += 6; }
  if (w < 8) { x -= 3; w += 6; }
  return { type: 'group', children: [rect(x, y, w, h, 'none', { stroke: colors.paper, lineWidth: 5 }), rect(x, y, w, h, 'none', { stroke: colors.sel, lineWidth: 2 })] };
}
function segment(x1, y1, x2, y2, stroke, width, dash) {
  return { type: 'line', silent: true, shape: { x1: x1, y1: y1, x2: x2, y2: y2 }, style: { stroke: stroke, lineWidth: width || 1, lineDash: dash || null } };
}
function circle(x, y, r, fill, stroke, width) {
  return { type: 'circle', silent: true, shape: { cx: x, cy: y, r: r }, style: { fill: fill, stroke: stroke || null, lineWidth: width || 0 } };
}
function triangle(points, fill) { return { type: 'polygon', silent: true, shape: { points: points }, style: { fill: fill } }; }
// A custom series that draws one group; draw gets the plot's rectangle.
function overlay(draw, more) {
  return Object.assign({ type: 'custom', data: [0], silent: true, clip: false, z: 6, renderItem: function (params, api) { return { type: 'group', children: draw(params.coordSys, api) }; } }, more);
}
// A drawing without axes, in pixels.
function canvasOption(draw) {
  return { animation: false, grid: { left: 0, right: 0, top: 0, bottom: 0 }, xAxis: { show: false, min: 0, max: 1 }, yAxis: { show: false, min: 0, max: 1 }, series: [overlay(draw)] };
}
function axis(o) {
  return Object.assign({ axisLine: { show: false }, axisTick: { show: false }, splitLine: { show: false } }, o, { axisLabel: Object.assign({ color: colors.ink2, fontSize: 12, fontFamily: colors.font, hideOverlap: true }, o.axisLabel) });
}
