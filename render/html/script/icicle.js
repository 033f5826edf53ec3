// The mean step from above: parts, families of kernels, kernels; or its kernels by phase, operator
// or module, and family. Each node lies in the one above it; its width is time.
var icicle = data.icicle, icicleParts = icicle && icicle.nodes, icicleRow = 42, icicleView = 1, icicleOpen = 0, icicleFocus = -1, icicleLaid;
// Where each node begins and how wide it is, in the page's unit: on one side, or of what only
// one side has.
function icicleLayout() {
  if (icicleLaid) return icicleLaid;
  var nodes = icicle.nodes, n = nodes.length, size = [], at = [], next = [], depth = [], inner = {};
  nodes.forEach(function (v) { inner[v.in] = true; });
  for (var i = n - 1; i >= 0; i--) {
    var w = nodes[i].w;
    if (icicleView < 2) size[i] = w[icicleView];
    else {
      size[i] = size[i] || 0;
      if (!inner[i] && (w[0] === 0) !== (w[1] === 0)) size[i] = w[0] + w[1];
      if (i) size[nodes[i].in] = (size[nodes[i].in] || 0) + size[i];
    }
  }
  nodes.forEach(function (v, i) {
    depth[i] = i ? depth[v.in] + 1 : 0;
    at[i] = next[i] = i ? next[v.in] : 0;
    if (i) next[v.in] += size[i];
  });
  return icicleLaid = { size: size, at: at, depth: depth, levels: Math.max.apply(null, depth) + 1 };
}
function icicleHolds(node, i) { while (i > node) i = icicle.nodes[i].in; return i === node; }
// The nodes that are drawn, with their places: the open one over the whole width, what it lies
// in above it, and what lies in it below.
function icicleBoxes(width) {
  var q = icicleLayout(), out = [], scale = width / q.size[icicleOpen];
  icicle.nodes.forEach(function (v, i) {
    var above = icicleHolds(i, icicleOpen);
    if (!(q.size[i] > 0) || !above && !icicleHolds(icicleOpen, i)) return;
    var w = above ? width : q.size[i] * scale;
    if (w >= 0.7) out.push({ i: i, x: above ? 0 : (q.at[i] - q.at[icicleOpen]) * scale, y: q.depth[i] * icicleRow, w: w });
  });
  return out;
}
function icicleState(v) { return v.w[0] === 0 ? ' (new)' : v.w[1] === 0 ? ' (gone)' : ''; }
function drawIcicle(width) {
  if (!(icicleLayout().size[icicleOpen] > 0)) return [text(0, icicleRow / 2, 'Both sides have everything that is drawn: nothing is gone or new.', { fill: colors.ink })];
  var out = [], marks = [];
  icicleBoxes(width).forEach(function (b) {
    var v = icicle.nodes[b.i], moved = Math.abs(v.w[1] - v.w[0]) / Math.max(v.w[0], v.w[1]);
    var fill = v.c ? between(colors.paper, colors[v.c], 0.16 + 0.29 * Math.min(1, moved)) : colors.paper2, state = icicleState(v);
    out.push(rect(b.x, b.y, b.w - (b.w > 4 ? 1 : 0), icicleRow - 3, fill, { stroke: state ? colors.ink3 : colors.rule, lineWidth: 1, lineDash: state ? [3, 2] : null }));
    if (v.k) out.push(rect(b.x, b.y + icicleRow - 6, b.w - (b.w > 4 ? 1 : 0), 3, colors['k_' + v.k]));
    if (b.w > 40) out.push(text(b.x + 6, b.y + 12, fitted(v.n.slice(0, 300) + state, b.w - 12, '600 12px '), { fill: colors.ink, weight: 600 }));
    if (b.w > 60) out.push(text(b.x + 6, b.y + 27, fitted(icicleValue(v), b.w - 12, '400 12px ')));
    if (b.i === icicleFocus || v.r !== undefined && v.r === selected.kernel) marks.push(outline(b.x + 1, b.y + 1, b.w - 3, icicleRow - 5));
  });
  return out.concat(marks);
}
function icicleValue(v) { return digits(icicleView === 2 ? v.w[0] + v.w[1] : (v.o || v.w)[icicleView]) + narrowSpace + icicle.unit + (v.d === '0' ? '' : ', ' + v.d + (v.u ? narrowSpace + v.u : '')); }
function icicleTip(i) {
  var v = icicle.nodes[i], own = v.o || v.w, rows = [[data.sides[0], digits(own[0]), colors.base], [data.sides[1], digits(own[1]), colors.cand], ['Change', v.d, v.c && colors[v.c], v.u || icicle.unit]];
  if (v.c) rows.push(['Verdict', v.c, null, '']);
  if (v.x) rows.push(['Calls per step', v.x, null, '']);
  if (v.o && (v.w[0] < 0.99 * v.o[0] || v.w[1] < 0.99 * v.o[1])) rows.push(['Drawn narrower', 'it runs beside others', null, '']);
  return tooltip(shortened(v.n, 600) + icicleState(v), rows, icicle.unit);
}
function icicleAt(x, y, width) {
  return icicleBoxes(width).filter(function (b) { return x >= b.x && x < b.x + b.w && y >= b.y && y < b.y + icicleRow; }).map(function (b) { return b.i; })[0];
}
if (icicle) {
  if (icicle.launched) {
    icicle.launched.forEach(function (v) { if (v.q) { v.n = icicleParts[v.q - 1].n; v.r = icicleParts[v.q - 1].r; } });
    icicle.nodes = icicle.launched;
  }
  definitions.icicle = {
    height: function () { return icicleLayout().levels * icicleRow; },
    option: function (w) { return canvasOption(function () { return drawIcicle(w); }); },
    hit: function (x, y, plot, w) { var i = icicleAt(x, y, w); return i === undefined ? null : { html: icicleTip(i) }; }
  };
  (function () {
    var el = byId('c-icicle'), said = document.createElement('p'), touched;
    said.className = 'vh'; said.setAttribute('role', 'status');
    el.after(said);
    el.tabIndex = 0; el.setAttribute('role', 'application');
    function again() { hideTip(); draw('icicle'); }
    // A node that is open closes where it is opened again. Of a kernel the row is selected.
    function open(i) {
      var v = icicle.nodes[i];
      if (v.r !== undefined) select({ kernel: v.r });
      icicleOpen = i === icicleOpen && i ? v.in : i;
      again();
    }
    function tell(i) {
      icicleFocus = i; again();
      var v = icicle.nodes[i], b = icicleBoxes(plots.icicle.width).filter(function (b) { return b.i === i; })[0], box = el.getBoundingClientRect();
      said.textContent = shortened(v.n, 200) + icicleState(v) + ': ' + digits((v.o || v.w)[0]) + ', ' + digits((v.o || v.w)[1]) + ' ' + icicle.unit + ', ' + v.d + ' ' + (v.u || icicle.unit);
      if (b) showTip({ clientX: box.left + Math.max(0, b.x), clientY: box.top + b.y + icicleRow - 8 }, icicleTip(i));
    }
    el.addEventListener('click', function (e) {
      var b = el.getBoundingClientRect(), i = icicleAt(e.clientX - b.left, e.clientY - b.top, plots.icicle.width);
      if (i === undefined || finger && touched !== i) { touched = i; return; } // a first tap tells
      icicleFocus = -1; open(i);
    });
    el.addEventListener('keydown', function (e) {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      var shown = icicleBoxes(plots.icicle.width), at = shown.filter(function (b) { return b.i === icicleFocus; })[0], to;
      if (e.key === 'Escape') {
        if (!icicleOpen && icicleFocus < 0) return;
        icicleOpen = 0; icicleFocus = -1; said.textContent = ''; again();
      } else if (e.key === 'Enter' && at) open(at.i);
      else if (!/^Arrow/.test(e.key)) return;
      else if (!at) tell(icicleOpen);
      else {
        if (e.key === 'ArrowUp') to = shown.filter(function (b) { return b.i === icicle.nodes[at.i].in; });
        else if (e.key === 'ArrowDown') to = shown.filter(function (b) { return icicle.nodes[b.i].in === at.i; });
        else to = shown.filter(function (b) { return b.y === at.y && (e.key === 'ArrowRight' ? b.x > at.x : b.x < at.x); }).sort(function (a, b) { return e.key === 'ArrowRight' ? a.x - b.x : b.x - a.x; });
        if (to[0]) tell(to[0].i);
      }
      e.preventDefault(); e.stopPropagation();
    });
    el.addEventListener('blur', function () { if (icicleFocus >= 0) { icicleFocus = -1; again(); } });
    each('input[name=levels]', function (r) {
      r.addEventListener('change', function () { icicle.nodes = r.value === 'parts' ? icicleParts : icicle.launched; icicleOpen = 0; icicleFocus = -1; icicleLaid = null; again(); });
    });
    each('input[name=icicle]', function (r) {
      r.addEventListener('change', function () { icicleView = +r.value; icicleOpen = 0; icicleFocus = -1; icicleLaid = null; again(); });
    });
  })();
}
