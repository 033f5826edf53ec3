// What was compared, at the head of the page, closes like a menu.
var about = document.querySelector('.about');
document.addEventListener('click', function (e) { if (!about.contains(e.target)) about.open = false; });
about.addEventListener('keydown', function (e) {
  if (e.key !== 'Escape' || !about.open) return;
  about.open = false; about.firstElementChild.focus(); e.stopPropagation();
});
