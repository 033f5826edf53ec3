// A pointer on a drawing: what is under it is told, and a click selects it. A finger
// cannot hover: its first tap tells, and a second one on the same selects.
var finger = false;
document.addEventListener('pointerdown', function (e) {
  finger = e.pointerType === 'touch';
  if (finger && !e.target.closest('.chart, .picture')) hideTip();
}, true);
function pointed(el, hit, shown) {
  var told = null;
  function tell(e) {
    var r = hit(e);
    el.style.cursor = r && (r.rank != null || r.step != null) ? 'pointer' : '';
    if (r) showTip(e, r.html); else hideTip();
    shown(r);
    return r;
  }
  el.addEventListener('mousemove', tell);
  el.addEventListener('mouseleave', function () { hideTip(); shown(null); el.style.cursor = ''; });
  el.addEventListener('click', function (e) {
    var r = finger ? tell(e) : hit(e), what = {}, first = finger && (!r || told !== r.html);
    told = r && r.html;
    if (!r || first) return;
    if (r.rank != null) what.rank = r.rank;
    if (r.step != null) what.step = r.step;
    if (!Object.keys(what).length) return;
    select(what);
    if (finger) tell(e);
  });
}
