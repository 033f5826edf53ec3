// The first picture is in the page as it is. Here its dots answer a pointer, and the
// selected step gets a ring.
var firstDots = [];
function readDots(svg) {
  var out = { svg: svg, dots: [] };
  [0, 1].forEach(function (side) {
    var i = 0, values = data.first[side ? 'cand' : 'base'];
    Array.prototype.forEach.call(svg.querySelectorAll('[data-side="' + side + '"]'), function (path) {
      path.getAttribute('d').split('M').slice(1).forEach(function (d) {
        var at = d.split(/[ h]/), of = data.first.of[side][i];
        out.dots.push({ x: +at[0], y: +at[1], side: side, value: values[i++], step: of[0], run: of[1], kind: of[2], r: path.getAttribute('stroke-width') / 2 });
      });
    });
  });
  return out;
}
function firstHit(e) {
  var best = null, near = 14;
  firstDots.forEach(function (p) {
    var box = p.svg.getBoundingClientRect(), scale = box.width / p.svg.viewBox.baseVal.width;
    if (!scale) return;
    p.dots.forEach(function (d) {
      var far = Math.hypot(box.left + d.x * scale - e.clientX, box.top + d.y * scale - e.clientY);
      if (far < near) { near = far; best = d; }
    });
  });
  return best && { html: dotText(best), step: best.step < 0 ? null : best.step };
}
function dotText(d) {
  var side = data.sides[d.side], run = d.run < 0 ? '' : ', ' + data.first.runs[d.side][d.run];
  var what = ['step ', '2' + narrowSpace + '% of the steps, such as step ', 'step ', 'median step'][d.kind] + (d.step < 0 ? '' : data.steps[d.step]);
  return tooltip(side + run, [[what, digits(d.value), d.side ? colors.cand : colors.base]], data.first.unit);
}
function markFirst() {
  firstDots.forEach(function (p) {
    Array.prototype.forEach.call(p.svg.querySelectorAll('.ring'), function (c) { c.remove(); });
    p.dots.forEach(function (d) {
      if (!stepIsSelected(d.step)) return;
      var c = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
      c.setAttribute('class', 'ring'); c.setAttribute('cx', d.x); c.setAttribute('cy', d.y); c.setAttribute('r', d.r + 2.5);
      p.svg.appendChild(c);
    });
  });
}
if (data.first) {
  each('#c-first svg', function (svg) { firstDots.push(readDots(svg)); });
  pointed(byId('c-first'), firstHit, function () {});
}
