// A pointer on a drawing: what is under it is told, and a click selects it. A finger
// cannot hover: its first tap tells, and a second one on the same selects.
var finger = false;
function hideTip() { tip.style.display = 'none'; }
function showTip(event, html) {
  tip.innerHTML = html; tip.style.display = 'block';
  var box = tip.getBoundingClientRect(), x = event.clientX + 14, y = event.clientY + 14;
  if (x + box.width > window.innerWidth - 8) x = event.clientX - box.width - 14;
  if (y + box.height > window.innerHeight - 8) y = event.clientY - box.height - 14;
  tip.style.left = Math.max(4, x) + 'px'; tip.style.top = Math.max(4, y) + 'px';
}
addEventListener('scroll', hideTip, { passive: true });
document.addEventListener('pointerdown', function (e) {
  finger = e.pointerType === 'touch';
  if (finger && !e.target.closest('.chart, .picture')) hideTip();
}, true);
function pointed(el, hit, shown) {
  var told = null;
  function tell(e) {
    var r = hit(e);
    el.style.cursor = r && ['rank', 'step', 'collective'].some(function (k) { return r[k] != null; }) ? 'pointer' : '';
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
    ['rank', 'step', 'collective'].forEach(function (k) { if (r[k] != null) what[k] = r[k]; });
    if (!Object.keys(what).length) return;
    select(what);
    if (finger) tell(e);
  });
}
