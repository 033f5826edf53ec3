// Over charts: hovering and touching show values, a click selects, a drag across steps selects
// all of them.
var dragFrom = 5; // px: less is a click of an unsteady hand
function hideTip() { tip.style.display = 'none'; }
function showTip(event, html) {
  tip.innerHTML = html; tip.style.display = 'block';
  var box = tip.getBoundingClientRect(), x = event.clientX + 14, y = event.clientY + 14;
  if (x + box.width > window.innerWidth - 8) x = event.clientX - box.width - 14;
  if (y + box.height > window.innerHeight - 8) y = event.clientY - box.height - 14;
  tip.style.left = Math.max(4, x) + 'px'; tip.style.top = Math.max(4, y) + 'px';
}
function added(parent, name) {
  var el = document.createElement('div');
  el.className = name; parent.appendChild(el);
  return el;
}
function wire(id) {
  var p = plots[id], line = added(p.el, 'xh'), brush = definitions[id].brush ? added(p.el, 'brush') : null, press = null, dragged = false;
  function left(e) { return e.clientX - p.el.getBoundingClientRect().left; }
  function hit(e) { return definitions[id].hit(left(e), e.clientY - p.el.getBoundingClientRect().top, p.chart, p.width); }
  function choose(e) {
    var r = hit(e), what = {};
    if (!r) return;
    ['rank', 'step', 'collective'].forEach(function (k) { if (r[k] != null) what[k] = r[k]; });
    if (Object.keys(what).length) select(what);
    showTip(e, r.html); // a finger has no other way to see it
  }
  function off() { hideTip(); line.style.display = 'none'; p.el.style.cursor = ''; }
  function drag(e, r) {
    if (r && r.step != null) { press.to = r.step; press.last = r.last == null ? r.step : r.last; }
    if (!brush || press.step == null) return;
    brush.style.display = 'block'; brush.style.left = Math.min(press.x, left(e)) + 'px'; brush.style.width = Math.abs(left(e) - press.x) + 'px';
  }
  if (brush) p.el.style.touchAction = 'pan-y';
  p.el.addEventListener('pointerdown', function (e) {
    var r = hit(e) || {};
    dragged = false;
    press = { x: left(e), y: e.clientY, step: r.step, end: r.last == null ? r.step : r.last };
  });
  p.el.addEventListener('pointermove', function (e) {
    if (!press || !e.buttons) return;
    if (!dragged && Math.max(Math.abs(left(e) - press.x), Math.abs(e.clientY - press.y)) >= dragFrom) {
      dragged = true;
      if (brush) p.el.setPointerCapture(e.pointerId);
    }
    if (dragged) drag(e, hit(e));
  });
  function released(e) {
    if (brush) brush.style.display = 'none';
    if (press && dragged && e.type === 'pointerup' && brush && press.step != null && press.to !== undefined) {
      var from = Math.min(press.step, press.to), to = Math.max(press.end, press.last);
      select({ step: from, last: to > from ? to : null }, true);
    }
    press = null;
  }
  p.el.addEventListener('pointerup', released);
  p.el.addEventListener('pointercancel', released);
  p.el.addEventListener('mousemove', function (e) {
    var r = hit(e);
    if (!r) { off(); return; }
    p.el.style.cursor = r.rank != null || r.step != null || r.collective != null ? 'pointer' : '';
    showTip(e, r.html);
    if (r.x != null) { line.style.display = 'block'; line.style.left = Math.round(r.x) + 'px'; line.style.top = '20px'; line.style.bottom = '24px'; } else line.style.display = 'none';
  });
  p.el.addEventListener('mouseleave', off);
  p.el.addEventListener('click', function (e) { if (!dragged) choose(e); });
}
addEventListener('scroll', hideTip, { passive: true });
document.addEventListener('pointerdown', function (e) { if (!e.target.closest('.chart')) hideTip(); });
