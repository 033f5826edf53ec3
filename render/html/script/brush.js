// A drag across steps selects all of them. A drag of any kind is no click.
var dragFrom = 5; // px: less is a click of an unsteady hand
function draggable(el, hit, brushes) {
  var band = document.createElement('div'), press = null, dragged = false;
  band.className = 'brush'; el.appendChild(band);
  if (brushes) el.style.touchAction = 'pan-y';
  function left(e) { return e.clientX - el.getBoundingClientRect().left; }
  function drag(e, r) {
    if (!brushes || press.step == null) return;
    if (r && r.step != null) { press.to = r.step; press.last = r.last == null ? r.step : r.last; }
    band.style.display = 'block'; band.style.left = Math.min(press.x, left(e)) + 'px'; band.style.width = Math.abs(left(e) - press.x) + 'px';
  }
  el.addEventListener('pointerdown', function (e) {
    var r = hit(e) || {};
    dragged = false;
    press = { x: left(e), y: e.clientY, step: r.step, end: r.last == null ? r.step : r.last };
  });
  el.addEventListener('pointermove', function (e) {
    if (!press || !e.buttons) return;
    if (!dragged && Math.max(Math.abs(left(e) - press.x), Math.abs(e.clientY - press.y)) >= dragFrom) { dragged = true; if (brushes) hold(e); }
    if (dragged) { hideTip(); drag(e, hit(e)); }
  });
  // A pointer that has just gone cannot be held.
  function hold(e) { try { el.setPointerCapture(e.pointerId); } catch (error) { return; } }
  function released(e) {
    band.style.display = 'none';
    if (press && dragged && e.type === 'pointerup' && press.step != null && press.to !== undefined) {
      var from = Math.min(press.step, press.to), to = Math.max(press.end, press.last);
      select({ step: from, last: to > from ? to : null }, true);
    }
    press = null;
  }
  el.addEventListener('pointerup', released);
  el.addEventListener('pointercancel', released);
  el.addEventListener('click', function (e) { if (dragged) e.stopImmediatePropagation(); }, true);
}
