// Marks of static pictures tell a pointer what stands in their data-hint.
(function () {
  var tip;
  document.addEventListener('mousemove', function (e) {
    var mark = e.target.closest && e.target.closest('[data-hint]');
    if (!mark) { if (tip) tip.remove(); tip = null; return; }
    if (!tip) { tip = document.createElement('div'); tip.className = 'tip'; tip.style.display = 'block'; document.body.appendChild(tip); }
    tip.textContent = mark.getAttribute('data-hint');
    tip.style.left = Math.max(4, Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 8)) + 'px';
    tip.style.top = e.clientY + (e.clientY + tip.offsetHeight + 22 > innerHeight ? -14 - tip.offsetHeight : 14) + 'px';
  });
})();
